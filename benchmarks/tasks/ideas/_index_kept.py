"""Keeps what rows of ``index_ideas`` scored, a JSON file a row, with the code that it was measured with.

Rows are run on different days, and a difference to a default of other code would be false. So every result is kept with
a hash of the code that added and searched, and a row is compared only with a default of the same code, or of code under
which the default, asked anew, gave the same value for every question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ...results import commit, machine, today

DEFAULT = "default"
BASELINES = ("BM25", "dense", "RRF")
"""Rows that run none of our code but the encoder: they stand beside any default."""
FOLDER = "index_ideas"
_SEARCHING = ("core", "models", "ingest", "kg", "retrieval.question", "retrieval.search", "indexing")
"""The packages that add documents and search them; answers are written by others, and change nothing here."""
_DIGITS = 4

Values = dict[str, dict[int, float]]
"""Measure -> number of the question -> value."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a row scored on a set: measure -> question number -> value, and what it cost."""

    values: Mapping[str, Mapping[int, float]]
    costs: Mapping[str, float]

    @property
    def summary(self) -> str:
        """Means and costs in one line."""
        means = (
            f"{what} {sum(own.values()) / max(1, len(own)):.3f} (n={len(own)})" for what, own in self.values.items()
        )
        return ", ".join((*means, *(f"{what} {value}" for what, value in self.costs.items())))


@dataclass(slots=True)
class Cell:
    """What is kept of a row on a set."""

    values: Values
    costs: dict[str, float] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    """Hashes of the code with which these values were found: several where a default was asked again."""
    made: dict[str, str] = field(default_factory=dict)
    """Date, commit and machine of the last run."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Cell:
        """From its JSON, in which the questions of a measure are a list of pairs."""
        values = {what: dict(pairs) for what, pairs in data["values"].items()}
        return cls(values, data["costs"], data.get("codes", []), data["made"])

    @property
    def as_data(self) -> dict[str, Any]:
        """As JSON keeps it."""
        pairs = {what: sorted(own.items()) for what, own in self.values.items()}
        return {"values": pairs, "costs": self.costs, "codes": self.codes, "made": self.made}


@dataclass(slots=True)
class KeptRow:
    """All that is kept of a row: a cell a set, and what it costs to add pages with it."""

    name: str
    sets: dict[str, Cell] = field(default_factory=dict)
    costs: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> KeptRow:
        """From its file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        cells = {name: Cell.of(cell) for name, cell in data["sets"].items()}
        return cls(data["row"], cells, data.get("costs", {}))

    def write(self, path: Path) -> None:
        """Into its file."""
        cells = {name: cell.as_data for name, cell in self.sets.items()}
        data = {"row": self.name, "sets": cells, "costs": self.costs}
        path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


@cache
def code_of_search() -> str:
    """A hash of all that adding and searching run; equal where results may be compared.

    What a set asks is no part of it: whoever changes how a set is read measures its rows anew.
    """
    digest = hashlib.sha256()
    for package in _SEARCHING:
        folder = Path(import_module(f"cliquerag.{package}").__path__[0])
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".toml"):
                digest.update(f"{package}/{path.relative_to(folder).as_posix()}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def keep(docs: Path, row: str, name: str, measured: Measured) -> None:
    """Add what a row scored on a set (``name`` "": its costs alone) to its file.

    Questions asked before stay where they were asked with the same code. Values of other code are replaced; those of a
    default that come out the same keep the hash of that code beside the new one.
    """
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{row.replace(' ', '_')}.json"
    kept = KeptRow.read(path) if path.is_file() else KeptRow(row)
    made = {"date": today(), "commit": commit(Path(__file__).parent), "machine": machine()}
    if name:
        found = Cell(_rounded(measured.values), dict(measured.costs), [code_of_search()], made)
        kept.sets[name] = _joined(row, kept.sets.get(name), found)
    else:
        kept.costs = {**measured.costs, "made": made}
    kept.write(path)


def _joined(row: str, before: Cell | None, found: Cell) -> Cell:
    """The new values, with those of other questions of the same code, or with the code that gave the same values."""
    if before is None:
        return found
    if found.codes[0] in before.codes:
        for what, own in found.values.items():
            found.values[what] = {**before.values.get(what, {}), **own}
        found.codes = before.codes
    elif row == DEFAULT and found.values == before.values:
        found.codes = [*before.codes, *found.codes]
    return found


def _rounded(values: Mapping[str, Mapping[int, float]]) -> Values:
    rounded: Values = {}
    for what, own in values.items():
        rounded[what] = {number: round(value, _DIGITS) for number, value in own.items()}
    return rounded


def kept_rows(docs: Path) -> dict[str, KeptRow]:
    """Row -> what is kept of it, the default first, then in alphabetical order."""
    found = [KeptRow.read(path) for path in sorted((docs / FOLDER).glob("*.json"))]
    found.sort(key=lambda kept: kept.name != DEFAULT)
    return {kept.name: kept for kept in found}


def comparable(kept: Mapping[str, KeptRow], name: str) -> dict[str, Cell]:
    """Row -> its cell of a set that has a default, where that default is of the same code."""
    codes = set(kept[DEFAULT].sets[name].codes)
    found: dict[str, Cell] = {}
    for row, own in kept.items():
        stands_beside_any = row == DEFAULT or row in BASELINES
        if name in own.sets and (stands_beside_any or codes.intersection(own.sets[name].codes)):
            found[row] = own.sets[name]
    return found

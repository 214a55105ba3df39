"""Keeps what rows of ``index_ideas`` scored, a JSON file a row, and writes the page that compares them.

Rows are run on different days, and a difference to a default of other code would be false. So every result is kept with
a hash of the code that added and searched, and a row is shown only beside a default of the same code, or of code under
which the default, asked anew, gave the same value for every question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.statistics import bootstrap, paired_bootstrap
from cliquerag.evaluation.tables import interval, number

from ...results import commit, machine, today

DEFAULT = "default"
BASELINES = ("BM25", "dense", "RRF")
"""Rows that run none of our code but the encoder: they stand beside any default."""
FOLDER = "index_ideas"
PAGE = "index_ideas.md"
_UNREAD = 3
"""Every third question is left aside while anything is being chosen."""
_INTRODUCTION = (
    "# Ideas of indexing and searching, side by side",
    "Written by `python -m benchmarks.tasks.ideas.index_ideas`, never by hand. A cell is the mean over the questions "
    "asked; behind it the difference to `default` over the questions that both were asked, with its 95 % paired "
    "bootstrap interval: it counts where it leaves out zero, and is bold then. Samples are smaller than the sets where "
    "`n` says so. Every third question was left unread while rows were built: the last table shows those alone. BM25, "
    "dense and RRF are the usual retrievers over pieces of 1,000 characters. `earnings_qa`: an analyst's question "
    "finds the executive's answer in its call, and what holds words of the question's own turn is no hit; `unspoken`: "
    "the turns of all these questions are cut out of the calls, so that none of their words are left there. Costs: 40 "
    "pages of filings added without any cache.",
    "Every result is kept with a hash of the code that adds and searches. A row is compared only where its default was "
    "measured with the same code, or where the default, asked anew with newer code, gave the same value for every "
    "question; what stands beside another default is left out and named below its table, and so are sets without a "
    "default. Rows that ask a model got the answers of a reader who had not seen what is right; they are recorded and "
    "replayed.",
)
_SEARCHING = ("core", "models", "ingest", "kg", "retrieval.question", "retrieval.search", "indexing")
"""The packages that add documents and search them; answers are written by others, and change nothing here."""


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


Kept = dict[str, Any]
"""The JSON of a row: "row", "sets" -> name -> {"values", "costs", "codes", "made"}, "costs".

"codes" are the hashes of code with which these values were found: several where a default was asked again."""
Values = Mapping[str, Mapping[int, float]]


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
    kept: Kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"row": row, "sets": {}}
    made = {"date": today(), "commit": commit(Path(__file__).parent), "machine": machine()}
    if not name:
        kept["costs"] = {**measured.costs, "made": made}
    else:
        before = kept["sets"].get(name, {})
        values, codes = _joined(row, before, measured.values)
        compact = {what: [[number, round(value, 4)] for number, value in own.items()] for what, own in values.items()}
        kept["sets"][name] = {"values": compact, "costs": dict(measured.costs), "codes": codes, "made": made}
    path.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")


def _joined(row: str, before: Mapping[str, Any], found: Values) -> tuple[Values, list[str]]:
    """The values to keep, and the code with which they were found."""
    code, codes = code_of_search(), list(before.get("codes", ()))
    old = {what: _numbered(pairs) for what, pairs in before.get("values", {}).items()}
    if code in codes:
        both = {what: dict(sorted({**old.get(what, {}), **own}.items())) for what, own in found.items()}
        return both, codes
    is_the_same = bool(codes) and old == {what: _rounded(own) for what, own in found.items()}
    return found, [*codes, code] if row == DEFAULT and is_the_same else [code]


def _rounded(own: Mapping[int, float]) -> dict[int, float]:
    return {number: round(value, 4) for number, value in own.items()}


def _numbered(pairs: Sequence[tuple[int, float]] | Mapping[int, float]) -> dict[int, float]:
    return dict(pairs)


def kept_rows(docs: Path) -> dict[str, Kept]:
    """Row -> what is kept of it, the default first, then in alphabetical order."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((docs / FOLDER).glob("*.json"))]
    found.sort(key=lambda kept: kept["row"] != DEFAULT)
    return {kept["row"]: kept for kept in found}


def write_page(docs: Path, kept: Mapping[str, Kept], told: Mapping[str, tuple[str, str]], sets: Sequence[str]) -> None:
    """The page: a table of the first measure of every set, costs, what each row is, all measures, the unread part."""
    shown = [(name, _comparable(kept, name)) for name in sets if name in kept.get(DEFAULT, {"sets": {}})["sets"]]
    named = {row for _, rows in shown for row in rows} | {row for row, own in kept.items() if "costs" in own}
    parts = [*_INTRODUCTION, "## What each row is", *_told(named, kept, told), "## The measure that counts"]
    for name, rows in shown:
        parts += [*_table(name, rows, first_only=True), _circumstances(kept, name, rows)]
    parts += ["## Costs", *_costs({row: own for row, own in kept.items() if row in named}), "## Every measure"]
    for name, rows in shown:
        parts += _table(name, rows, first_only=False)
    parts.append("## The questions left unread")
    for name, rows in shown:
        parts += _table(name, rows, first_only=True, unread=True)
    (docs / PAGE).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _comparable(kept: Mapping[str, Kept], name: str) -> dict[str, Mapping[str, Any]]:
    """Row -> what is kept of it on a set, where the default beside it is of the same code."""
    codes = set(kept[DEFAULT]["sets"][name].get("codes", ()))
    rows = {row: own["sets"][name] for row, own in kept.items() if name in own["sets"]}
    beside_any = {DEFAULT, *BASELINES}
    return {row: cell for row, cell in rows.items() if row in beside_any or not codes.isdisjoint(cell.get("codes", ()))}


def _circumstances(kept: Mapping[str, Kept], name: str, rows: Collection[str]) -> str:
    """When the default was measured, which rows a reader answered for, and which are left out."""
    made = kept[DEFAULT]["sets"][name]["made"]
    absent = [f"`{row}`" for row, own in kept.items() if name in own["sets"] and row not in rows]
    left_out = f" Left out, beside another default: {', '.join(absent)}." if absent else ""
    at = f" at commit {made['commit']}" if made["commit"] else ""
    counted = {row: kept[row]["sets"][name]["costs"].get("calls") for row in rows}
    read = "".join(f" `{row}`: by a reader on {calls} calls." for row, calls in counted.items() if calls is not None)
    return f"<sub>`default` measured {made['date']}{at}.{read}{left_out}</sub>"


def _told(shown: Collection[str], kept: Mapping[str, Kept], told: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    lines = ["| row | what it does | when somebody wants it |", "| --- | --- | --- |"]
    for row in kept:
        says, when = told.get(row, ("", ""))
        if says and row in shown:
            lines.append(f"| `{row}` | {says} | {when} |")
    yield "\n".join(lines)


def _table(
    name: str, kept: Mapping[str, Mapping[str, Any]], *, first_only: bool, unread: bool = False
) -> Iterator[str]:
    """The table of a set: rows down, measures across. A short line a row keeps the page narrow."""
    rows = {row: _values(cell, unread) for row, cell in kept.items()}
    measures = list(rows[DEFAULT])[: 1 if first_only else None]
    lines = [f"| {name} | {' | '.join(measures)} | n |", f"| --- |{' ---: |' * len(measures)} ---: |"]
    for row, values in rows.items():
        cells = [_cell(row, values.get(what, {}), rows[DEFAULT].get(what, {})) for what in measures]
        asked = len(values.get(measures[0], {}))
        if asked:
            lines.append(f"| `{row}` | {' | '.join(cells)} | {asked} |")
    if len(lines) > 2:
        yield "\n".join(lines)


def _values(kept: Mapping[str, Any], unread: bool) -> dict[str, dict[int, float]]:
    wanted = {what: dict(pairs) for what, pairs in kept["values"].items()}
    if not unread:
        return wanted
    return {what: {at: v for at, v in own.items() if at % _UNREAD == _UNREAD - 1} for what, own in wanted.items()}


def _cell(row: str, own: Mapping[int, float], default: Mapping[int, float]) -> str:
    """Mean, and the paired difference to the default over the questions of both."""
    if not own:
        return ""
    mean, _, _ = bootstrap(list(own.values()))
    common = sorted(own.keys() & default.keys())
    if row == DEFAULT or not common:
        return number(mean)
    value, low, high = paired_bootstrap([own[at] for at in common], [default[at] for at in common])
    shown = interval(Row(row, "", value, low, high, better="neither"))
    counts = low > 0 or high < 0
    return f"{number(mean)} ({f'**{shown}**' if counts else shown})"


def _costs(kept: Mapping[str, Kept]) -> Iterator[str]:
    names = ("CPU s a page", "KB a page", "calls a page", "tokens a page")
    lines = [f"| row | {' | '.join(names)} | ms a question |", f"| --- |{' ---: |' * (len(names) + 1)}"]
    for row, own in kept.items():
        costs = own.get("costs", {})
        asked = [one["costs"]["ms a question"] for one in own["sets"].values() if "ms a question" in one["costs"]]
        slow = f"{sum(asked) / len(asked):.0f}" if asked else ""
        if costs or slow:
            lines.append(f"| `{row}` | {' | '.join(str(costs.get(name, '')) for name in names)} | {slow} |")
    yield "\n".join(lines)

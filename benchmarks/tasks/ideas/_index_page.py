"""Keeps what rows of ``index_ideas`` scored, a JSON file a row, and writes the page that compares them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.statistics import bootstrap, paired_bootstrap
from cliquerag.evaluation.tables import interval, number

from ...results import commit, machine, today

DEFAULT = "default"
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
)


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
"""The JSON of a row: "row", "sets" -> name -> {"values", "costs", "made"}, "costs"."""


def keep(docs: Path, row: str, name: str, measured: Measured) -> None:
    """Add what a row scored on a set (``name`` "": its costs alone) to its file; questions asked again are replaced."""
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{row.replace(' ', '_')}.json"
    kept: Kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"row": row, "sets": {}}
    made = {"date": today(), "commit": commit(docs), "machine": machine()}
    if not name:
        kept["costs"] = {**measured.costs, "made": made}
    else:
        before = kept["sets"].get(name, {}).get("values", {})
        values = {
            what: dict(sorted({**_numbered(before.get(what, {})), **own}.items()))
            for what, own in measured.values.items()
        }
        compact = {what: [[number, round(value, 4)] for number, value in own.items()] for what, own in values.items()}
        kept["sets"][name] = {"values": compact, "costs": dict(measured.costs), "made": made}
    path.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")


def _numbered(pairs: Sequence[tuple[int, float]] | Mapping[int, float]) -> dict[int, float]:
    return dict(pairs)


def kept_rows(docs: Path) -> dict[str, Kept]:
    """Row -> what is kept of it, the default first, then in alphabetical order."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((docs / FOLDER).glob("*.json"))]
    found.sort(key=lambda kept: kept["row"] != DEFAULT)
    return {kept["row"]: kept for kept in found}


def write_page(docs: Path, kept: Mapping[str, Kept], told: Mapping[str, tuple[str, str]], sets: Sequence[str]) -> None:
    """The page: a table of the first measure of every set, costs, what each row is, all measures, the unread part."""
    there = [name for name in sets if any(name in own["sets"] for own in kept.values())]
    parts = [*_INTRODUCTION, "## What each row is", *_told(kept, told), "## The measure that counts"]
    parts += _tables(kept, there, first_only=True)
    parts += ["## Costs", *_costs(kept), "## Every measure", *_tables(kept, there, first_only=False)]
    parts += ["## The questions left unread", *_tables(kept, there, first_only=True, unread=True)]
    (docs / PAGE).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _told(kept: Mapping[str, Kept], told: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    lines = ["| row | what it does | when somebody wants it |", "| --- | --- | --- |"]
    for row, own in kept.items():
        says, when = told.get(row, (own.get("says", ""), own.get("when", "")))  # of a row that was: its file says it
        if says:
            lines.append(f"| `{row}` | {says} | {when} |")
    yield "\n".join(lines)


def _tables(kept: Mapping[str, Kept], sets: Sequence[str], *, first_only: bool, unread: bool = False) -> Iterator[str]:
    """A table a set: rows down, measures across. A short line a row keeps the page narrow."""
    for name in sets:
        rows = {row: _values(own["sets"][name], unread) for row, own in kept.items() if name in own["sets"]}
        measures = list(next(iter(rows.values())))[: 1 if first_only else None]
        lines = [f"| {name} | {' | '.join(measures)} | n |", f"| --- |{' ---: |' * len(measures)} ---: |"]
        for row, values in rows.items():
            cells = [_cell(row, values.get(what, {}), rows.get(DEFAULT, {}).get(what, {})) for what in measures]
            asked = len(values.get(measures[0], {})) if measures else 0
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

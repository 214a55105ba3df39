"""Writes the page that compares the kept rows of ``index_ideas``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from cliquerag.evaluation.benchmark import Row, interval, number
from cliquerag.evaluation.statistics import bootstrap, paired_bootstrap

from ._index_kept import DEFAULT, Cell, KeptRow, Values, comparable

PAGE = "index_ideas.md"
AIMS = Path(__file__).with_name("index_ideas_aims.md")
"""What was aimed at, what was reached and where the rest goes: the one part of the page that somebody writes."""
ACROSS = ("int8",)
"""Rows that are decided by all sets together: each has a table of its own, a line a set."""
_UNREAD = 3
"""Every third question is left aside while anything is being chosen."""
_COSTS = ("CPU s a page", "KB a page", "calls a page", "tokens a page")
_MILLISECONDS = "ms a question"
_INTRODUCTION = (
    "# Ideas of indexing and searching, side by side",
    "Written by `python -m benchmarks.tasks.ideas.index_ideas`, never by hand but for the aims. A cell is the mean "
    "over the questions asked; behind it the difference to `default` over the questions that both were asked, with "
    "its 95 % paired bootstrap interval: it counts where it leaves out zero, and is bold then. Samples are smaller "
    "than the sets where `n` says so. Every third question was left unread while rows were built: the last table "
    "shows those alone. BM25, dense and RRF are the usual retrievers over pieces of 1,000 characters (FinCUGE 100). "
    "`earnings_qa`: an analyst's question finds the executive's answer in its call, and what holds words of the "
    "question's own turn is no hit; `unspoken`: the turns of all these questions are cut out of the calls, so that "
    "none of their words are left there. Costs: 40 pages of filings added without any cache.",
    "Every result is kept with a hash of the code that adds and searches. A row is compared only where its default was "
    "measured with the same code, or where the default, asked anew with newer code, gave the same value for every "
    "question; what stands beside another default is left out and named below its table, and so are sets without a "
    "default. Rows that ask a model got the answers of a reader who had not seen what is right; they are recorded and "
    "replayed.",
)


def write_page(
    docs: Path, kept: Mapping[str, KeptRow], told: Mapping[str, tuple[str, str]], sets: Sequence[str]
) -> None:
    """The page: a table of the first measure of every set, costs, what each row is, all measures, the unread part.

    ``told`` says of each row what it does and when somebody wants it.
    """
    measured = kept[DEFAULT].sets if DEFAULT in kept else {}
    shown = {name: comparable(kept, name) for name in sets if name in measured}
    named = _rows_of(kept, shown)
    first, every, unread = [], [], []
    for name, rows in shown.items():
        values = {row: cell.values for row, cell in rows.items()}
        measures = list(values[DEFAULT])
        first += [_table(name, values, measures[:1]), _circumstances(kept, name, rows)]
        every.append(_table(name, values, measures))
        unread.append(_table(name, {row: _unread(own) for row, own in values.items()}, measures[:1]))
    parts = [*_INTRODUCTION, "## What each row is", _told(named, told)]
    parts += [AIMS.read_text(encoding="utf-8").strip(), "## The measure that counts", *first]
    parts += ["## Costs", _costs([kept[row] for row in named]), "## Every measure", *every]
    parts += ["## The questions left unread", *unread]
    for row in kept.keys() & set(ACROSS):
        parts += [f"## `{row}` over all sets", _across(row, shown)]
    (docs / PAGE).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _rows_of(kept: Mapping[str, KeptRow], shown: Mapping[str, Collection[str]]) -> list[str]:
    """The rows that stand in a table."""
    named: list[str] = []
    for row, own in kept.items():
        if own.costs or any(row in rows for rows in shown.values()):
            named.append(row)
    return named


def _circumstances(kept: Mapping[str, KeptRow], name: str, rows: Mapping[str, Cell]) -> str:
    """When the default was measured, which rows a reader answered for, and which are left out."""
    made = rows[DEFAULT].made
    said = [f"`default` measured {made['date']} at commit {made['commit']}."]
    for row, cell in rows.items():
        if "calls" in cell.costs:
            said.append(f"`{row}`: by a reader on {cell.costs['calls']} calls.")
    absent = [f"`{row}`" for row, own in kept.items() if name in own.sets and row not in rows]
    if absent:
        said.append(f"Left out, beside another default: {', '.join(absent)}.")
    return f"<sub>{' '.join(said)}</sub>"


def _told(rows: Sequence[str], told: Mapping[str, tuple[str, str]]) -> str:
    lines = ["| row | what it does | when somebody wants it |", "| --- | --- | --- |"]
    for row in rows:
        if row in told:
            says, when = told[row]
            lines.append(f"| `{row}` | {says} | {when} |")
    return "\n".join(lines)


def _table(name: str, rows: Mapping[str, Values], measures: Sequence[str]) -> str:
    """The table of a set: rows down, measures across. A short line a row keeps the page narrow."""
    lines = [f"| {name} | {' | '.join(measures)} | n |", f"| --- |{' ---: |' * len(measures)} ---: |"]
    for row, values in rows.items():
        cells = [_cell(row, values.get(what, {}), rows[DEFAULT][what]) for what in measures]
        asked = len(values.get(measures[0], {}))
        if asked:
            lines.append(f"| `{row}` | {' | '.join(cells)} | {asked} |")
    return "\n".join(lines)


def _across(row: str, shown: Mapping[str, Mapping[str, Cell]]) -> str:
    """The first measure of a row in every set, and the mean difference over the questions of all of them."""
    lines = [f"| set | measure | `{DEFAULT}` | `{row}` | n |", "| --- | --- | ---: | ---: | ---: |"]
    own_of_all: list[float] = []
    default_of_all: list[float] = []
    for name, cells in shown.items():
        if row not in cells:
            continue
        measure = next(iter(cells[DEFAULT].values))
        own, default = cells[row].values[measure], cells[DEFAULT].values[measure]
        common = sorted(own.keys() & default.keys())
        own_of_all += [own[at] for at in common]
        default_of_all += [default[at] for at in common]
        mean = number(sum(default[at] for at in common) / len(common))
        lines.append(f"| {name} | {measure} | {mean} | {_cell(row, own, default)} | {len(common)} |")
    if own_of_all:
        together = _cell(row, dict(enumerate(own_of_all)), dict(enumerate(default_of_all)))
        mean = number(sum(default_of_all) / len(default_of_all))
        lines.append(f"| all questions |  | {mean} | {together} | {len(own_of_all)} |")
    return "\n".join(lines)


def _unread(values: Values) -> Values:
    """The values of the questions that were left aside."""
    found: Values = {}
    for what, own in values.items():
        found[what] = {at: value for at, value in own.items() if at % _UNREAD == _UNREAD - 1}
    return found


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
    leaves_out_zero = low > 0 or high < 0
    if leaves_out_zero:
        shown = f"**{shown}**"
    return f"{number(mean)} ({shown})"


def _costs(rows: Sequence[KeptRow]) -> str:
    lines = [f"| row | {' | '.join(_COSTS)} | {_MILLISECONDS} |", f"| --- |{' ---: |' * (len(_COSTS) + 1)}"]
    for own in rows:
        cells = [str(own.costs.get(name, "")) for name in _COSTS]
        asked = [cell.costs[_MILLISECONDS] for cell in own.sets.values() if _MILLISECONDS in cell.costs]
        cells.append(f"{sum(asked) / len(asked):.0f}" if asked else "")
        if any(cells):
            lines.append(f"| `{own.name}` | {' | '.join(cells)} |")
    return "\n".join(lines)

"""cliquerag facts, calc and sql."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.anchor import at_place
from ..core.errors import UsageError
from ..core.period import label_of
from ..core.plain import as_plain
from .common import Face, as_of_option, command, echo_json

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from rich.console import Console

    from ..core.fact import Fact
    from ..retrieval.calculation import NumberAnswer, Rows
    from ..retrieval.calculation.aggregates import Series
    from ..retrieval.search.rerankers.exact_match import Occurrence
    from ..workspace import Workspace

_FILE = click.Path(path_type=Path, dir_okay=False)
_SOME, _EVERY = 200, 1_000_000
_WIDE = 300
"""Characters of a row or sentence that are shown."""


@command(
    click.option("--company", multiple=True, help="Only this company; repeat for several."),
    click.option("--metric", multiple=True, help="Only this metric (revenue, 营业收入, capex ...)."),
    click.option("--period", multiple=True, help="Only this period (FY2023, Q2 2024)."),
    click.option("--label", default="", help="Only rows whose name holds these words."),
    click.option("--source", multiple=True, help="Only this document; repeat for several."),
    click.option("--value", help="Every cell and sentence that holds this number, in any scale."),
    as_of_option,
    click.option("--limit", type=click.IntRange(min=1), help="At most so many (200; with --export all)."),
    click.option("--export", type=_FILE, help="Write the facts: FILE.csv, or FILE.xlsx with links to their pages."),
    click.option("--plot", type=_FILE, help="Draw the metric or formula over periods, a line a company: FILE.svg."),
)
def facts(
    face: Face,
    company: tuple[str, ...],
    metric: tuple[str, ...],
    period: tuple[str, ...],
    label: str,
    source: tuple[str, ...],
    value: str | None,
    as_of: date | None,
    limit: int | None,
    export: Path | None,
    plot: Path | None,
) -> None:
    """List facts with their page."""
    limit = limit or (_EVERY if export else _SOME)
    number = _number(value) if value is not None else None
    try:
        with face.workspace() as workspace:
            drawn = _draw(face, workspace, plot, metric, company, period) if plot else {}
            if drawn and export is None:
                face.show(drawn, lambda out: None)
                return
            found = workspace.facts(
                company, metric, period, label=label, value=number, sources=source, as_of=as_of, limit=limit
            )
            printed = _elsewhere(workspace, found, number, company, source, as_of, limit)
            listing = _Listing.of(workspace, found, printed)
            if export is not None:
                _export(face, workspace, export, found)
    except ValueError as error:
        raise UsageError(str(error), where="--period") from error
    if export is not None and not face.as_json:
        return
    rows = [*listing.rows(), *printed]
    face.show({**drawn, "facts": rows} if drawn else rows, listing.print)


def _number(text: str) -> Decimal:
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text.replace(",", ""))
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise UsageError(f"{text!r} is not a number", where="--value", hint='Write digits alone: "4215", "4.2"')
    return number


def _draw(
    face: Face,
    workspace: Workspace,
    path: Path,
    metric: tuple[str, ...],
    company: tuple[str, ...],
    period: tuple[str, ...],
) -> dict[str, Any]:
    """Draw the picture; its path and the series in it, and those left out, whose unit is another."""
    from ..views.charts import trend_svg

    if len(metric) != 1:
        raise UsageError("a picture shows one metric", where="--plot", hint="Give one --metric, or formula")
    lines = workspace.series(metric[0], company, period)
    if not lines:
        raise UsageError(f"no figure of {metric[0]!r} in any period", where="--plot", hint="See: cliquerag facts")
    by_unit: dict[str, list[Series]] = defaultdict(list)
    for line in lines:
        by_unit[line.unit].append(line)
    shown = by_unit.pop(max(by_unit, key=lambda unit: len(by_unit[unit])))
    left_out = [line for line in lines if line.unit in by_unit]
    title = shown[0].name
    path.write_text(trend_svg(shown, title[:1].upper() + title[1:]), encoding="utf-8")
    for line in left_out:
        face.say(f"Left out, in another unit ({line.unit}): {line.company}")
    face.say(f"Written: {path}")
    return {"plot": path, "series": shown, "left_out": left_out}


def _export(face: Face, workspace: Workspace, path: Path, found: Sequence[Fact]) -> None:
    from ..views.fact_files import write_facts

    write_facts(path, found, workspace.path_of)
    face.say(f"Written: {path} ({len(found)} facts)")


def _elsewhere(
    workspace: Workspace,
    found: Sequence[Fact],
    number: Decimal | None,
    company: tuple[str, ...],
    source: tuple[str, ...],
    as_of: date | None,
    limit: int,
) -> list[Occurrence]:
    """Where the number is printed besides the cells found: a fact of a sentence is shown with its sentence."""
    if number is None:
        return []
    from ..core.scope import Scope

    cells: dict[str, list[range]] = defaultdict(list)
    for fact in found:
        if fact.table is not None:
            cells[fact.source].append(range(fact.start, fact.end))
    places = workspace.occurrences(number, Scope(companies=company, sources=source, as_of=as_of), limit=limit)
    return [place for place in places if not any(place.start in cell for cell in cells[place.source])]


class _Listing:
    """Facts with what later documents state anew, other places of a number, and short names of all documents."""

    def __init__(
        self, found: Sequence[Fact], anew: Mapping[str, Fact], printed: Sequence[Occurrence], names: Mapping[str, str]
    ) -> None:
        self._found, self._printed, self._names = found, printed, names
        self._anew = {id: f"{by.text} ({at_place(names[by.source], by)})" for id, by in anew.items()}

    @classmethod
    def of(cls, workspace: Workspace, found: Sequence[Fact], printed: Sequence[Occurrence]) -> _Listing:
        anew = workspace.superseded(found)
        shown: list[Fact | Occurrence] = [*found, *anew.values(), *printed]
        return cls(found, anew, printed, workspace.sources.short_names(one.source for one in shown))

    def rows(self) -> list[dict[str, Any]]:
        rows = []
        for fact in self._found:
            row: dict[str, Any] = as_plain(fact)
            if fact.id in self._anew:
                row["superseded_by"] = self._anew[fact.id]
            rows.append(row)
        return rows

    def print(self, out: Console) -> None:
        """One line a fact; what a later document states anew says so."""
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for head in ("company", "metric", "as written", "period"):
            table.add_column(head)
        table.add_column("value", justify="right")
        table.add_column("unit")
        table.add_column("where")
        for fact in self._found:
            table.add_row(*self._cells(fact))
        none = "No such fact. `cliquerag docs` lists the companies; without --metric all are shown."
        out.print(table if self._found else none)
        self._print_places(out)

    def _cells(self, fact: Fact) -> tuple[str, ...]:
        period = label_of(fact.period)
        unit = fact.unit if fact.scale == 1 else f"{fact.unit} x {fact.scale:,}"
        where = at_place(self._names[fact.source], fact)
        if fact.id in self._anew:
            where += f"; stated anew: {self._anew[fact.id]}"
        return fact.company, fact.metric, fact.label, period, fact.text, unit, where

    def _print_places(self, out: Console) -> None:
        """Cells and sentences that hold the number, each with its page."""
        if self._printed:
            out.print("\nAlso printed:", style="bold")
        for place in self._printed:
            where = at_place(self._names[place.source], place)
            around = place.around if len(place.around) < _WIDE else f"{place.around[:_WIDE]}…"
            out.print(f"{place.kind}  {where}", markup=False, style="cyan")
            out.print(f"    {around}", markup=False)


@command(
    click.argument("what"),
    click.option("--company", multiple=True, help="Of this company; needed where there are several."),
    click.option("--period", multiple=True, help="Of this period (FY2023, Q2 2024); repeat for several."),
    click.option("--formulas", type=click.Path(path_type=Path), help="A TOML file of your own formulas."),
)
def calc(face: Face, what: str, company: tuple[str, ...], period: tuple[str, ...], formulas: Path | None) -> None:
    """Work out a figure from the facts, with its cells.

    WHAT is a metric or a formula by its name ("operating margin", "流动比率").
    """
    try:
        with face.workspace() as workspace:
            outcome = workspace.calc(what, company, period, formulas)
            cited = outcome.answer.citations if outcome.answer else ()
            names = workspace.sources.short_names(citation.source for citation in cited)
    except ValueError as error:
        raise UsageError(str(error), where="--period") from error
    if outcome.answer is None:
        face.failed = True
        face.say(": ".join(filter(None, ("Not calculated", outcome.declined, "; ".join(outcome.companies)))))
        if face.as_json:
            echo_json({name: getattr(outcome, name) for name in ("declined", "missing", "companies")})
        return
    answer = outcome.answer
    face.show(answer, lambda out: print_number(out, answer, names))


def print_number(out: Console, answer: NumberAnswer, names: Mapping[str, str]) -> None:
    """The figure, its formula, the cells, and what contradicts them."""
    out.print(answer.text, markup=False)
    out.print()
    for citation in answer.citations:
        where = at_place(names[citation.source], citation)
        out.print(f"[{citation.number}] {where}", markup=False, style="cyan")
        out.print(f"    {citation.text}", markup=False, style="dim")
    for note in answer.notes:
        out.print(f"Note: {note}", markup=False, style="yellow")


@command(
    click.argument("statement"),
    click.option("--limit", default=1000, show_default=True, help="Rows at most."),
)
def sql(face: Face, statement: str, limit: int) -> None:
    """Ask the facts in SQL: one SELECT on facts_view, read-only.

    Columns: company, metric, label, period, period_end, amount, unit, text, dimensions, basis, consolidation,
    source_kind, source, kind, published, page, confidence.
    """
    with face.workspace() as workspace:
        found = workspace.sql(statement, limit)
    face.show([dict(zip(found.columns, row, strict=True)) for row in found.rows], lambda out: print_rows(out, found))
    if found.truncated:
        face.say(f"Only the first {limit} rows are shown.")


def print_rows(out: Console, found: Rows) -> None:
    """A table as SQL gave it."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in found.columns:
        table.add_column(escape(column))
    for row in found.rows:
        table.add_row(*("" if value is None else escape(_shown(value)) for value in row))
    out.print(table if found.rows else "No rows.")


def _shown(value: object) -> str:
    return f"{value:,.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)

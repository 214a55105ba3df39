"""cliquerag facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.plain import as_plain
from .common import Face, as_of_option, command

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from rich.console import Console

    from ..core.fact import Fact
    from ..retrieval.calculation.occurrences import Occurrence
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
    from ..core.errors import UsageError

    limit = limit or (_EVERY if export else _SOME)
    try:
        number = _number(value) if value is not None else None
        with face.workspace() as workspace:
            drawn = _draw(face, workspace, plot, metric, company, period) if plot else {}
            if drawn and export is None:
                face.show(drawn, lambda out: None)
                return
            found = workspace.facts(
                company, metric, period, label=label, value=number, sources=source, as_of=as_of, limit=limit
            )
            anew = workspace.superseded(found)
            printed = _elsewhere(workspace, found, number, company, source, as_of, limit)
            stated = (fact.source for fact in (*found, *anew.values()))
            names = workspace.short_names([*stated, *(place.source for place in printed)])
            if export is not None:
                from ..views.fact_files import write_facts

                write_facts(export, found, workspace.path_of)
                face.say(f"Written: {export} ({len(found)} facts)")
    except ValueError as error:
        raise UsageError(str(error), where="--period") from error
    if export is not None and not face.as_json:
        return
    places = {id: where_stated(by, names[by.source]) for id, by in anew.items()}
    rows = [{**as_plain(f), **({"superseded_by": places[f.id]} if f.id in places else {})} for f in found]

    def render(out: Console) -> None:
        print_facts(out, found, names, places)
        print_occurrences(out, printed, names)

    listed = [*rows, *printed]
    face.show({**drawn, "facts": listed} if drawn else listed, render)


def _number(text: str) -> Decimal:
    from decimal import Decimal, InvalidOperation

    from ..core.errors import UsageError

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
    from ..core.errors import UsageError
    from ..views.charts import trend_svg

    if len(metric) != 1:
        raise UsageError("a picture shows one metric", where="--plot", hint="Give one --metric, or formula")
    lines = workspace.series(metric[0], company, period)
    if not lines:
        raise UsageError(f"no figure of {metric[0]!r} in any period", where="--plot", hint="See: cliquerag facts")
    units = [line.unit for line in lines]
    unit = max(dict.fromkeys(units), key=units.count)
    shown = [line for line in lines if line.unit == unit]
    path.write_text(trend_svg(shown, shown[0].name[:1].upper() + shown[0].name[1:]), encoding="utf-8")
    left_out = [line for line in lines if line.unit != unit]
    for line in left_out:
        face.say(f"Left out, in another unit ({line.unit}): {line.company}")
    face.say(f"Written: {path}")
    return {"plot": path, "series": shown, "left_out": left_out}


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

    known = [(fact.source, fact.start, fact.end) for fact in found if fact.table is not None]
    places = workspace.occurrences(number, Scope(companies=company, sources=source, as_of=as_of), limit=limit)
    return [p for p in places if not any(s == p.source and start <= p.start < end for s, start, end in known)]


def print_occurrences(out: Console, printed: Sequence[Occurrence], names: Mapping[str, str]) -> None:
    """Cells and sentences that hold the number, each with its page."""
    if printed:
        out.print("\nAlso printed:", style="bold")
    for place in printed:
        page = f", page {place.page}" if place.page else ""
        out.print(f"{place.kind}  {names[place.source]}{page}", markup=False, style="cyan")
        out.print(f"    {place.around if len(place.around) < _WIDE else place.around[:_WIDE] + '…'}", markup=False)


def where_stated(fact: Fact, name: str) -> str:
    """The value and its place, the document by this name: "1,200 (b.pdf, page 3)"."""
    return f"{fact.text} ({name}{f', page {fact.page}' if fact.page else ''})"


def print_facts(out: Console, found: Sequence[Fact], names: Mapping[str, str], superseded: Mapping[str, str]) -> None:
    """One line a fact, its document by its short name; what a later document states anew says so."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("company", "metric", "as written", "period", "value", "unit", "where"):
        table.add_column(head, justify="right" if head == "value" else "left")
    for fact in found:
        scale = "" if fact.scale == 1 else f" x {fact.scale:,}"
        name = names[fact.source]
        where = f"{name}, page {fact.page}" if fact.page else name
        where += f"; stated anew: {superseded[fact.id]}" if fact.id in superseded else ""
        period = fact.period.label if fact.period else ""
        table.add_row(fact.company, fact.metric, fact.label, period, fact.text, fact.unit + scale, where)
    out.print(table if found else "No such fact. `cliquerag docs` lists the companies; without --metric all are shown.")

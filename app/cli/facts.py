"""cliquerag facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ..core.plain import as_plain
from .common import Face, as_of_option, command

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console

    from ..core.fact import Fact


@command(
    click.option("--company", multiple=True, help="Only this company; repeat for several."),
    click.option("--metric", multiple=True, help="Only this metric (revenue, 营业收入, capex ...)."),
    click.option("--period", multiple=True, help="Only this period (FY2023, Q2 2024)."),
    click.option("--label", default="", help="Only rows whose name holds these words."),
    click.option("--value", help="Every fact with this amount, in any scale."),
    as_of_option,
    click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True),
)
def facts(
    face: Face,
    company: tuple[str, ...],
    metric: tuple[str, ...],
    period: tuple[str, ...],
    label: str,
    value: str | None,
    as_of: date | None,
    limit: int,
) -> None:
    """List facts with their page."""
    from decimal import Decimal, InvalidOperation

    from ..core.errors import UsageError

    try:
        number = Decimal(value.replace(",", "")) if value else None
        with face.workspace() as workspace:
            found = workspace.facts(company, metric, period, label=label, value=number, limit=limit, as_of=as_of)
            anew = workspace.superseded(found)
    except (InvalidOperation, ValueError) as error:
        raise UsageError(f"not a number or period ({error})", where="--value or --period") from error
    places = {id: where_stated(by) for id, by in anew.items()}
    rows = [{**as_plain(f), **({"superseded_by": places[f.id]} if f.id in places else {})} for f in found]
    face.show(rows, lambda out: print_facts(out, found, places))


def where_stated(fact: Fact) -> str:
    """The value and its place: "1,200 (b.pdf, page 3)"."""
    return f"{fact.text} ({fact.source}{f', page {fact.page}' if fact.page else ''})"


def print_facts(out: Console, found: Sequence[Fact], superseded: Mapping[str, str]) -> None:
    """One line a fact; what a later document states anew says so."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("company", "metric", "as written", "period", "value", "unit", "where"):
        table.add_column(head, justify="right" if head == "value" else "left")
    for fact in found:
        scale = "" if fact.scale == 1 else f" x {fact.scale:,}"
        where = f"{fact.source}, page {fact.page}" if fact.page else fact.source
        where += f"; stated anew: {superseded[fact.id]}" if fact.id in superseded else ""
        period = fact.period.label if fact.period else ""
        table.add_row(fact.company, fact.metric, fact.label, period, fact.text, fact.unit + scale, where)
    out.print(table if found else "No such fact.")

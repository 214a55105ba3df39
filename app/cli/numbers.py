"""cliquerag calc and cliquerag sql."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Face, command, echo_json

if TYPE_CHECKING:
    from rich.console import Console

    from ..retrieval.calculation import NumberAnswer, Rows


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
    from ..core.errors import UsageError

    try:
        with face.workspace() as workspace:
            outcome = workspace.calc(what, company, period, formulas)
            names = workspace.short_names(c.source for c in (outcome.answer.citations if outcome.answer else ()))
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
        page = f", page {citation.page}" if citation.page else ""
        out.print(f"[{citation.number}] {names[citation.source]}{page}", markup=False, style="cyan")
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

"""Companies side by side: what each states of a year, metric by metric, and one metric of all of them as a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .company_pages import figures_of, year_table
from .desk import with_errors

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.fact import Fact
    from .company_pages import YearRow, YearTable
    from .desk import Desk

FEWEST, MOST = 2, 4
"""Companies side by side: more are not read."""
_EVERY_METRIC = 1_000


def routes(desk: Desk) -> list[Route]:
    """The address of the comparison."""
    from starlette.routing import Route

    return [Route("/side", with_errors(desk, SidePages(desk).side))]


@dataclass(frozen=True, slots=True)
class SideRow:
    """A metric with its figure of each company; None where a company does not state it."""

    metric: str
    label: str
    facts: tuple[Fact | None, ...]


class SidePages:
    """Handlers, which answer in a thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def side(self, request: Request) -> Response:
        """The companies that were chosen side by side, or the choice of them."""
        given = request.query_params
        known = self._desk.companies
        chosen = [name for name in dict.fromkeys(given.getlist("company")) if name in known][:MOST]
        tables = self._tables(chosen)
        years = _years(tables)
        year = given.get("year", "")
        if year not in years:
            year = _latest_common(tables, years)
        rows = side_by_side(tables, year)
        return self._desk.page(
            request, "side.html", known=known, chosen=chosen, most=MOST, years=years, year=year, rows=rows
        )

    def _tables(self, chosen: Sequence[str]) -> list[YearTable]:
        """The figures of each company by year; none where fewer are chosen than can be compared."""
        if len(chosen) < FEWEST:
            return []
        metrics = list(self._desk.workspace.components.metrics.metrics)
        return [year_table(figures_of(self._desk, name), metrics, _EVERY_METRIC) for name in chosen]


def _years(tables: Sequence[YearTable]) -> list[str]:
    """Years that any of them states something of, the latest first."""
    return sorted({year for table in tables for year in table.years}, reverse=True)


def _latest_common(tables: Sequence[YearTable], years: Sequence[str]) -> str:
    """The latest year that all companies state something of, else the latest of any; "" without one."""
    common = set(years).intersection(*[table.years for table in tables])
    return max(common or years, default="")


def side_by_side(tables: Sequence[YearTable], year: str) -> list[SideRow]:
    """The metrics that any of them states of the year: those of all first, then in the order of the metrics."""
    own: list[dict[str, YearRow]] = []
    labels: dict[str, YearRow] = {}
    for table in tables:
        stated = {row.metric: row for row in table.rows if year in row.facts}
        own.append(stated)
        labels = {**stated, **labels}
    found = []
    for row in sorted(labels.values(), key=lambda row: row.order):
        facts = tuple(_fact(stated, row.metric, year) for stated in own)
        found.append(SideRow(row.metric, row.label, facts))
    return sorted(found, key=lambda row: row.facts.count(None))


def _fact(stated: Mapping[str, YearRow], metric: str, year: str) -> Fact | None:
    return stated[metric].facts[year] if metric in stated else None

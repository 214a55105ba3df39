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
    from .company_pages import YearTable
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
        tables: dict[str, YearTable] = {}
        if len(chosen) >= FEWEST:
            tables = {name: year_table(figures_of(self._desk, name), self._metrics(), _EVERY_METRIC) for name in chosen}
        years = sorted({year for table in tables.values() for year in table.years}, reverse=True)
        year = given.get("year", "")
        year = year if year in years else _latest_common(tables, years)
        rows = side_by_side(list(tables.values()), year)
        return self._desk.page(
            request,
            "side.html",
            known=known,
            chosen=chosen,
            most=MOST,
            years=years,
            year=year,
            rows=rows,
            drawn=rows[0].metric if rows else "",
        )

    def _metrics(self) -> Sequence[str]:
        return list(self._desk.workspace.components.metrics.metrics)


def _latest_common(tables: Mapping[str, YearTable], years: Sequence[str]) -> str:
    """The latest year that all companies state something of, else the latest of any; "" without one."""
    common = [year for year in years if all(year in table.years for table in tables.values())]
    return next(iter(common or years), "")


def side_by_side(tables: Sequence[YearTable], year: str) -> list[SideRow]:
    """The metrics that any of them states of the year, in the order of the metrics, those of all of them first."""
    own = [{row.metric: row for row in table.rows if year in row.facts} for table in tables]
    order = {row.metric: row.order for rows in own for row in rows.values()}
    found = []
    for metric in sorted(order, key=lambda name: order[name]):
        stated = [rows.get(metric) for rows in own]
        label = next(row.label for row in stated if row)
        found.append(SideRow(metric, label, tuple(row.facts[year] if row else None for row in stated)))
    return sorted(found, key=lambda row: row.facts.count(None))

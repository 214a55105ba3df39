"""One page a company (documents, figures by year, relations, people, timeline) and the table of all facts."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from ..core.errors import UsageError
from ..core.period import label_of
from .ask_pages import attachment
from .desk import with_errors

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.fact import Fact
    from ..kg.graph import Relation, Statement
    from ..kg.store import DocumentRecord
    from .desk import Desk

_SHOWN, _EXPORTED = 300, 100_000
_YEARS, _METRICS, _RELATIONS, _EVENTS = 8, 40, 400, 60
_PEOPLE = ("leads", "director_of", "works_for", "leaves", "holds_role", "founds")
_DRIVERS = ("exposed_to", "raises", "cuts", "guides", "subject_to")
"""Relations of the schema that tell who runs a company, and what drives its figures."""
_FIRST_DRAWN = "revenue"
_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def routes(desk: Desk) -> list[Route]:
    """The addresses of companies and facts."""
    from starlette.routing import Route

    pages = CompanyPages(desk)
    got = {
        "/companies": pages.companies,
        "/companies/{name:path}": pages.company,
        "/chart.svg": pages.chart,
        "/facts": pages.facts,
        "/facts.{ending}": pages.export,
    }
    return [Route(path, with_errors(desk, handler)) for path, handler in got.items()]


@dataclass(frozen=True, slots=True)
class YearTable:
    """Figures by year: ``rows`` are a metric's name, its label as written last, and year -> fact."""

    years: tuple[str, ...]
    rows: tuple[tuple[str, str, Mapping[str, Fact]], ...]


class CompanyPages:
    """Handlers, which answer in a thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def companies(self, request: Request) -> Response:
        """All companies with what there is of them."""
        listed = []
        for name in self._desk.companies:
            records = self._records(name)
            periods = sorted({r.period.last_day.year for r in records if r.period})
            listed.append({"name": name, "documents": len(records), "kinds": _kinds(records), "years": periods})
        return self._desk.page(request, "companies.html", listed=listed)

    def company(self, request: Request) -> Response:
        """Everything about one company."""
        name = request.path_params["name"]
        records = self._records(name)
        if not records:
            return self._desk.gone(request, "gone.company")
        relations = self._relations(name)
        table = year_table(self._own_facts(records))
        return self._desk.page(
            request,
            "company.html",
            name=name,
            full=max((company for record in records for company in record.companies), key=len),
            records=records,
            label_of=label_of,
            table=table,
            drawn=next((row for row in table.rows if row[0] == _FIRST_DRAWN), next(iter(table.rows), None)),
            people=[r for r in relations if r.relation in _PEOPLE],
            drivers=[r for r in relations if r.relation in _DRIVERS],
            relations=[r for r in relations if r.relation not in (*_PEOPLE, *_DRIVERS)],
            events=timeline(relations)[:_EVENTS],
            schema=self._desk.workspace.vocabulary.schema,
        )

    def chart(self, request: Request) -> Response:
        """A metric or formula of a company, or of all, over its years."""
        from starlette.responses import Response

        from ..views.charts import trend_svg

        given = request.query_params
        metric, company = given.get("metric", ""), given.get("company") or None
        series = self._desk.workspace.series(metric, company) if metric else []
        drawn = [one for one in series if one.unit == series[0].unit] if series else []
        if not drawn:
            return Response(status_code=404)
        name = drawn[0].name
        return Response(trend_svg(drawn, name), media_type="image/svg+xml", headers={"cache-control": "no-store"})

    def facts(self, request: Request) -> Response:
        """Facts that match, as a table."""
        given = request.query_params
        found = self._matching(given, _SHOWN + 1)
        asked = {name: given[name] for name in ("company", "metric", "period", "label") if given.get(name)}
        return self._desk.page(
            request,
            "facts_found.html" if request.headers.get("hx-target") == "found" else "facts.html",
            facts=found[:_SHOWN],
            has_more=len(found) > _SHOWN,
            asked=asked,
            query=urlencode(asked),
        )

    def export(self, request: Request) -> Response:
        """The facts that match as CSV or as a workbook with links to their pages."""
        from ..views.fact_files import write_facts

        ending = request.path_params["ending"]
        if ending not in _MEDIA:
            return self._desk.gone(request)
        found = self._matching(request.query_params, _EXPORTED)
        with tempfile.TemporaryDirectory(prefix="cliquerag-") as folder:
            path = Path(folder) / f"facts.{ending}"
            write_facts(path, found, self._desk.workspace.path_of)
            data = path.read_bytes()
        return attachment(data, _MEDIA[ending], path.name)

    def _matching(self, given: Mapping[str, str], limit: int) -> list[Fact]:
        try:
            return self._desk.workspace.facts(
                given.get("company") or None,
                given.get("metric") or None,
                given.get("period") or None,
                label=given.get("label", ""),
                limit=limit,
            )
        except ValueError as error:
            raise UsageError(str(error), where="period") from error

    def _records(self, name: str) -> Sequence[DocumentRecord]:
        from ..retrieval.search.index.corpus import corpus_of

        catalogue = corpus_of(self._desk.workspace.store).catalogue
        keys = [key for key, printed in catalogue.companies.names.items() if printed == name]
        return catalogue.by_company.get(keys[0], ()) if keys else ()

    def _own_facts(self, records: Iterable[DocumentRecord]) -> list[Fact]:
        """What tables of its documents state for years, without what a later document states anew."""
        workspace = self._desk.workspace
        found = workspace.facts(sources=[record.source for record in records], limit=_EXPORTED)
        tabled = [fact for fact in found if fact.metric and fact.source_kind != "prose" and not fact.dimensions]
        old = workspace.superseded(tabled)
        return [fact for fact in tabled if fact.id not in old]

    def _relations(self, name: str) -> list[Relation]:
        from ..kg.entity_lookup import look_up

        try:
            entity = look_up(self._desk.workspace.store, name)
        except UsageError:  # nothing is said of it but in its documents' heads
            return []
        return list(self._desk.workspace.store.subgraph([entity.id], _RELATIONS).relations)


def year_table(facts: Iterable[Fact]) -> YearTable:
    """The last years of each metric, those with most years first; of several cells the surest counts."""
    cells: dict[str, dict[str, Fact]] = defaultdict(dict)
    ends: dict[str, Any] = {}
    for fact in sorted(facts, key=lambda fact: fact.confidence):
        if fact.period and fact.period.unit == "year" and fact.value is not None:
            year = str(fact.period.year)
            cells[fact.metric][year] = fact
            ends[year] = fact.period.year
    years = sorted(ends, key=lambda year: -ends[year])[:_YEARS]
    rows = []
    for metric, own in cells.items():
        shown = {year: own[year] for year in years if year in own}
        if shown:
            rows.append((metric, next(iter(shown.values())).label, shown))
    rows.sort(key=lambda row: (-len(row[2]), min(fact.start for fact in row[2].values())))
    return YearTable(tuple(years), tuple(rows[:_METRICS]))


def timeline(relations: Iterable[Relation]) -> list[tuple[str, Relation, Statement]]:
    """(day or period, relation, statement) of all that is dated, the latest first."""
    dated = []
    for relation in relations:
        for statement in relation.statements:
            if statement.period:
                dated.append((statement.period.last_day, statement.period.label, relation, statement))
    dated.sort(key=lambda item: (item[0], item[3].id), reverse=True)
    return [(label, relation, statement) for _, label, relation, statement in dated]


def _kinds(records: Iterable[DocumentRecord]) -> str:
    return ", ".join(dict.fromkeys(record.kind for record in records if record.kind))

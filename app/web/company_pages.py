"""One page a company (documents, figures by year, relations, people, timeline), companies side by side, and the
table of all facts.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from ..core.errors import UsageError
from ..core.period import label_of
from ..core.records import dataclass
from .ask_pages import attachment
from .desk import in_words, language_of_request, short_company, with_errors

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.fact import Fact
    from ..core.language import Language
    from ..kg.graph import Relation, Statement
    from ..kg.store import DocumentRecord
    from .desk import Desk

_SHOWN, _EXPORTED = 300, 100_000
_YEARS, _METRICS, _RELATIONS, _EVENTS = 8, 40, 400, 60
_LEAST_SHARE = 0.15
"""Of the metrics of the fullest year, what a year must state of them to be a column."""
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
class YearRow:
    """A metric by year; ``label`` is its name as written last, ``order`` its place in the list of metrics."""

    metric: str
    label: str
    order: int
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class YearTable:
    """Figures by year, the latest first."""

    years: tuple[str, ...]
    rows: tuple[YearRow, ...]


class CompanyPages:
    """Handlers, which answer in a thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def companies(self, request: Request) -> Response:
        """All companies with what there is of them."""
        language = language_of_request(request)
        listed = []
        for name in self._desk.companies:
            records = records_of(self._desk, name)
            periods = sorted({r.period.last_day.year for r in records if r.period})
            listed.append(
                {"name": name, "documents": len(records), "kinds": _kinds(records, language), "years": periods}
            )
        return self._desk.page(request, "companies.html", listed=listed)

    def company(self, request: Request) -> Response:
        """Everything about one company."""
        name = request.path_params["name"]
        records = records_of(self._desk, name)
        if not records:
            return self._desk.gone(request, "gone.company")
        names = chain.from_iterable(record.companies for record in records)
        relations = self._relations(name)
        people, others = _parted(relations, _PEOPLE)
        drivers, others = _parted(others, _DRIVERS)
        table = year_table(figures_of(self._desk, name), list(self._desk.workspace.components.metrics.metrics))
        return self._desk.page(
            request,
            "company.html",
            name=name,
            full=max(names, key=len),
            records=records,
            label_of=label_of,
            table=table,
            drawn=_first_drawn(table),
            people=people,
            drivers=drivers,
            relations=others,
            events=timeline(relations)[:_EVENTS],
            schema=self._desk.workspace.vocabulary.schema,
        )

    def chart(self, request: Request) -> Response:
        """A metric or formula of a company, or of all, over its years."""
        from starlette.responses import Response

        from ..views.charts import trend_svg

        given = request.query_params
        metric, companies = given.get("metric", ""), given.getlist("company")
        series = self._desk.workspace.series(metric, companies or None) if metric else []
        drawn = [one for one in series if one.unit == series[0].unit] if series else []
        if not drawn:
            return Response(status_code=404)
        is_alone = len(companies) == 1  # its page says whose it is
        drawn = [replace(one, company="" if is_alone else short_company(one.company)) for one in drawn]
        picture = trend_svg(drawn, self._desk.metric_name(drawn[0].name, language_of_request(request)))
        return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})

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

    def _relations(self, name: str) -> list[Relation]:
        from ..kg.entity_names import look_up

        try:
            entity = look_up(self._desk.workspace.store, name)
        except UsageError:  # nothing is said of it but in its documents' heads
            return []
        return list(self._desk.workspace.store.subgraph([entity.id], _RELATIONS).relations)


def records_of(desk: Desk, name: str) -> Sequence[DocumentRecord]:
    """The documents of a company, by the name of its page."""
    from ..retrieval.search.index.corpus import corpus_of

    keys = [key for key, written in desk.company_names.items() if written == name]
    return corpus_of(desk.workspace.store).catalogue.by_company.get(keys[0], ()) if keys else ()


def figures_of(desk: Desk, name: str) -> list[Fact]:
    """What tables of a company's documents state for years, without what a later document states anew."""
    workspace = desk.workspace
    found = workspace.facts(sources=[record.source for record in records_of(desk, name)], limit=_EXPORTED)
    tabled = [fact for fact in found if fact.metric and fact.source_kind != "prose" and not fact.dimensions]
    old = workspace.superseded(tabled)
    return [fact for fact in tabled if fact.id not in old]


def _parted(relations: Iterable[Relation], kinds: Collection[str]) -> tuple[list[Relation], list[Relation]]:
    """The relations of these kinds, and the others."""
    found: list[Relation] = []
    others: list[Relation] = []
    for relation in relations:
        part = found if relation.relation in kinds else others
        part.append(relation)
    return found, others


def _first_drawn(table: YearTable) -> YearRow | None:
    """The row that is drawn before a reader chooses one."""
    for row in table.rows:
        if row.metric == _FIRST_DRAWN:
            return row
    return table.rows[0] if table.rows else None


def year_table(facts: Iterable[Fact], metrics: Sequence[str], most: int = _METRICS) -> YearTable:
    """The last years of each metric, in the order of ``metrics``: that of an income statement, a balance sheet, cash.

    Of several cells the surest counts. ``most`` rows are kept, those of most years.
    """
    cells: dict[str, dict[str, Fact]] = defaultdict(dict)
    for fact in sorted(facts, key=lambda fact: fact.confidence):
        if fact.period is None or fact.value is None:
            continue
        if fact.period.unit == "year":
            cells[fact.metric][str(fact.period.year)] = fact
    years = _years_shown(cells.values())
    order = {metric: number for number, metric in enumerate(metrics)}
    rows = []
    for metric, own in cells.items():
        shown = {year: own[year] for year in years if year in own}
        if shown:
            label = next(iter(shown.values())).label
            rows.append(YearRow(metric, label, order.get(metric, len(order)), shown))
    rows.sort(key=lambda row: (-len(row.facts), row.order))
    return YearTable(tuple(years), tuple(sorted(rows[:most], key=lambda row: row.order)))


def _years_shown(rows: Iterable[Iterable[str]]) -> list[str]:
    """The last years that many rows state something of: what falls due in 2036 is no year of the company."""
    stated = Counter(chain.from_iterable(rows))
    fewest = max(stated.values(), default=0) * _LEAST_SHARE
    usual = [year for year, count in stated.items() if count >= fewest]
    return sorted(usual, key=int, reverse=True)[:_YEARS]


def timeline(relations: Iterable[Relation]) -> list[tuple[str, Relation, Statement]]:
    """(day or period, relation, statement) of all that is dated, the latest first."""
    dated = []
    for relation in relations:
        for statement in relation.statements:
            if statement.period:
                dated.append((statement.period.last_day, statement.period.label, relation, statement))
    dated.sort(key=lambda item: (item[0], item[3].id), reverse=True)
    return [(label, relation, statement) for _, label, relation, statement in dated]


def _kinds(records: Iterable[DocumentRecord], language: Language) -> str:
    return ", ".join(dict.fromkeys(in_words(record.kind, language) for record in records if record.kind))


FEWEST, MOST = 2, 4
"""Companies side by side: more are not read."""
_EVERY_METRIC = 1_000


def comparison_routes(desk: Desk) -> list[Route]:
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

"""One page a company (documents, figures by year, what moved them, relations, people, timeline), and the table of
all facts.
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
from ..core.names import company_key
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
    from ..kg.drivers import Driver
    from ..kg.graph import Relation, Statement
    from ..kg.schema import Schema
    from ..kg.store import DocumentRecord
    from .desk import Desk

_SHOWN, _EXPORTED = 300, 100_000
_YEARS, _METRICS, _RELATIONS, _EVENTS, _MOVES = 8, 40, 400, 60, 200
_LEAST_SHARE = 0.15
"""Of the metrics of the fullest year, what a year must state of them to be a column."""
_PEOPLE = ("leads", "director_of", "works_for", "leaves", "holds_role", "founds")
_OUTLOOK = ("guides", "raises", "cuts", "exposed_to", "subject_to")
"""Relations of the schema that tell who runs a company, and what it expects and what may happen to it."""
_TIMES = frozenset({"since", "until"})
"""What a statement tells of its beginning and end."""
_FIRST_DRAWN = "revenue"
_MOST_TRIED = 6
"""Rows of which the first with a series is drawn: each takes a look at the facts."""
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
class Office:
    """What somebody is or was at a company, in the words of a document; ``since`` and ``until`` as printed, or ""."""

    person: str
    role: str
    """ "" where the document tells no office: ``relation`` is what it does tell."""
    relation: str
    since: str
    until: str
    statement: Statement


@dataclass(frozen=True, slots=True)
class RelationGroup:
    """Relations of one kind that go out from the company, or that lead to it."""

    relation: str
    outgoing: bool
    relations: tuple[Relation, ...]

    @property
    def names(self) -> list[str]:
        """Whom the company is related to."""
        return [(each.tail if self.outgoing else each.head).name for each in self.relations]


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
        from ..kg.extraction.drivers.readings import category_name
        from ..reports.tables import figure_name, moved

        schema = self._desk.workspace.vocabulary.schema
        names = chain.from_iterable(record.companies for record in records)
        relations = self._relations(name)
        people, others = _parted(relations, _PEOPLE)
        outlook, others = _parted(others, _OUTLOOK)
        table = year_table(figures_of(self._desk, name), list(self._desk.workspace.components.metrics.metrics))
        return self._desk.page(
            request,
            "company.html",
            name=name,
            full=max(names, key=len),
            records=records,
            label_of=label_of,
            table=table,
            drawn=self._first_drawn(name, table),
            offices=offices(people),
            outlook=grouped(outlook, name),
            drivers=drivers_of(self._desk, records)[:_MOVES],
            figure_name=figure_name,
            moved=moved,
            category_name=category_name,
            relations=grouped(others, name),
            events=timeline(relations, schema)[:_EVENTS],
            schema=schema,
        )

    def _first_drawn(self, name: str, table: YearTable) -> YearRow | None:
        """The row that is drawn before a reader chooses one: revenue, else the first whose figures make a series."""
        for row in sorted(table.rows, key=lambda row: row.metric != _FIRST_DRAWN)[:_MOST_TRIED]:
            if self._desk.workspace.series(row.metric, [name]):
                return row
        return None

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


def offices(relations: Iterable[Relation]) -> list[Office]:
    """Who holds which office, each once: those in office first, the latest of each first."""
    found: dict[tuple[str, str], Office] = {}
    plain: dict[str, Office] = {}
    for relation in relations:
        person = relation.head.name
        for statement in relation.statements:
            told = statement.metadata
            role, since, until = told.get("role", ""), told.get("since", ""), told.get("until", "")
            office = Office(person, role, relation.relation, since, until, statement)
            if role:
                _keep_fuller(found, (person, role.casefold()), office)
            else:
                plain.setdefault(person, office)
    fullest = [office for office in found.values() if not _is_part(office, found.values())]
    named = {person for person, _ in found}
    listed = [*fullest, *(office for person, office in plain.items() if person not in named)]
    listed.sort(key=_took_office, reverse=True)
    listed.sort(key=lambda office: bool(office.until))
    return listed


def _keep_fuller(found: dict[tuple[str, str], Office], key: tuple[str, str], office: Office) -> None:
    """Of two statements of one office, the one that tells since when."""
    known = found.get(key)
    if known is None or (office.since and not known.since):
        found[key] = office


def _is_part(office: Office, others: Iterable[Office]) -> bool:
    """True for "Executive Vice President" beside "Executive Vice President and CFO" of the same person."""
    if office.since:
        return False
    longer = (other for other in others if other.person == office.person and len(other.role) > len(office.role))
    return any(office.role.casefold() in other.role.casefold() for other in longer)


def _took_office(office: Office) -> int:
    """The day by which an office was held, as a number."""
    return office.statement.period.first_day.toordinal() if office.statement.period else 0


def grouped(relations: Iterable[Relation], company: str) -> list[RelationGroup]:
    """Relations of a company by kind and direction, the kinds with most first."""
    key = company_key(company)
    groups: dict[tuple[str, bool], list[Relation]] = defaultdict(list)
    for relation in relations:
        is_outgoing = company_key(relation.head.name) == key or company_key(relation.tail.name) != key
        groups[relation.relation, is_outgoing].append(relation)
    found = [RelationGroup(relation, outgoing, tuple(own)) for (relation, outgoing), own in groups.items()]
    return sorted(found, key=lambda group: -len(group.relations))


def drivers_of(desk: Desk, records: Iterable[DocumentRecord]) -> list[Driver]:
    """What moved the figures of a company, as its own documents say it: the latest first, each once.

    What has no direction did not move: "28 % of backlog was attributable to customers abroad".
    """
    from ..reports.tables import telling_drivers

    found = desk.workspace.drivers(sources=[record.source for record in records], limit=_EXPORTED)
    return telling_drivers(driver for driver in found if driver.direction)


def timeline(relations: Iterable[Relation], schema: Schema) -> list[tuple[str, Relation, Statement]]:
    """(day or period, relation, statement) of what happened and of what began or ended, the latest first.

    What a report states of its own year without saying since when is a state of things.
    """
    dated = []
    for relation in relations:
        for statement in relation.statements:
            if statement.period and _happened(statement, schema):
                dated.append((statement.period.last_day, statement.period.label, relation, statement))
    dated.sort(key=lambda item: (item[0], item[3].id), reverse=True)
    return [(label, relation, statement) for _, label, relation, statement in dated]


def _happened(statement: Statement, schema: Schema) -> bool:
    kind = schema.relations.get(statement.relation)
    is_event = kind is not None and kind.tense == "event"
    return is_event or not _TIMES.isdisjoint(statement.metadata)


def _kinds(records: Iterable[DocumentRecord], language: Language) -> str:
    return ", ".join(dict.fromkeys(in_words(record.kind, language) for record in records if record.kind))

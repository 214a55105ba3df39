"""Ready reports: data (sections with their questions and tables, from the TOML files beside and a user's own), filled
from a workspace with answers, figures, drivers and relations, each with its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Literal

from ..core.errors import UsageError
from ..core.language import Language
from ..core.records import dataclass
from ..core.rules import load_rules, read_rules
from ..core.scope import Scope
from .comparing import compare_filings
from .parts import Grid, Numbering, Paragraph, Report, Section, spoken_name
from .tables import FigureTables, driver_grid, relation_grid
from .wording import CALLS, QUOTES, call_questions, quoted, tone

if TYPE_CHECKING:
    from ..core.period import Period
    from ..kg.store import DocumentRecord
    from ..workspace import Workspace

Needs = Literal["company", "companies", "documents"]
_NEEDS: Mapping[str, Needs] = {"company": "company", "companies": "companies", "documents": "documents"}
_FIELDS = frozenset(
    {"title", "ask", "figures", "chart", "drivers", "relations", "compare", "years", "expected", "quotes", "calls"}
)
_COMPARED = ("risks", "facts", "relations", "guidance")
_PACKAGE = "cliquerag.reports.shipped"


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """What a section holds, in the order in which it is shown: a table of figures, drivers, relations, answers."""

    title: Mapping[str, str]
    ask: Mapping[str, tuple[str, ...]]
    figures: tuple[str, ...] = ()
    """Metrics and formulas by name, a row each."""
    chart: str = ""
    """The metric that is drawn over its years."""
    years: int = 5
    drivers: tuple[str, ...] = ()
    """Metrics whose causes are listed; "*" for all."""
    expected: bool = False
    """Only drivers of guidance."""
    relations: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    """What of two filings is held against each other."""
    quotes: tuple[str, ...] = ()
    """Groups of sentences that are quoted ("business", "proceedings"; see ``wording.toml``)."""
    calls: tuple[str, ...] = ()
    """What of earnings calls is shown: their "questions", and the "tone" of these."""


@dataclass(frozen=True, slots=True)
class ReadyReport:
    """A report that can be made of any company: a title, and its sections."""

    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    needs: Needs
    sections: tuple[SectionPlan, ...]

    def titled(self, language: Language, values: Mapping[str, str]) -> str:
        """Its title for these companies."""
        return filled(in_language(self.title, language), values)


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with ``$company`` and ``$period`` replaced; what is not known stays away.

    >>> filled("What did $company earn$in_period?", {"company": "Acme", "in_period": ""})
    'What did Acme earn?'
    """
    return " ".join(Template(text).safe_substitute(values).split())


def in_language(texts: Mapping[str, Any], language: Language) -> Any:
    """The text of a language, else the other's."""
    return texts.get(language) or next(iter(texts.values()), "")


def ready_reports(folder: str = "") -> dict[str, ReadyReport]:
    """All ready reports by name: ours, and those in a user's folder, which go before ours of the same name.

    Raises UsageError for a file that is no report.
    """
    found = dict(_shipped())
    for path in sorted(Path(folder).expanduser().glob("*.toml")) if folder else ():
        own = read_ready(path)
        found[own.name] = own
    return found


def ready_report(name: str, folder: str = "") -> ReadyReport:
    """A ready report by its name, or by the path of its TOML file. Raises UsageError."""
    if name.endswith(".toml"):
        return read_ready(Path(name).expanduser())
    known = ready_reports(folder)
    if name not in known:
        hint = f"There are: {', '.join(known)}; or name a TOML file of your own"
        raise UsageError(f"no ready report {name!r}", where="--ready", hint=hint)
    return known[name]


def read_ready(path: Path) -> ReadyReport:
    """A user's report. Raises UsageError that names the file, the section and what is wrong there."""
    return _report(path.stem, read_rules(path), str(path))


@cache
def _shipped() -> Mapping[str, ReadyReport]:
    names = sorted(file.name for file in files(_PACKAGE).iterdir() if file.name.endswith(".toml"))
    return {name[:-5]: _report(name[:-5], load_rules(_PACKAGE, name), name) for name in names}


def _report(name: str, rules: Mapping[str, Any], where: str) -> ReadyReport:
    sections = rules.get("section")
    if not isinstance(sections, list) or not sections:
        raise UsageError("a report has no [[section]]", where=where, hint="See docs/reports.md for one")
    needs = _NEEDS.get(str(rules.get("needs", "company")))
    if needs is None:
        raise UsageError(f"needs = {rules['needs']!r}", where=where, hint=f"One of: {', '.join(_NEEDS)}")
    title = _texts(rules.get("title", name), where)
    about = _texts(rules.get("about", ""), where)
    return ReadyReport(name, title, about, needs, tuple(_section(one, where) for one in sections))


def _section(rules: Any, where: str) -> SectionPlan:
    if not isinstance(rules, dict) or "title" not in rules:
        raise UsageError("a section has no title", where=where)
    place = f"{where}, section {rules['title']!r}"
    unknown = sorted(rules.keys() - _FIELDS)
    if unknown:
        raise UsageError(f"unknown: {', '.join(unknown)}", where=place, hint=f"Known: {', '.join(sorted(_FIELDS))}")
    compare = _some_of(_COMPARED, "compare", rules, place)
    quotes = _some_of(QUOTES, "quotes", rules, place)
    calls = _some_of(CALLS, "calls", rules, place)
    asked = rules.get("ask", {})
    by_language = asked if isinstance(asked, dict) else {"en": asked}
    return SectionPlan(
        _texts(rules["title"], place),
        {language: _names(texts, place) for language, texts in by_language.items()},
        _names(rules.get("figures", ()), place),
        str(rules.get("chart", "")),
        int(rules.get("years", 5)),
        _names(rules.get("drivers", ()), place),
        bool(rules.get("expected", False)),
        _names(rules.get("relations", ()), place),
        compare,
        quotes,
        calls,
    )


def _some_of(known: Sequence[str], field: str, rules: Mapping[str, Any], place: str) -> tuple[str, ...]:
    """The names in a field. Raises UsageError for one that is not known."""
    given = _names(rules.get(field, ()), place)
    if not set(given) <= set(known):
        raise UsageError(f"{field} = {list(given)}", where=place, hint=f"Of: {', '.join(known)}")
    return given


def _texts(given: Any, where: str) -> Mapping[str, str]:
    """One text for all languages, or one each."""
    if isinstance(given, str):
        return {"en": given}
    if isinstance(given, dict) and all(isinstance(text, str) for text in given.values()):
        return given
    raise UsageError("a title is a text, or a table with a text a language", where=where)


def _names(given: Any, where: str) -> tuple[str, ...]:
    texts: Sequence[Any] = [given] if isinstance(given, str) else given
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"a list of texts is needed, not {given!r}", where=where)
    return tuple(texts)


Progress = Callable[[str, int, int], None]
"""Told the title of a section, how many are done, and of how many."""


@dataclass(slots=True)
class Filler:
    """Makes the sections of one report. ``companies`` are names as the documents print them."""

    workspace: Workspace
    companies: tuple[str, ...]
    periods: tuple[Period, ...]
    sources: tuple[str, ...]
    language: Language
    numbering: Numbering = field(default_factory=Numbering)
    missing: list[str] = field(default_factory=list)

    def section(self, plan: SectionPlan) -> Section:
        """One section, in the order of the fields of its plan; what it asks in vain is noted as missing."""
        grids, paragraphs = self._compared(plan)
        grids += [*self._figures(plan), *self._drivers(plan), *self._relations(plan), *self._calls(plan)]
        paragraphs += [*self._quotes(plan), *self._answers(plan)]
        chart = self._tables().chart(plan.chart) if plan.chart else ""
        return Section(in_language(plan.title, self.language), tuple(paragraphs), tuple(grids), chart)

    def _compared(self, plan: SectionPlan) -> tuple[list[Grid], list[Paragraph]]:
        grids: list[Grid] = []
        paragraphs: list[Paragraph] = []
        for compared in plan.compare:
            found, said = compare_filings(self.workspace, compared, self.sources, self.numbering, self.language)
            grids.extend(found)
            paragraphs.extend(said)
        return grids, paragraphs

    # --- questions

    def _answers(self, plan: SectionPlan) -> Iterator[Paragraph]:
        for company in self.companies or ("",):
            values = values_of((company,), self.periods, self.language)
            for text in in_language(plan.ask, self.language) or ():
                yield from self._answered(filled(text, values), company)

    def _answered(self, question: str, company: str) -> list[Paragraph]:
        scope = Scope(companies=(company,) if company else (), periods=self.periods, sources=self.sources)
        answer = self.workspace.ask(question, scope=scope)
        if "not found" in answer.trace or not answer.citations:
            self.missing.append(question)
            return []
        return [Paragraph(self.numbering.answer(answer), question)]

    def _figures(self, plan: SectionPlan) -> list[Grid]:
        if not plan.figures:
            return []
        grid = self._tables().grid(plan.figures, plan.years)
        if grid is None:
            self.missing.append(f"{in_language(plan.title, self.language)}: {', '.join(plan.figures)}")
            return []
        return [grid]

    def _tables(self) -> FigureTables:
        return FigureTables(self.workspace, self.companies, self.periods, self.language, self.numbering)

    # --- what documents state

    def _drivers(self, plan: SectionPlan) -> list[Grid]:
        if not plan.drivers:
            return []
        metrics = () if plan.drivers == ("*",) else plan.drivers
        found = self.workspace.drivers(self.companies, metrics, self.periods or None, sources=self.sources or None)
        own = [driver for driver in found if driver.outlook == plan.expected]
        grid = driver_grid(own, self.numbering, self.language)
        return [grid] if grid else []

    def _relations(self, plan: SectionPlan) -> list[Grid]:
        if not plan.relations:
            return []
        names, sources = plan.relations, self.sources
        grid = relation_grid(self.workspace, self.companies, names, sources, self.numbering, self.language)
        return [grid] if grid else []

    def _quotes(self, plan: SectionPlan) -> list[Paragraph]:
        found: list[Paragraph] = []
        for company in self.companies or ("",):
            records = self._latest_first(company)
            title = spoken_name(company) if len(self.companies) > 1 else ""
            for name in plan.quotes:
                said = quoted(self.workspace.store, name, records, self.numbering)
                found.extend(replace(paragraph, question=title) for paragraph in said)
        return found

    def _calls(self, plan: SectionPlan) -> list[Grid]:
        records = [record for company in self.companies or ("",) for record in self._latest_first(company)]
        store, found = self.workspace.store, list[Grid]()
        if "questions" in plan.calls:
            found.extend(call_questions(store, records, self.numbering, self.language))
        if "tone" in plan.calls:
            found.extend(tone(store, records, self.numbering, self.language))
        return found

    def _latest_first(self, company: str) -> list[DocumentRecord]:
        """The documents of a company, of the periods and sources that the report is of, the latest first."""
        found: list[DocumentRecord] = []
        for record in self.workspace.documents():
            is_named = not self.sources or record.source in self.sources
            if is_named and self._is_of_company(record, company) and self._is_of_period(record):
                found.append(record)
        return sorted(found, key=_last_day, reverse=True)

    def _is_of_company(self, record: DocumentRecord, company: str) -> bool:
        from ..retrieval.search.index.corpus import corpus_of

        if not company:
            return True
        index = corpus_of(self.workspace.store).catalogue.companies
        return not set(index.find(company)).isdisjoint(index.keys(record))

    def _is_of_period(self, record: DocumentRecord) -> bool:
        """True for a document of one of the periods, by its last day, or by its name where its year ends otherwise."""
        if not self.periods:
            return True
        own = record.period
        if own is None:
            return False
        named = {(period.unit, period.year, period.number) for period in self.periods}
        days = {period.last_day for period in self.periods}
        return own.last_day in days or (own.unit, own.year, own.number) in named


def _last_day(record: DocumentRecord) -> tuple[int, str]:
    """By the day that it ends on; what has no period comes first, the older of two by name."""
    return (record.period.last_day.toordinal() if record.period else 0), record.source


def values_of(companies: Sequence[str], periods: Sequence[Period], language: Language) -> dict[str, str]:
    """What the ``$names`` of titles and questions stand for."""
    named = ", ".join(period.label for period in periods)
    in_period = (f"{named}" if language == "zh" else f" in {named}") if named else ""
    return {
        "company": spoken_name(companies[0]) if companies else "",
        "companies": ", ".join(map(spoken_name, companies)),
        "period": named,
        "in_period": in_period,
        "colon_period": f", {named}" if named else "",
    }


def make_ready(
    workspace: Workspace,
    ready: ReadyReport,
    companies: Sequence[str],
    periods: Sequence[Period],
    sources: Sequence[str],
    language: Language,
    progress: Progress | None = None,
) -> Report:
    """Fill every section of a ready report; sections for which there is nothing are left out and named as missing."""
    filler = Filler(workspace, tuple(companies), tuple(periods), tuple(sources), language)
    sections: list[Section] = []
    for done, plan in enumerate(ready.sections):
        title = in_language(plan.title, language)
        if progress:
            progress(title, done, len(ready.sections))
        section = filler.section(plan)
        if section.is_empty:
            if title not in filler.missing:
                filler.missing.append(title)
        else:
            sections.append(section)
    values = values_of(companies, periods, language)
    if len(sources) == 2:
        names = workspace.sources.short_names(sources)
        values |= {"older": names[sources[0]], "newer": names[sources[1]]}
    model = workspace.settings.model or "extractive"
    missing = tuple(dict.fromkeys(filler.missing))
    return Report(ready.titled(language, values), language, tuple(sections), filler.numbering.all(), missing, model)


_MOST_COMPANIES = 8


def ready_made(
    workspace: Workspace, name: str, scope: Scope | None, language: str | None, progress: Progress | None
) -> Report:
    """A ready report of the companies, periods or documents of a scope. Raises UsageError for what it cannot be of."""
    ready = ready_report(name, workspace.settings.reports)
    scope = scope or Scope()
    sources = tuple(workspace.sources.stored_names(scope.sources)) if scope.sources else ()
    records = [record for record in workspace.documents() if not sources or record.source in sources]
    if not records:
        raise UsageError("there are no documents", hint="Add some: cliquerag add FOLDER")
    if ready.needs == "documents":
        sources = _two_documents(records, sources)
    companies = _companies(workspace, ready, scope.companies, records)
    own = [record for record in records if _is_of(record, companies)]
    spoken = _language(language, own or records)
    return make_ready(workspace, ready, companies, scope.periods, sources, spoken, progress)


def _two_documents(records: Sequence[DocumentRecord], sources: Sequence[str]) -> tuple[str, ...]:
    """The two documents, the older first."""
    if len(sources) != 2:
        hint = "--source OLDER --source NEWER (`cliquerag docs` lists them)"
        raise UsageError(f"two documents are compared, not {len(sources)}", where="--source", hint=hint)
    dated = {record.source: record.period for record in records}
    first, second = sources
    one, other = dated[first], dated[second]
    if one and other and one.last_day > other.last_day:
        return second, first
    return first, second


def _companies(
    workspace: Workspace,
    ready: ReadyReport,
    named: Sequence[str],
    records: Sequence[DocumentRecord],
) -> tuple[str, ...]:
    """Names as the documents print them. Raises UsageError for one that no document is of, and for too few."""
    from ..retrieval.search.index.corpus import corpus_of

    index = corpus_of(workspace.store).catalogue.companies
    if not named:
        keys_of_all = chain.from_iterable(index.keys(record)[:1] for record in records)
        of_all = list(dict.fromkeys(keys_of_all))
        known = tuple(index.names[key] for key in of_all[:_MOST_COMPANIES])
        if len(of_all) > 1 and ready.needs == "company":
            raise UsageError("which company?", where="--company", hint=f"There are: {', '.join(known)}")
        return known
    found: list[str] = []
    for name in named:
        keys = index.find(name)
        if not keys:
            raise UsageError(f"no document is of {name!r}", where="--company", hint="See `cliquerag docs`")
        found.append(index.names[keys[0]])
    if ready.needs == "companies" and len(set(found)) < 2:
        raise UsageError("several companies are set side by side", where="--company", hint="Name two or more")
    return tuple(dict.fromkeys(found))


def _is_of(record: DocumentRecord, companies: Sequence[str]) -> bool:
    return any(company in record.companies for company in companies)


def _language(asked: str | None, records: Sequence[DocumentRecord]) -> Language:
    if asked:
        return "zh" if asked == "zh" else "en"
    spoken = Counter(record.language for record in records).most_common(1)[0][0]
    return "zh" if spoken == "zh" else "en"

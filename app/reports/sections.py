"""Fills the sections of a ready report from a workspace: answers, figures, drivers, relations, each with its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ..core.scope import Scope
from .comparing import compare_filings
from .parts import Cell, Grid, Numbering, Paragraph, Report, Section
from .ready import ReadyReport, SectionPlan, filled, in_language
from .stated import driver_grid, relation_grid
from .wording import call_questions, quoted, tone
from .words import metric_name, spoken_name, word

if TYPE_CHECKING:
    from datetime import date

    from ..core.language import Language
    from ..core.period import Period
    from ..kg.store import DocumentRecord
    from ..retrieval.calculation.arithmetic.series import Series
    from ..retrieval.calculation.result import Figure
    from ..workspace import Workspace

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
        """One section; what it asks in vain is noted as missing."""
        grids: list[Grid] = []
        paragraphs: list[Paragraph] = []
        for compared in plan.compare:
            found, said = compare_filings(self.workspace, compared, self.sources, self.numbering, self.language)
            grids.extend(found)
            paragraphs.extend(said)
        if plan.figures:
            grids.extend(self._figures(plan))
        if plan.drivers:
            grids.extend(self._drivers(plan))
        if plan.relations:
            related = relation_grid(
                self.workspace, self.companies, plan.relations, self.sources, self.numbering, self.language
            )
            grids.extend([related] if related else [])
        grids.extend(self._calls(plan))
        paragraphs.extend(self._quotes(plan))
        for question, company in self._questions(plan):
            paragraphs.extend(self._answered(question, company))
        title = in_language(plan.title, self.language)
        return Section(title, tuple(paragraphs), tuple(grids), self._chart(plan.chart))

    # --- questions

    def _questions(self, plan: SectionPlan) -> Iterator[tuple[str, str]]:
        for company in self.companies or ("",):
            for text in in_language(plan.ask, self.language) or ():
                yield filled(text, values_of((company,), self.periods, self.language)), company

    def _answered(self, question: str, company: str) -> list[Paragraph]:
        scope = Scope(companies=(company,) if company else (), periods=self.periods, sources=self.sources)
        answer = self.workspace.ask(question, scope=scope)
        if "not found" in answer.trace or not answer.citations:
            self.missing.append(question)
            return []
        return [Paragraph(self.numbering.answer(answer), question)]

    # --- figures

    def _figures(self, plan: SectionPlan) -> list[Grid]:
        found = {name: self._series(name) for name in plan.figures}
        known = {name: series for name, series in found.items() if series}
        if not known:
            self.missing.append(f"{in_language(plan.title, self.language)}: {', '.join(plan.figures)}")
            return []
        if len(self.companies) > 1:
            return [self._side_by_side(known)]
        return [self._by_period(known, plan.years)]

    def _series(self, name: str) -> list[Series]:
        """The figures of a metric; none that the calculator found in place of one that is not stated."""
        found = self.workspace.series(name, self.companies, self.periods or None)
        own = [replace(one, figures=tuple(f for f in one.figures if _is_of_metric(f, one.name))) for one in found]
        return [one for one in own if one.figures]

    def _by_period(self, known: Mapping[str, Sequence[Series]], years: int) -> Grid:
        """A row a metric, a column a period, the latest first."""
        periods = {figure.period for series in known.values() for one in series for figure in one.figures}
        ordered = sorted(filter(None, periods), key=lambda period: period.last_day, reverse=True)[:years]
        head = (word("figure", self.language), *(period.label for period in ordered))
        days = {period: _usual_day(known, period) for period in ordered}
        rows: list[tuple[Cell, ...]] = []
        for name, series in known.items():
            figures = {figure.period: figure for one in series[:1] for figure in one.figures}
            cells = [self._figure_cell(self._certain(name, figures.get(period), days[period])) for period in ordered]
            if any(cell.text for cell in cells):
                rows.append((Cell(self._metric(name)), *cells))
        return Grid("", head, tuple(rows))

    def _side_by_side(self, known: Mapping[str, Sequence[Series]]) -> Grid:
        """A row a metric, a column a company: the last figure of each, with its period."""
        companies = list(dict.fromkeys(one.company for series in known.values() for one in series))
        rows: list[tuple[Cell, ...]] = []
        for name, series in known.items():
            last = {one.company: one.figures[-1] for one in series if one.figures}
            certain = (self._certain(name, last.get(company)) for company in companies)
            cells = [self._figure_cell(figure, with_period=True) for figure in certain]
            if any(cell.text for cell in cells):
                rows.append((Cell(self._metric(name)), *cells))
        return Grid("", (word("figure", self.language), *companies), tuple(rows))

    def _certain(self, name: str, figure: Figure | None, day: date | None = None) -> Figure | None:
        """The figure where the calculator, asked for it alone, finds the same; a balance only of the column's day.

        A filing holds balance sheets of others as well, a joint venture's at the end of its own year.
        """
        if figure is None or figure.period is None:
            return None
        others = {part.fact.period.last_day for part in figure.components if part.fact.period and not part.back}
        if day is not None and others != {day}:
            return None
        answer = self.workspace.calc(name, figure.company or None, figure.period).answer
        agrees = answer is not None and any(one.value == figure.value for one in answer.figures)
        return figure if agrees else None

    def _figure_cell(self, figure: Figure | None, *, with_period: bool = False) -> Cell:
        if figure is None or figure.value is None:
            return Cell("")
        numbers = []
        for component in figure.components:
            fact = component.fact
            said = f"{fact.label}: {fact.text}"
            numbers.append(self.numbering.place(fact.source, said, fact.start, fact.end, fact.anchors, fact.page))
        text = shown(figure, self.language)
        if with_period and figure.period:
            text = f"{text} ({figure.period.label})"
        return Cell(text, tuple(dict.fromkeys(numbers)))

    def _metric(self, name: str) -> str:
        named = metric_name(name, self.language)
        if named:
            return named
        if self.language == "zh":
            from ..retrieval.calculation.formatting import in_chinese

            return in_chinese(name, self.workspace.vocabulary.formulas)
        return f"{name[:1].upper()}{name[1:]}"

    def _chart(self, metric: str) -> str:
        """The metric over its years as SVG; "" where fewer than two years are known."""
        if not metric:
            return ""
        from ..views.charts import trend_svg

        series = [one for one in self.workspace.series(metric, self.companies) if len(one.figures) > 1]
        drawn = [one for one in series if one.unit == series[0].unit]
        return trend_svg(drawn, self._metric(drawn[0].name)) if drawn else ""

    # --- what documents state

    def _drivers(self, plan: SectionPlan) -> list[Grid]:
        metrics = () if plan.drivers == ("*",) else plan.drivers
        found = self.workspace.drivers(self.companies, metrics, self.periods or None, sources=self.sources or None)
        own = [driver for driver in found if driver.outlook == plan.expected]
        grid = driver_grid(own, self.numbering, self.language)
        return [grid] if grid else []

    def _quotes(self, plan: SectionPlan) -> list[Paragraph]:
        found: list[Paragraph] = []
        for company in self.companies or ("",):
            records = self._latest_first(company)
            for name in plan.quotes:
                said = quoted(self.workspace.store, name, records, self.numbering)
                title = company if len(self.companies) > 1 else ""
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
        records = [record for record in self.workspace.documents() if not company or self._is_of(record, company)]
        if self.sources:
            records = [record for record in records if record.source in self.sources]
        if self.periods:
            days = {period.last_day for period in self.periods}
            records = [record for record in records if record.period and self._falls_on(record, days)]
        return sorted(records, key=_last_day, reverse=True)

    def _is_of(self, record: DocumentRecord, company: str) -> bool:
        from ..retrieval.search.index.corpus import corpus_of

        index = corpus_of(self.workspace.store).catalogue.companies
        return not set(index.find(company)).isdisjoint(index.keys(record))

    def _falls_on(self, record: DocumentRecord, days: Collection[date]) -> bool:
        """True for a document of one of the periods, by its last day, or by its name where its year ends otherwise."""
        assert record.period is not None, "only documents with a period are asked"
        named = {(period.unit, period.year, period.number) for period in self.periods}
        own = record.period
        return own.last_day in days or (own.unit, own.year, own.number) in named


def _last_day(record: DocumentRecord) -> tuple[int, str]:
    """Annual reports and their like by the day that they end on; what has no period comes last."""
    return (record.period.last_day.toordinal() if record.period else 0), record.source


def _is_of_metric(figure: Figure, metric: str) -> bool:
    """False for operating income where operating cash flow was asked; what is calculated is of several metrics."""
    if len(figure.components) != 1:
        return True
    return figure.components[0].fact.metric in ("", metric)


def _usual_day(known: Mapping[str, Sequence[Series]], period: Period) -> date | None:
    """The day on which most figures of a period end."""
    figures = (figure for series in known.values() for one in series[:1] for figure in one.figures)
    parts = (part for figure in figures if figure.period == period for part in figure.components if not part.back)
    days = Counter(part.fact.period.last_day for part in parts if part.fact.period)
    return days.most_common(1)[0][0] if days else None


def shown(figure: Figure, language: Language) -> str:
    """A figure for a table: "34.6 %", "USD 81,288 million", "3.91 USD/share"."""
    value = figure.value or Decimal(0)
    if figure.unit in ("%", "pp"):
        return f"{value * 100:.1f} {figure.unit}"
    is_money = len(figure.unit) == 3 and figure.unit.isupper()
    if not is_money:
        return f"{value:,.2f} {figure.unit}".strip() if value % 1 else f"{value:,.0f} {figure.unit}".strip()
    if language == "zh":
        return f"{value / 10**4:,.2f}万 {figure.unit}"
    if abs(value) < 10**6:
        return f"{figure.unit} {value:,.0f}"
    return f"{figure.unit} {value / 10**6:,.0f} million"


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

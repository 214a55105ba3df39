"""Figures of many: of each company, then ranks, counts, averages; and over periods, a line for each company."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace
from decimal import Decimal
from itertools import chain
from operator import attrgetter

from ...core.fact import Fact
from ...core.language import Language
from ...core.names import company_key
from ...core.patterns import on_demand
from ...core.period import Period
from ...core.records import dataclass
from ...core.sequences import grouped
from ...kg.store import FactQuery, Store
from ...kg.timeline import publication_days
from ...prompts.messages import message
from ..question.figures.asked import Asked
from ..question.figures.operands import Operand
from ..question.figures.selection_request import Statistic
from ..question.vocabulary.expression import IncomputableError
from ..question.vocabulary.vocabulary import FormulaList
from ..search.index.corpus import corpus_of
from .calculator import Calculator, UnclearError
from .fact_choice.book import FactBook
from .formatting import Numbering, shown_number, shown_value
from .operations import combine
from .result import Figure, NumberAnswer, Outcome, facts_of

_MOST_FACTS = 500_000
_ADDRESSES = ("registered address", "office address")
_MOST_LISTED = 50
_COMPANIES = "companies"
"""What is counted."""
_MOST_NAMED = 10
"""Companies that are named where they are counted."""
_MOST_UNRANKED = 12
"""Companies whose figures are told side by side where their currencies differ."""
_EACH = on_demand(r"均|都|\b(?:each|every|all|both)\b", re.IGNORECASE)


def answer_statistic(
    store: Store, asked: Asked, formulas: FormulaList, sources: Collection[str] | None = None
) -> Outcome:
    """Rank, count, average or total of one metric or formula over the companies of the store, or of some documents.

    "Of the companies with X above 100, who has the highest Y": the bounds hold for the figure named first. Over several
    years a rank lists who is placed in each of them, without one the latest year of each company is ranked.
    """
    comparison = _Comparison.of(asked)
    if comparison is None:
        return Outcome(asked, declined="one metric and one period are needed to compare companies")
    search = _Companies(store, formulas, sources)
    try:
        if len(asked.periods) < 2:
            period = next(iter(asked.periods), None)
            answer = _write(comparison.figures(search, period), comparison.statistic, asked)
            return Outcome(asked, replace(answer, notes=comparison.untold(search, period, asked.language)))
        return Outcome(asked, _listed(comparison.placed_in_each(search, asked.periods), asked))
    except _DeclinedError as declined:
        return Outcome(asked, declined=declined.reason, missing=declined.missing)
    except _UnlikeError as unlike:
        if comparison.statistic.kind != "rank" or len(unlike.figures) > _MOST_UNRANKED:
            return Outcome(asked, declined=str(unlike))
        unranked = _listed(sorted(unlike.figures, key=attrgetter("company")), asked)
        return Outcome(asked, replace(unranked, notes=(message("unlike_currencies", asked.language),)))


class _DeclinedError(Exception):
    """No answer is given; ``missing`` are the names of figures that no fact states."""

    def __init__(self, reason: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing = missing


class _UnlikeError(Exception):
    """The figures are in different currencies."""

    def __init__(self, figures: Sequence[Figure]) -> None:
        super().__init__("the companies report in different currencies")
        self.figures = figures


@dataclass(frozen=True)
class _Comparison:
    """What is compared over companies: ``operand``, of those whose ``measured`` figure lies within the bounds."""

    statistic: Statistic
    operand: Operand
    measured: Operand

    @classmethod
    def of(cls, asked: Asked) -> _Comparison | None:
        """None where more than one figure is compared, or the periods are not told apart."""
        statistic = asked.statistic
        if statistic is None:
            return None
        told_by_place = _ADDRESSES if statistic.place else ()
        operands = [operand for operand in asked.operands if operand.name and operand.name not in told_by_place]
        most = 2 if statistic.is_bounded else 1
        if not 0 < len(operands) <= most or not _are_told_apart(asked, statistic):
            return None
        return cls(statistic, operands[-1], operands[0])

    def figures(self, search: _Companies, period: Period | None) -> list[Figure]:
        """The figures to compare, for None those of the latest years.

        Raises _DeclinedError where there are none, _UnlikeError where they do not compare.
        """
        figures = search.figures(self.operand, period, self.statistic.change)
        meant = self._companies(search, figures if self.measured is self.operand else None, period)
        own = [figure for figure in figures if figure.company in meant]
        compared = ranked(own, self.statistic) if self.statistic.kind == "rank" else own
        if not own or not compared:
            name = self.operand.name
            raise _DeclinedError(f"no fact states {name} of {period or 'any year'}", (name,))
        units = {figure.unit for figure in own} - {""}
        if len(units) > 1 and self.statistic.kind != "count":
            raise _UnlikeError(own)
        return own

    def _companies(self, search: _Companies, measured: Sequence[Figure] | None, period: Period | None) -> set[str]:
        """Those whose measured figure lies within the bounds, at the place asked for."""
        if measured is None:
            measured = search.figures(self.measured, period)
        marks = {self.statistic.above, self.statistic.below} - {None, Decimal(0)}
        if marks and len({figure.unit for figure in measured} - {""}) > 1:
            raise _DeclinedError("the companies report in different currencies")
        meant = {figure.company for figure in measured if self.statistic.allows(figure.number)}
        if self.statistic.place:
            meant &= companies_in(search.store, self.statistic.place)
        return meant

    def untold(self, search: _Companies, period: Period | None, language: Language) -> tuple[str, ...]:
        """A note on the companies of which the figure that is held against bounds or counted is not known."""
        if not self.statistic.is_bounded and self.statistic.kind != "count":
            return ()
        change = self.statistic.change if self.measured is self.operand else ""
        told = {company_key(figure.company) for figure in search.figures(self.measured, period, change)}
        names = [name for name in search.names() if company_key(name) not in told]
        shown = message("between_names", language).join(names[:_MOST_NAMED])
        more = "…" if len(names) > _MOST_NAMED else ""
        stated = f"{self.measured.written or self.measured.name} ({shown}{more})"
        return (message("figures_not_stated", language, names=stated),) if names else ()

    def placed_in_each(self, search: _Companies, periods: Sequence[Period]) -> list[Figure]:
        """Who is placed so in every period, with the figures of the last one."""
        placed: list[Figure] = []
        for period in periods:
            figures = [figure for _, figure in ranked(self.figures(search, period), self.statistic)]
            before = {figure.company for figure in placed or figures}
            placed = [figure for figure in figures if figure.company in before]
            if not placed:
                raise _DeclinedError("no company is placed so in every year")
        return placed


def _are_told_apart(asked: Asked, statistic: Statistic) -> bool:
    """True where one period is named, several of which each is asked about, or none and companies are ranked or
    counted by their latest year."""
    if len(asked.periods) == 1:
        return True
    if not asked.periods:
        return statistic.kind in ("rank", "count")
    return _EACH.search(asked.question.trimmed) is not None


@dataclass(frozen=True)
class _Companies:
    """Figures of all companies, from the facts of one query."""

    store: Store
    formulas: FormulaList
    sources: Collection[str] | None = None
    _known: dict[tuple[str, Period | None, str], list[Figure]] = field(default_factory=dict)

    def figures(self, operand: Operand, period: Period | None, change: str = "") -> list[Figure]:
        """The figure of each company, for None of its latest year, or how it changed from the period before.

        Left out is who does not state it for certain. Read once: bounds, ranks and notes ask for the same.
        """
        asked = (operand.name, period, change)
        if asked not in self._known:
            self._known[asked] = self._read(operand, period, change)
        return self._known[asked]

    def _read(self, operand: Operand, period: Period | None, change: str) -> list[Figure]:
        formula = self.formulas.formulas.get(operand.name)
        metrics = {operand.name, *(self.formulas.metrics(formula) if formula else ())}
        by_company = grouped(self._facts(metrics), key=lambda fact: fact.company)
        plain = replace(operand, words=())
        figures: list[Figure] = []
        for company, facts in by_company.items():
            book = FactBook.holding(self.store, facts, metrics, self.formulas.known)
            calculator = Calculator(book, self.formulas)
            periods = [period] if period else reversed([*_known(book, operand.name, self.formulas)])
            figure = next(filter(None, (_moved(calculator, plain, own, change) for own in periods)), None)
            if figure is not None:
                figures.append(replace(figure, company=company))
        return figures

    def names(self) -> list[str]:
        """The companies of the documents."""
        records = self.store.documents()
        meant = (record for record in records if self.sources is None or record.source in self.sources)
        named = {company_key(name): name for record in meant for name in record.companies}
        return sorted(named.values())

    def _facts(self, metrics: Collection[str]) -> Sequence[Fact]:
        if self.sources is not None and not self.sources:
            return []
        query = FactQuery(metrics=tuple(sorted(metrics)), sources=tuple(self.sources or ()), limit=_MOST_FACTS)
        return self.store.facts(query)


def _moved(calculator: Calculator, operand: Operand, period: Period, change: str) -> Figure | None:
    """The figure of the period, or its ``change`` from the one before; None where that is not known for certain."""
    figure = calculator.sure_figure(operand, period)
    before = calculator.sure_figure(operand, period.shifted(-1)) if change else None
    if not change or figure is None or before is None:
        return None if change else figure
    try:
        return combine(change, [before, figure])
    except (UnclearError, IncomputableError):
        return None


def companies_in(store: Store, place: str) -> set[str]:
    """Companies whose address holds the place."""
    addresses = store.facts(FactQuery(metrics=_ADDRESSES, limit=_MOST_FACTS))
    return {fact.company for fact in addresses if place.casefold() in fact.text.casefold()}


def ranked(figures: Sequence[Figure], statistic: Statistic) -> list[tuple[int, Figure]]:
    """Places from ``first`` to ``last``, equal values on equal places: 1, 2, 2, 4."""
    sign = 1 if statistic.lowest else -1
    ordered = sorted(figures, key=lambda figure: (sign * figure.number, figure.company))
    first_places: dict[Decimal | None, int] = {}
    for place, figure in enumerate(ordered, 1):
        first_places.setdefault(figure.value, place)
    places = [(first_places[figure.value], figure) for figure in ordered]
    return [pair for pair in places if statistic.first <= pair[0] <= statistic.last]


def _listed(figures: Sequence[Figure], asked: Asked) -> NumberAnswer:
    """Companies with their last figure, in the order given."""
    numbering = Numbering()
    return _as_answer([_line(figure, asked, numbering) for figure in figures], figures, asked, numbering)


def _write(figures: Sequence[Figure], statistic: Statistic, asked: Asked) -> NumberAnswer:
    numbering = Numbering()
    if statistic.kind == "rank":
        places = ranked(figures, statistic)
        lines = [f"{place}. {_line(figure, asked, numbering)}" for place, figure in places]
        return _as_answer(lines, [figure for _, figure in places], asked, numbering)
    total = _total(figures, statistic)
    marks = numbering.marks(replace(total, components=total.components[:_MOST_LISTED]))
    line = f"{_of_all(total, figures, asked)} {marks}"
    return _as_answer([line], [total], asked, numbering)


def _of_all(total: Figure, figures: Sequence[Figure], asked: Asked) -> str:
    """How many companies there are, with their names where these are few; or what all of them have together."""
    if total.name == _COMPANIES and len(figures) <= _MOST_NAMED:
        names = message("between_names", asked.language).join(figure.company for figure in figures)
        return f"{shown_value(total, asked)} ({names})"
    companies = message("of_companies", asked.language, count=len(figures))
    return f"{total.name}, {total.period}: {shown_value(total, asked)}{companies}"


def _line(figure: Figure, asked: Asked, numbering: Numbering) -> str:
    whose = figure.company if asked.periods else f"{figure.company}, {figure.period}"
    return f"{whose}: {shown_value(figure, asked)} {numbering.marks(figure)}"


def _as_answer(lines: Sequence[str], figures: Sequence[Figure], asked: Asked, numbering: Numbering) -> NumberAnswer:
    value, scale = shown_number(figures[0], asked)
    unit = figures[0].unit
    return NumberAnswer("\n".join(lines), value, unit, scale, numbering.citations(), tuple(figures), asked)


def _total(figures: Sequence[Figure], statistic: Statistic) -> Figure:
    parts = tuple(chain.from_iterable(map(attrgetter("components"), figures)))
    if statistic.kind == "count":
        return Figure(_COMPANIES, figures[0].period, Decimal(len(figures)), "x", parts)
    value = sum((map(attrgetter("number"), figures)), Decimal(0))
    if statistic.kind == "average":
        value /= len(figures)
    return replace(figures[0], name=f"{statistic.kind} of {figures[0].name}", value=value, components=parts, company="")


@dataclass(frozen=True, slots=True)
class Series:
    """The figures of one company, by the end of their period; ``name`` is canonical, ``unit`` that of all."""

    company: str
    name: str
    unit: str
    figures: tuple[Figure, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents that the figures come from."""
        return tuple(dict.fromkeys(fact.source for fact in facts_of(self.figures)))


def metric_series(
    store: Store,
    name: str,
    formulas: FormulaList,
    companies: Collection[str] = (),
    *,
    periods: Sequence[Period] = (),
) -> list[Series]:
    """The years of a metric or formula for each company named, or for all; years that nothing states are left out.

    ``periods`` picks some, quarters too. Only what tables state: a sentence alone may be about a part. Values in the
    rarer currency of a company are left out.
    """
    catalogue = corpus_of(store).catalogue
    wanted: set[str] = set()
    for company in companies:
        wanted.update(catalogue.companies.find(company))
    found: list[Series] = []
    for key, records in catalogue.by_company.items():
        if companies and key not in wanted:
            continue
        published = publication_days(records)
        book = FactBook(store, tuple(published), formulas.known, {}, published)
        figures = _figures(book, name, periods or _known(book, name, formulas), formulas)
        if figures:
            found.append(_in_one_unit(records[0].companies[0], name, figures))
    return sorted(found, key=lambda one: one.company)


def _figures(book: FactBook, name: str, periods: Iterable[Period], formulas: FormulaList) -> list[Figure]:
    """The figures that tables state beyond doubt, each under the period asked for."""
    calculator = Calculator(book, formulas)
    found: list[Figure] = []
    for period in periods:
        figure = calculator.sure_figure(Operand(name, name, written=name), period)
        if figure is not None and not _rests_on_prose(figure):
            found.append(replace(figure, period=period))
    return found


def _rests_on_prose(figure: Figure) -> bool:
    return any(part.fact.source_kind == "prose" for part in figure.components)


def _in_one_unit(company: str, name: str, figures: Sequence[Figure]) -> Series:
    """The figures in the unit that most of them have."""
    counted = Counter(figure.unit for figure in figures)
    ((unit, _),) = counted.most_common(1)
    return Series(company, name, unit, tuple(figure for figure in figures if figure.unit == unit))


def _known(book: FactBook, name: str, formulas: FormulaList) -> Iterable[Period]:
    """The years of the metric, or of the metrics that the formula needs."""
    formula = formulas.formulas.get(name)
    names = {name, *(formulas.metrics(formula) if formula else ())}
    book.load(names)
    stated = chain.from_iterable(map(book.of, names))
    years: dict[int, Period] = {}
    for period in book.periods_of(stated):
        years.setdefault(period.year, Period("year", period.year, fiscal=True))
    return [years[year] for year in sorted(years)]

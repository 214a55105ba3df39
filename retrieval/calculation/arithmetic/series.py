"""A figure over periods, a line for each company: what a trend picture shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from ....core.period import Period
from ....kg.store import Store
from ....kg.timeline import public_by
from ...question.figures.operands import Operand
from ...question.vocabulary.expression import IncomputableError
from ...question.vocabulary.formulas import FormulaList
from ...search.index.corpus import corpus_of
from ..fact_choice.book import FactBook
from ..fact_choice.choosing import lacks_scale
from ..result import Figure
from .calculator import Calculator, MissingError, UnclearError


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
        return tuple(dict.fromkeys(part.fact.source for figure in self.figures for part in figure.components))


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
    wanted = {key for company in companies for key in catalogue.companies.find(company)}
    found = []
    for key, records in catalogue.by_company.items():
        if not companies or key in wanted:
            published = {record.source: public_by(record) for record in records}
            book = FactBook(store, tuple(published), formulas.known, {}, published)
            series = _series(book, name, records[0].companies[0], periods, formulas)
            found += [series] if series else []
    return sorted(found, key=lambda one: one.company)


def _series(book: FactBook, name: str, company: str, periods: Sequence[Period], formulas: FormulaList) -> Series | None:
    calculator = Calculator(book, formulas)
    figures = [f for f in (_figure(calculator, name, p) for p in periods or _known(book, name, formulas)) if f]
    units = [figure.unit for figure in figures]
    if not figures:
        return None
    unit = max(set(units), key=units.count)
    return Series(company, name, unit, tuple(figure for figure in figures if figure.unit == unit))


def _known(book: FactBook, name: str, formulas: FormulaList) -> Iterable[Period]:
    """The years of the metric, or of the metrics that the formula needs."""
    formula = formulas.formulas.get(name)
    names = {name, *(formulas.metrics(formula) if formula else ())}
    book.load(names)
    years: dict[int, Period] = {}
    for period in book.periods_of(fact for metric in names for fact in book.of(metric)):
        year = Period("year", period.last_day.year if period.is_instant else period.year, fiscal=True)
        years.setdefault(year.year, year)
    return [years[year] for year in sorted(years)]


def _figure(calculator: Calculator, name: str, period: Period) -> Figure | None:
    try:
        figure = calculator.figure(Operand(name, name, written=name), period)
    except (MissingError, UnclearError, IncomputableError):
        return None
    facts = [part.fact for part in figure.components]
    if figure.value is None or any(lacks_scale(fact) or fact.source_kind == "prose" for fact in facts):
        return None
    return replace(figure, period=period)

"""A figure over periods, a line for each company: what a trend picture shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ....core.period import Period
from ....kg.store import Store
from ....kg.timeline import public_by
from ...question.figures.operands import Operand
from ...question.vocabulary.formulas import FormulaList
from ...search.index.corpus import corpus_of
from ..fact_choice.book import FactBook
from ..result import Figure, facts_of
from .calculator import Calculator


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
        published = {record.source: public_by(record) for record in records}
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
        number = period.last_day.year if period.is_instant else period.year
        years.setdefault(number, Period("year", number, fiscal=True))
    return [years[year] for year in sorted(years)]

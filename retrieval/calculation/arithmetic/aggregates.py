"""Answers questions over many companies: the figure of each, then ranks, counts, averages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ....core.fact import Fact
from ....core.period import Period
from ....kg.store import FactQuery, Store
from ...question.figures.aggregate_request import Statistic
from ...question.figures.asked import Asked
from ...question.figures.operands import Operand
from ...question.vocabulary.expression import IncomputableError
from ...question.vocabulary.formulas import FormulaList
from ..fact_choice.book import FactBook
from ..fact_choice.choosing import lacks_scale
from ..formatting import Numbering, shown_number, shown_value
from ..result import Figure, NumberAnswer, Outcome
from .calculator import Calculator, MissingError, UnclearError

_MOST_FACTS = 500_000
_ADDRESSES = ("registered address", "office address")
_MOST_LISTED = 50
_EACH = re.compile(r"均|都|\b(?:each|every|all|both)\b", re.IGNORECASE)


def answer_statistic(
    store: Store, asked: Asked, formulas: FormulaList, sources: Collection[str] | None = None
) -> Outcome:
    """Rank, count, average or total of one metric or formula over the companies of the store, or of some documents.

    "Of the companies with X above 100, who has the highest Y": the bounds hold for the figure named first. Over several
    years a rank lists who is placed in each of them.
    """
    statistic = asked.statistic
    operands = [o for o in asked.operands if o.name and not (o.name in _ADDRESSES and statistic and statistic.place)]
    several = len(asked.periods) > 1 and _EACH.search(asked.question.trimmed) is not None
    bounded = statistic is not None and (statistic.above is not None or statistic.below is not None)
    if statistic is None or not operands or len(operands) > 1 + bounded or not (len(asked.periods) == 1 or several):
        return Outcome(asked, declined="one metric and one period are needed to compare companies")
    search = _Companies(store, formulas, sources)
    shown: list[Figure] = []
    for period in asked.periods:
        figures = search.figures(operands[-1], period)
        measured = figures if len(operands) == 1 else search.figures(operands[0], period)
        within = {figure.company for figure in measured if _within(figure, statistic)}
        inside = companies_in(store, statistic.place) if statistic.place else within
        figures = [figure for figure in figures if figure.company in within & inside]
        if not figures or (statistic.kind == "rank" and not ranked(figures, statistic)):
            return Outcome(
                asked, declined=f"no fact states {operands[-1].name} of {period}", missing=(operands[-1].name,)
            )
        if len({figure.unit for figure in figures if figure.unit}) > 1 and statistic.kind != "count":
            return Outcome(asked, declined="the companies report in different currencies")
        if several:
            placed = [figure for _, figure in ranked(figures, statistic)]
            shown = [f for f in placed if f.company in {g.company for g in shown}] if shown else placed
            if not shown:
                return Outcome(asked, declined="no company is placed so in every year")
        else:
            return Outcome(asked, _write(figures, statistic, asked))
    return Outcome(asked, _listed(shown, asked))


@dataclass(frozen=True)
class _Companies:
    """Figures of all companies, from the facts of one query."""

    store: Store
    formulas: FormulaList
    sources: Collection[str] | None = None

    def figures(self, operand: Operand, period: Period) -> list[Figure]:
        """The figure of each company, by company; who does not state it, or not beyond doubt, is left out."""
        formula = self.formulas.formulas.get(operand.name)
        metrics = {operand.name, *(self.formulas.metrics(formula) if formula else ())}
        by_company: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts(metrics):
            by_company[fact.company].append(fact)
        plain = replace(operand, words=())
        figures = (
            self._figure(FactBook.holding(self.store, facts, metrics, self.formulas.known), plain, period)
            for facts in by_company.values()
        )
        return [
            replace(figure, company=company)
            for company, figure in zip(by_company, figures, strict=True)
            if figure is not None and not any(lacks_scale(part.fact) for part in figure.components)
        ]

    def _facts(self, metrics: Collection[str]) -> Sequence[Fact]:
        if self.sources is not None and not self.sources:
            return []
        query = FactQuery(metrics=tuple(sorted(metrics)), sources=tuple(self.sources or ()), limit=_MOST_FACTS)
        return self.store.facts(query)

    def _figure(self, book: FactBook, operand: Operand, period: Period) -> Figure | None:
        try:
            figure = Calculator(book, self.formulas).figure(operand, period)
        except (MissingError, UnclearError, IncomputableError):
            return None
        return figure if figure.value is not None else None


def companies_in(store: Store, place: str) -> set[str]:
    """Companies whose address holds the place."""
    found = store.facts(FactQuery(metrics=_ADDRESSES, limit=_MOST_FACTS))
    return {fact.company for fact in found if place.casefold() in fact.text.casefold()}


def ranked(figures: Sequence[Figure], statistic: Statistic) -> list[tuple[int, Figure]]:
    """Places from ``first`` to ``last``, equal values on equal places: 1, 2, 2, 4."""
    sign = 1 if statistic.lowest else -1
    ordered = sorted(figures, key=lambda figure: (sign * (figure.value or Decimal(0)), figure.company))
    places: list[tuple[int, Figure]] = []
    for position, figure in enumerate(ordered, 1):
        same = bool(places) and places[-1][1].value == figure.value
        places.append((places[-1][0] if same else position, figure))
    return [pair for pair in places if statistic.first <= pair[0] <= statistic.last]


def _within(figure: Figure, statistic: Statistic) -> bool:
    value = figure.value or Decimal(0)
    return (statistic.above is None or value > statistic.above) and (statistic.below is None or value < statistic.below)


def _listed(figures: Sequence[Figure], asked: Asked) -> NumberAnswer:
    """Companies with their last figure, in the order given."""
    numbering = Numbering()
    lines = [f"{f.company}: {shown_value(f, asked)} {numbering.marks(f)}" for f in figures]
    value, scale = shown_number(figures[0], asked)
    return NumberAnswer("\n".join(lines), value, figures[0].unit, scale, numbering.citations(), tuple(figures), asked)


def _write(figures: Sequence[Figure], statistic: Statistic, asked: Asked) -> NumberAnswer:
    numbering = Numbering()
    if statistic.kind == "rank":
        places = ranked(figures, statistic)
        shown = [figure for _, figure in places]
        lines = [f"{place}. {f.company}: {shown_value(f, asked)} {numbering.marks(f)}" for place, f in places]
    else:
        shown = [_total(figures, statistic)]
        text = shown_value(shown[0], asked)
        several = f"（{len(figures)} 家公司）" if asked.chinese else f" ({len(figures)} companies)"
        marks = numbering.marks(replace(shown[0], components=shown[0].components[:_MOST_LISTED]))
        lines = [f"{shown[0].name}, {shown[0].period}: {text}{several} {marks}"]
    first = shown[0]
    value, scale = shown_number(first, asked)
    return NumberAnswer("\n".join(lines), value, first.unit, scale, numbering.citations(), tuple(shown), asked)


def _total(figures: Sequence[Figure], statistic: Statistic) -> Figure:
    parts = tuple(part for figure in figures for part in figure.components)
    values = [figure.value or Decimal(0) for figure in figures]
    if statistic.kind == "count":
        return Figure("companies", figures[0].period, Decimal(len(values)), "x", parts)
    value = sum(values, Decimal(0))
    value = value / len(values) if statistic.kind == "average" else value
    return replace(figures[0], name=f"{statistic.kind} of {figures[0].name}", value=value, components=parts, company="")

"""Answers questions over many companies: the figure of each, then ranks, counts, averages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ...core.fact import Fact
from ...core.period import Period
from ...kg.store import FactQuery, Store
from .asked import Asked
from .choosing import choose, lacks_scale
from .formulas import FormulaList
from .periods import read_closes
from .result import Component, Figure, NumberAnswer, Outcome
from .statistic import Statistic
from .writing import Numbering, shown_number, shown_value

_MOST_FACTS = 500_000
_ADDRESSES = ("registered address", "office address")
_MOST_LISTED = 50


def answer_statistic(store: Store, asked: Asked, formulas: FormulaList) -> Outcome:
    """Rank, count, average or total of one metric over the companies of the store."""
    statistic = asked.statistic
    names = [operand.name for operand in asked.operands if operand.name]
    if statistic is None or len(names) != 1 or len(asked.periods) != 1:
        return Outcome(asked, declined="one metric and one period are needed to compare companies")
    if names[0] in formulas.formulas and not formulas.formulas[names[0]].stated:
        return Outcome(asked, declined=f"{names[0]} is calculated, not stated: companies cannot be compared by it yet")
    figures = [figure for figure in company_figures(store, names[0], asked.periods[0]) if _within(figure, statistic)]
    if statistic.place:
        inside = companies_in(store, statistic.place)
        figures = [figure for figure in figures if figure.company in inside]
    if not figures or (statistic.kind == "rank" and not ranked(figures, statistic)):
        return Outcome(asked, declined=f"no fact states {names[0]} of {asked.periods[0]}", missing=(names[0],))
    if len({figure.unit for figure in figures if figure.unit}) > 1 and statistic.kind != "count":
        return Outcome(asked, declined="the companies report in different currencies")
    return Outcome(asked, _write(figures, statistic, asked))


def company_figures(store: Store, metric: str, period: Period) -> list[Figure]:
    """The figure of each company for a metric and period, by company."""
    by_company: dict[str, list[Fact]] = defaultdict(list)
    for fact in store.facts(FactQuery(metrics=(metric,), limit=_MOST_FACTS)):
        by_company[fact.company].append(fact)
    figures = []
    for company, facts in by_company.items():
        choice = choose(facts, period, read_closes(facts), {})
        if choice and choice.sure and choice.fact.value is not None and not lacks_scale(choice.fact):
            part = Component(metric, choice.fact, choice.amount, others=choice.others)
            figures.append(Figure(metric, period, choice.amount, choice.fact.unit, (part,), company=company))
    return figures


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

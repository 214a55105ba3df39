"""Chooses among facts that state the same figure of a period, and tells where they disagree."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

from ....core.fact import Basis, Consolidation, Fact
from ....core.patterns import on_demand
from ....core.period import Period
from ....core.quantity import decimals
from ....core.records import dataclass
from ....ingest.facts.metrics import plain_label
from ...question.figures.operands import content_words

_ADJUSTED, _PROSE, _PART = 0.5, 0.25, 0.7
"""What a fact loses that is not reported as such, that a sentence states, that is of a part of the company."""
_BY_CONSOLIDATION: Mapping[Consolidation, Mapping[Consolidation, float]] = {
    "consolidated": {"consolidated": 0.35, "parent": -0.6, "": 0.0},
    "parent": {"consolidated": -0.6, "parent": 0.35, "": 0.0},
}
"""By whose statements are asked for, and whose the fact is of."""
_AS_ASKED, _TOTAL = 0.3, 0.15
"""What a row gains by its name: the name asked for, one that says that it is the total."""
_OF_DOCUMENT = 0.5
"""Weight of how well the document fits the question."""
_SUPERSEDED = 1.0
"""More than the document of the period and all agreeing places gain: a figure stated anew is history."""
_AGREEMENT, _MOST_AGREEING = 0.08, 3
"""Each further place that states the same value counts."""
_GUESSED = 0.5
"""Confidence of facts whose period no head states."""
_SMALL, _STATED_SCALE = 1_000_000, 0.8
_MOST_OTHERS = 3
"""Facts of other values that are named beside the one chosen."""
_CLOSE = 0.1
"""By how much a value has to be better than another one to be given."""
_COSTS = (
    "income tax", "interest expense", "cost of revenue", "finance costs", "depreciation and amortization",
    "depreciation", "amortization", "stock-based compensation", "research and development", "selling expenses",
    "administrative expenses", "operating expenses", "total operating costs",
)  # fmt: skip
_NEVER_NEGATIVE = ("revenue", "total assets", "inventory", "depreciation and amortization", "depreciation", "employees")
"""What is printed negative under these names is a part of something else, such as of deferred taxes."""
_TOTALS_OF_ALL = ("total assets", "total liabilities and equity", "employees")
_UNITS = on_demand(r"\bU\.?S\.?\s*\$|[$€£¥]\s?(?:m|bn|k)?\b|单位", re.IGNORECASE)
_CORPORATE = on_demand(r"\bcorporate\b", re.IGNORECASE)
"""A part of its own, though as a word it says no more than "corporation"."""
_PAYMENTS = ("capital expenditures", "dividends paid", "share repurchases", "repayment of debt")
"""Cash flow statements print these in parentheses; asked for, they are amounts."""
_MAY_BE_GAIN = on_demand(r"benefit|income\b(?! tax)|gain|credit|收益|费用", re.IGNORECASE)
"""In a label: without these words a cost in parentheses is only deducted, as in "Provision for income taxes (411)"."""
_CHANGE = on_demand(r"(?:net )?(?:changes?|increases?|decreases?|\(increase\)|\(decrease\))\b", re.IGNORECASE)
"""A row that tells how a figure changed, not what it was."""
_COST_NEGATIVE = on_demand(r"\((?:expense|provision|cost)s?\)", re.IGNORECASE)
"""A label that says that costs are printed negative: "Income tax (expense)/benefit"."""
_NEAR = 9
"""Days by which the close of a 52/53-week period may differ between two of its names."""
_LENGTHS = ("year", "half", "nine months", "quarter", "month")
_Place = tuple[str, int, Period | None, str, tuple[tuple[str, str], ...]]
"""Source, start, period, metric, dimensions: what tells one value of a row from the others."""
Closes = Mapping[tuple[str, str, int, int], date]
"""(source, unit, year, number) -> the last day of that period in the document's own calendar."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The fact chosen, its amount with the sign that formulas take, and facts that state other values."""

    fact: Fact
    amount: Decimal
    score: float
    others: tuple[Fact, ...] = ()
    sure: bool = True
    """False where another value is as well supported."""
    anew: bool = False
    """The fact takes the place of an earlier document's value."""
    settled: bool = False
    """Of several rows that state the metric, this one was taken for its name or as their total: it has to be said."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A fact and how well it answers."""

    score: float
    fact: Fact


@dataclass(slots=True)
class _SameValue:
    """Facts that state the same value, best first."""

    facts: list[_Scored]

    @property
    def best(self) -> _Scored:
        return self.facts[0]

    @property
    def weight(self) -> float:
        """The best score, and what the places that agree add."""
        return self.best.score + _AGREEMENT * min(_MOST_AGREEING, len(self.facts) - 1)


def choose(
    facts: Iterable[Fact],
    period: Period,
    closes: Closes,
    preference: Mapping[str, float],
    *,
    parts: bool = False,
    labels: Collection[str] = (),
    superseded: Collection[str] = (),
    basis: Basis = "reported",
    consolidation: Consolidation = "consolidated",
) -> Choice | None:
    """The best fact of the period; None where there is none.

    Values of the ``basis`` asked before others, of the statements asked for (``consolidation``) before the other ones,
    tables before prose, the document of the period before later ones that repeat it; values that several places state
    gain. ``superseded`` are ids of facts that a later document states anew. ``parts`` allows facts that are narrowed to
    a segment or region. ``labels`` are the names, in plain form, by which the figure is asked for: several rows may
    state one metric ("营业收入" and "营业总收入").
    """
    facts = list(facts)
    guessed = _guessed_at(facts)
    scored: list[_Scored] = []
    for fact in facts:
        if _place(fact) in guessed or not _may_state(fact, parts=parts):
            continue
        fit = period_fit(fact, period, closes)
        if fit:
            worth = _worth(fact, basis, consolidation, is_superseded=fact.id in superseded)
            preferred = _OF_DOCUMENT * preference.get(fact.source, 0.0)
            scored.append(_Scored(fit + _named(row_label(fact), labels) + worth + preferred, fact))
    if not scored:
        return None
    scored.sort(key=lambda one: one.score, reverse=True)
    groups = sorted(_by_value(scored), key=lambda group: group.weight, reverse=True)
    whole = _whole(groups)
    best, *others = groups if whole is None else [whole, *(group for group in groups if group is not whole)]
    stated = tuple(group.best.fact for group in others[:_MOST_OTHERS])
    return Choice(
        fact=best.best.fact,
        amount=aligned(best.best.fact),
        score=min(1.0, best.best.score),
        others=stated,
        sure=whole is not None or not others or best.weight - others[0].weight > _CLOSE,
        anew=any(other.id in superseded for other in stated),
    )


def _guessed_at(facts: Iterable[Fact]) -> set[_Place]:
    """The rows without heads that state several values of one period: it is of one of them at most."""
    values: dict[_Place, set[Decimal | None]] = defaultdict(set)
    for fact in facts:
        if fact.confidence <= _GUESSED and fact.source_kind == "table":
            values[_place(fact)].add(fact.amount)
    return {place for place, stated in values.items() if len(stated) > 1}


def _place(fact: Fact) -> _Place:
    return fact.source, fact.start, fact.period, fact.metric, fact.dimensions


def _whole(groups: Sequence[_SameValue]) -> _SameValue | None:
    """Of totals that are as well supported the largest: a partner's or a part's is no more than the whole.

    None where one is better supported than all others, or another metric is asked for.
    """
    close = [group for group in groups if groups[0].weight - group.weight <= _CLOSE]
    if len(close) < 2 or groups[0].best.fact.metric not in _TOTALS_OF_ALL:
        return None
    return max(close, key=lambda group: aligned(group.best.fact))


def row_label(fact: Fact) -> str:
    """The name of a fact's own row, in plain form."""
    return plain_label(fact.own_label)


def _may_state(fact: Fact, *, parts: bool) -> bool:
    """False for a row without a value, and for what is printed under the name of a metric and is none."""
    if fact.value is None and not fact.text:
        return False
    if fact.metric in _NEVER_NEGATIVE and aligned(fact) < 0:
        return False
    if parts:
        return True
    return not is_part(fact) and _CHANGE.match(fact.own_label) is None


def _named(label: str, labels: Collection[str]) -> float:
    """What a row gains by its name: the name asked for, else one that says that it is the total."""
    if label in labels:
        return _AS_ASKED
    totals = {f"total {name}".rstrip("s") for name in labels if name}
    if label.rstrip("s") in totals:
        return _AS_ASKED
    return _TOTAL * label.startswith("total ")


def aligned(fact: Fact) -> Decimal:
    """The amount with the sign that formulas take: costs positive where the label says they are printed negative, and
    what a roll-forward takes off a number of shares.

    Percentages are shares: 34.6 % is 0.346.
    """
    amount = fact.amount if fact.amount is not None else Decimal(0)
    if fact.metric in _COSTS and _COST_NEGATIVE.search(fact.label):
        amount = -amount
    elif fact.metric in _PAYMENTS or fact.unit == "shares" or _is_deducted(fact):
        amount = abs(amount)
    return amount / 100 if fact.unit == "%" else amount


def _is_deducted(fact: Fact) -> bool:
    """True for a cost that can be nothing else: in parentheses it is deducted, not a gain."""
    return fact.metric in _COSTS and _MAY_BE_GAIN.search(fact.label) is None


def _worth(fact: Fact, basis: Basis, consolidation: Consolidation, *, is_superseded: bool) -> float:
    """What speaks for a fact, whatever is asked."""
    worth = fact.confidence - _ADJUSTED * (fact.basis != basis) - _PROSE * (fact.source_kind == "prose")
    return (
        worth
        + _BY_CONSOLIDATION[consolidation][fact.consolidation]
        - _PART * is_part(fact)
        - _SUPERSEDED * is_superseded
    )


def lacks_scale(fact: Fact) -> bool:
    """True for small whole amounts of money in a table of which nothing says whether they are thousands or millions."""
    is_money = len(fact.unit) == 3
    if fact.value is None or not is_money:
        return False
    scale_is_told = fact.scale != 1 or fact.confidence >= _STATED_SCALE
    if scale_is_told or fact.source_kind != "table":
        return False
    return fact.value == int(fact.value) and abs(fact.value) < _SMALL


def is_part(fact: Fact) -> bool:
    """True for a fact narrowed to a segment or region; a column's head of units or dates narrows nothing."""
    return any(_says_something(member) for _, member in fact.dimensions)


@lru_cache(maxsize=50_000)
def _says_something(member: str) -> bool:
    return bool(content_words(_CORPORATE.sub("headquarters", _UNITS.sub(" ", member))))


def _by_value(scored: Sequence[_Scored]) -> list[_SameValue]:
    """Facts that state the same value together, in the order of their best."""
    groups: list[_SameValue] = []
    for one in scored:
        for group in groups:
            if agree(group.best.fact, one.fact):
                group.facts.append(one)
                break
        else:
            groups.append(_SameValue([one]))
    return groups


def agree(one: Fact, other: Fact) -> bool:
    """True where the values are the same within what the coarser of the two prints."""
    if one.value is None or other.value is None:
        return one.value is other.value and one.text.strip() == other.text.strip()
    step = max(last_digit(one), last_digit(other))
    return abs(aligned(one) - aligned(other)) <= step / 2


def last_digit(fact: Fact) -> Decimal:
    """A one of the last printed digit, in units: 1,000,000 of "$ 12 million"; percentages are shares."""
    step = Decimal(1).scaleb(-decimals(fact.value or Decimal(0))) * fact.scale
    return step / 100 if fact.unit == "%" else step


def read_closes(facts: Iterable[Fact]) -> dict[tuple[str, str, int, int], date]:
    """The calendars of documents, from facts over spans whose end is known; most of them tell, a partner's year not."""
    ends: dict[tuple[str, str, int, int], Counter[date]] = defaultdict(Counter)
    for fact in facts:
        period = fact.period
        if period is not None and period.end is not None and period.unit in _LENGTHS:
            ends[fact.source, period.unit, period.year, period.number][period.end] += 1
    return {span: counted.most_common(1)[0][0] for span, counted in ends.items()}


def period_fit(fact: Fact, asked: Period, closes: Closes) -> float:
    """1 where the fact is of the period asked or stands at its end, less where that is likely, 0 where it is not.

    >>> fact = Fact("Acme", "revenue", "Revenue", Period("year", 2022, fiscal=True), "5")
    >>> period_fit(fact, Period("year", 2022), {}), period_fit(fact, Period("quarter", 2022, 4), {})
    (1.0, 0.0)
    """
    period = fact.period
    if period is None:
        return 0.0
    if asked.is_instant:
        return _fit_of_day(fact, period, asked.last_day)
    if period.is_instant:
        return _fit_of_balance(fact.source, period.last_day, asked, closes)
    if asked.unit == "month" and period.unit == "quarter":  # the quarter to March is called by its last month
        last = period.last_day
        return 0.8 * ((last.year, last.month) == (asked.year, asked.number))
    if asked.unit == "year" and period.is_rolling_year:
        return float(_are_near(period.last_day, asked.last_day))
    if period.unit != asked.unit:
        return 0.0
    end = period.end or closes.get((fact.source, period.unit, period.year, period.number))
    if asked.end is not None and end is not None:
        return float(_are_near(end, asked.end) or (end.year, end.month) == (asked.end.year, asked.end.month))
    return float((period.year, period.number) == (asked.year, asked.number))


def _fit_of_day(fact: Fact, period: Period, day: date) -> float:
    """How well a figure of the period is one of the day: that of a year stands at its last day, and so does a ratio
    under the head of a quarter.
    """
    if period.last_day != day:
        return 0.0
    if period.is_instant:
        return 1.0
    if period.unit == "quarter" and (fact.unit in ("%", "x") or not fact.metric):
        return 0.8
    return 0.9 if period.unit == "year" else 0.0


def _fit_of_balance(source: str, day: date, asked: Period, closes: Closes) -> float:
    """How well a balance of the day is one at the end of the span asked."""
    close = asked.end or closes.get((source, asked.unit, asked.year, asked.number))
    if close is not None:
        return float(_are_near(day, close))
    if asked.unit == "month":
        return float((day.year, day.month) == (asked.year, asked.number))
    if asked.unit != "year":
        return 0.9 * _are_near(day, asked.last_day)
    if not asked.covers(Period.instant(day)):
        return 0.0
    days_into_year = max(0, (day - date(asked.year, 1, 1)).days)
    return 0.6 + 0.3 * min(1.0, days_into_year / 400)


def _are_near(one: date, other: date) -> bool:
    return abs((one - other).days) <= _NEAR

"""Chooses among facts that state the same figure, and tells where they disagree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ....core.fact import Fact
from ....core.period import Period
from ....ingest.facts.metrics import plain_label
from ...question.figures.operands import content_words
from .periods import Closes, period_fit

_CONSOLIDATED, _PARENT, _ADJUSTED, _PROSE, _PART = 0.35, 0.6, 0.5, 0.25, 0.7
_AS_ASKED, _TOTAL = 0.3, 0.15
_OF_DOCUMENT = 0.5
"""Weight of how well the document fits the question."""
_SUPERSEDED = 1.0
"""More than the document of the period and all agreeing places gain: a figure stated anew is history."""
_AGREEMENT, _MOST_AGREEING = 0.08, 3
"""Each further place that states the same value counts."""
_NO_PERCENTAGE = 1000
_SMALL, _STATED_SCALE = 1_000_000, 0.8
_MOST_OTHERS = 3
"""Facts of other values that are named beside the one chosen."""
_CLOSE = 0.1
"""By how much a value has to be better than another one to be given."""
_COSTS = ("income tax", "interest expense", "cost of revenue", "finance costs", "depreciation and amortization")
_NEVER_NEGATIVE = ("revenue", "total assets", "inventory", "depreciation and amortization", "depreciation", "employees")
"""What is printed negative under these names is a part of something else, such as of deferred taxes."""
_UNITS = re.compile(r"\bU\.?S\.?\s*\$|[$€£¥]\s?(?:m|bn|k)?\b|单位", re.IGNORECASE)
_PAYMENTS = ("capital expenditures", "dividends paid", "share repurchases", "repayment of debt")
"""Cash flow statements print these in parentheses; asked for, they are amounts."""
_MAY_BE_GAIN = re.compile(r"benefit|income\b(?! tax)|gain|credit|收益|费用", re.IGNORECASE)
"""In a label: without these words a cost in parentheses is only deducted, as in "Provision for income taxes (411)"."""
_CHANGE = re.compile(r"(?:net )?(?:changes?|increases?|decreases?|\(increase\)|\(decrease\))\b", re.IGNORECASE)
"""A row that tells how a figure changed, not what it was."""
_COST_NEGATIVE = re.compile(r"\((?:expense|provision|cost)s?\)", re.IGNORECASE)
"""A label that says that costs are printed negative: "Income tax (expense)/benefit"."""


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


def choose(
    facts: Iterable[Fact],
    period: Period,
    closes: Closes,
    preference: Mapping[str, float],
    *,
    parts: bool = False,
    labels: Collection[str] = (),
    superseded: Collection[str] = (),
) -> Choice | None:
    """The best fact of the period; None where there is none.

    Reported before adjusted values, consolidated before the parent's, tables before prose, the document of the period
    before later ones that repeat it; values that several places state gain. ``superseded`` are ids of facts that a
    later document states anew. ``parts`` allows facts that are narrowed
    to a segment or region. ``labels`` are the names, in plain form, by which the figure is asked for: several rows may
    state one metric ("营业收入" and "营业总收入").
    """
    scored: list[tuple[float, Fact]] = []
    for fact in facts:
        fit = period_fit(fact, period, closes) if _may_state(fact, parts=parts) else 0.0
        if fit:
            worth = _worth(fact) - _SUPERSEDED * (fact.id in superseded)
            preferred = _OF_DOCUMENT * preference.get(fact.source, 0.0)
            scored.append((fit + _named(_own_label(fact), labels) + worth + preferred, fact))
    groups = _groups(sorted(scored, key=_score, reverse=True))
    best, *others = sorted(groups, key=_weight, reverse=True) or [[]]
    if not best or _is_no_percentage(best[0][1]):
        return None
    stated = tuple(group[0][1] for group in others[:_MOST_OTHERS])
    score, fact = best[0]
    return Choice(
        fact=fact,
        amount=aligned(fact),
        score=min(1.0, score),
        others=stated,
        sure=not others or _weight(best) - _weight(others[0]) > _CLOSE,
        anew=any(other.id in superseded for other in stated),
    )


def _score(scored: tuple[float, Fact]) -> float:
    return scored[0]


def _own_label(fact: Fact) -> str:
    """The name of a fact's own row, in plain form."""
    return plain_label(fact.label.rpartition(" > ")[2])


def _may_state(fact: Fact, *, parts: bool) -> bool:
    """False for a row without a value, and for what is printed under the name of a metric and is none."""
    if fact.value is None and not fact.text:
        return False
    if fact.metric in _NEVER_NEGATIVE and aligned(fact) < 0:
        return False
    return parts or not (is_part(fact) or _CHANGE.match(fact.label.rpartition(" > ")[2]))


def _named(label: str, labels: Collection[str]) -> float:
    """What a row gains by its name: the name asked for, else one that says that it is the total."""
    totals = {f"total {name}".rstrip("s") for name in filter(None, labels)}
    if label in labels or label.rstrip("s") in totals:
        return _AS_ASKED
    return _TOTAL * label.startswith("total ")


def aligned(fact: Fact) -> Decimal:
    """The amount with the sign that formulas take: costs positive where the label says they are printed negative.

    Percentages are shares: 34.6 % is 0.346.
    """
    amount = fact.amount if fact.amount is not None else Decimal(0)
    if fact.metric in _COSTS and _COST_NEGATIVE.search(fact.label):
        amount = -amount
    elif fact.metric in _PAYMENTS or (fact.metric in _COSTS and not _MAY_BE_GAIN.search(fact.label)):
        amount = abs(amount)
    return amount / 100 if fact.unit == "%" else amount


def _worth(fact: Fact) -> float:
    worth = fact.confidence - _ADJUSTED * (fact.basis != "reported") - _PROSE * (fact.source_kind == "prose")
    worth += _CONSOLIDATED * (fact.consolidation == "consolidated") - _PARENT * (fact.consolidation == "parent")
    return worth - _PART * is_part(fact)


def _is_no_percentage(fact: Fact) -> bool:
    """True where a unit was misread: amounts of four digits are no percentages."""
    return fact.unit == "%" and fact.value is not None and abs(fact.value) >= _NO_PERCENTAGE


def lacks_scale(fact: Fact) -> bool:
    """True for small whole amounts of money in a table of which nothing says whether they are thousands or millions."""
    if fact.value is None or fact.scale != 1 or fact.source_kind != "table" or fact.confidence >= _STATED_SCALE:
        return False
    return len(fact.unit) == 3 and fact.value == int(fact.value) and abs(fact.value) < _SMALL


def is_part(fact: Fact) -> bool:
    """True for a fact narrowed to a segment or region; a column's head of units or dates narrows nothing."""
    return any(_says_something(member) for _, member in fact.dimensions)


@lru_cache(maxsize=50_000)
def _says_something(member: str) -> bool:
    return bool(content_words(_UNITS.sub(" ", member)))


def _groups(scored: Sequence[tuple[float, Fact]]) -> list[list[tuple[float, Fact]]]:
    """Facts that state the same value, best first within a group."""
    groups: list[list[tuple[float, Fact]]] = []
    for score, fact in scored:
        group = next((group for group in groups if agree(group[0][1], fact)), None)
        if group is None:
            groups.append([(score, fact)])
        else:
            group.append((score, fact))
    return groups


def _weight(group: Sequence[tuple[float, Fact]]) -> float:
    return group[0][0] + _AGREEMENT * min(_MOST_AGREEING, len(group) - 1)


def agree(one: Fact, other: Fact) -> bool:
    """True where the values are the same within what the coarser of the two prints."""
    if one.value is None or other.value is None:
        return one.value is other.value and one.text.strip() == other.text.strip()
    step = max(_step(one), _step(other))
    return abs(aligned(one) - aligned(other)) <= step / 2


def _step(fact: Fact) -> Decimal:
    """The last printed digit in units."""
    value = fact.value or Decimal(0)
    exponent = value.as_tuple().exponent
    places = exponent if isinstance(exponent, int) else 0
    step = Decimal(1).scaleb(min(0, places)) * fact.scale
    return step / 100 if fact.unit == "%" else step

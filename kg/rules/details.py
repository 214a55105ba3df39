"""Dates and amounts around a relation: metadata of a triple, never nodes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.period import Period
from ...core.period_text import find_periods
from ...core.quantity_text import find_quantities

_MONEY = frozenset(
    {"acquires", "divests", "sells_to", "invests_in", "settles_with", "lends_to", "merges_with", "sues", "regulates"}
)
_SHARE = frozenset({"owns_stake", "cuts_stake", "acquires", "divests", "subsidiary_of", "customer_of", "invests_in"})
_OUTLOOK = frozenset({"guides", "raises", "cuts"})
_DIGIT = re.compile(r"[0-9一二三四五六七八九十百千万亿]")


def amounts(sentence: str, relation: str) -> dict[str, str]:
    """What a sentence says about the size of a relation, as printed: "value" in money, "share" in percent.

    >>> amounts("Acme bought 51% of Bolt for $2.9 billion.", "acquires")
    {'value': '$2.9 billion', 'unit': 'USD', 'share': '51%'}
    """
    if relation not in _MONEY | _SHARE | _OUTLOOK or not _DIGIT.search(sentence):
        return {}
    found = find_quantities(sentence)
    if relation in _OUTLOOK:
        values = [quantity for quantity in found if quantity.unit]
        return {"value": "; ".join(q.text for q in values), "unit": values[0].unit} if values else {}
    details = {}
    money = next((q for q in found if len(q.unit) == 3 and q.unit.isupper()), None)
    share = next((q for q in found if q.unit == "%"), None)
    if money and relation in _MONEY:
        details = {"value": money.text, "unit": money.unit}
    if share and relation in _SHARE:
        details["share"] = share.text
    return details


def period_near(sentence: str, places: Sequence[int]) -> Period | None:
    """The period that the sentence names nearest to the ends of a relation; the first of equals."""
    if not _DIGIT.search(sentence):
        return None
    mentions = find_periods(sentence)
    if not mentions:
        return None
    return min(mentions, key=lambda m: min((abs(m.start - place) for place in places), default=m.start)).period

"""The currency a document reports in: as it states, else by the signs it prints, the bare "$" by its home."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

from ...core.rules import load_rules
from .company import places

_MOST_STATEMENTS = 60
"""Places of one phrase that are looked at."""
_LEAST_SIGNS = 5
"""Times that a sign has to be printed to tell."""
_SHORT, _LEAST_IN_SHORT = 6_000, 2
"""Characters of a text in which the sign need not be printed as often."""
_FEW = 5
"""So many times more may other signs be printed than those of the currency stated."""
_DOLLAR = "USD"
_COVER = 1_000
"""Characters at the beginning, where two different signs of a home tell it."""
_HOME = 3
"""Times that a home has to be named, for others are listed in Toronto and Sydney too."""


def find_currency(small: str) -> tuple[str, str]:
    """Its code ("AUD") and how it was found, from a text in small letters; "" where nothing tells.

    >>> find_currency("the presentation currency is australian dollars. sales were $5.")
    ('AUD', 'stated')
    >>> find_currency("acme limited abn 12 345. " * 3 + "sales $5 $6 $7 $8 $9")
    ('AUD', 'currency signs')
    """
    signs = {sign: small.count(sign) for sign in _signs()}
    printed = {code: sum(map(signs.__getitem__, forms)) for code, forms in _rules()["signs"].items()}
    most = max(printed.values())
    for code, _ in _stated(small).most_common():
        if printed[code] * _FEW >= most:
            return code, "stated"
    code = max(_rules()["alone"]["codes"], key=lambda code: printed[code])
    if printed[code] < (_LEAST_SIGNS if len(small) > _SHORT else _LEAST_IN_SHORT):
        return "", ""
    return (_dollar_of(small) if code == _DOLLAR else code), "currency signs"


def _stated(small: str) -> Counter[str]:
    """Currencies named where a report says what it reports in."""
    statements = _rules()["statements"]
    found: Counter[str] = Counter()
    for number, at in enumerate(places(small, statements["anchors"])):
        if number >= _MOST_STATEMENTS * len(statements["anchors"]):
            break
        named = _first_named(small[at : at + statements["reach"]].split(". ")[0])
        if named:
            found[named] += 1
    return found


def _first_named(stretch: str) -> str:
    """The currency that a stretch of text names first; a plain dollar is nobody's."""
    named = [(match.start(), code) for code, form in _names() if (match := form.search(stretch))]
    return min(named, default=(0, ""))[1]


def _dollar_of(small: str) -> str:
    """The dollar of the country where the document is at home."""
    homes = Counter({code: sum(map(small.count, forms)) for code, forms in _rules()["homes"].items()})
    code, count = homes.most_common(1)[0]
    told_on_cover = sum(form in small[:_COVER] for form in _rules()["homes"][code])
    return code if count >= _HOME or told_on_cover > 1 else _DOLLAR


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "currency.toml")


@cache
def _signs() -> frozenset[str]:
    return frozenset(sign for forms in _rules()["signs"].values() for sign in forms)


@cache
def _names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((rule["code"], re.compile(rule["name"], re.IGNORECASE)) for rule in _rules()["currency"])

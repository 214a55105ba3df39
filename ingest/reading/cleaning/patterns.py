"""The cleaning rules' patterns, read once from ``cleaning.toml``."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ....core.rules import load_rules


@cache
def pattern(name: str) -> re.Pattern[str]:
    """All patterns of one rule as one expression.

    >>> bool(pattern("unit_line").search("(in millions, except per share amounts)"))
    True
    """
    parts = load_rules(__package__, "cleaning.toml")[name]["patterns"]
    return re.compile("|".join(f"(?:{_anonymous(part)})" for part in parts), re.IGNORECASE)


@cache
def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of one rule apart, for those with named groups."""
    return tuple(re.compile(part, re.IGNORECASE) for part in load_rules(__package__, "cleaning.toml")[name]["patterns"])


@cache
def words(name: str) -> tuple[str, ...]:
    """Words, in lower case, of which a text has at least one where the rule's patterns can match: they are quick."""
    return tuple(load_rules(__package__, "cleaning.toml")[name]["words"])


@lru_cache(maxsize=8192)
def is_protected(text: str) -> bool:
    """True for unit lines and column heads of periods: no rule may drop them.

    >>> is_protected("单位：元 币种：人民币"), is_protected("Year Ended December 31,"), is_protected("Apple Inc.")
    (True, True, False)
    """
    return len(text) < 160 and bool(pattern("unit_line").search(text) or pattern("period_line").search(text))


def _anonymous(part: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", part)

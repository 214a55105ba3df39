"""The patterns of the cleaning rules, and the lines that no rule may drop."""

from __future__ import annotations

from functools import lru_cache

from ....core.patterns import PatternTable

CLEANING = PatternTable(__package__, "cleaning.toml", field="patterns")
"""The patterns of each cleaning rule, by the rule's name."""

_LONGEST_PROTECTED = 160
"""Characters; unit lines and column heads are shorter."""


@lru_cache(maxsize=8192)
def is_protected(text: str) -> bool:
    """True for unit lines and column heads of periods: no rule may drop them.

    >>> is_protected("单位：元 币种：人民币"), is_protected("Year Ended December 31,"), is_protected("Apple Inc.")
    (True, True, False)
    """
    if len(text) >= _LONGEST_PROTECTED:
        return False
    return CLEANING.any("unit_line", text) or CLEANING.any("period_line", text)

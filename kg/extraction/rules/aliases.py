"""Short names that a text defines itself: 'Minnesota Mining and Manufacturing Company ("3M")', (NYSE: MMM), 简称."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ....core.records import dataclass

_QUOTED = r"[\"“”'‘’「《]\s*(?P<alias>[^\s\"“”'‘’「」《》()（）][^\"“”'‘’「」《》()（）]{0,39}?)\s*[\"“”'‘’」》]"
_LEAD = (
    r"(?:(?:hereinafter|herein|together|collectively|referred|to|as|the|or|and|our|with|its|subsidiaries|consolidated|individually|each"
    r"|known|a|an|in|this|report|sometimes|also|called|defined|formerly|f/k/a|d/b/a|doing|business)[\s,]+)*"
)
_ENGLISH = re.compile(rf"\(\s*{_LEAD}{_QUOTED}")
_BARE = re.compile(r"\(\s*(?P<alias>[A-Z][A-Za-z&.]{1,14}(?:\s[A-Z][A-Za-z]{1,14})?)\s*\)")
_TICKER = re.compile(
    r"\(\s*(?P<exchange>NYSE(?:\sAmerican|\sArca)?|N[Aa][Ss][Dd][Aa][Qq](?:\s?[A-Z]{2})?|AMEX|TSX|LSE|HKEX|SEHK|ASX|OTC\w*|SSE|SZSE)"
    r"\s*[:：]\s*(?P<alias>[A-Z]{1,5}(?:\.[A-Z])?|\d{4,6})\b"
)
_CHINESE = re.compile(
    r"[(（]\s*(?:(?:以下|下)\s*)?(?:简称|统称|又称|下称|曾用名|英文名称|证券简称|股票简称)(?:为)?\s*(?:[:：]\s*)?(?:[“\"「『‘']\s*)?"
    r"(?P<alias>[^\s”\"」』’'、,，()（）:：][^”\"」』’'、,，()（）:：]{1,19}?)\s*(?:[”\"」』’']\s*)?(?:[,，、或][^)）]{0,200})?[)）]"
)
_CHINESE_CODE = re.compile(
    r"[(（]\s*(?:(?:股票代码|证券代码)\s*)?(?:[:：]\s*)?(?P<alias>\d{6})(?:\.(?:SH|SZ|HK|BJ))?\s*[)）]"
)

Kind = Literal["alias", "ticker"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A short name and where it is defined; the full name is what ends at ``end_of_name``."""

    alias: str
    start: int
    end_of_name: int
    kind: Kind = "alias"


def find_definitions(text: str, language: str = "en") -> Iterator[Definition]:
    """Short names defined in brackets, with the place where the full name before them ends.

    >>> text = 'We acquired Impulse Monitoring, Inc. (the "Impulse") and Bolt Corp. (NYSE: BLT).'
    >>> [(d.alias, d.kind, text[:d.end_of_name].split()[-1]) for d in find_definitions(text)]
    [('Impulse', 'alias', 'Inc.'), ('BLT', 'ticker', 'Corp.')]
    """
    if language == "zh":
        yield from _matches(_CHINESE, text, "alias")
        yield from _matches(_CHINESE_CODE, text, "ticker")
    else:
        yield from _matches(_ENGLISH, text, "alias")
        yield from _matches(_BARE, text, "alias")
        yield from _matches(_TICKER, text, "ticker")


def _matches(pattern: re.Pattern[str], text: str, kind: Kind) -> Iterator[Definition]:
    for match in pattern.finditer(text):
        before = text[: match.start()].rstrip()
        alias = " ".join(match["alias"].split()).strip(" .,")
        if before and alias:
            yield Definition(alias, match.start("alias"), len(before), kind)


def may_abbreviate(alias: str, full: str) -> bool:
    """True for an alias with words or initials of the full name: '("Seller")' is a part that a company plays."""
    if any(map(str.isdigit, alias)):
        return True
    words = full.lower().replace(",", " ").split()
    first = alias.lower().split()[0].strip(".")
    for word in words:
        if len(word) > 1 and (word.startswith(first) or first.startswith(word)):
            return True
    initials = "".join(word[0] for word in words)
    is_acronym = alias.replace(".", "").replace("&", "").isupper()
    if is_acronym and _in_order(alias.lower(), initials + full.lower()):
        return True
    return alias[0].lower() == full[0].lower() and _in_order(first, full.lower().replace(" ", ""))


def _in_order(short: str, long: str) -> bool:
    """True where a text has all letters of another in their order."""
    letters = iter(long)
    return all(char in letters for char in filter(str.isalnum, short))

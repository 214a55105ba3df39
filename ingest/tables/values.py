"""What counts as a value in a table's cell: numbers as printed, dashes for nothing, "n/a"."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"[(\[<>~±+]{0,2}(?:US|HK|RMB|EUR|USD|GBP|Rs\.?)?\s?[-–−—+]?\s?[$€£¥￥]?\s?[-–−+(]?\s?"
    r"(?:\d{1,3}(?:[,，. '’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
    r"\s?[)\]]?\s?(?:[%％‰]|x|bps|pts|pp|p\.p\.)?\s?[)\]]?(?:\s?\(\w\)|\s?[*†‡]+|[¹²³])?"
)
_NOTHING = re.compile(r"[$€£¥]?\s?\(?[-—–−‒―]+\)?\s?%?|n/?a\.?|n\.a\.?|nm|n\.m\.?|不适用|\.{2,3}", re.IGNORECASE)
_YEAR = re.compile(r"\(?(?:FY|CY)?(?:19|20)\d\d(?:/\d\d)?[AEFP]?\)?年?度?(?:\s?\(\w\)|\*)?")


def is_number(text: str) -> bool:
    """True for a printed number with its sign, currency, per cent sign and footnote mark.

    >>> [is_number(t) for t in ("(1,234)", "$ 5.2", "12.5 %", "1 234 567", "Note 5", "—")]
    [True, True, True, True, False, False]
    """
    return _NUMBER.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """True for a number or a mark that stands for none ("—", "n/a")."""
    return _NUMBER.fullmatch(text) is not None or _NOTHING.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """True for a bare year: a number that heads a column more often than it fills a cell."""
    return _YEAR.fullmatch(text) is not None

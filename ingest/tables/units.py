"""Unit lines: "(in millions, except per share data)", "单位：元 币种：人民币"."""

from __future__ import annotations

import re

_UNIT = re.compile(
    r"[(（\[]?[^()]{0,60}\b(?:in|of|dollars?|amounts?)\b[^()]{0,40}\b(?:thousands?|millions?|billions?)\b[^()]{0,120}[)）\]]?"
    r"|[(（\[]\s*(?:US\s?)?[$€£¥]?\s?(?:0{3}s?|mm?|mn|bn|millions?|thousands?|billions?)\s*[)）\]]"
    r"|.{0,30}(?:单位|币种|金额单位)\s*[:：].{0,60}|.{0,20}[（(]?人民币(?:百万|千|万)?元[)）]?",
    re.IGNORECASE,
)
_SHARED_UNIT = re.compile(
    r"[(（\[][^()（）]*?\b(?:thousands?|millions?|billions?)\b[^()（）]*[)）\]]|[(（]\s*(?:[$€£¥]|单位|RMB|US\$)[^()（）]{0,30}[)）]",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[a-z]{3}\.$|[。；;]$")


def is_unit_line(text: str) -> bool:
    """True for "(in millions, except per share data)", "单位：元 币种：人民币".

    >>> is_unit_line("(Dollars in thousands)"), is_unit_line("Revenue grew in millions of homes and beyond it all.")
    (True, False)
    """
    return _UNIT.fullmatch(text.strip()) is not None and not _SENTENCE_END.search(text)


def shared_unit(text: str) -> str:
    """The unit in parentheses within a title or head; "" where there is none.

    >>> shared_unit("Segment results (in thousands)")
    '(in thousands)'
    """
    found = _SHARED_UNIT.search(text)
    return found.group() if found else ""

"""Unit lines: "(in millions, except per share data)", "单位：元 币种：人民币"."""

from __future__ import annotations

import re

_WORDS = r"\b(?:thousands?|millions?|billions?)\b"
_UNIT = re.compile(
    rf"[(（\[][^()（）]{{0,80}}{_WORDS}[^()（）]{{0,140}}[)）\]]"
    rf"|(?:[A-Za-z$€£ ,]{{0,40}}\b)?(?:in|expressed in|dollars|amounts)\b[^()\d.;]{{0,30}}{_WORDS}[^()\d.;]{{0,60}}"
    r"|[(（\[]\s*(?:US\s?)?[$€£¥]?\s?(?:0{3}s?|mm?|mn|bn)\s*[)）\]]"
    r"|.{0,30}(?:单位|币种|金额单位)\s*[:：].{0,60}|.{0,20}[（(]?人民币(?:百万|千|万)?元[)）]?",
    re.IGNORECASE,
)
_SHARED_UNIT = re.compile(
    rf"[(（\[][^()（）]{{0,200}}?{_WORDS}[^()（）]{{0,200}}[)）\]]"
    r"|[(（]\s*(?:[$€£¥]|单位|RMB|US\$)(?!\s?\d{1,3}[,.)])[^()（）]{0,30}[)）]",
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
    if found is None:
        return ""
    return found.group()

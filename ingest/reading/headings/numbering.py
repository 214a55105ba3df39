"""Headings that say so by their own words: "Item 7.", "PART I", "Note 7", 第三节, 一、, （一）."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ....core.rules import load_rules

_NOT_TITLE_END = re.compile(r"[,;，；。：:]$|\b(and|or|the|of|to|in|a|an|for|with|by|see|our|is|are)$", re.IGNORECASE)
_NUMBER_ONLY = re.compile(r"^(part|item)\s+[\w.()]{1,6}\s*[.:–—-]?$", re.IGNORECASE)
_NUMBERS_AT_END = re.compile(r"(\s[$(]*[\d,.]{2,}[)%]*){2,}\s*$")
_REFERENCE = re.compile(
    r"\b(of (this|our|the) (annual|quarterly)? ?(report|form)|of form 10-[kq]|incorporated (herein )?by reference"
    r"|above|below|see )\b",
    re.IGNORECASE,
)
_FIRST = frozenset("PINECUSBcnps第(（一二三四五六七八九十0123456789")
"""What headings of our rules start with: most lines are told apart by it alone."""
_SHORT_CHINESE = 30
"""Chinese headings may end in a colon; longer lines that do lead in a list."""
_BASE_LEVEL = {"part": 1, "item": 2}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A heading rule's finding; ``open`` where the title is still to come on the next line."""

    rule: str
    level: int
    open: bool = False


@cache
def _rules() -> tuple[tuple[str, int, re.Pattern[str], bool], ...]:
    rules = load_rules(__package__, "headings.toml")["rule"]
    return tuple((r["name"], r["level"], re.compile(r["pattern"]), r.get("follow", False)) for r in rules)


@lru_cache(maxsize=8192)
def numbered_heading(text: str, outstanding: bool = False) -> Numbered | None:
    """The rule by which a line is a heading, or None. ``outstanding`` says that its type sets it apart from text.

    >>> numbered_heading("Item 1A. Risk Factors").level, numbered_heading("第三节 公司业务概要").level
    (2, 1)
    >>> numbered_heading("Item 7 of this Annual Report on Form 10-K, and") is None
    True
    """
    text = text.strip()
    if len(text) < _SHORT_CHINESE and text.endswith(("：", ":")) and "\u4e00" <= text[-2:-1] <= "\u9fff":
        text = text[:-1]
    if not text or len(text) > 200 or text[0] not in _FIRST or _NUMBERS_AT_END.search(text):
        return None
    if not outstanding and _NOT_TITLE_END.search(text):
        return None
    for name, level, form, follow in _rules():
        if form.match(text):
            if name in _BASE_LEVEL and not outstanding and _REFERENCE.search(text):
                return None
            return Numbered(name, level, follow and bool(_NUMBER_ONLY.match(text)))
    return None

"""Headings that say so by their own words: "Item 7.", "PART I", "Note 7", 第三节, 一、, （一）."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ....core.rules import load_rules

LONGEST_HEADING = 200
"""Characters; a longer line is no heading."""

_OPEN_END = re.compile(r"[,;，；。：:]$|\b(and|or|the|of|to|in|a|an|for|with|by|see|our|is|are)$", re.IGNORECASE)
"""How a line of a sentence ends that goes on below."""
_NUMBER_ONLY = re.compile(r"^(part|item)\s+[\w.()]{1,6}\s*[.:–—-]?$", re.IGNORECASE)
_COLON_AFTER_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff])[:：]$")
_NUMBERS_AT_END = re.compile(r"(?:\s[$(]*[\d,.]{2,}[)%]*){2}\s*$")
_REFERENCE = re.compile(
    r"\b(of (this|our|the) (annual|quarterly)? ?(report|form)|of form 10-[kq]|incorporated (herein )?by reference"
    r"|above|below|see )\b",
    re.IGNORECASE,
)
_REFERRED_TO = frozenset(("part", "item"))
"""Rules whose headings sentences like to refer to ("Item 7 of this report")."""
_FIRST = frozenset("PINECUSBcnps第(（一二三四五六七八九十0123456789")
"""What headings of our rules start with: most lines are told apart by it alone."""
_SHORT_CHINESE = 30
"""Chinese headings may end in a colon; longer lines that do lead in a list."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A heading rule's finding; ``open`` where the title is still to come on the next line."""

    rule: str
    level: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule of ``headings.toml``; ``follow`` says that the title may stand on the line after the number."""

    name: str
    level: int
    pattern: re.Pattern[str]
    follow: bool


@cache
def _rules() -> tuple[_Rule, ...]:
    rules = []
    for entry in load_rules(__package__, "headings.toml")["rule"]:
        rule = _Rule(
            name=entry["name"],
            level=entry["level"],
            pattern=re.compile(entry["pattern"]),
            follow=entry.get("follow", False),
        )
        rules.append(rule)
    return tuple(rules)


@lru_cache(maxsize=8192)
def numbered_heading(text: str, outstanding: bool = False) -> Numbered | None:
    """The rule by which a line is a heading, or None. ``outstanding`` says that its type sets it apart from text.

    >>> numbered_heading("Item 1A. Risk Factors").level, numbered_heading("第三节 公司业务概要").level
    (2, 1)
    >>> numbered_heading("Item 7 of this Annual Report on Form 10-K, and") is None
    True
    """
    title = _without_colon(text.strip())
    rule = _rule_of(title)
    if rule is None or _NUMBERS_AT_END.search(title):
        return None
    if not outstanding and _is_sentence(title, rule):
        return None
    is_open = rule.follow and _NUMBER_ONLY.match(title) is not None
    return Numbered(rule.name, rule.level, is_open)


def _without_colon(title: str) -> str:
    """A short Chinese title without the colon at its end."""
    if len(title) >= _SHORT_CHINESE:
        return title
    return _COLON_AFTER_CHINESE.sub("", title)


def _rule_of(title: str) -> _Rule | None:
    if len(title) > LONGEST_HEADING or title[:1] not in _FIRST:
        return None
    for rule in _rules():
        if rule.pattern.match(title):
            return rule
    return None


def _is_sentence(title: str, rule: _Rule) -> bool:
    """True for a line of running text: it goes on below, or refers to the part or item that it names."""
    if _OPEN_END.search(title):
        return True
    return rule.name in _REFERRED_TO and _REFERENCE.search(title) is not None

"""What a title looks like whatever its type: by its words ("Item 7.", 第三节), or by bookmarks and contents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, lru_cache

from ...core.records import dataclass
from ...core.rules import load_rules
from ..pdf.backend import OutlineItem

_LONGEST = 130
"""Characters of a heading without a number of its own."""
_MOST_NUMBERS = 2
_FEWEST_LETTERS = 2
_LETTER_SHARE = 0.5

_BEGINNING = re.compile(
    r"""
    (?! [(（] \d{1,2} [)）] \s* [A-Za-z] )   # no mark of a note: "(1) Includes leases"
    ["'“‘(（《【]? [A-Z0-9\u4e00-\u9fff]
    """,
    re.VERBOSE,
)
_LEAD = re.compile(r".{60,}[:：]", re.DOTALL)
"""A long line that ends in a colon leads in what follows."""
_SENTENCE_END = re.compile(r"[.,;，；。]$")
_NUMBER = re.compile(r"(?<![\w.])[$€£¥(]{0,4}\d[\d,.]*[)%]*(?!\w)")


def looks_like_title(text: str) -> bool:
    """True for a short text that begins and ends like a title and is mostly letters.

    >>> looks_like_title("Results of Operations"), looks_like_title("in 2023, sales rose"), looks_like_title("1,200")
    (True, False, False)
    """
    return all(holds(text) for holds in _SIGNS)


def ends_in_sentence(text: str) -> bool:
    """True for a text that ends like a sentence or a part of one, without regard to a colon."""
    return _SENTENCE_END.search(text) is not None


def _has_title_length(text: str) -> bool:
    return 2 <= len(text) <= _LONGEST


def _begins_like_title(text: str) -> bool:
    return _BEGINNING.match(text) is not None


def _ends_like_title(text: str) -> bool:
    return not ends_in_sentence(text)


def _does_not_lead_in(text: str) -> bool:
    return _LEAD.fullmatch(text) is None


def _is_mostly_letters(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    printed = len(text.replace(" ", ""))
    return letters >= max(_FEWEST_LETTERS, _LETTER_SHARE * printed)


def _has_few_numbers(text: str) -> bool:
    return len(_NUMBER.findall(text)) <= _MOST_NUMBERS


_SIGNS = (
    _has_title_length,
    _begins_like_title,
    _ends_like_title,
    _does_not_lead_in,
    _has_few_numbers,
    _is_mostly_letters,
)
"""All of them hold for a title; quick ones come first."""


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


_PAGE_AT_END = re.compile(r"(?<![\s.…·_])[\s.…·_]*(?:(?:\((?:[A-Z]-)?\d{0,3}\)?|[A-Z]-\d{0,3}\)?|\d{1,3}\)?|\))\s*)?$")
_NOT_WORD = re.compile(r"[\W_]+")
_MIN_TITLE = 3
_MIN_UNNUMBERED = 8
_MIN_PREFIX = 12
"""Letters and digits: of a title at all, of one without a number of its own, of the part that two printings share."""


def title_key(text: str) -> str:
    """What two printings of one title have in common: letters and digits.

    >>> title_key("Item 1A.  Risk Factors") == title_key("ITEM 1A – RISK FACTORS")
    True
    """
    return _NOT_WORD.sub("", text.lower())


@dataclass(slots=True)
class Titles:
    """Announced titles with their levels; looked up by a line's text and page."""

    _levels: defaultdict[int | None, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """Page (None for anywhere) -> key of a title -> its level."""

    def announce(self, key: str, level: int, page: int | None = None) -> None:
        """Add a title by its key; without a page it may stand anywhere. The first level given for it counts."""
        self._levels[page].setdefault(key, level)

    def level(self, text: str, page: int) -> int | None:
        """The level of the title that this line prints, on the page it points to or next to it; else None."""
        key = title_key(text)
        if len(key) < _MIN_TITLE:
            return None
        for number in (page, page - 1, page + 1):
            level = _lookup(self._levels.get(number, {}), key)
            if level is not None:
                return level
        return self._levels.get(None, {}).get(key)

    def __bool__(self) -> bool:
        return bool(self._levels)


def titles_of_outline(items: Iterable[OutlineItem]) -> Titles:
    """Bookmarks: level and page are given."""
    titles = Titles()
    for item in items:
        key = title_key(item.title)
        if len(key) >= _MIN_TITLE:
            titles.announce(key, item.level, item.page)
    return titles


def titles_of_contents(lines: Sequence[str]) -> Titles:
    """Printed contents: page numbers there are the printed ones, so a title counts wherever it stands on a line.

    Only numbered lines and those with a page number, at their end or on the next line, are titles. One without a
    number stands a level below the last numbered one.
    """
    titles = Titles()
    level_of_numbered = 0
    for text, following in zip(lines, [*lines[1:], ""], strict=False):
        title = _PAGE_AT_END.sub("", text).strip()
        key = title_key(title)
        has_page = title != text.strip() or following.strip().isdecimal()
        has_title = has_page and len(key) >= _MIN_UNNUMBERED
        level = level_of_numbered + 1
        numbered = numbered_heading(title)
        if numbered:
            level = level_of_numbered = numbered.level
            has_title = has_title or not numbered.open
        if has_title:
            titles.announce(key, level)
    return titles


def _lookup(titles: Mapping[str, int], key: str) -> int | None:
    """The level of the title with this key, or of one that begins with it or that it begins with."""
    if key in titles:
        return titles[key]
    if len(key) < _MIN_PREFIX:
        return None
    for title, level in titles.items():
        if title.startswith(key) or key.startswith(title):
            return level
    return None

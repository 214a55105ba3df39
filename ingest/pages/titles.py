"""Titles in running text: which line begins an item of a filing, a numbered note or another known part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...core.rules import load_rules

SECTION_END = "\f"
"""A line that closes every section."""
ITEM, NOTE, HEADING = 1, 3, 4
"""Levels of a filing's items, of numbered notes, and of headings without a number; 2 are Chinese statements."""
_LONGEST, _LONGEST_NOTE = 110, 180
_NUMBERED_ITEMS = 4
"""A document with so many different item numbers numbers all its items."""


@dataclass(frozen=True, slots=True)
class Title:
    """``names`` are the sections it opens; none for one that only closes what stood before."""

    names: tuple[str, ...]
    level: int
    says_note: bool = False
    """It begins with the word "Note": no item of the filing goes on there."""


def read_title(line: str, *, numbers_items: bool = False) -> Title | None:
    """The title that a line is; None for running text. ``numbers_items`` as :func:`numbers_its_items` tells.

    >>> read_title("Note 2. Acquisitions, Divestitures and Goodwill")
    Title(names=('acquisitions', 'intangibles'), level=3, says_note=True)
    """
    if line == SECTION_END:
        return Title((), 0)
    patterns = _patterns()
    line = patterns.continued.sub("", line)
    if len(line) < 2 or line[-1] in ",;":
        return None
    if len(line) <= _LONGEST_NOTE and (number := patterns.note.match(line)):
        return _note(line[number.end() :], number)
    if len(line) > _LONGEST:
        return None
    is_item = bool(patterns.item.match(line))
    if not is_item and not is_capitalised(line):
        return None
    known = patterns.unnumbered if numbers_items and not is_item else patterns.all
    if found := known.of(line.rstrip(".") if is_item else line):
        name, level = found
        return Title((name,) if name else (), ITEM if is_item else HEADING if level == NOTE else level)
    return Title((), ITEM) if is_item else None


def numbers_its_items(pages: Sequence[Sequence[str]]) -> bool:
    """True for a document that numbers its items: in it "Business" without a number is a heading like others."""
    found = (_patterns().item_number.match(line) for lines in pages for line in lines)
    return len({match[1].casefold() for match in found if match}) >= _NUMBERED_ITEMS


def joined(lines: Sequence[str]) -> list[str]:
    """The lines, the number of an item or note that stands alone put before its title; their count stays.

    >>> joined(["Item 1.", "Business", "We make pumps."])
    ['', 'Item 1. Business', 'We make pumps.']
    """
    found: list[str] = []
    for line in lines:
        if line and found and _patterns().number_alone.match(found[-1]):
            line, found[-1] = f"{found[-1]} {line}", ""
        found.append(line)
    return found


def _note(title: str, number: re.Match[str]) -> Title | None:
    """A numbered note, which may speak of several things."""
    if len(title) > _LONGEST and not number["word"]:
        return None
    if not number["sign"] and not is_capitalised(title):
        return None
    parts = (title, *_patterns().parts.split(title))
    names = dict.fromkeys(found[0] for part in parts if (found := _patterns().notes.of(part)))
    is_footnote = number["bracket"] and not names  # "(1) Excludes leased floor space"
    return None if is_footnote else Title(tuple(names), NOTE, bool(number["word"]))


def is_capitalised(line: str) -> bool:
    """Most longer words begin with a capital, as in a printed title; a line of prose that begins with one does not."""
    words = [word for word in line.split() if len(word) > 3 and word[0].isalpha()]
    return sum(1 for word in words if not word[0].islower()) > 0.6 * len(words)


@dataclass(frozen=True, slots=True)
class _Known:
    """Titles of sections as one pattern: group -> name and level."""

    pattern: re.Pattern[str]
    sections: Mapping[str, tuple[str, int]]

    @classmethod
    def from_rules(cls, rules: Sequence[Mapping[str, Any]], numbering: str) -> _Known:
        titles = "|".join(f"(?P<g{i}>{'|'.join(rule['title'])})" for i, rule in enumerate(rules))
        # A title begins with a capital or is Chinese: "debt" in a running sentence is none.
        pattern = re.compile(rf"(?=\W*(?:\d|[A-Z]|\(|[一-鿿（]))(?i:{numbering}(?:{titles}))")
        return cls(pattern, {f"g{i}": (rule["name"], rule["level"]) for i, rule in enumerate(rules)})

    def of(self, line: str) -> tuple[str, int] | None:
        found = self.pattern.match(line)
        return self.sections[found.lastgroup or ""] if found else None


@dataclass(frozen=True, slots=True)
class _Patterns:
    all: _Known
    unnumbered: _Known
    notes: _Known
    item: re.Pattern[str]
    item_number: re.Pattern[str]
    note: re.Pattern[str]
    number_alone: re.Pattern[str]
    parts: re.Pattern[str]
    continued: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    rules = load_rules(__package__, "classes.toml")
    pattern, sections = rules["pattern"], rules["section"]
    numbering = pattern["numbering"] + pattern["numbering_zh"]
    return _Patterns(
        all=_Known.from_rules(sections, numbering),
        unnumbered=_Known.from_rules([section for section in sections if not section.get("numbered")], numbering),
        notes=_Known.from_rules([section for section in sections if section["level"] == NOTE], "(?:other )?"),
        item=re.compile(pattern["item"], re.I),
        item_number=re.compile(pattern["item_number"], re.I),
        note=re.compile(pattern["note"]),
        number_alone=re.compile(pattern["number_alone"], re.I),
        parts=re.compile(pattern["parts"], re.I),
        continued=re.compile(pattern["continued"], re.I),
    )

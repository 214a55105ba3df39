"""Parts of a document that run from their title to the next: items of a filing, notes, Chinese statements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

from ...core.chinese import both_scripts
from ...core.patterns import on_demand
from ...core.records import dataclass
from ...core.rules import load_rules
from ...core.triggers import Words, holds_one, trigger_words

__all__ = ["SECTION_END", "section_scores"]

_CONTENTS, _LISTED_ITEMS = 5, 8
"""So many different sections, or numbered notes, or items on one page are a table of contents."""
_FADING, _FAINTEST = 0.1, 0.3
"""A heading loses so much of its score on each page after its title: an unseen next title may have ended it."""
_TITLED = 0.6
"""Least score of a section on the page that its title stands on."""
_HOLDS_NOTES = frozenset({"notes", "statements"})


def section_scores(pages: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """For each page (its lines) the share of it that each section covers; at least .6 where its title stands.

    >>> section_scores([["Item 3. Legal Proceedings", "We are sued."], ["More of it.", "Item 4. Others", "None."]])
    [{'legal': 1.0}, {'legal': 0.333}]
    """
    reader = _Reader(numbers_items=numbers_its_items(pages))
    return [reader.read(joined(lines)) for lines in pages]


class _Reader:
    """Reads pages in order and keeps the titles that are open, one a level."""

    def __init__(self, *, numbers_items: bool) -> None:
        self._numbers_items = numbers_items
        self._opened: dict[int, Title] = {}
        self._age = 0
        """Pages since the last heading."""

    def read(self, lines: Sequence[str]) -> dict[str, float]:
        """The share of one page that each section covers."""
        self._age += 1
        titles = self._titles(lines)
        covered: Counter[str] = Counter()
        for title in titles:
            if title is not None:
                self._open(title)
            covered.update(_names(self._opened.values()))
        least = dict.fromkeys(_names(filter(None, titles)), _TITLED)
        shares = {}
        for name, count in sorted(covered.items()):
            share = max(count / len(lines), least.get(name, 0.0))
            shares[name] = round(share * self._certainty(name), 3)
        return shares

    def _titles(self, lines: Sequence[str]) -> list[Title | None]:
        """For each line the title that it is, or None; on a page of contents none is one."""
        titles = [read_title(line, numbers_items=self._numbers_items) for line in lines]
        if _is_contents(list(filter(None, titles))):
            return [None] * len(lines)
        return titles

    def _open(self, title: Title) -> None:
        """Let a title close those of its level and below, and stand open itself."""
        if self._is_running_head(title):
            return
        if title.level == HEADING:
            self._age = 0
        for level in range(title.level, HEADING + 1):
            self._opened.pop(level, None)
        if title.says_note and not self._holds_notes():
            self._opened[ITEM] = Title(("notes",), ITEM)
        self._opened[title.level] = title

    def _is_running_head(self, title: Title) -> bool:
        """True for the title of a section that is open, printed again on a further page."""
        if title.level == HEADING or not title.names:
            return False
        same = self._opened.get(title.level)
        return same is not None and same.names == title.names

    def _holds_notes(self) -> bool:
        """True where numbered notes may belong to the item that is open."""
        item = self._opened.get(ITEM)
        return item is not None and not _HOLDS_NOTES.isdisjoint(item.names)

    def _certainty(self, name: str) -> float:
        """How sure it is that a section still goes on: 1, less for one that only a heading opened."""
        surer = [title for level, title in self._opened.items() if level != HEADING]
        if name in _names(surer):
            return 1.0
        heading = self._opened.get(HEADING)
        if heading is None or name not in heading.names:
            return 1.0
        return max(_FAINTEST, 1 - _FADING * self._age)


def _names(titles: Iterable[Title]) -> set[str]:
    """The sections that these titles open."""
    return set(chain.from_iterable(map(attrgetter("names"), titles)))


def _is_contents(titles: Sequence[Title]) -> bool:
    """True for a page with so many titles that it lists them."""
    sections = {title.names for title in titles if title.names}
    notes = sum(map(attrgetter("says_note"), titles))
    if max(len(sections), notes) >= _CONTENTS:
        return True
    items = sum(title.level == ITEM for title in titles)
    return items >= _LISTED_ITEMS


SECTION_END = "\f"
"""A line that closes every section."""
ITEM, NOTE, HEADING = 1, 3, 4
"""Levels of a filing's items, of numbered notes, and of headings without a number; 2 are Chinese statements."""
_LONGEST, _LONGEST_NOTE = 110, 180
"""Characters of a title; a note may speak of several things."""
_CAPITALISED = 0.6
"""Share of the longer words of a title that begin with a capital."""
_SPACED = on_demand(r"(?<=[一-鿿]) (?=[一-鿿])")
"""Blanks in a spaced Chinese title: "合 併 綜 合 損 益 表"."""
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
    line = _without_marks(line)
    if not 1 < len(line) <= _LONGEST_NOTE or line[-1] in ",;":
        return None
    number = patterns.note.match(line)
    if number:
        return _note(line[number.end() :], number)
    if len(line) > _LONGEST:
        return None
    if patterns.item.match(line):
        return _item(line)
    if not is_capitalised(line):
        return None
    if numbers_items:
        return patterns.unnumbered.of(line)
    return patterns.all.of(line)


def _without_marks(line: str) -> str:
    """A line without the blanks of a spaced Chinese title, and without "(continued)"; most lines have neither."""
    if not line.isascii():
        line = _SPACED.sub("", line)
    continued = _patterns().continued
    return continued.sub("", line) if holds_one(_told_by(continued.pattern), line) else line


@cache
def _told_by(pattern: str) -> Words:
    return trigger_words(pattern)


def _item(line: str) -> Title:
    """An item of the filing; it closes what stands open whether we know its title or not."""
    found = _patterns().all.of(line.rstrip("."))
    if found is None:
        return Title((), ITEM)
    return Title(found.names, ITEM)


def numbers_its_items(pages: Sequence[Sequence[str]]) -> bool:
    """True for a document that numbers its items: in it "Business" without a number is a heading like others."""
    found = map(_patterns().item_number.match, chain.from_iterable(pages))
    numbers = {match[1].casefold() for match in found if match}
    return len(numbers) >= _NUMBERED_ITEMS


def joined(lines: Sequence[str]) -> list[str]:
    """The lines, the number of an item or note that stands alone put before its title; their count stays.

    >>> joined(["Item 1.", "Business", "We make pumps."])
    ['', 'Item 1. Business', 'We make pumps.']
    """
    joined_lines: list[str] = []
    is_number_alone = _patterns().number_alone.match
    above = ""
    for line in lines:
        if line and is_number_alone(above):
            joined_lines[-1] = ""
            line = f"{above} {line}"
        joined_lines.append(line)
        above = line
    return joined_lines


def _note(title: str, number: re.Match[str]) -> Title | None:
    """A numbered note, which may speak of several things; None for a sentence or footnote that begins with a number."""
    says_note = number["word"] is not None
    if not says_note and len(title) > _LONGEST:
        return None
    if not number["sign"] and not is_capitalised(title):
        return None
    names = _noted(title)
    is_footnote = number["bracket"] and not names  # "(1) Excludes leased floor space"
    if is_footnote:
        return None
    return Title(names, NOTE, says_note)


def _noted(title: str) -> tuple[str, ...]:
    """The sections that the title of a note names, as a whole or in its parts: "Debt and Leases"."""
    patterns = _patterns()
    parts = (title, *patterns.parts.split(title))
    found = filter(None, map(patterns.notes.of, parts))
    names = chain.from_iterable(section.names for section in found)
    return tuple(dict.fromkeys(names))


def is_capitalised(line: str) -> bool:
    """Most longer words begin with a capital, as in a printed title; a line of prose that begins with one does not."""
    initials = [word[0] for word in line.split() if len(word) > 3]
    letters = list(filter(str.isalpha, initials))
    small = sum(map(str.islower, letters))
    return len(letters) - small > _CAPITALISED * len(letters)


@dataclass(frozen=True, slots=True)
class _KnownTitles:
    """Titles of sections as one pattern with a group for each section."""

    pattern: re.Pattern[str]
    sections: Mapping[str, Title]

    @classmethod
    def from_rules(cls, rules: Sequence[Mapping[str, Any]], numbering: str) -> _KnownTitles:
        """Read ``[[section]]`` rules; the pattern ``numbering`` may stand before each title."""
        groups = []
        sections = {}
        for number, rule in enumerate(rules):
            name, title = f"g{number}", "|".join(rule["title"])
            groups.append(f"(?P<{name}>{title})")
            sections[name] = _section(rule)
        # A title begins with a capital or is Chinese: "debt" in a running sentence is none.
        begin = r"(?=\W{0,40}(?:\d|[A-Z]|\(|[一-鿿（]))"
        pattern = re.compile(both_scripts(f"{begin}(?i:{numbering}(?:{'|'.join(groups)}))"))
        return cls(pattern, sections)

    def of(self, line: str) -> Title | None:
        """The title that the line begins with, as a heading without a number; None where it is none of them."""
        found = self.pattern.match(line)
        if found is None:
            return None
        return self.sections[found.lastgroup or ""]


def _section(rule: Mapping[str, Any]) -> Title:
    """The title of a rule; a note's title without a number is a heading, and one without a name only closes others."""
    level = HEADING if rule["level"] == NOTE else rule["level"]
    return Title(tuple(filter(None, [rule["name"]])), level)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Known titles by what they are looked for in, and the patterns of ``classes.toml``."""

    all: _KnownTitles
    unnumbered: _KnownTitles
    notes: _KnownTitles
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
    unnumbered = [section for section in sections if not section.get("numbered")]
    notes = [section for section in sections if section["level"] == NOTE]
    return _Patterns(
        all=_KnownTitles.from_rules(sections, numbering),
        unnumbered=_KnownTitles.from_rules(unnumbered, numbering),
        notes=_KnownTitles.from_rules(notes, "(?:other )?"),
        item=re.compile(pattern["item"], re.I),
        item_number=re.compile(pattern["item_number"], re.I),
        note=re.compile(pattern["note"]),
        number_alone=re.compile(pattern["number_alone"], re.I),
        parts=re.compile(pattern["parts"], re.I),
        continued=re.compile(pattern["continued"], re.I),
    )

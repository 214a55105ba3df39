"""Parts of a document that run from their title to the next: items of a filing, notes, Chinese statements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...core.rules import load_rules

SECTION_END = "\f"
"""A line that closes every section."""

_NOTE = 3
"""Level of the notes."""
_LONGEST_TITLE = 110
_CONTENTS = 5
"""So many different titles on one page are a table of contents."""
_FADING, _FAINTEST = 0.1, 0.3
"""A note loses so much of its score on each page after its title: an unseen next title may have ended it."""
_TITLED = 0.6
"""Least score of a section on the page that its title stands on."""


def section_scores(pages: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """For each page (its lines) the share of it that each section covers; at least .6 where its title stands.

    >>> section_scores([["Item 3. Legal Proceedings", "We are sued."], ["More of it.", "Item 4. Others", "None."]])
    [{'legal': 1.0}, {'legal': 0.333}]
    """
    opened: dict[int, _Title] = {}
    age: dict[str, int] = {}
    scores = []
    for lines in pages:
        age = {title.name: age.get(title.name, 0) + 1 for title in opened.values() if title.level == _NOTE}
        scores.append(_faded(_page_scores(lines, opened), age))
    return scores


def _faded(scores: dict[str, float], age: dict[str, int]) -> dict[str, float]:
    return {n: round(s * max(_FAINTEST, 1 - _FADING * age.get(n, 0)), 3) for n, s in scores.items()}


def _page_scores(lines: Sequence[str], opened: dict[int, _Title]) -> dict[str, float]:
    titles = [_title(line) for line in lines]
    if len({t.name for t in titles if t and t.name}) >= _CONTENTS:
        titles = [None] * len(lines)
    covered: Counter[str] = Counter()
    named = set()
    for title in titles:
        if title:
            _open(opened, title)
            named.add(title.name)
        covered.update({section.name for section in opened.values() if section.name})
    return _shares(covered, named, len(lines))


def _open(opened: dict[int, _Title], title: _Title) -> None:
    for level in [level for level in opened if level >= title.level]:
        del opened[level]
    opened[title.level] = title


def _shares(covered: Counter[str], named: set[str], lines: int) -> dict[str, float]:
    return {
        name: round(max(count / lines, _TITLED if name in named else 0.0), 3) for name, count in sorted(covered.items())
    }


@dataclass(frozen=True, slots=True)
class _Title:
    name: str
    level: int


def _title(line: str) -> _Title | None:
    """Which section a line opens; an empty name for one that only closes what stood before."""
    if line == SECTION_END:
        return _Title("", 0)
    if not 2 <= len(line) <= _LONGEST_TITLE or line[-1] in ",;":
        return None
    patterns = _patterns()
    item = patterns.item.match(line)
    if not item and not _is_capitalised(line):
        return None
    if found := patterns.known.match(line):
        name, level = patterns.sections[found.lastgroup or ""]
        return _Title(name, level)
    if item:
        return _Title("", 1)
    return _Title("", _NOTE) if patterns.note.match(line) else None


def _is_capitalised(line: str) -> bool:
    """Most longer words begin with a capital, as in a printed title; a line of prose that begins with one does not."""
    words = [word for word in line.split() if len(word) > 3 and word[0].isalpha()]
    return sum(1 for word in words if not word[0].islower()) > 0.6 * len(words)


@dataclass(frozen=True, slots=True)
class _Patterns:
    known: re.Pattern[str]
    sections: dict[str, tuple[str, int]]
    item: re.Pattern[str]
    note: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    rules = load_rules(__package__, "classes.toml")
    groups = {f"g{i}": section for i, section in enumerate(rules["section"])}
    titles = "|".join(f"(?P<{group}>{'|'.join(s['title'])})" for group, s in groups.items())
    numbering = rules["pattern"]["numbering"] + rules["pattern"]["numbering_zh"]
    return _Patterns(
        # A title begins with a capital or is Chinese: "debt" in a running sentence is none.
        re.compile(rf"(?=\W*(?:\d|[A-Z]|\(|[一-鿿（]))(?i:{numbering}(?:{titles}))"),
        {group: (s["name"], s["level"]) for group, s in groups.items()},
        re.compile(rules["pattern"]["item"], re.I),
        re.compile(rules["pattern"]["note"]),
    )

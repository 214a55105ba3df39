"""Page classes: which pages hold a balance sheet, the legal proceedings, the note on debt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import filterfalse, takewhile
from typing import Any

from ...core.patterns import LazyPattern, on_demand
from ...core.records import dataclass
from ...core.rules import load_rules
from ..document import Document
from .sections import SECTION_END, is_capitalised, section_scores

_TOP = 14
"""Lines in which a statement's title stands."""
_SHORT, _TITLE = 140, 110
"""Characters: longer lines are prose, longer titles are sentences."""
_FEW_ROWS, _MOST_ROWS = 0.2, 0.6
"""Share of a statement's row names on a page of a split one, and on one that is no table of contents."""
_FOUND, _KINDS, _SET = 0.6, 3, 12
"""A set of statements: so many kinds of them, so sure, within so many pages."""
_FURTHER = 0.6
"""What a statement outside the first set counts."""
_SURE = 1.3
"""Score of a page of rows under a printed title."""
_STATEMENT = 0.5
"""Score above which a page is a statement, in which no section begins."""
_LEAST = 0.05
"""Least score of a class that a page keeps."""

Scores = dict[str, float]
"""Class name -> 0..1."""


def classify_pages(document: Document) -> Document:
    """The document with ``Page.classes`` filled: class name -> 0..1, classes below .05 left out."""
    texts = [document.text[page.start : page.end] for page in document.pages]
    classes = classify(list(map(page_lines, texts)))
    pages = [replace(page, classes=found) for page, found in zip(document.pages, classes, strict=True)]
    return replace(document, pages=tuple(pages))


def classify(pages: Sequence[PageLines]) -> list[dict[str, float]]:
    """The classes of consecutive pages of one document."""
    statements = _first_set(list(map(statement_scores, pages)))
    sections = section_scores(list(map(_running_text, pages, statements)))
    return list(map(_best, sections, statements))


def _first_set(pages: Sequence[Scores]) -> list[Scores]:
    """The first set of statements is the filer's own; a further one is of an affiliate, or shows what was restated."""
    found = list(map(_surely_found, pages))
    first = _first_with_set(found)
    if first is None:
        return list(pages)
    own = range(first, first + _SET)
    return [scores if number in own else _further(scores) for number, scores in enumerate(pages)]


def _first_with_set(found: Sequence[set[str]]) -> int | None:
    """The first page with a statement from which on several kinds of them stand close together."""
    for number, kinds in enumerate(found):
        together = kinds.union(*found[number : number + _SET])
        if kinds and len(together) >= _KINDS:
            return number
    return None


def _surely_found(scores: Scores) -> set[str]:
    return {name for name, score in scores.items() if score >= _FOUND}


def _further(scores: Scores) -> Scores:
    return {name: _FURTHER * score for name, score in scores.items()}


def _running_text(page: PageLines, statements: Scores) -> list[str]:
    """The lines in which a section may begin: a table's rows are blanked, and all of a statement."""
    if max(statements.values(), default=0.0) > _STATEMENT:
        return [SECTION_END]
    return ["" if is_row else line for line, is_row in zip(page.lines, page.rows, strict=True)]


def _best(sections: Scores, statements: Scores) -> Scores:
    """The better score of each class, those below .05 left out."""
    best = {}
    for name in {**sections, **statements}:
        score = max(sections.get(name, 0.0), statements.get(name, 0.0))
        best[name] = round(score, 3)
    return {name: score for name, score in best.items() if score >= _LEAST}


def statement_scores(page: PageLines) -> Scores:
    """How surely a page is a financial statement, 0..1 a statement.

    The share of its row names on the page, plus its title, less prose, contents and statements of the parent alone.
    """
    if not page.lines:
        return {}
    seen = _SeenPage.of(page)
    return {statement.name: seen.score(statement) for statement in _statements()}


@cache
def statement_classes() -> tuple[str, ...]:
    """The classes that are financial statements."""
    return tuple(statement.name for statement in _statements())


@dataclass(frozen=True, slots=True)
class _Statement:
    """How a financial statement is known: patterns of its printed title and of the names of its rows."""

    name: str
    title: LazyPattern
    rows: tuple[LazyPattern, ...]

    def share_of_rows(self, text: str) -> float:
        """Share of the names of its rows that the text has, 0..1."""
        found = sum(row.search(text) is not None for row in self.rows)
        return found / len(self.rows)


@dataclass(frozen=True, slots=True)
class _SeenPage:
    """What tells for and against statements on one page."""

    titles: Sequence[str]
    """Lines at its top that may be the printed title of something."""
    shares: Mapping[str, float]
    """Share of each statement's row names that the page has."""
    penalty: float
    """What is taken from all scores: prose, contents, few numbers, statements of the parent alone."""
    is_rows: bool
    """Nearly all of the page are rows of numbers."""

    @classmethod
    def of(cls, page: PageLines) -> _SeenPage:
        top = page.lines[:_TOP]
        text = "\n".join(line for line in page.lines if len(line) < _SHORT)
        prose = sum(len(line) > _SHORT for line in page.lines) / len(page.lines)
        shares = {statement.name: statement.share_of_rows(text) for statement in _statements()}
        is_contents = max(shares.values()) < _MOST_ROWS and _is_contents(page.lines)
        has_few_numbers = page.numbers < 15
        penalty = 0.6 * prose + 0.5 * is_contents + 0.5 * has_few_numbers + 0.4 * _is_parent_only(top)
        has_many_rows = page.numbers >= 25 and prose < 0.2
        return cls(
            titles=list(filter(_stands_alone, top)),
            shares=shares,
            penalty=penalty,
            is_rows=has_many_rows and not is_contents,
        )

    def score(self, statement: _Statement) -> float:
        """How surely the page is this statement, 0..1."""
        titles = list(filter(statement.title.search, self.titles))
        is_consolidated = any(map(_pattern("consolidated").search, titles))
        share = self.shares[statement.name]
        score = share + 0.35 * bool(titles) + 0.15 * is_consolidated
        if is_consolidated and self._is_part_of_split(share, titles):
            score = max(score, _SURE)
        return min(1.0, max(0.0, (score - self.penalty - 0.8) / 0.5))

    def _is_part_of_split(self, share: float, titles: Sequence[str]) -> bool:
        """True for a page that has only some of the rows of a split statement: its repeated title decides."""
        is_comprehensive = any("comprehensive" in title.lower() for title in titles)
        return self.is_rows and share >= _FEW_ROWS and not is_comprehensive


def _stands_alone(line: str) -> bool:
    """True for a printed title; prose only mentions a statement: "on our Consolidated Balance Sheets."."""
    if len(line) >= _TITLE or line[-1] in ".:;,":
        return False
    if _pattern("no_title").match(line):
        return False
    if is_capitalised(line):
        return True
    return line[0].isupper() and _pattern("consolidated").match(line) is not None  # the rest in small letters


def _is_contents(lines: Sequence[str]) -> bool:
    """True for a page that lists several statements by their titles, or says that it is a list of contents."""
    named = [statement for statement in _statements() if any(map(statement.title.search, lines[:_TOP]))]
    if len(named) >= 3:
        return True
    said = filter(_pattern("contents").search, lines[:8])
    return len(list(said)) >= 2


def _is_parent_only(top: Sequence[str]) -> bool:
    return any(map(_pattern("parent_only").search, top[:10]))


@cache
def _pattern(name: str) -> LazyPattern:
    text = load_rules(__package__, "classes.toml")["pattern"][name]
    return LazyPattern(re.sub(r"\|\n\s*", "|", text))


@cache
def _statements() -> tuple[_Statement, ...]:
    rules = load_rules(__package__, "classes.toml")["statement"]
    return tuple(map(_statement, rules))


def _statement(rule: Mapping[str, Any]) -> _Statement:
    rows = [LazyPattern(row, re.I | re.M) for row in rule["rows"]]
    return _Statement(rule["name"], LazyPattern(rule["title"]), tuple(rows))


_NUMBER = on_demand(r"(?:[$€£¥￥(\-–—]*\d[\d,]*(?:\.\d*)?[)%]*|[$€£¥￥%()—–\-*]+|\)%|nm|n/m|N/A|NM)\Z")
_YEAR = on_demand(r"(?:19|20)\d\d\Z")
_LEADERS = on_demand(r"\.(?:\s?\.){2,}|_{3,}|·{3,}|…{2,}")
_RULE_CELL = on_demand(r":?-{2,}:?\Z")
_MARKS = on_demand(r"^#{1,6}\s+|\*\*")
_LONGEST_ROW = 14
"""Words; a longer line that ends in a number is prose."""


@dataclass(frozen=True, slots=True)
class PageLines:
    """Lines without table values (years stay) and how many numbers other than years the page has.

    ``rows`` tells which lines are table rows: they lost a value, or the line below them is one.
    """

    lines: tuple[str, ...]
    rows: tuple[bool, ...]
    numbers: int


def page_lines(text: str) -> PageLines:
    """Read a page, whether its tables are Markdown, one cell a line, or one row a line.

    >>> page_lines("Balance sheet\\n| Cash | 1,234 | 987 |\\nInventories\\n(56)\\n2022 2021")
    PageLines(lines=('Balance sheet', 'Cash', 'Inventories', '2022 2021'), rows=(False, True, True, False), numbers=3)
    """
    lines: list[str] = []
    rows: list[bool] = []
    numbers = 0
    for raw in text.splitlines():
        words = _words(raw)
        values = sum(map(_is_value, words))
        numbers += values
        kept = _without_values(words)
        if kept:
            lines.append(" ".join(kept))
            rows.append(len(kept) < len(words))
        elif values and rows:
            rows[-1] = True
    return PageLines(tuple(lines), tuple(rows), numbers)


def _words(raw: str) -> list[str]:
    line = _LEADERS.sub(" ", _MARKS.sub("", raw))
    if not line.lstrip().startswith("|"):
        return line.split()
    cells = line.replace("|", " ").split()
    return list(filterfalse(_RULE_CELL.match, cells))


@lru_cache(maxsize=8192)
def _is_value(word: str) -> bool:
    """True for a number that is not a year."""
    is_number = _NUMBER.match(word) and any(map(str.isdigit, word))
    return bool(is_number) and not _YEAR.match(word)


def _without_values(words: list[str]) -> list[str]:
    """The words of a line without the values that end it; years alone stay, and so does prose."""
    if all(map(_NUMBER.match, words)):
        return list(filter(_YEAR.match, words))
    if len(words) > 2 * _LONGEST_ROW or words[-1][-1] in ".;:":
        return words
    backwards = takewhile(_NUMBER.match, reversed(words))
    values = list(backwards)
    is_prose = len(words) > _LONGEST_ROW and len(values) < 2
    if is_prose or not _are_values(values):
        return words
    return words[: len(words) - len(values)]


def _are_values(words: list[str]) -> bool:
    """True for the end of a row: not only years, and not only a dash or a bracket."""
    is_years = all(map(_YEAR.match, words))
    return not is_years and any(len(word) > 2 or word in "$%" for word in words)

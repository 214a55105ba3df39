"""Page classes: which pages hold a balance sheet, the legal proceedings, the note on debt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ...core.rules import load_rules
from ..document import Document
from .lines import PageLines, page_lines
from .sections import SECTION_END, section_scores
from .titles import is_capitalised

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


def classify_pages(document: Document) -> Document:
    """The document with ``Page.classes`` filled: class name -> 0..1, classes below .05 left out."""
    pages = [page_lines(document.text[page.start : page.end]) for page in document.pages]
    classes = classify(pages)
    return replace(document, pages=tuple(replace(p, classes=c) for p, c in zip(document.pages, classes, strict=True)))


def classify(pages: Sequence[PageLines]) -> list[dict[str, float]]:
    """The classes of consecutive pages of one document."""
    statements = _first_set([statement_scores(page) for page in pages])
    sections = section_scores([_running_text(page, found) for page, found in zip(pages, statements, strict=True)])
    return [_rounded(section, found) for section, found in zip(sections, statements, strict=True)]


def _first_set(statements: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The first set of statements is the filer's own; a further one is of an affiliate, or shows what was restated."""
    found = [(at, name) for at, scores in enumerate(statements) for name, score in scores.items() if score >= _FOUND]
    starts = (at for at, _ in found if len({name for other, name in found if 0 <= other - at < _SET}) >= _KINDS)
    first = next(starts, None)
    if first is None:
        return list(statements)
    return [
        scores if first <= at < first + _SET else {name: _FURTHER * score for name, score in scores.items()}
        for at, scores in enumerate(statements)
    ]


def _running_text(page: PageLines, statements: dict[str, float]) -> list[str]:
    """The lines in which a section may begin: a table's rows are blanked, and all of a statement."""
    if max(statements.values(), default=0.0) > 0.5:
        return [SECTION_END]
    return ["" if row else line for line, row in zip(page.lines, page.rows, strict=True)]


def _rounded(*scores: dict[str, float]) -> dict[str, float]:
    best: dict[str, float] = {}
    for part in scores:
        for name, score in part.items():
            best[name] = max(best.get(name, 0.0), round(score, 3))
    return {name: score for name, score in best.items() if score >= 0.05}


def statement_scores(page: PageLines) -> dict[str, float]:
    """How surely a page is a financial statement, 0..1 a statement.

    The share of its row names on the page, plus its title, less prose, contents and statements of the parent alone.
    """
    if not page.lines:
        return {}
    top = page.lines[:_TOP]
    prose = sum(len(line) > _SHORT for line in page.lines) / len(page.lines)
    rows = "\n".join(line for line in page.lines if len(line) < _SHORT)
    shares = {s.name: sum(1 for row in s.rows if row.search(rows)) / len(s.rows) for s in _statements()}
    contents = max(shares.values()) < _MOST_ROWS and _is_contents(page.lines)
    penalty = 0.6 * prose + 0.5 * contents + 0.5 * (page.numbers < 15) + 0.4 * _is_parent_only(top)
    sure = page.numbers >= 25 and prose < 0.2 and not contents
    return {s.name: _unit(_statement_score(s, top, shares[s.name], sure) - penalty) for s in _statements()}


@cache
def statement_classes() -> tuple[str, ...]:
    """The classes that are financial statements."""
    return tuple(statement.name for statement in _statements())


@dataclass(frozen=True, slots=True)
class _Statement:
    name: str
    title: re.Pattern[str]
    rows: tuple[re.Pattern[str], ...]


def _statement_score(statement: _Statement, top: Sequence[str], share: float, sure: bool) -> float:
    titles = [line for line in top if _is_printed_title(line, statement.title)]
    strong = any(_pattern("consolidated").search(line) for line in titles)
    score = share + 0.35 * bool(titles) + 0.15 * strong
    # A page of a split statement has some of the rows: its repeated title decides.
    if strong and sure and share >= _FEW_ROWS and not any("comprehensive" in line.lower() for line in titles):
        score = max(score, _SURE)
    return score


def _is_printed_title(line: str, title: re.Pattern[str]) -> bool:
    """A title stands alone; prose only mentions the statement: "on our Consolidated Balance Sheets."."""
    if len(line) >= _TITLE or line[-1] in ".:;," or not title.search(line):
        return False
    stands_first = line[0].isupper() and bool(_pattern("consolidated").match(line))  # in small letters or capitals
    return (stands_first or is_capitalised(line)) and not _pattern("no_title").match(line)


def _unit(score: float) -> float:
    return min(1.0, max(0.0, (score - 0.8) / 0.5))


def _is_contents(lines: Sequence[str]) -> bool:
    titles = sum(1 for s in _statements() if any(s.title.search(line) for line in lines[:_TOP]))
    return titles >= 3 or sum(1 for line in lines[:8] if _pattern("contents").search(line)) >= 2


def _is_parent_only(top: Sequence[str]) -> bool:
    return any(_pattern("parent_only").search(line) for line in top[:10])


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text = load_rules(__package__, "classes.toml")["pattern"][name]
    return re.compile(re.sub(r"\|\n\s*", "|", text), re.I)


@cache
def _statements() -> tuple[_Statement, ...]:
    rules = load_rules(__package__, "classes.toml")["statement"]
    return tuple(
        _Statement(r["name"], re.compile(r["title"], re.I), tuple(re.compile(row, re.I | re.M) for row in r["rows"]))
        for r in rules
    )

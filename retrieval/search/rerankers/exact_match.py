"""What is asked for word by word: a phrase in quotation marks, and a bare figure ("372.2"), wherever they are printed.

Neither is left to the ranking: words of a phrase stand apart in many places, and the cells of a table are not among the
terms of its chunk, since a question rarely knows them. A figure is found in whatever scale it is printed, in cells of
tables and in sentences, also where no fact was read.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

import numpy as np

from ....core.anchor import Anchor, first_page
from ....core.patterns import PatternTable, on_demand
from ....core.records import dataclass
from ....core.scope import Scope
from ....core.sequences import last
from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....ingest.document import Document, Table, cell_spans
from ....ingest.sentences import split_text
from ....kg.storage.preparation import significant_digits
from ....kg.store import Store
from ...question.question import Question
from ..scoring import Candidate
from .base import RankingContext
from .page_content import figures_in

_QUOTED = on_demand(r'["“„«「『]([^"“”„«»「」『』]{2,200})["”»」』]')
_MOST_READ = 300
"""Chunks with all words of a phrase that are read for it, those with the best score of words first."""
_MOST_PLACES = 200
"""Places where a bare figure is printed that are looked up."""
_FEWEST_DIGITS = 3
"""Digits of a figure that is looked for by itself: fewer are printed everywhere."""
_AHEAD = 1.0
"""By so much an exact match stands before everything else."""
_ASIDE = PatternTable(__package__, "exact_match.toml", "around_a_figure")


def by_exact_match(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """Chunks that print the phrases or the bare figure asked in front, best first; as it was where none does."""
    question = context.query.question
    phrases = quoted_phrases(question.text)
    figure = bare_figure(question)
    found: list[Chunk] = []
    if phrases:
        found += _with_phrases(context, phrases)
    if figure is not None:
        found += _with_figure(context, figure)
    if not found:
        return list(candidates)
    context.trace.note("exact", [chunk.id for chunk in found])
    return _in_front(found, candidates, context)


def _in_front(found: Sequence[Chunk], candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """What was found before everything else, in the order of the ranking."""
    best = max((item.score for item in candidates), default=0.0) + _AHEAD
    known = {item.id: item for item in candidates}
    rows = dict(zip(context.index.ids, context.index.places.of_chunk.tolist(), strict=True))
    ahead: dict[str, Candidate] = {}
    for chunk in found:
        if chunk.id not in rows:  # another process replaced its document since the index was made
            continue
        unranked = Candidate(chunk.id, chunk.document, (chunk.document, rows[chunk.id]), 0.0)
        item = known.get(chunk.id, unranked)
        parts = {**item.parts, "exact": _AHEAD}
        own = item.own + 2 * _AHEAD  # stands for its place too
        ahead[chunk.id] = replace(item, score=best + item.score, parts=parts, chunk=chunk, own=own)
    in_front = sorted(ahead.values(), key=lambda item: -item.score)
    return [*in_front, *(item for item in candidates if item.id not in ahead)]


def quoted_phrases(text: str) -> tuple[str, ...]:
    """What stands in quotation marks: two words or more, or any Chinese.

    >>> quoted_phrases('Where is "material adverse effect" defined, and where is "Acme"?')
    ('material adverse effect',)
    """
    phrases = (match[1].strip() for match in _QUOTED.finditer(text))
    return tuple(phrase for phrase in phrases if len(search_words(phrase)) > 1)


def bare_figure(question: Question) -> Decimal | None:
    """The figure of a question that names nothing else: "372.2", "What stands behind 372.2?"; else None."""
    figures = figures_in(question.trimmed)
    if len(figures) != 1 or figures[0].unit == "share":
        return None
    digits = figures[0].digits
    if len(digits.replace(".", "")) < _FEWEST_DIGITS or _names_something(question.trimmed):
        return None
    return Decimal(digits)


def _names_something(text: str) -> bool:
    """True where words are left once those that stand around a figure are out."""
    for language in _ASIDE:
        text = _ASIDE.without(language, text)
    return any(map(str.isalpha, text))


def _with_phrases(context: RankingContext, phrases: Sequence[str]) -> list[Chunk]:
    """Chunks that print every phrase of the question, however it is spaced and in whatever case."""
    words = dict.fromkeys(search_words(" ".join(phrases)))
    rows = np.arange(len(context.index))
    for word in words:
        rows = np.intersect1d(rows, context.index.words.postings(word)[0], assume_unique=True)
    best_first = rows[np.argsort(-context.scores.own_words[rows], kind="stable")][:_MOST_READ]
    wanted = list(map(_plain, phrases))
    chunks = context.store.chunks([context.index.ids[row] for row in best_first.tolist()])
    return [chunk for chunk in chunks if _prints(chunk, wanted)]


def _prints(chunk: Chunk, phrases: Sequence[str]) -> bool:
    text = _plain(chunk.text)
    return all(phrase in text for phrase in phrases)


def _with_figure(context: RankingContext, figure: Decimal) -> list[Chunk]:
    """Chunks that print the figure, in any scale only where none has it as asked: tables first, which name it."""
    scope = Scope(sources=context.index.sources)
    printed = find_number(context.store, figure, scope=scope, limit=_MOST_PLACES)
    as_asked = [one for one in printed if one.text.replace(",", "") == str(figure)]
    places: dict[str, list[int]] = {}
    for occurrence in as_asked or printed:
        places.setdefault(occurrence.source, []).append(occurrence.start)
    found: list[Chunk] = []
    for source, starts in places.items():
        for chunk in context.store.chunks_of(source):
            at = bisect_left(starts, chunk.start)
            if starts[at : at + 1] and starts[at] < chunk.end:
                found.append(chunk)
    return sorted(found, key=lambda chunk: chunk.kind != "table")


def _plain(text: str) -> str:
    """Lower case, blanks alone between words, straight marks."""
    return " ".join(text.lower().replace("’", "'").split())


_AROUND = 1200
"""Characters before and after a number in which its sentence is looked for."""
_BLANK_LINE = on_demand(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A number as printed, with the row or the sentence that holds it. Offsets are those of the number."""

    kind: Literal["cell", "sentence"]
    source: str
    text: str
    around: str
    start: int
    end: int
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    table: int | None = None
    row: int | None = None
    column: int | None = None


def find_number(store: Store, value: Decimal, *, scope: Scope | None = None, limit: int = 200) -> list[Occurrence]:
    """Places with the same digits as ``value``: 4215 finds "4,215", "$4.215 billion" and "(4,215,000)".

    Reads the text of every document of the scope, in order of source and place.
    """
    pattern = number_pattern(value)
    found: list[Occurrence] = []
    for record in store.documents(scope):
        if pattern.search(store.text(record.source)) and (document := store.document(record.source)):
            found += _in_document(document, pattern)
            if len(found) >= limit:
                break
    return found[:limit]


def number_pattern(value: Decimal) -> re.Pattern[str]:
    """Matches numbers with these digits, whatever separators and zeros stand around them.

    >>> [bool(number_pattern(Decimal(4215)).search(t)) for t in ("4,215.0", "0.4215", "42,150", "14,215", "4,2150,1")]
    [True, True, True, False, False]
    """
    digits = r"[,.，]?".join(significant_digits(value))
    return re.compile(rf"(?<![\d.,，])(?:0[.]0*)?{digits}(?:[,.，]?0)*(?![\d]|[,.，]\d)")


def _in_document(document: Document, pattern: re.Pattern[str]) -> Iterator[Occurrence]:
    starts = [table.start for table in document.tables]
    for match in pattern.finditer(document.text):
        at = bisect_right(starts, match.start()) - 1
        table = document.tables[at] if at >= 0 and match.start() < document.tables[at].end else None
        yield _cell(document, table, at, match) if table else _sentence(document, match)


def _cell(document: Document, table: Table, ordinal: int, match: re.Match[str]) -> Occurrence:
    row, column = _place(cell_spans(document.text, table.start, table.end), match.start())
    cells = table.rows[row] if row is not None and row < len(table.rows) else ()
    around = " | ".join(filter(None, cells)) or _line(document.text, match.start())
    anchors = document.anchors(*match.span()) or table.anchors
    return Occurrence(
        "cell", document.source, match[0], around, *match.span(), first_page(anchors), anchors, ordinal, row, column
    )


def _place(spans: Collection[Collection[tuple[int, int]]], at: int) -> tuple[int | None, int | None]:
    for r, row in enumerate(spans):
        for c, (start, end) in enumerate(row):
            if start <= at < end:
                return r, c
    return None, None


def _sentence(document: Document, match: re.Match[str]) -> Occurrence:
    text = document.text
    least = max(0, match.start() - _AROUND)
    before = last(_BLANK_LINE.finditer(text, least, match.start()), None)
    after = _BLANK_LINE.search(text, match.end(), match.end() + _AROUND)
    start = before.end() if before else least
    block = text[start : after.start() if after else match.end() + _AROUND]
    at = match.start() - start
    around = next((block[s.start : s.end] for s in split_text(block) if s.start <= at < s.end), match[0])
    anchors = document.anchors(*match.span())
    return Occurrence(
        "sentence", document.source, match[0], " ".join(around.split()), *match.span(), first_page(anchors), anchors
    )


def _line(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else None].strip(" |")

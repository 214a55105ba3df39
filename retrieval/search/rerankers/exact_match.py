"""What is asked for word by word: a phrase in quotation marks, and a bare figure ("372.2"), wherever they are printed.

Neither is left to the ranking: words of a phrase stand apart in many places, and the cells of a table are not among the
terms of its chunk, since a question rarely knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

import numpy as np

from ....core.patterns import PatternTable
from ....core.scope import Scope
from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....kg.store import Store
from ...question.question import Question
from ..occurrences import find_number
from ..ranking.scoring import Candidate
from .base import RankingContext
from .page_content import figures_in

_QUOTED = re.compile(r'["“„«「『]([^"“”„«»「」『』]{2,200})["”»」』]')
_MOST_READ = 300
"""Chunks with all words of a phrase that are read for it, those with the best score of words first."""
_MOST_PLACES = 200
"""Places where a bare figure is printed that are looked up."""
_AHEAD = 1.0
"""By so much an exact match stands before everything else."""
_ASIDE = PatternTable(__package__, "exact_match.toml", "around_a_figure")


def by_exact_match(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """Chunks that print the phrases or the bare figure asked in front, best first; as it was where none does."""
    question = context.query.question
    found = list(_with_phrases(context, quoted_phrases(question.text)))
    figure = bare_figure(question)
    if figure is not None:
        found += _with_figure(context.store, figure, context.index.sources)
    if not found:
        return list(candidates)
    rows = {id: row for row, id in enumerate(context.index.ids)}
    found = [chunk for chunk in found if chunk.id in rows]
    context.trace.note("exact", [chunk.id for chunk in found])
    best = max((item.score for item in candidates), default=0.0) + _AHEAD
    known = {item.id: item for item in candidates}
    ahead: dict[str, Candidate] = {}
    for chunk in found:
        place = (chunk.document, int(context.index.places.of_chunk[rows[chunk.id]]))
        item = known.get(chunk.id, Candidate(chunk.id, chunk.document, place, 0.0))
        parts = {**item.parts, "exact": _AHEAD}
        own = item.own + 2 * _AHEAD  # stands for its place too
        ahead.setdefault(chunk.id, replace(item, score=best + item.score, parts=parts, chunk=chunk, own=own))
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
    asked = figures_in(question.trimmed)
    if len(asked) != 1 or asked[0].unit == "share" or len(asked[0].digits.replace(".", "")) < 3:
        return None
    around = question.trimmed
    for language in _ASIDE:
        for pattern in _ASIDE.all(language):
            around = pattern.sub(" ", around)
    has_words = any(character.isalpha() for character in around)
    try:
        return None if has_words else Decimal(asked[0].digits)
    except InvalidOperation:
        return None


def _with_phrases(context: RankingContext, phrases: Sequence[str]) -> Iterator[Chunk]:
    """Chunks that print every phrase of the question, however it is spaced and in whatever case."""
    if not phrases:
        return
    rows: np.ndarray | None = None
    for word in {word for phrase in phrases for word in search_words(phrase)}:
        holding, _ = context.index.words.postings(word)
        rows = holding if rows is None else np.intersect1d(rows, holding, assume_unique=True)
    if rows is None or not len(rows):
        return
    rows = rows[np.argsort(-context.scores.own_words[rows], kind="stable")][:_MOST_READ]
    wanted = [_plain(phrase) for phrase in phrases]
    for chunk in context.store.chunks([context.index.ids[row] for row in rows.tolist()]):
        text = _plain(chunk.text)
        if all(phrase in text for phrase in wanted):
            yield chunk


def _with_figure(store: Store, figure: Decimal, sources: Sequence[str]) -> Iterator[Chunk]:
    """Chunks that print the figure, in any scale only where none has it as asked: tables first, which name it."""
    printed = find_number(store, figure, scope=Scope(sources=tuple(sources)), limit=_MOST_PLACES)
    as_asked = [one for one in printed if one.text.replace(",", "") == str(figure)]
    places: dict[str, list[int]] = {}
    for occurrence in as_asked or printed:
        places.setdefault(occurrence.source, []).append(occurrence.start)
    found: list[Chunk] = []
    for source, starts in places.items():
        found += [chunk for chunk in store.chunks_of(source) if any(chunk.start <= at < chunk.end for at in starts)]
    yield from sorted(found, key=lambda chunk: chunk.kind != "table")


def _plain(text: str) -> str:
    """Lower case, blanks alone between words, straight marks."""
    return " ".join(text.lower().replace("’", "'").split())

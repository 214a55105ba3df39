"""Ranked chunks as evidence: text, page, the sentences that answer best, and why it was found; nothing twice.

What a company says again from filing to filing, word by word but for little, is shown once, in the longer version. Only
what has the same figures is the same: a paragraph of last year with last year's figures says something else. Where a
time, a comparison or a document is asked for, every filing says it for itself and nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...core.patterns import on_demand
from ...core.records import dataclass
from ...core.sequences import grouped, without
from ...core.words import Sought, sought
from ...ingest.chunk import Chunk
from ...ingest.document import Page
from ...kg.store import Store
from ..question.scope.catalogue import Catalogue
from ..question.scope.document_filter import Selection
from ..question.wording.answer_type import form_fit
from .evidence import Evidence
from .index.ranking_units import Turns, is_exchange, page_number
from .index.spaces import sentence_cosines_in_spaces
from .query import FactSpan, Query
from .scoring import Candidate

_BOILERPLATE = 0.3
"""What a chunk without any content value loses when one of a page's chunks is chosen."""
_ASKED = 2.0
"""What a question in a call loses when a chunk of its exchange is chosen: who finds the question wants the answer."""
_HIGHLIGHTS = 5
_BEHIND = 1.0
"""By so much a place has to fit worse to come after a further passage of a better place."""
_REPEATED = 80
"""Characters from which an equal text is a repetition."""
_FACT_IN_HIGHLIGHT = 0.5
"""A sentence or row that states the figure asked."""
_WORDS_IN_HIGHLIGHT = 0.5
"""Share of the asked words in a sentence beside its cosine."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A chunk that was found, and the scores of its sentences."""

    chunk: Chunk
    found: Candidate
    sentences: np.ndarray
    """Float32 (its sentences,): how well each answers."""
    fact: FactSpan | None = None
    """The fact in it that answers best."""
    turn: tuple[int, int] | None = None
    """Offsets of the turn of a call in which it stands."""

    @property
    def fit(self) -> float:
        """How well the chunk answers by itself, its best sentence included; boilerplate and bare questions less."""
        fit = self.found.own + float(self.sentences.max(initial=0.0)) - _BOILERPLATE * (1 - self.chunk.value)
        return fit - _ASKED if self.chunk.part == "question" and not is_exchange(self.chunk) else fit


def load_passages(store: Store, query: Query, found: Sequence[Candidate]) -> list[Passage]:
    """Read chunks and score their sentences, in the order given."""
    chunks = {item.id: item.chunk for item in found if item.chunk}
    unread = [item.id for item in found if not item.chunk]
    chunks.update((chunk.id, chunk) for chunk in store.chunks(unread))
    cosines = sentence_cosines(store, query, list(chunks))
    asked = sought(frozenset(query.terms))
    passages: list[Passage] = []
    for item in found:
        chunk = chunks.get(item.id)
        if chunk is not None:
            passages.append(_passage(chunk, item, query, asked, cosines.get(item.id)))
    return passages


def by_best_sentence(passages: Sequence[Passage], weight: float) -> list[Passage]:
    """The passages with their places ranked anew, the best sentence of each counting ``weight`` beside its score."""
    best: dict[tuple[str, int], float] = {}
    for passage in passages:
        fit = float(passage.sentences.max(initial=0.0))
        best[passage.found.place] = max(best.get(passage.found.place, 0.0), fit)
    raised = [_raised(passage, weight * best[passage.found.place]) for passage in passages]
    return sorted(raised, key=lambda passage: -passage.found.score)


def _raised(passage: Passage, share: float) -> Passage:
    found = passage.found
    parts = {**found.parts, "sentence": round(share, 4)}
    return replace(passage, found=replace(found, score=found.score + share, parts=parts))


def over_exchanges(passages: Sequence[Passage], turns: Turns, weight: float) -> list[Passage]:
    """The passages with the turns of calls that they stand in; a turn loses ``weight`` for each before it of its
    exchange.

    Who reads five turns wants what several questions brought up, unless one exchange fits far better than the others.
    """
    seen: dict[int, dict[int, int]] = {}
    spread: list[Passage] = []
    for passage in passages:
        place = passage.found.place[1]
        exchange = int(turns.exchange[place])
        if exchange < 0:
            spread.append(passage)
            continue
        before = seen.setdefault(exchange, {})
        number = before.setdefault(place, len(before))
        found = passage.found
        if number:
            found = replace(found, score=found.score - weight * number)
        turn = int(turns.start[place]), int(turns.end[place])
        spread.append(replace(passage, found=found, turn=turn))
    if not (seen and weight):
        return spread
    return sorted(spread, key=lambda passage: -passage.found.score)


def best_of_places(passages: Sequence[Passage]) -> list[Passage]:
    """The best passage of each place first, in the order of the places; its others behind places that fit much less.

    Those of a turn come last: it is shown whole for its best one.
    """
    by_place = grouped(passages, key=lambda passage: passage.found.place)
    ranked = [sorted(own, key=lambda passage: -passage.fit) for own in by_place.values()]
    merged = [own[0] for own in ranked]
    for own in ranked:
        for behind, passage in enumerate(own[1:], 1):
            least = own[0].found.score - _BEHIND * behind if passage.turn is None else -np.inf
            at = max(i for i, other in enumerate(merged) if other is own[0] or other.found.score >= least) + 1
            merged.insert(at, passage)
    return merged


def without_repeats(passages: Sequence[Passage], *, in_documents: bool = False) -> list[Passage]:
    """Passages whose text did not stand further in front; short ones, such as headings, may repeat.

    ``in_documents`` drops only what one document repeats: where reports are compared, each says it for itself.
    """
    seen: set[tuple[str, str]] = set()
    kept = []
    for passage in passages:
        text = " ".join(passage.chunk.text.split())
        key = (text, passage.chunk.document if in_documents else "")
        if key not in seen:
            kept.append(passage)
        if len(text) >= _REPEATED:
            seen.add(key)
    return kept


def as_evidence(passages: Sequence[Passage], pages: Mapping[str, Sequence[Page]]) -> list[Evidence]:
    """Passages as evidence; of a chunk that runs over pages, the page is that of the sentence that answers best."""
    return [_evidence(passage, pages.get(passage.chunk.document, ())) for passage in passages]


def _evidence(passage: Passage, pages: Sequence[Page]) -> Evidence:
    chunk = passage.chunk
    best = np.argsort(-passage.sentences, kind="stable")[:_HIGHLIGHTS]
    start, end = chunk.sentences[int(best[0])] if len(best) else (chunk.start, chunk.end)
    if passage.fact and start <= passage.fact.start < end:  # several rows are one sentence: the page is the figure's
        start, end = passage.fact.start, passage.fact.end
    page = page_number(pages, start, end, default=chunk.page)
    highlights = tuple(dict.fromkeys(chunk.sentences[int(at)] for at in best))
    shown = chunk_evidence(chunk, passage.found.score, passage.found.parts)
    return replace(shown, page=page, highlights=highlights, turn=passage.turn)


def chunk_evidence(chunk: Chunk, score: float, why: Mapping[str, float]) -> Evidence:
    """A chunk as evidence, on the page where it begins."""
    return Evidence(
        kind="chunk" if chunk.kind == "text" else chunk.kind,
        text=chunk.text,
        score=score,
        source=chunk.document,
        id=chunk.id,
        page=chunk.page,
        anchors=chunk.anchors,
        start=chunk.start,
        end=chunk.end,
        tokens=chunk.tokens,
        headings=chunk.headings,
        why=why,
    )


def sentence_cosines(store: Store, query: Query, ids: Sequence[str]) -> dict[str, np.ndarray]:
    """Chunk -> cosine of each of its sentences to the question; empty without vectors."""
    missing = without(ids, query.cosines)
    if missing:
        query.cosines.update(sentence_cosines_in_spaces(store, missing, query.vector, query.beside))
    return {id: query.cosines[id] for id in ids if id in query.cosines}


def _passage(chunk: Chunk, found: Candidate, query: Query, asked: Sought, cosines: np.ndarray | None) -> Passage:
    fact = query.fact_in(chunk.document, chunk.start, chunk.end)
    return Passage(chunk, found, _sentence_fit(chunk, query, asked, cosines, fact is not None), fact)


def _sentence_fit(
    chunk: Chunk, query: Query, words_asked: Sought, cosines: np.ndarray | None, holds_fact: bool
) -> np.ndarray:
    """Cosine, if there is one, the share of the asked words, and the form that an answer would have."""
    asked = sum(query.terms.values()) or 1.0
    texts = [chunk.text[max(0, start - chunk.start) : end - chunk.start] for start, end in chunk.sentences]
    shares = np.zeros(len(texts), np.float32)
    forms = np.zeros(len(texts), np.float32)
    found = words_asked.found_in_each([*texts, _besides_sentences(chunk)])
    query.held[chunk.id] = frozenset().union(*found)
    for at, (text, words) in enumerate(zip(texts, found, strict=False)):
        shares[at] = sum(weight for term, weight in query.terms.items() if term in words) / asked if words else 0.0
        fact = query.fact_in(chunk.document, *chunk.sentences[at]) if holds_fact else None
        forms[at] = form_fit(query.question, query.names_figure, text) + (_FACT_IN_HIGHLIGHT * fact.fit if fact else 0)
    if cosines is None or len(cosines) != len(shares):
        return shares + forms
    return np.asarray(cosines + _WORDS_IN_HIGHLIGHT * shares + forms, np.float32)


def _besides_sentences(chunk: Chunk) -> str:
    """What a chunk says outside of its sentences: headings."""
    between: list[str] = []
    at = chunk.start
    for start, end in chunk.sentences:
        between.append(chunk.text[at - chunk.start : max(at, start) - chunk.start])
        at = max(at, end)
    return " ".join((*between, chunk.text[at - chunk.start :]))


_SHINGLE = 4
"""Words that are compared at a time (Broder 1997)."""
_SAME = 0.8
"""Share of the shorter text's shingles that the longer one has."""
_SHORTEST = 20
"""Words from which a text is compared: short ones are alike by chance."""
_FIGURE = on_demand(r"\d[\d,.]{0,30}")
_WORD = on_demand(r"[^\W\d_\u3400-\u9fff]{1,60}|[\u3400-\u9fff]")


class _Print:
    """What two texts are compared by, each part made when it is asked for: of most texts the figures settle it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """The figures, in order of their digits."""
        return tuple(sorted(_FIGURE.findall(self._text)))

    @cached_property
    def words(self) -> list[str]:
        """The words without case, Chinese ones by their characters."""
        return _WORD.findall(self._text.lower())

    @cached_property
    def shingles(self) -> frozenset[tuple[str, ...]]:
        """Each run of :data:`_SHINGLE` words."""
        words = self.words
        return frozenset(tuple(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1))

    def repeats(self, other: _Print) -> bool:
        """True where the shorter of both stands in the longer, with the same figures."""
        if self.figures != other.figures or min(len(self.words), len(other.words)) < _SHORTEST:
            return False
        shorter = min(len(self.shingles), len(other.shingles))
        return len(self.shingles & other.shingles) >= _SAME * shorter


def without_near_duplicates(
    passages: Sequence[Passage], catalogue: Catalogue, query: Query, selection: Selection
) -> list[Passage]:
    """The passages in order; of those that filings of one company repeat, the longest in the place of the first."""
    asks_for_time = bool(query.question.periods) or query.question.compares or query.question.several
    if asks_for_time or len(selection.groups) > 1 or len(selection.sources) == 1:
        return list(passages)
    kept: list[Passage] = []
    prints = _Prints()
    companies = _companies_of({passage.chunk.document for passage in passages}, catalogue)
    for passage in passages:
        at = next((at for at, other in enumerate(kept) if _is_again(other, passage, prints, companies)), None)
        if at is None:
            kept.append(passage)
        elif len(prints.of(passage).words) > len(prints.of(kept[at]).words):
            kept[at] = passage
    return kept


class _Prints(dict[str, _Print]):
    """Chunk -> its print, made when it is first compared: few passages are of a company that another one is of."""

    def of(self, passage: Passage) -> _Print:
        known = self.get(passage.chunk.id)
        if known is None:
            known = self[passage.chunk.id] = _Print(passage.chunk.text)
        return known


def _companies_of(sources: Collection[str], catalogue: Catalogue) -> dict[str, frozenset[str]]:
    """Document -> its companies; of one that the catalogue does not know, none."""
    known = catalogue.by_source
    return {source: frozenset(known[source].companies) if source in known else frozenset() for source in sources}


def _is_again(first: Passage, second: Passage, prints: _Prints, companies: Mapping[str, frozenset[str]]) -> bool:
    sources = first.chunk.document, second.chunk.document
    if sources[0] == sources[1] or first.chunk.kind != second.chunk.kind:
        return False
    if companies[sources[0]].isdisjoint(companies[sources[1]]):
        return False
    return prints.of(first).repeats(prints.of(second))

"""Places: what is ranked and counted once. A page; a whole short document without pages; in a call an exchange (a
question with its answers) or a page's worth of a speech; else a chunk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from ....ingest.chunk import Chunk
from ....ingest.document import Page
from ....kg.storage.term_counts import DocumentTerms

_PAGE = 3_000
"""Characters of a speech that are one place: about a printed page."""
_SHORT = 6
"""A document without pages and with at most so many chunks is one place."""


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a scope's chunks. Arrays named ``of_chunk`` have one entry a chunk, all others one a place."""

    of_chunk: np.ndarray
    """The place of each chunk, int32."""
    document: np.ndarray
    """Index of the document, int32."""
    of_page: Mapping[tuple[str, int], int]
    """(source, page number from 1) -> the place that most of the page belongs to."""
    classes: Mapping[str, np.ndarray]
    """Page class -> score 0..1, float32; absent classes are 0 everywhere."""
    whole: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    """Whether each chunk counts all words of its place, as those of a call do, bool (chunks,); empty: none does."""

    def __len__(self) -> int:
        return len(self.document)

    @classmethod
    def of(
        cls,
        parts: Sequence[DocumentTerms],
        document: np.ndarray,
        pages: Mapping[str, Sequence[Page]],
        exchanges: Mapping[str, np.ndarray] = MappingProxyType({}),
    ) -> Places:
        """Group the chunks of documents by the page on which most of them stands, in order of first appearance.

        ``exchanges`` has for each call without pages the first chunk of what each chunk belongs to (see
        :func:`exchanges_of`).
        """
        own = [_within(part, pages.get(part.source, ()), exchanges.get(part.source)) for part in parts]
        within = np.concatenate([np.empty(0, np.int64), *own])
        keys = document.astype(np.int64) << _BITS | within
        found, first, of_key = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(order), np.int32)
        number[order] = np.arange(len(order))
        of_chunk = number[of_key.ravel()]
        owner = np.zeros(len(found), np.int32)
        owner[of_chunk] = document
        firsts = accumulate((len(part.ids) for part in parts), initial=0)
        sources = {int(document[at]): part.source for part, at in zip(parts, firsts, strict=False) if part.ids}
        paged = np.isin(found >> _BITS, [at for at, source in sources.items() if pages.get(source)])
        places = {
            (sources[key >> _BITS], key & _MASK): place
            for key, place in zip(found[paged].tolist(), number[paged].tolist(), strict=True)
        }
        held = dict(places)
        for part, at in zip(parts, own, strict=True):
            held |= {
                (part.source, page): places[part.source, of] for page, of in _held_by_others(part, at, pages).items()
            }
        of_page = {(source, pages[source][at].number): place for (source, at), place in held.items()}
        is_call = [part.source in exchanges and not pages.get(part.source) for part in parts]
        in_call = np.repeat(np.array(is_call, bool), [len(part.ids) for part in parts])
        is_shared = np.bincount(of_chunk, minlength=len(found))[of_chunk] > 1
        return cls(of_chunk, owner, of_page, _classes(places, len(found), pages), in_call & is_shared)

    def best(self, scores: np.ndarray) -> np.ndarray:
        """The best chunk's score of each place, float32."""
        best = np.full(len(self), -np.inf, np.float32)
        np.maximum.at(best, self.of_chunk, scores)
        return best


_BITS = 32
_MASK = (1 << _BITS) - 1


def exchanges_of(chunks: Sequence[Chunk]) -> np.ndarray:
    """The ordinal of the chunk with which each chunk's exchange begins, int64 (chunks,).

    An exchange runs from what is asked, with the operator's announcement, to the last answer before the next question.
    One that is a chunk by itself, being short, ends with it. Of remarks, a page's worth of one speaker counts as one.
    """
    firsts = np.arange(len(chunks), dtype=np.int64)
    for at in range(1, len(chunks)):
        first = int(firsts[at - 1])
        if _goes_on(chunks[first], chunks[at - 1], chunks[at]):
            firsts[at] = first
    return firsts


def _goes_on(first: Chunk, before: Chunk, chunk: Chunk) -> bool:
    if is_exchange(before):
        return False
    if chunk.part == "answer":
        return before.part in ("question", "answer")
    if chunk.part == "question":
        return before.part == "question"
    is_same_speech = chunk.part == before.part and chunk.speaker == before.speaker
    return is_same_speech and chunk.end - first.start <= _PAGE


def is_exchange(chunk: Chunk) -> bool:
    """True for a question and its answers that are one chunk: several speak in it."""
    return chunk.part == "question" and ";" in chunk.speaker


def _within(part: DocumentTerms, pages: Sequence[Page], exchanges: np.ndarray | None) -> np.ndarray:
    """The place of each chunk inside its document: index of the page, 0 in a short one, the exchange of a call, else
    its own ordinal."""
    if pages:
        return page_indexes(pages, part.spans)
    if exchanges is not None and len(exchanges) == len(part.ids) > _SHORT:
        return exchanges
    return np.zeros(len(part.ids), np.int64) if len(part.ids) <= _SHORT else np.arange(len(part.ids), dtype=np.int64)


def _held_by_others(part: DocumentTerms, own: np.ndarray, pages: Mapping[str, Sequence[Page]]) -> dict[int, int]:
    """Pages of which most stands in a long chunk that counts to another page: index -> index of that page."""
    found = pages.get(part.source, ())
    if not found or not len(own):
        return {}
    starts = np.array([page.start for page in found], np.int64)
    first = np.maximum(np.searchsorted(starts, part.spans[:, 0], "right") - 1, 0)
    last = np.maximum(np.searchsorted(starts, part.spans[:, 1], "left") - 1, first)
    held: Counter[tuple[int, int]] = Counter()
    for at in np.flatnonzero((last > first) | np.isin(first, first[last > first]) | np.isin(first, last[last > first])):
        for page in range(int(first[at]), int(last[at]) + 1):
            span = part.spans[at]
            held[page, int(own[at])] += max(0, int(min(span[1], found[page].end) - max(span[0], found[page].start)))
    best: dict[int, int] = {}
    for (page, place), length in held.items():
        if length > held[page, best.get(page, page)]:
            best[page] = place
    return {page: place for page, place in best.items() if place != page}


def page_indexes(pages: Sequence[Page], spans: np.ndarray) -> np.ndarray:
    """:func:`page_index` of many spans (n, 2)."""
    starts = np.array([page.start for page in pages], np.int64)
    ends = np.array([page.end for page in pages], np.int64)
    start, end = spans[:, 0], spans[:, 1]
    best = np.maximum(np.searchsorted(starts, start, "right") - 1, 0)
    at, most = best.copy(), np.full(len(spans), -1, np.int64)
    more = np.arange(len(spans))
    while len(more):
        page = at[more]
        share = np.minimum(end[more], ends[page]) - np.maximum(start[more], starts[page])
        better = more[share > most[more]]
        best[better] = at[better]
        most[more] = np.maximum(most[more], share)
        at[more] += 1
        more = more[at[more] < len(pages)]
        more = more[starts[at[more]] < end[more]]
    return best


def page_index(pages: Sequence[Page], start: int, end: int) -> int:
    """Index of the page that holds most of ``text[start:end]``; the first of equals."""
    first = max(0, bisect_right(pages, start, key=lambda page: page.start) - 1)
    best, most = first, -1
    for at in range(first, len(pages)):
        if pages[at].start >= end and at > first:
            break
        share = min(end, pages[at].end) - max(start, pages[at].start)
        if share > most:
            best, most = at, share
    return best


def _classes(
    places: Mapping[tuple[str, int], int], count: int, pages: Mapping[str, Sequence[Page]]
) -> dict[str, np.ndarray]:
    classes: dict[str, np.ndarray] = {}
    for (source, at), place in places.items():
        for name, score in pages[source][at].classes.items():
            classes.setdefault(name, np.zeros(count, np.float32))[place] = score
    return classes

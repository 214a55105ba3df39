"""Ranking units ("places"), each ranked and counted once: a page; a whole short document without pages; in a call a
turn, which is a stretch of one exchange (a question with its answers) or speech; else a chunk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from ....core.records import dataclass
from ....ingest.chunk import Chunk
from ....ingest.document import Page
from ....kg.storage.term_counts import DocumentTerms

_PAGE = 3_000
"""Characters of a speech that are one place: about a printed page."""
_QUESTION = 1_000
"""Characters of a question that are one place, as long as what is usually indexed as one passage.

Of a call from which the analyst's question is cut out the answer was found: hit@5 .73 where answers are cut so, too,
.75 where they are a page's worth; plain fusion of passages of 1,000 characters .78. Cut so, sentences of ECTSum are
quoted worse (MRR@10 .777 against .786).
"""
_QUESTION_MARKS = frozenset("?？")
_SHORT = 6
"""A document without pages and with at most so many chunks is one place."""


@dataclass(frozen=True, slots=True)
class Exchanges:
    """What the chunks of a call belong to. Arrays have one entry a chunk."""

    of_chunk: np.ndarray
    """The exchange or speech: the ordinal of its first chunk, int64."""
    turns: np.ndarray
    """The turn within it, which is ranked and shown: the ordinal of its first chunk, int64."""
    asks: np.ndarray
    """True for a question whose answer is another turn, bool."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The places that are turns of calls. One entry a place."""

    exchange: np.ndarray
    """The number of its exchange, int32; -1 for a place that is no turn."""
    start: np.ndarray
    """Offset in the document's text, int64."""
    end: np.ndarray
    asks: np.ndarray
    """True for a question whose answer is another turn, bool."""

    @classmethod
    def none(cls, places: int) -> Turns:
        """No place is a turn."""
        return cls(
            np.full(places, -1, np.int32),
            np.full(places, -1, np.int64),
            np.full(places, -1, np.int64),
            np.zeros(places, bool),
        )


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
    windows: np.ndarray
    """What each chunk's neighbours are counted in, int32 (chunks,): its place, or the whole exchange of a call."""
    whole: np.ndarray
    """Whether each chunk counts all words of its window, as those of a call do, bool (chunks,)."""
    turns: Turns

    def __len__(self) -> int:
        return len(self.document)

    @classmethod
    def of(
        cls,
        parts: Sequence[DocumentTerms],
        document: np.ndarray,
        pages: Mapping[str, Sequence[Page]],
        exchanges: Mapping[str, Exchanges] = MappingProxyType({}),
    ) -> Places:
        """Group the chunks of documents by the page on which most of them stands, in order of first appearance.

        ``exchanges`` has what the chunks of each call belong to (see :func:`exchanges_of`); of a call with pages, the
        pages count.
        """
        calls = {part.source: exchanges[part.source] for part in parts if _is_spoken(part, pages, exchanges)}
        own = [_within(part, pages.get(part.source, ()), calls.get(part.source)) for part in parts]
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
        windows, in_call = _windows(parts, document, of_chunk, calls)
        is_shared = np.bincount(windows, minlength=1)[windows] > 1
        turns = _turns(parts, of_chunk, windows, calls, len(found))
        return cls(of_chunk, owner, of_page, _classes(places, len(found), pages), windows, in_call & is_shared, turns)

    def best(self, scores: np.ndarray) -> np.ndarray:
        """The best chunk's score of each place, float32."""
        best = np.full(len(self), -np.inf, np.float32)
        np.maximum.at(best, self.of_chunk, scores)
        return best


_BITS = 32
_MASK = (1 << _BITS) - 1


def exchanges_of(chunks: Sequence[Chunk]) -> Exchanges:
    """What each chunk of a call belongs to.

    An exchange runs from what is asked, with the operator's announcement, to the last answer before the next question.
    One that is a chunk by itself, being short, ends with it. Of remarks, a page's worth of one speaker counts as one.
    A turn is a stretch that is all asked, of about 1,000 characters, or all said, of a page's worth at most.
    """
    exchanges = np.arange(len(chunks), dtype=np.int64)
    for at in range(1, len(chunks)):
        first = int(exchanges[at - 1])
        if _goes_on(chunks[first], chunks[at - 1], chunks[at]):
            exchanges[at] = first
    asks = _asks(chunks, exchanges)
    answered = np.isin(exchanges, exchanges[~asks])
    return Exchanges(exchanges, _stretches(chunks, exchanges, asks), asks & answered)


def _asks(chunks: Sequence[Chunk], exchanges: np.ndarray) -> np.ndarray:
    """Which chunks only ask, bool (chunks,).

    Executives that the list of participants leaves out are taken for askers. They are told by what they say: there is
    no question in it, or they speak without a title after somebody with one, before the next is announced.
    """
    from ....ingest.formats.speakers import Person  # loaded with the first call: readers and their patterns

    asks = np.zeros(len(chunks), bool)
    titled = -1
    for own in _speeches(chunks, exchanges):
        first = chunks[own.start]
        if first.part != "question" or is_exchange(first):
            continue
        is_titled = "," in first.speaker
        has_mark = any(_QUESTION_MARKS & set(chunk.text) for chunk in chunks[own])
        is_follower = not is_titled and titled == exchanges[own.start]
        asks[own] = Person(first.speaker).is_operator or (has_mark and not is_follower)
        if is_titled:
            titled = int(exchanges[own.start])
    return asks


def _speeches(chunks: Sequence[Chunk], exchanges: np.ndarray) -> Iterator[slice]:
    """The chunks of each speaker in a row, within an exchange."""
    begun = 0
    for at in range(1, len(chunks) + 1):
        same = at < len(chunks) and exchanges[at] == exchanges[begun] and chunks[at].speaker == chunks[begun].speaker
        if not same:
            yield slice(begun, at)
            begun = at


def _stretches(chunks: Sequence[Chunk], exchanges: np.ndarray, asks: np.ndarray) -> np.ndarray:
    """The ordinal of the first chunk of each chunk's turn: what is asked or answered, cut into parts of like length."""
    firsts = np.arange(len(chunks), dtype=np.int64)
    is_both = list(map(is_exchange, chunks))
    keys = list(zip(exchanges.tolist(), asks.tolist(), is_both, strict=True))
    begun = 0
    for at in range(1, len(chunks) + 1):
        if at < len(chunks) and keys[at] == keys[begun]:
            continue
        length = chunks[at - 1].end - chunks[begun].start
        longest = _QUESTION if chunks[begun].part == "question" else _PAGE
        share = length / max(1, round(length / longest))
        for own in range(begun + 1, at):
            first = int(firsts[own - 1])
            middle = (chunks[own].start + chunks[own].end) / 2
            if middle - chunks[first].start <= share:
                firsts[own] = first
        begun = at
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


def _is_spoken(part: DocumentTerms, pages: Mapping[str, Sequence[Page]], exchanges: Mapping[str, Exchanges]) -> bool:
    """True for a call whose turns are its places."""
    if pages.get(part.source) or len(part.ids) <= _SHORT:
        return False
    own = exchanges.get(part.source)
    return own is not None and len(own.turns) == len(part.ids)


def _within(part: DocumentTerms, pages: Sequence[Page], exchanges: Exchanges | None) -> np.ndarray:
    """The place of each chunk inside its document: index of the page, 0 in a short one, the turn of a call, else its
    own ordinal."""
    if pages:
        return page_indexes(pages, part.spans)
    if exchanges is not None:
        return exchanges.turns
    return np.zeros(len(part.ids), np.int64) if len(part.ids) <= _SHORT else np.arange(len(part.ids), dtype=np.int64)


def _windows(
    parts: Sequence[DocumentTerms], document: np.ndarray, of_chunk: np.ndarray, calls: Mapping[str, Exchanges]
) -> tuple[np.ndarray, np.ndarray]:
    """The window of each chunk, and which chunks are of a call."""
    in_call = np.zeros(len(of_chunk), bool)
    within = of_chunk.astype(np.int64)
    at = 0
    for part in parts:
        own = slice(at, at + len(part.ids))
        at = own.stop
        if part.source in calls:
            in_call[own] = True
            within[own] = calls[part.source].of_chunk
    keys = document.astype(np.int64) << _BITS | within
    _, windows = np.unique(keys, return_inverse=True)
    return windows.ravel().astype(np.int32), in_call


def _turns(
    parts: Sequence[DocumentTerms],
    of_chunk: np.ndarray,
    windows: np.ndarray,
    calls: Mapping[str, Exchanges],
    places: int,
) -> Turns:
    turns = Turns.none(places)
    at = 0
    for part in parts:
        own = slice(at, at + len(part.ids))
        at = own.stop
        if part.source in calls:
            place = of_chunk[own]
            turns.exchange[place] = windows[own]
            turns.start[place[::-1]] = part.spans[::-1, 0]  # of several chunks the first is written last
            turns.end[place] = part.spans[:, 1]
            turns.asks[place] = calls[part.source].asks
    return turns


def _held_by_others(part: DocumentTerms, own: np.ndarray, pages: Mapping[str, Sequence[Page]]) -> dict[int, int]:
    """Pages of which most stands in a long chunk that counts to another page: index -> index of that page."""
    found = pages.get(part.source, ())
    if not found:
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
        if pages[at].start >= end:
            break
        share = min(end, pages[at].end) - max(start, pages[at].start)
        if share > most:
            best, most = at, share
    return best


def page_number(pages: Sequence[Page], start: int, end: int, default: int | None) -> int | None:
    """The number of the page that holds most of ``text[start:end]``; ``default`` of a document without pages."""
    return pages[page_index(pages, start, end)].number if pages else default


def _classes(
    places: Mapping[tuple[str, int], int], count: int, pages: Mapping[str, Sequence[Page]]
) -> dict[str, np.ndarray]:
    classes: dict[str, np.ndarray] = {}
    for (source, at), place in places.items():
        for name, score in pages[source][at].classes.items():
            classes.setdefault(name, np.zeros(count, np.float32))[place] = score
    return classes

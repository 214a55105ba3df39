"""Search small, read large: the section or the page around the first hits, in their place.

What is found is a chunk of a hundred tokens; what explains it often stands beside it. Nothing is indexed for this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Literal

from ...core.errors import UsageError
from ...core.records import dataclass
from ...core.tokens import count_tokens
from .evidence import TEXTS, Evidence
from .index.ranking_units import page_number

if TYPE_CHECKING:
    from ...ingest.chunk import Chunk
    from ...ingest.document import Page
    from ...kg.store import Store

Parent = Literal["auto", "none", "section", "page"]
PARENTS: tuple[Parent, ...] = ("auto", "none", "section", "page")
MOST_TOKENS = 800
"""Tokens of a parent, a printed page; of a longer section what stands around the hit is read."""
_SHARE = 4
"""A parent takes at most one in so many of the tokens that may be read."""
_FIRST = 3
"""Hits that are read large. The others stay small: many small pieces hold more than few large ones."""
_REACH = 20
"""Chunks that are looked at on each side of a hit."""
MOST_OF_SECTION = 3_000
"""Tokens of a whole section; of a longer one that part of this size in which the hit stands."""
_REACH_OF_SECTION = 40
"""Chunks on each side of a hit that may be of its section."""


def parent_for(name: str, *, model_reads: bool) -> Parent:
    """What "auto" stands for: the section where a model reads it, nothing where sentences are quoted or hits shown.

    Raises UsageError for what is no parent.

    >>> parent_for("auto", model_reads=True), parent_for("page", model_reads=False)
    ('section', 'page')
    """
    known = {parent: parent for parent in PARENTS}
    if name not in known:
        raise UsageError(f"no parent {name!r}", hint="There are: " + ", ".join(PARENTS))
    if name == "auto":
        return "section" if model_reads else "none"
    return known[name]


def most_tokens(budget: int) -> int:
    """Tokens that a parent may have where ``budget`` tokens are read in all.

    >>> most_tokens(4000), most_tokens(1000)
    (800, 250)
    """
    return min(MOST_TOKENS, budget // _SHARE)


def read_parents(store: Store, found: Sequence[Evidence], parent: Parent, most: int = MOST_TOKENS) -> list[Evidence]:
    """The ranking with its first texts grown to their section or page, up to ``most`` tokens each.

    A parent keeps score, page and boxes of the hit that it is read for, which is the first of its ``children``; other
    hits that stand in it are children too and lose their own places. Two parents never overlap. In a document without
    pages the page is all of it.
    """
    firsts = list(filter(_is_stored_text, found))[:_FIRST]
    if parent == "none" or not firsts:
        return list(found)
    runs = _parent_runs(store, firsts, parent, most)
    children = _children(found, runs)
    absorbed: set[str] = set()
    for own in children.values():
        absorbed.update(child.id for child in own[1:])
    kept = [item for item in found if item.kind not in TEXTS or item.id not in absorbed]
    grown = {hit: _grown(store, own, runs[hit]) for hit, own in children.items()}
    return [grown.get(item.id, item) for item in kept]


def section_runs(store: Store, hits: Sequence[Evidence], most: int = MOST_OF_SECTION) -> dict[str, list[Chunk]]:
    """Id of a hit -> the chunks of its section around it, in order, up to ``most`` tokens."""
    around = _Surroundings.of(store, hits, _REACH_OF_SECTION)
    runs: dict[str, list[Chunk]] = {}
    for hit in hits:
        own = around.chunks.get(hit.id)
        if own is not None:
            runs[hit.id] = around.run(hit, most, partial(_has_headings, own.headings))
    return runs


def whole_sections(store: Store, found: Sequence[Evidence], most: int = MOST_OF_SECTION) -> list[Evidence]:
    """The ranking with each text grown to its section; hits in one section are its children, at the first one's place.

    The unit of the menu of DM-RAG: nothing is torn from what it stands in. Page, boxes and score of a section are those
    of its first hit.
    """
    hits = list(filter(_is_stored_text, found))
    runs = section_runs(store, hits, most)
    owner: dict[str, str] = {}
    children: dict[str, list[Evidence]] = {}
    for hit in hits:
        first = owner.get(hit.id, hit.id)
        children.setdefault(first, []).append(hit)
        if first == hit.id:
            _own_chunks(owner, hit, runs.get(hit.id, ()))
    grown: list[Evidence] = []
    for item in found:
        if item.id in children and item.kind in TEXTS:
            grown.append(_grown(store, children[item.id], runs.get(item.id, ())))
        elif item.id not in owner:
            grown.append(item)
    return grown


def _own_chunks(owner: dict[str, str], hit: Evidence, run: Sequence[Chunk]) -> None:
    """Give the chunks of a section to the hit that it is read for, unless they are of another's."""
    for chunk in run:
        owner.setdefault(chunk.id, hit.id)


def in_their_turns(store: Store, found: Sequence[Evidence]) -> list[Evidence]:
    """The ranking with hits of calls grown to the turns that they stand in; further hits in a turn are its children.

    A chunk of a call is two or three spoken sentences, which say little without those beside them.
    """
    children: dict[tuple[str, tuple[int, int]], list[Evidence]] = {}
    for item in found:
        if item.turn is not None:
            children.setdefault((item.source, item.turn), []).append(item)
    shown: list[Evidence] = []
    for item in found:
        if item.turn is None:
            shown.append(item)
            continue
        hits = children[item.source, item.turn]
        if item is hits[0]:
            shown.append(_read_between(store, hits, *item.turn))
    return shown


def _is_stored_text(item: Evidence) -> bool:
    return item.kind in TEXTS and bool(item.id)


def _children(found: Sequence[Evidence], runs: Mapping[str, Sequence[Chunk]]) -> dict[str, list[Evidence]]:
    """Hit -> the hits that stand in its run, itself among them, best first."""
    owner: dict[str, str] = {}
    for hit, run in runs.items():
        owner.update((chunk.id, hit) for chunk in run)
    children: dict[str, list[Evidence]] = {hit: [] for hit in runs}
    for item in filter(_is_stored_text, found):
        if item.id in owner:
            children[owner[item.id]].append(item)
    return children


def hits_of(evidence: Sequence[Evidence]) -> list[Evidence]:
    """What was found, parents left aside: what a sentence is quoted from."""
    return list(chain.from_iterable(item.children or (item,) for item in evidence))


def describe_parents(evidence: Sequence[Evidence]) -> list[dict[str, object]]:
    """For the trace: where each parent stands, its tokens and those of the hits in it."""
    described: list[dict[str, object]] = []
    for item in evidence:
        if item.children:
            hits = [hit.tokens for hit in item.children]
            described.append({"source": item.source, "page": item.page, "tokens": item.tokens, "hits": hits})
    return described


def _grown(store: Store, children: Sequence[Evidence], run: Sequence[Chunk]) -> Evidence:
    """The first of the hits as the text of the whole run; as it is where nothing stands beside it."""
    if len(run) < 2:
        return children[0]
    start, end = min(chunk.start for chunk in run), max(chunk.end for chunk in run)
    return _read_between(store, children, start, end)


def _read_between(store: Store, children: Sequence[Evidence], start: int, end: int) -> Evidence:
    """The first of the hits as the text of its document between two offsets."""
    first = children[0]
    if (first.start, first.end) == (start, end):
        return first
    text = store.text(first.source)[start:end]
    highlights = tuple(chain.from_iterable(child.highlights for child in children))
    tokens = count_tokens(text)
    return replace(
        first, text=text, start=start, end=end, highlights=highlights, tokens=tokens, children=tuple(children)
    )


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The chunks around some hits, read at once."""

    chunks: Mapping[str, Chunk]
    beside: Mapping[str, Sequence[str]]
    """Id of a hit -> the ids of the chunks near it."""

    @classmethod
    def of(cls, store: Store, hits: Sequence[Evidence], reach: int) -> _Surroundings:
        """What stands up to ``reach`` chunks before and after each hit."""
        beside = store.neighbours([hit.id for hit in hits], reach)
        wanted: dict[str, None] = {}
        for hit in hits:
            wanted.update(dict.fromkeys((hit.id, *beside.get(hit.id, ()))))
        return cls({chunk.id: chunk for chunk in store.chunks(list(wanted))}, beside)

    def run(self, hit: Evidence, most: int, belongs: Callable[[Chunk], bool]) -> list[Chunk]:
        """The hit's chunk with those that belong to it and stand together with it, up to ``most`` tokens, in order.

        It grows by one chunk after it and one before it in turn.
        """
        near = [self.chunks[id] for id in (hit.id, *self.beside.get(hit.id, ())) if id in self.chunks]
        near.sort(key=_ordinal)
        first = last = near.index(self.chunks[hit.id])
        left = most - near[first].tokens
        grows = True
        while grows:
            grows = False
            for at in (last + 1, first - 1):
                is_there = 0 <= at < len(near) and belongs(near[at])
                if not is_there or near[at].tokens > left:
                    continue
                first, last = min(first, at), max(last, at)
                left -= near[at].tokens
                grows = True
        return near[first : last + 1]


def _parent_runs(store: Store, hits: Sequence[Evidence], parent: Parent, most: int) -> dict[str, list[Chunk]]:
    """Hit -> the chunks that it is read with, itself among them; nothing for a hit that stands in another's."""
    around = _Surroundings.of(store, hits, _REACH)
    pages = store.pages({hit.source for hit in hits}) if parent == "page" else {}
    taken: set[str] = set()
    runs: dict[str, list[Chunk]] = {}
    for hit in hits:
        if hit.id not in around.chunks or hit.id in taken:
            continue
        if parent == "section":
            belongs = partial(_is_under, around.chunks[hit.id].headings)
        else:
            belongs = partial(_is_on_page, pages.get(hit.source, ()), hit.page)
        run = around.run(hit, most, partial(_is_free, belongs, frozenset(taken)))
        taken.update(chunk.id for chunk in run)
        if len(run) > 1:
            runs[hit.id] = run
    return runs


def _is_free(belongs: Callable[[Chunk], bool], taken: Collection[str], chunk: Chunk) -> bool:
    """True for a chunk that belongs to a hit and to no parent yet."""
    return chunk.id not in taken and belongs(chunk)


def _is_under(headings: tuple[str, ...], chunk: Chunk) -> bool:
    """True for a chunk under these headings, or under further ones below them."""
    return chunk.headings[: len(headings)] == headings


def _has_headings(headings: tuple[str, ...], chunk: Chunk) -> bool:
    return chunk.headings == headings


def _is_on_page(pages: Sequence[Page], number: int | None, chunk: Chunk) -> bool:
    """True for a chunk that begins on the page of this number; for all of a document without pages."""
    return page_number(pages, chunk.start, chunk.end, default=number) == number


def _ordinal(chunk: Chunk) -> int:
    return chunk.ordinal

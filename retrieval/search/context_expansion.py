"""Search small, read large: the section or the page around the first hits, in their place.

What is found is a chunk of a hundred tokens; what explains it often stands beside it. Nothing is indexed for this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...core.errors import UsageError
from ...core.tokens import count_tokens
from .evidence import TEXTS, Evidence
from .index.ranking_units import page_index

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


def parent_for(name: str, *, model_reads: bool) -> Parent:
    """What "auto" stands for: the section where a model reads it, nothing where sentences are quoted or hits shown.

    Raises UsageError for what is no parent.

    >>> parent_for("auto", model_reads=True), parent_for("page", model_reads=False)
    ('section', 'page')
    """
    known = {parent: parent for parent in PARENTS}
    if name not in known:
        raise UsageError(f"no parent {name!r}", hint="There are: " + ", ".join(PARENTS))
    return known[name] if name != "auto" else "section" if model_reads else "none"


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
    runs = _runs(store, firsts, parent, most)
    children = _children(found, runs)
    absorbed = {child.id for own in children.values() for child in own[1:]}
    kept = [item for item in found if item.kind not in TEXTS or item.id not in absorbed]
    grown = {hit: _parent(own, runs[hit], store.text(own[0].source)) for hit, own in children.items()}
    return [grown.get(item.id, item) for item in kept]


def _is_stored_text(item: Evidence) -> bool:
    return item.kind in TEXTS and bool(item.id)


def _children(found: Sequence[Evidence], runs: Mapping[str, Sequence[Chunk]]) -> dict[str, list[Evidence]]:
    """Hit -> the hits that stand in its run, itself among them, best first."""
    owner = {chunk.id: hit for hit, run in runs.items() for chunk in run}
    children: dict[str, list[Evidence]] = {hit: [] for hit in runs}
    for item in filter(_is_stored_text, found):
        if item.id in owner:
            children[owner[item.id]].append(item)
    return children


def hits_of(evidence: Sequence[Evidence]) -> list[Evidence]:
    """What was found, parents left aside: what a sentence is quoted from."""
    return [hit for item in evidence for hit in item.children or (item,)]


def describe_parents(evidence: Sequence[Evidence]) -> list[dict[str, object]]:
    """For the trace: where each parent stands, its tokens and those of the hits in it."""
    return [
        {"source": item.source, "page": item.page, "tokens": item.tokens, "hits": [hit.tokens for hit in item.children]}
        for item in evidence
        if item.children
    ]


def _parent(children: Sequence[Evidence], run: Sequence[Chunk], text: str) -> Evidence:
    start, end = min(chunk.start for chunk in run), max(chunk.end for chunk in run)
    highlights = tuple(span for child in children for span in child.highlights)
    return replace(
        children[0],
        text=text[start:end],
        start=start,
        end=end,
        highlights=highlights,
        tokens=count_tokens(text[start:end]),
        children=tuple(children),
    )


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The chunks around some hits, read at once; ``pages`` only where pages are asked for."""

    chunks: Mapping[str, Chunk]
    beside: Mapping[str, Sequence[str]]
    pages: Mapping[str, Sequence[Page]]

    @classmethod
    def of(cls, store: Store, hits: Sequence[Evidence], parent: str) -> _Surroundings:
        beside = store.neighbours([hit.id for hit in hits], _REACH)
        wanted = dict.fromkeys(id for hit in hits for id in (hit.id, *beside.get(hit.id, ())))
        chunks = {chunk.id: chunk for chunk in store.chunks(list(wanted))}
        return cls(chunks, beside, store.pages({hit.source for hit in hits}) if parent == "page" else {})

    def run(self, hit: Evidence, parent: str, most: int, taken: Collection[str]) -> list[Chunk]:
        """The chunks of the hit's parent that stand together with it, in order, those after it first."""
        own = sorted(
            (self.chunks[id] for id in (hit.id, *self.beside.get(hit.id, ()))), key=lambda chunk: chunk.ordinal
        )
        first = last = next(at for at, chunk in enumerate(own) if chunk.id == hit.id)
        left = most - own[first].tokens
        fits = [chunk.id not in taken and self._is_of(chunk, hit, parent) for chunk in own]
        more = True
        while more:
            more = False
            if last + 1 < len(own) and fits[last + 1] and own[last + 1].tokens <= left:
                last, left, more = last + 1, left - own[last + 1].tokens, True
            if first > 0 and fits[first - 1] and own[first - 1].tokens <= left:
                first, left, more = first - 1, left - own[first - 1].tokens, True
        return own[first : last + 1]

    def _is_of(self, chunk: Chunk, hit: Evidence, parent: str) -> bool:
        if parent == "section":
            own = self.chunks[hit.id].headings
            return chunk.headings[: len(own)] == own
        pages = self.pages.get(hit.source, ())
        return not pages or pages[page_index(pages, chunk.start, chunk.end)].number == hit.page


def _runs(store: Store, hits: Sequence[Evidence], parent: str, most: int) -> dict[str, list[Chunk]]:
    """Hit -> the chunks that it is read with, itself among them; nothing for a hit that stands in another's."""
    around = _Surroundings.of(store, hits, parent)
    taken: set[str] = set()
    runs: dict[str, list[Chunk]] = {}
    for hit in hits:
        if hit.id in around.chunks and hit.id not in taken:
            run = around.run(hit, parent, most, taken)
            taken |= {chunk.id for chunk in run}
            runs |= {hit.id: run} if len(run) > 1 else {}
    return runs

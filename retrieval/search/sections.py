"""Whole sections in place of cut pieces: what stands under the heading of a hit, once, however many hits it has.

The unit of the menu of DM-RAG: nothing is torn from what it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.tokens import count_tokens
from .evidence import TEXTS, Evidence

if TYPE_CHECKING:
    from ...ingest.chunk import Chunk
    from ...kg.store import Store

MOST_TOKENS = 3_000
"""Tokens of a section; of a longer one that part of this size in which the hit stands."""
_REACH = 40
"""Chunks on each side of a hit that may be of its section."""


def section_runs(store: Store, hits: Sequence[Evidence], most: int = MOST_TOKENS) -> dict[str, list[Chunk]]:
    """Id of a hit -> the chunks of its section around it, in order, up to ``most`` tokens."""
    beside = store.neighbours([hit.id for hit in hits], _REACH)
    wanted = dict.fromkeys(id for hit in hits for id in (hit.id, *beside.get(hit.id, ())))
    chunks = {chunk.id: chunk for chunk in store.chunks(list(wanted))}
    runs: dict[str, list[Chunk]] = {}
    for hit in hits:
        if hit.id not in chunks:
            continue
        near = [chunks[id] for id in (hit.id, *beside.get(hit.id, ())) if id in chunks]
        near.sort(key=_ordinal)
        runs[hit.id] = _run(chunks[hit.id], near, most)
    return runs


def whole_sections(store: Store, found: Sequence[Evidence], most: int = MOST_TOKENS) -> list[Evidence]:
    """The ranking with each text grown to its section; hits in one section are its children, at the first one's place.

    Page, boxes and score of a section are those of its first hit.
    """
    hits = [item for item in found if item.kind in TEXTS and item.id]
    runs = section_runs(store, hits, most)
    owner: dict[str, str] = {}
    children: dict[str, list[Evidence]] = {}
    for hit in hits:
        first = owner.get(hit.id, hit.id)
        children.setdefault(first, []).append(hit)
        if first == hit.id:
            owner.update((chunk.id, hit.id) for chunk in runs.get(hit.id, ()) if chunk.id not in owner)
    grown: list[Evidence] = []
    for item in found:
        if item.id in children and item.kind in TEXTS:
            grown.append(_grown(store, children[item.id], runs))
        elif item.id not in owner:
            grown.append(item)
    return grown


def _grown(store: Store, hits: Sequence[Evidence], runs: Mapping[str, Sequence[Chunk]]) -> Evidence:
    first = hits[0]
    run = runs.get(first.id, ())
    if len(run) < 2:
        return first
    start, end = min(chunk.start for chunk in run), max(chunk.end for chunk in run)
    text = store.text(first.source)[start:end]
    marked = tuple(span for hit in hits for span in hit.highlights)
    grown = replace(first, text=text, start=start, end=end, highlights=marked, children=tuple(hits))
    return replace(grown, tokens=count_tokens(text))


def _ordinal(chunk: Chunk) -> int:
    return chunk.ordinal


def _run(hit: Chunk, near: Sequence[Chunk], most: int) -> list[Chunk]:
    """Chunks under the hit's heading that stand together with it: after it and before it in turn."""
    first = last = near.index(hit)
    left = most - hit.tokens
    grows = True
    while grows:
        grows = False
        for at in (last + 1, first - 1):
            is_there = 0 <= at < len(near) and near[at].headings == hit.headings
            if not is_there or near[at].tokens > left:
                continue
            first, last = min(first, at), max(last, at)
            left -= near[at].tokens
            grows = True
    return list(near[first : last + 1])

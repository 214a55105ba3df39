"""What is read beside the first hits: passages that meet a requirement, and the rest of the best pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ...search.evidence import Evidence
from ...search.passages import chunk_evidence
from .quotables import TEXT_KINDS, is_row, quotable, row_section, table_lead
from .requirements.base import SecondSearch

if TYPE_CHECKING:
    from ....ingest.chunk import Chunk
    from ....kg.store import Store

_LOOKED_AT = 150
"""Passages with the words, the best ones first: an office is named in many places, its holder in few."""
_MOST = 8
_BEST_PAGES = 5
"""Pages that are read in full: chunks are short, and the sentence that answers may stand beside the one found."""
_REACH = 8
"""Chunks on each side of a hit that may be of its page."""
_BESIDE = 0.5
"""Share of a hit's score that the other passages of its page have."""
_OF_PAGE = "page"
"""Why such a passage is read."""


def look_again(store: Store, search: SecondSearch | None) -> list[Evidence]:
    """Passages of the documents with one of the search terms in which a sentence or row holds the answer.

    A search ranks by the words of the whole question; what is rare in a filing, such as the name of an officer beside
    the office, may stand behind its first hits.
    """
    if search is None or not search.words or not search.documents:
        return []
    hits = store.matching(search.words, _LOOKED_AT, search.documents)
    chunks = {chunk.id: chunk for chunk in store.chunks([hit.id for hit in hits])}
    ranked = [chunks[hit.id] for hit in hits if hit.id in chunks]
    found = (_evidence(chunk) for chunk in ranked if any(map(search.holds, _said(_evidence(chunk), chunk))))
    return list(islice(found, _MOST))


def _evidence(chunk: Chunk) -> Evidence:
    return chunk_evidence(chunk, 0.0, {"second look": 1.0})


def rest_of_pages(store: Store, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The prose of the best pages that the search did not give, each piece after the hit that its page is read for."""
    hits = _best_of_pages(evidence)
    beside = store.neighbours([hit.id for hit in hits], _REACH)
    known = {item.id for item in evidence}
    found = []
    for hit in hits:
        others = [id for id in beside.get(hit.id, ()) if id not in known]
        for chunk in store.chunks(others):
            if chunk.page == hit.page and chunk.kind != "table":
                known.add(chunk.id)
                found.append(chunk_evidence(chunk, _BESIDE * hit.score, {_OF_PAGE: 1.0}))
    return found


def _best_of_pages(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The best hit of each of the best pages."""
    hits: dict[tuple[str, int], Evidence] = {}
    for item in evidence:
        if item.kind in TEXT_KINDS and item.id and item.page:
            hits.setdefault((item.source, item.page), item)
    return list(hits.values())[:_BEST_PAGES]


def is_beside(item: Evidence) -> bool:
    """True for a passage that is read for its page alone: it does not show that the documents answer."""
    return _OF_PAGE in item.why


def _said(item: Evidence, chunk: Chunk) -> Iterator[str]:
    """Each sentence, and each row with what stands over it."""
    lead = table_lead(item)
    for text, start, *_ in quotable(item, _spans(chunk)):
        yield f"{lead} {row_section(item, start)} {text}" if is_row(item, text) else f"{lead} {text}"


def _spans(chunk: Chunk) -> list[tuple[int, int, float]]:
    return [(start, end, 0.0) for start, end in chunk.sentences]

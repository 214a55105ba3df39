"""The documents of the companies asked about, looked through again for sentences that answer: who holds an office."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...search.evidence import Evidence
from ...search.passages import chunk_evidence
from .quotables import is_row, quotable, row_section, table_lead
from .requirements.base import SecondSearch

if TYPE_CHECKING:
    from ....ingest.chunk import Chunk
    from ....kg.store import Store

_LOOKED_AT = 150
"""Passages with the words, the best ones first: an office is named in many places, its holder in few."""
_MOST = 8


def look_again(store: Store, search: SecondSearch | None) -> list[Evidence]:
    """Passages of the documents with one of the search terms in which a sentence or row holds the answer.

    A search ranks by the words of the whole question; what is rare in a filing, such as the name of an officer beside
    the office, may stand behind its first hits.
    """
    if search is None or not search.words or not search.documents:
        return []
    hits = store.matching(search.words, _LOOKED_AT, search.documents)
    chunks = {chunk.id: chunk for chunk in store.chunks([hit.id for hit in hits])}
    found = []
    for hit in hits:
        item = chunk_evidence(chunks[hit.id], 0.0, {"second look": 1.0}) if hit.id in chunks else None
        if item and any(map(search.holds, _said(item, chunks[hit.id]))):
            found.append(item)
            if len(found) == _MOST:
                break
    return found


def _said(item: Evidence, chunk: Chunk) -> Iterator[str]:
    """Each sentence, and each row with what stands over it."""
    lead = table_lead(item)
    for text, start, *_ in quotable(item, _spans(chunk)):
        yield f"{lead} {row_section(item, start)} {text}" if is_row(item, text) else f"{lead} {text}"


def _spans(chunk: Chunk) -> list[tuple[int, int, float]]:
    return [(start, end, 0.0) for start, end in chunk.sentences]

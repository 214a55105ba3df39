"""The first hits read again for what the index cannot tell: figures as printed, rows of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....ingest.chunk import Chunk
from ....kg.store import Store
from ..ranking.candidate import Found


def raised_places(
    store: Store, found: Sequence[Found], name: str, share: Callable[[Sequence[Chunk]], float]
) -> list[Found]:
    """The ranking with each place's score raised by the ``share`` of its chunks, shown as ``name``; hits keep them."""
    unread = store.chunks([item.id for item in found if item.chunk is None])
    chunks = {chunk.id: chunk for chunk in unread} | {item.id: item.chunk for item in found if item.chunk is not None}
    places: dict[tuple[str, int], list[Found]] = {}
    for item in found:
        places.setdefault(item.place, []).append(replace(item, chunk=chunks.get(item.id)))
    raised = [_raised(own, name, share([item.chunk for item in own if item.chunk])) for own in places.values()]
    return [item for own in sorted(raised, key=lambda own: -own[0].score) for item in own]


def _raised(own: Sequence[Found], name: str, share: float) -> list[Found]:
    return [replace(item, score=item.score + share, parts={**item.parts, name: round(share, 4)}) for item in own]

"""What a reranker is: a function that puts candidates in another order, by what the index cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ....ingest.chunk import Chunk
from ....kg.store import Store
from ..index.corpus import ScopeIndex, SeenCorpus
from ..ranking.candidate import Candidate
from ..ranking.query import Query
from ..ranking.weights import Weights
from ..trace import Trace


@dataclass(frozen=True, slots=True)
class RankingContext:
    """What rerankers look at. ``follows_links`` gives passages one link away places behind the first hits."""

    store: Store
    corpus: SeenCorpus
    index: ScopeIndex
    query: Query
    weights: Weights
    trace: Trace
    follows_links: bool = False


Reranker = Callable[[Sequence[Candidate], RankingContext], list[Candidate]]


def raised_places(
    store: Store, found: Sequence[Candidate], name: str, share: Callable[[Sequence[Chunk]], float]
) -> list[Candidate]:
    """The ranking with each place's score raised by the ``share`` of its chunks, shown as ``name``; hits keep them."""
    unread = store.chunks([item.id for item in found if item.chunk is None])
    chunks = {chunk.id: chunk for chunk in unread} | {item.id: item.chunk for item in found if item.chunk is not None}
    places: dict[tuple[str, int], list[Candidate]] = {}
    for item in found:
        places.setdefault(item.place, []).append(replace(item, chunk=chunks.get(item.id)))
    raised = [_raised(own, name, share([item.chunk for item in own if item.chunk])) for own in places.values()]
    return [item for own in sorted(raised, key=lambda own: -own[0].score) for item in own]


def _raised(own: Sequence[Candidate], name: str, share: float) -> list[Candidate]:
    return [replace(item, score=item.score + share, parts={**item.parts, name: round(share, 4)}) for item in own]

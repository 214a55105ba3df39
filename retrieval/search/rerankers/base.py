"""What a reranker is: a function that puts candidates in another order, by what the index cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from ....core.records import dataclass
from ....core.sequences import grouped
from ....ingest.chunk import Chunk
from ....kg.store import Store
from ....models.embedders import Embedder
from ..evidence import Trace
from ..index.corpus import ScopeIndex, SeenCorpus
from ..query import Query
from ..scoring import Candidate, ChunkScores
from ..weights import NO_EXTRAS, Extras, Weights


@dataclass(frozen=True, slots=True)
class RankingContext:
    """What rerankers look at. ``follows_links`` lets passages joined to the first hits by a name in front; ``bridges``
    is the encoder where further queries may be asked for it."""

    store: Store
    corpus: SeenCorpus
    index: ScopeIndex
    query: Query
    scores: ChunkScores
    weights: Weights
    trace: Trace
    follows_links: bool = False
    bridges: Embedder | None = None
    extras: Extras = NO_EXTRAS
    embedder: Embedder | None = None
    """The encoder of the vectors searched, for rerankers that read passages themselves."""


Reranker = Callable[[Sequence[Candidate], RankingContext], list[Candidate]]


def raised_places(
    store: Store, found: Sequence[Candidate], name: str, share: Callable[[Sequence[Chunk]], float]
) -> list[Candidate]:
    """The ranking with each place's score raised by the ``share`` of its chunks, shown as ``name``; hits keep them."""
    read = _chunks_of(store, found)
    places = grouped(found, key=lambda item: item.place)
    raised: list[list[Candidate]] = []
    for own in places.values():
        chunks = [read[item.id] for item in own if item.id in read]
        raised.append(_raised(own, read, name, share(chunks)))
    raised.sort(key=lambda own: -own[0].score)
    return list(chain.from_iterable(raised))


def _chunks_of(store: Store, found: Sequence[Candidate]) -> dict[str, Chunk]:
    """The chunks of the candidates by their ids, read at once where they were not."""
    chunks = {item.id: item.chunk for item in found if item.chunk}
    chunks.update((chunk.id, chunk) for chunk in store.chunks([item.id for item in found if item.chunk is None]))
    return chunks


def _raised(own: Sequence[Candidate], chunks: Mapping[str, Chunk], name: str, share: float) -> list[Candidate]:
    """With their chunks, so that the steps behind need not read them."""
    raised: list[Candidate] = []
    for item in own:
        parts = {**item.parts, name: round(share, 4)}
        score, chunk = item.score + share, chunks.get(item.id)
        raised.append(Candidate(item.id, item.source, item.place, score, parts, chunk, item.own))
    return raised

"""Linked passages behind the first hits (see :mod:`..index.titles`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....kg.store import Store
from ..index.corpus import ScopeIndex
from ..index.titles import Homes
from ..passages import sentence_cosines
from ..ranking.candidate import Candidate
from ..ranking.query import Query
from .base import RankingContext

_SEEDS = 3
_STAY, _STEP = 0.7, 0.3
"""Share of a passage's own score that stays, and that moves one link on."""
_BACK = 0.3
"""A link from a home to a passage that names it counts less than one to the home."""
_MOST_NAMING = 12
_LEAST_COSINE = 0.05
_RUN = re.compile(r"\b[A-Z][\w'’-]+(?: (?:of |the |and )?[A-Z][\w'’-]+)*")


@dataclass(frozen=True, slots=True)
class HomeLink:
    """From a hit to a passage one link away, over the sentence that names it: the explanation."""

    from_source: str
    to_source: str
    name: str
    sentence: str
    weight: float


def by_links(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """The best linked passages at places 4 and 5, or at 5; as it was where the gate is closed."""
    homes = context.corpus.homes
    if not (context.follows_links and homes.of_name):
        return list(candidates)
    found, links = _with_linked(context.store, context.index, homes, context.query, candidates)
    context.trace.note("links", [asdict(link) for link in links])
    return found


def _with_linked(
    store: Store, index: ScopeIndex, homes: Homes, query: Query, found: Sequence[Candidate]
) -> tuple[list[Candidate], list[HomeLink]]:
    sources = list(dict.fromkeys(item.source for item in found))
    seeds = [source for source in sources[:_SEEDS] if source in homes.names]
    if not seeds:
        return list(found), []
    asked = homes.asked_in(query.question.trimmed)
    texts = {source: store.chunks_of(source) for source in seeds}
    keep, places = _gate(asked, query, index, texts)
    if not places:
        return list(found), []
    links = _links(store, index, homes, query, texts)
    scores = _one_step(seeds, asked, homes, links)
    best = sorted((s for s in scores if s not in sources[:_SEEDS]), key=lambda s: (-scores[s], s))[:places]
    return _inserted(store, query, found, sources, best, keep, scores), [x for x in links if x.to_source in best]


def _gate(asked: Sequence[str], query: Query, index: ScopeIndex, texts: dict[str, list[Chunk]]) -> tuple[int, int]:
    """(hits kept in front, linked passages after them): questions about one fact should stay as they are."""
    if asked:
        return 3, 2
    whole = " ".join(chunk.text for chunks in texts.values() for chunk in chunks)
    for run in _RUN.findall(query.question.trimmed):
        if run in whole and _holding(index, run) <= max(5, len(index.sources) // 200):
            return 4, 1
    return 0, 0


def _holding(index: ScopeIndex, name: str) -> int:
    return len(_rows_with(index, name))


def _rows_with(index: ScopeIndex, name: str) -> set[int]:
    """Rows of chunks that hold all the words of a name."""
    found: set[int] | None = None
    for word in search_words(name):
        rows = set(index.words.postings(word)[0].tolist())
        found = rows if found is None else found & rows
    return found or set()


def _links(
    store: Store, index: ScopeIndex, homes: Homes, query: Query, texts: dict[str, list[Chunk]]
) -> list[HomeLink]:
    chunks = [chunk for own in texts.values() for chunk in own]
    links = [
        HomeLink(chunk.document, home, name, sentence, cosine**2 / len(homes.of_name[name]))
        for chunk, sentence, cosine in _sentences(store, query, chunks)
        for name in homes.named_in(sentence)
        for home in homes.of_name[name]
        if home != chunk.document
    ]
    return links + [link for source in texts for link in _back_links(store, index, homes, query, source)]


def _back_links(store: Store, index: ScopeIndex, homes: Homes, query: Query, source: str) -> list[HomeLink]:
    links = []
    for name in homes.names[source]:
        rows = _rows_with(index, name)
        if len(rows) > 3 * _MOST_NAMING:
            continue
        others = [chunk for chunk in store.chunks([index.ids[row] for row in sorted(rows)]) if chunk.document != source]
        naming = [
            HomeLink(source, chunk.document, name, sentence, _BACK * cosine**2 / len(homes.of_name[name]))
            for chunk, sentence, cosine in _sentences(store, query, others)
            if name in homes.named_in(sentence)
        ]
        links += naming if len(naming) <= _MOST_NAMING else []
    return links


def _sentences(store: Store, query: Query, chunks: Sequence[Chunk]) -> list[tuple[Chunk, str, float]]:
    cosines = sentence_cosines(store, query, [chunk.id for chunk in chunks])
    found = []
    for chunk in chunks:
        own = cosines.get(chunk.id)
        for at, (start, end) in enumerate(chunk.sentences):
            cosine = float(own[at]) if own is not None and at < len(own) else 0.3
            found.append((chunk, chunk.text[start - chunk.start : end - chunk.start], max(_LEAST_COSINE, cosine)))
    return found


def _one_step(seeds: Sequence[str], asked: Sequence[str], homes: Homes, links: Sequence[HomeLink]) -> dict[str, float]:
    """One step of personalised PageRank from the first hits and the homes of the names asked."""
    seed: dict[str, float] = {source: 1 / (1 + place / 2) for place, source in enumerate(seeds)}
    for name in asked:
        for home in homes.of_name[name]:
            seed[home] = seed.get(home, 0.0) + 1 / len(homes.of_name[name])
    total = sum(seed.values())
    best: dict[tuple[str, str], float] = defaultdict(float)
    for link in links:
        key = (link.from_source, link.to_source)
        best[key] = max(best[key], link.weight)
    scores = {source: _STAY * value / total for source, value in seed.items()}
    for (start, end), weight in best.items():
        scores[end] = scores.get(end, 0.0) + _STEP * seed.get(start, 0.0) / total * weight
    return scores


def _inserted(
    store: Store,
    query: Query,
    found: Sequence[Candidate],
    sources: Sequence[str],
    best: Sequence[str],
    keep: int,
    scores: dict[str, float],
) -> list[Candidate]:
    """The ranking with linked documents behind the first ``keep`` documents, each by its best chunk."""
    front = set(sources[:keep])
    own = {source: [item for item in found if item.source == source] for source in best}
    linked = [own[source][0] if own[source] else _best_chunk(store, query, source, scores[source]) for source in best]
    ahead = [item for item in found if item.source in front]
    behind = [item for item in found if item.source not in front]
    chosen = {item.source for item in linked if item.source not in front}
    return [*ahead, *(item for item in linked if item.source in chosen), *(i for i in behind if i.source not in chosen)]


def _best_chunk(store: Store, query: Query, source: str, score: float) -> Candidate:
    chunks = store.chunks_of(source)
    shares = [sum(query.terms.get(word, 0.0) for word in set(search_words(chunk.text))) for chunk in chunks]
    best = max(range(len(chunks)), key=lambda at: (shares[at], -at))
    return Candidate(chunks[best].id, source, (source, -1), score, {"link": round(score, 4)})

"""Passages joined to the first hits by a name, in the order of a greedy chain (see :mod:`.greedy_chain`).

A name joins two passages where both hold it and few others do; a passage titled with a name is the name's home. Names
are the mentions that the graph stores, and what a text writes as a name. A question about a single fact keeps its
ranking: the chain is followed only where one of the passages found first holds a rare name of the question.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property

import numpy as np

from ....core.records import dataclass
from ....core.words import question_words, search_words, sought
from ....ingest.chunk import Chunk
from ....kg.extraction.rules.runs import find_runs
from ..scoring import Candidate
from ..weights import to_best
from .base import RankingContext
from .greedy_chain import FOLLOWED, LINKS_ONLY, WITH_BRIDGES, LinksFrom, Matches, pick_chain
from .passage_texts import LEAST_COSINE, PASSAGE_SHARE, NamePlaces, PassageTexts, keys_of, says, written_names

PICKS = 10
"""Places that the chain decides."""
_GATE = 30
"""Of so many first passages one has to be titled and one to hold a rare name of the question. MuSiQue all gold@5 .481
(.475 at 5), its single facts .898, 2Wiki .915 and HotpotQA .925 (at 5 the same)."""
_TOP, _SEEDS, _LINKED = 30, 6, 60
"""Candidates from each ranking, passages whose names lead to further ones, and how many of those."""
_MOST_NAMES = 12
"""Names of a passage that are followed, the rarest."""
_BRIDGES, _RANK = 14, 0.15
"""Bridge queries of a question, and what a place further back takes from a name's worth."""
_NEXT_SCORE = 1e-4
"""By so much a pick's score stays below the pick before it."""


@dataclass(frozen=True, slots=True)
class PassageLink:
    """From a pick to a later one, over the sentence that names what both hold: the explanation."""

    from_source: str
    to_source: str
    name: str
    sentence: str
    weight: float


@dataclass(frozen=True, slots=True)
class Naming:
    """How a passage names something."""

    cosine: float
    """How near its best sentence with the name is to the question."""
    sentence: str
    """That sentence."""
    share: float
    """Of the asked words that the passage holds, what one of its sentences with the name holds: the name of what the
    question describes stands beside the words that describe it."""

    def or_better(self, other: Naming | None) -> Naming:
        """The nearer sentence of both, with the larger share."""
        if other is None:
            return self
        nearer = self if self.cosine > other.cosine else other
        return replace(nearer, share=max(self.share, other.share))


def by_links(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """The first places in the order of the chain; as it was where the gate is closed."""
    titled = context.corpus.homes.names
    if not context.follows_links or not any(item.source in titled for item in candidates[:_GATE]):
        return list(candidates)
    pool = _Pool(candidates, context)
    has_bridges = context.bridges is not None and context.scores.dense is not None
    weights = WITH_BRIDGES if has_bridges else LINKS_ONLY
    first = pool.matches.first_hop(weights)
    front = np.argsort(-first, kind="stable")[:_GATE].tolist()
    if not any(not pool.holders(name).isdisjoint(front) for name in pool.asked):
        context.trace.note("links", [])
        return list(candidates)
    if weights.bridge:
        pool.build_bridges()
    picks = pick_chain(pool.matches, pool.links_from, PICKS, weights)
    chosen = [at for at, _ in picks]
    context.trace.note("links", list(map(asdict, pool.explained(chosen))))
    return _in_front(pool, picks, candidates)


def _in_front(pool: _Pool, picks: Sequence[tuple[int, float]], candidates: Sequence[Candidate]) -> list[Candidate]:
    """The picks, each by its best chunks; then what else was found."""
    known: dict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for item in candidates:
        known[item.place].append(item)
    found: list[Candidate] = []
    score = math.inf
    for at, own in picks:
        place = pool.place(at)
        score = min(score - _NEXT_SCORE, own)
        items = known.pop(place, None) or [Candidate(pool.best_chunk(at), place[0], place, score)]
        found += [replace(item, score=score, parts={**item.parts, "chain": round(own, 4)}) for item in items]
    rest = [item for item in candidates if item.place in known]
    return found + [replace(item, score=min(item.score, score - _NEXT_SCORE)) for item in rest]


class _Pool:
    """The passages that a chain may pick from, and what joins them. Candidate i is the place ``places[i]``."""

    def __init__(self, candidates: Sequence[Candidate], context: RankingContext) -> None:
        self.context = context
        self.names = NamePlaces(context)
        self.texts = PassageTexts(context)
        self._holders: dict[str, frozenset[int]] = {}
        self._written: dict[int, Mapping[str, Naming]] = {}
        self._named: dict[int, Mapping[str, Naming]] = {}
        self._bridges: dict[str, dict[int, float]] = {}
        self.places = np.array(_first_places(candidates, context), np.int64)
        self.texts.read(self.places)
        first = _first_places(candidates, context, _SEEDS)
        self.seeds = [at for at, place in enumerate(self.places.tolist()) if place in first]
        linked = self._linked_places(self.seeds)
        self.texts.read(np.array(linked, np.int64))
        self.places = np.concatenate([self.places, np.array(linked, np.int64)])

    # --- the question
    @cached_property
    def asked(self) -> list[str]:
        """Keys of the rare names in the question, those that it writes without capitals among them."""
        text = self.context.query.question.trimmed
        written = [*(run.text for run in find_runs(text)), *self.context.corpus.homes.asked_in(text)]
        rare = list(filter(self.names.is_rare, keys_of(written)))
        return list(dict.fromkeys([*rare, *self._small_written(text)]))

    def _small_written(self, question: str) -> list[str]:
        """Names of several words in the first passages that the question writes in whatever case."""
        found: list[str] = []
        for at in self.seeds:
            for name in self._written_in(at):
                if " " in name and says(question, name) and self.names.is_rare(name):
                    found.append(name)
        return found

    @cached_property
    def matches(self) -> Matches:
        """How each candidate matches by itself."""
        index, scores = self.context.index, self.context.scores
        words = to_best(index.places.best(scores.words))[self.places]
        empty = np.zeros(len(self.places), np.float32)
        dense = index.places.best(scores.dense)[self.places] if scores.dense is not None else empty
        titles = [" ".join(sorted(self._titles(at))) or str(at) for at in range(len(self.places))]
        return Matches(
            dense=dense,
            words=words,
            sentence=np.array(list(map(self.texts.best_sentence, self.places.tolist())), np.float32),
            holds=self._held_words(),
            worth=np.array(list(self._asked_terms.values()), np.float32),
            title_asked=np.array([not self._titles(at).isdisjoint(self.asked) for at in range(len(self.places))]),
            titles=titles,
            vectors=self._vectors(),
        )

    @cached_property
    def _asked_terms(self) -> dict[str, float]:
        """Each word asked, with its share of the question: rare ones count more."""
        index = self.context.index
        terms = dict.fromkeys(question_words(self.context.query.question.trimmed))
        worth = {term: math.log(1 + len(index) / max(1, len(index.words.postings(term)[0]))) for term in terms}
        total = max(sum(worth.values()), 1e-9)
        return {term: own / total for term, own in worth.items()}

    def _held_words(self) -> np.ndarray:
        """Which candidate holds which word asked."""
        index = self.context.index
        holds = np.zeros((len(self.places), len(self._asked_terms)), bool)
        for number, term in enumerate(self._asked_terms):
            holds[:, number] = np.isin(self.places, index.places.of_chunk[index.words.postings(term)[0]])
        return holds

    def _vectors(self) -> np.ndarray:
        vectors = self.context.index.vectors
        if vectors is None:
            return np.zeros((len(self.places), 1), np.float32)
        return vectors[list(map(self._best_row, range(len(self.places))))]

    # --- a candidate
    def place(self, at: int) -> tuple[str, int]:
        """Source and number of a candidate's place."""
        place = int(self.places[at])
        return self.context.index.sources[int(self.context.index.places.document[place])], place

    def best_chunk(self, at: int) -> str:
        """Id of the chunk that stands for a candidate."""
        return self.context.index.ids[self._best_row(at)]

    def _best_row(self, at: int) -> int:
        return self.texts.best_row(int(self.places[at]))

    def _chunks_of(self, at: int) -> list[Chunk]:
        return self.texts.chunks(int(self.places[at]))

    def _titles(self, at: int) -> frozenset[str]:
        return frozenset(self.context.corpus.homes.names.get(self.place(at)[0], ()))

    # --- names
    def named_in(self, at: int) -> Mapping[str, Naming]:
        """Key of each rare name that a candidate holds -> how it names it.

        A title is a name of all sentences.
        """
        found = self._named.get(at)
        if found is None:
            written = self._written_in(at)
            rare = [name for name in written if self.names.is_rare(name, least=2)]
            rarest = sorted(rare, key=self.names.rarity, reverse=True)
            found = self._named[at] = {name: written[name] for name in rarest[:_MOST_NAMES]}
        return found

    def _written_in(self, at: int) -> Mapping[str, Naming]:
        """As :meth:`named_in`, of all names."""
        found = self._written.get(at)
        if found is None:
            found = self._written[at] = self._read_names(at)
        return found

    def _read_names(self, at: int) -> Mapping[str, Naming]:
        said = [self._said_in(chunk) for chunk in self._chunks_of(at)]
        held = self._worth_of(set().union(*(words for own in said for _, words in own))) or 1.0
        found: dict[str, Naming] = {}
        for chunk, own in zip(self._chunks_of(at), said, strict=True):
            for number, (sentence, words) in enumerate(own):
                naming = Naming(self.texts.cosine(chunk, number), sentence, self._worth_of(words) / held)
                for key in self._keys_in(at, chunk, number, sentence):
                    found[key] = naming.or_better(found.get(key))
        return found

    def _said_in(self, chunk: Chunk) -> list[tuple[str, set[str]]]:
        """The sentences of a chunk, each with the asked words that it holds."""
        texts = [chunk.text[start - chunk.start : end - chunk.start] for start, end in chunk.sentences]
        return list(zip(texts, sought(frozenset(self._asked_terms)).found_in_each(texts), strict=True))

    def _worth_of(self, words: Iterable[str]) -> float:
        return math.fsum(self._asked_terms[word] for word in words)

    def _keys_in(self, at: int, chunk: Chunk, number: int, sentence: str) -> Iterator[str]:
        """Keys of what a sentence of a candidate names."""
        named = {*written_names(sentence), *self.context.corpus.homes.named_in(sentence), *self._titles(at)}
        return filter(None, named | self.texts.mentioned(chunk, *chunk.sentences[number]))

    def holders(self, name: str) -> frozenset[int]:
        """The candidates that hold a name."""
        found = self._holders.get(name)
        if found is None:
            places = self.context.index.places.of_chunk[self.names.rows(name)]
            among = np.flatnonzero(np.isin(self.places, places)).tolist()
            found = frozenset(at for at in among if self._says(at, name))
            self._holders[name] = found
        return found

    def _says(self, at: int, name: str) -> bool:
        """True for a title, and for a name that stands in the text, not only as a part of a longer one."""
        if name in self._titles(at):
            return True
        return any(says(chunk.text, name, besides=self.texts.mentioned(chunk)) for chunk in self._chunks_of(at))

    # --- links
    def _linked_places(self, seeds: Sequence[int]) -> list[int]:
        """The best places beyond the candidates that share a rare name with one of the seeds."""
        index, dense = self.context.index, self.context.scores.dense
        own = np.ones(len(index), np.float32) if dense is None else np.maximum(dense, LEAST_COSINE)
        known = set(self.places.tolist())
        worth: dict[int, float] = {}
        for name, cosine in self._leading(seeds).items():
            strength = self.names.rarity(name) * cosine
            for row in self.names.rows(name).tolist():
                place = int(index.places.of_chunk[row])
                if place not in known:
                    worth[place] = max(worth.get(place, 0.0), strength * float(own[row]))
        return sorted(worth, key=lambda place: (-worth[place], place))[:_LINKED]

    def _leading(self, seeds: Sequence[int]) -> dict[str, float]:
        """Names in the seeds that the question does not name -> how well the best sentence with it answers."""
        best: dict[str, float] = {}
        for at in seeds:
            for name, naming in self.named_in(at).items():
                if name not in self.asked:
                    best[name] = max(best.get(name, 0.0), naming.cosine)
        return best

    def links_from(self, pick: int) -> LinksFrom:
        """What joins a pick to each candidate."""
        links = LinksFrom.none(len(self.places))
        homes = self.context.corpus.homes.of_name
        for name, naming in self.named_in(pick).items():
            others = [at for at in self.holders(name) if at != pick]
            rarity = self.names.rarity(name)
            if name in self.asked:
                links.asked[others] = np.maximum(links.asked[others], rarity)
                continue
            links.link[others] = np.maximum(links.link[others], rarity * naming.share)
            at_home = [at for at in others if name in self._titles(at)]
            share = naming.cosine / max(1, len(homes.get(name, ())))
            links.home[at_home] = np.maximum(links.home[at_home], share)
            for at, cosine_there in self._bridges.get(name, {}).items():
                links.bridge[at] = max(links.bridge[at], cosine_there if at != pick else 0.0)
        return links

    def build_bridges(self) -> None:
        """Ask for each name in the first passages what is left of the question, with the name.

        Compared with the sentences of the candidates that hold the name; one batch of the encoder.
        """
        encoder = self.context.bridges
        if encoder is None:
            return
        bridges = self._bridge_names()
        if not bridges:
            return
        queries = encoder.embed([f"{self._left_over(at)} {name}".strip() for name, at in bridges])
        for (name, _), query in zip(bridges, queries, strict=True):
            self._bridges[name] = {at: self._best_with(at, name, query) for at in sorted(self.holders(name))}

    def _bridge_names(self) -> list[tuple[str, int]]:
        """The names that may lead from the first passages to the answer, and the passage of each; best first."""
        best: dict[str, tuple[float, int]] = {}
        front = np.argsort(-self.matches.first_hop(WITH_BRIDGES), kind="stable")[:_SEEDS].tolist()
        for rank, at in enumerate(front):
            for name, naming in self.named_in(at).items():
                worth = self.names.rarity(name) * naming.cosine / (1 + _RANK * rank)
                if name not in self.asked and worth > best.get(name, (0.0, 0))[0]:
                    best[name] = (worth, at)
        chosen = sorted(best, key=lambda name: -best[name][0])[:_BRIDGES]
        return [(name, best[name][1]) for name in chosen]

    def _left_over(self, at: int) -> str:
        """The words of the question that a candidate does not hold."""
        text = self.context.query.question.trimmed
        held = {term for term, holds in zip(self._asked_terms, self.matches.holds[at], strict=True) if holds}
        left: list[str] = []
        for word in text.split():
            own = search_words(word)
            if not own or not held.issuperset(own):
                left.append(word)
        return " ".join(left)

    def _best_with(self, at: int, name: str, query: np.ndarray) -> float:
        """Cosine of a bridge query to a candidate's best sentence with the name, mixed with that to the candidate."""
        chunks = self._chunks_of(at)
        of_chunks = self.context.store.sentence_vectors([chunk.id for chunk in chunks])
        is_title = name in self._titles(at)
        near = [0.0]
        for chunk, vectors in zip(chunks, of_chunks, strict=True):
            for (start, end), vector in zip(chunk.sentences, vectors, strict=False):
                if is_title or says(chunk.text[start - chunk.start : end - chunk.start], name):
                    near.append(float(vector @ query))
        own = float(self.matches.vectors[at] @ query)
        return max(0.0, (1 - PASSAGE_SHARE) * max(near) + PASSAGE_SHARE * own)

    def explained(self, picks: Sequence[int]) -> list[PassageLink]:
        """The strongest link to each pick from one before it."""
        links: list[PassageLink] = []
        for number, pick in enumerate(picks):
            ways: list[PassageLink] = []
            for earlier in picks[: min(number, FOLLOWED)]:
                ways += self._ways(earlier, pick)
            if ways:
                links.append(max(ways, key=lambda link: link.weight))
        return links

    def _ways(self, earlier: int, pick: int) -> Iterator[PassageLink]:
        """The names that join two picks, but those of the question."""
        for name, naming in self.named_in(earlier).items():
            if name not in self.asked and pick in self.holders(name):
                weight = self.names.rarity(name) * (naming.cosine + naming.share) / 2
                yield PassageLink(self.place(earlier)[0], self.place(pick)[0], name, naming.sentence, weight)


def _first_places(candidates: Sequence[Candidate], context: RankingContext, count: int = _TOP) -> list[int]:
    """The first ``count`` places of the ranking so far, by words and by vectors, each once."""
    index, scores = context.index, context.scores
    ranked = list(dict.fromkeys(item.place[1] for item in candidates))[:count]
    by_words = _best(index.places.best(scores.words), count) if count == _TOP else []
    by_vector = _best(index.places.best(scores.dense), count) if scores.dense is not None else []
    return list(dict.fromkeys([*ranked, *by_words, *by_vector]))


def _best(scores: np.ndarray, count: int) -> list[int]:
    count = min(count, len(scores))
    top = np.argpartition(-scores, count - 1)[:count] if count else np.empty(0, np.int64)
    return list(map(int, top[np.argsort(-scores[top], kind="stable")]))

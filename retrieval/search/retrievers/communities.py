"""Community reports as evidence: what a whole body of documents is about, each claim with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from ....core.patterns import LazyPattern, PatternTable
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import grouped, in_turn, share
from ....core.tokens import estimate_tokens
from ....core.words import search_words
from ....kg.communities.current import current_communities, is_current
from ....kg.graph import Community, Finding, Place
from ....kg.schema import Schema
from ....kg.store import Store
from ...question.question import Question
from ...question.scope.document_filter import Selection
from ..chunk_evidence import Passage, sentence_cosines
from ..evidence import Evidence, Trace
from ..index.corpus import corpus_of
from ..query import Query
from .base import Findings, SearchRequest, retriever

_FILE = "communities.toml"
_ASKED = PatternTable(__package__, _FILE)
_KINDS = PatternTable(__package__, _FILE, "kinds")
_LEAST_SHARE = 0.34
"""Share of the words asked that a finding holds to belong in the answer to a question that is not broad."""
_PASSAGES = 10
"""Passages found for the question whose findings belong in its answer whatever their words."""
_IN_PASSAGE = 0.5
"""Worth of standing in one of them, next to the share of the words asked."""
_AS_THEME = 0.4
"""Worth of being the best that the index of themes finds."""
_THEMES = 30
"""Findings that the index of themes gives."""
_SENTENCE = 400
"""Characters of the sentence behind a finding."""
_LEAST_FINDINGS = 4
"""A pair is a relation, not a theme."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A finding in scope, of its community."""

    community: Community
    finding: Finding
    place: Place
    share: float
    """Of the words asked, in the finding and its community's title, and more where a passage found holds it."""

    @property
    def key(self) -> str:
        return f"{self.community.id}:{self.place.document}:{self.place.start}:{self.finding.text[:40]}"


def asks_broadly(question: Question) -> bool:
    """True for a question about everything in scope at once: themes, risks, relations across companies.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> asks_broadly(read_question("What are the main risks across these companies?"))
    True
    >>> asks_broadly(read_question("What was Acme's revenue in 2023?"))
    False
    """
    return _ASKED.any("themes", question.trimmed) and _ASKED.any("breadth", question.trimmed)


def asks_for_connection(question: Question) -> bool:
    """True for a question about how two things hang together.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> asks_for_connection(read_question("How is Acme connected to Bolt?"))
    True
    """
    return _ASKED.any("connection", question.trimmed)


@retriever("report")
def community_findings(request: SearchRequest) -> Findings:
    """Findings of community reports, in ``global`` and where the whole is asked about."""
    if request.mode != "global" and not asks_broadly(request.plan.asked):
        return Findings()
    plan = request.plan
    return Findings(
        community_evidence(
            plan.store,
            plan.vocabulary.schema,
            request.query,
            plan.selection,
            request.passages,
            request.k,
            request.trace,
        )
    )


def community_evidence(
    store: Store,
    schema: Schema,
    query: Query,
    selection: Selection,
    passages: Sequence[Passage],
    k: int,
    trace: Trace,
) -> list[Evidence]:
    """The ``k`` findings of community reports that answer best, one community after the other in turn.

    To a broad question every community of the scope gives its best findings, the largest first; to another one only
    those that hold what is asked, or rest on one of the ``passages`` found for it. Derives the communities where they
    are not current, which the trace says.
    """
    was_current = is_current(store)
    found = current_communities(store, schema)
    groups = {"groups": len(found.groups), "version": found.version, "method": found.method}
    trace.note("communities", {**groups, "derived now": not was_current})
    broad = asks_broadly(query.question)
    asked = _asked(query) if not broad else frozenset()
    first = {passage.chunk.id for passage in passages[:_PASSAGES]} if not broad else set()
    candidates = _candidates(found.groups, set(selection.sources), asked, first)
    if not broad:
        themes = corpus_of(store).themes(found).best(query.theme_terms, query.theme_vector, _THEMES)
        candidates = [_with_theme(candidate, themes) for candidate in candidates]
        candidates = [candidate for candidate in candidates if candidate.share >= _LEAST_SHARE]
    return _evidence(store, query, _in_turn(_asked_for(query.question, candidates), k))


def _with_theme(candidate: _Candidate, themes: Mapping[tuple[str, str], float]) -> _Candidate:
    """The candidate, worth more where the index of themes finds it."""
    fit = themes.get((candidate.community.id, candidate.finding.text), 0.0)
    return replace(candidate, share=candidate.share + _AS_THEME * fit) if fit else candidate


def _asked_for(question: Question, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Findings of the relations asked for, else of the kinds asked for; all where the question names neither."""
    names: set[str] = set()
    for asked, own in _relations():
        if asked.search(question.trimmed):
            names.update(own)
    kinds: set[str] = set()
    for kind in _KINDS:
        if _KINDS.any(kind, question.trimmed):
            kinds.update((kind, "summary"))
    if names:
        # Where nothing of the kind is known, other relations are no answer; passages and statements are searched too.
        asked_beside = kinds - {"relation", "summary"}
        return [c for c in candidates if c.finding.relation in names or c.finding.kind in asked_beside]
    if not kinds:
        return list(candidates)
    return [candidate for candidate in candidates if candidate.finding.kind in kinds]


def _asked(query: Query) -> frozenset[str]:
    """The words asked for themselves, without those that synonym rules added."""
    return frozenset(word for word, weight in query.terms.items() if weight >= 1.0)


def _candidates(
    groups: Sequence[Community], sources: Collection[str], asked: Collection[str], passages: Collection[str]
) -> list[_Candidate]:
    """Findings in scope, each of the coarsest community that has it."""
    found: dict[tuple[str, str, int], _Candidate] = {}
    for community in groups:
        is_small = community.level > 0 or len(community.findings) < _LEAST_FINDINGS
        if not asked and is_small:
            continue
        for finding in community.findings:
            place = next((place for place in finding.places if place.document in sources), None)
            if place is not None:
                share = _share(asked, f"{community.title} {finding.text}")
                share += _IN_PASSAGE * (place.chunk in passages)
                candidate = _Candidate(community, finding, place, share)
                found.setdefault((finding.text, place.document, place.start), candidate)
    return list(found.values())


def _share(asked: Collection[str], text: str) -> float:
    return share(set(asked).intersection(search_words(text)), asked)


def _in_turn(candidates: Sequence[_Candidate], k: int) -> list[_Candidate]:
    """The best of each community, then the second of each; communities by their best finding, then by size."""
    by_community = grouped(_kinds_in_turn(candidates), key=lambda candidate: candidate.community.id)
    ordered = sorted(
        by_community.values(), key=lambda own: (-own[0].share, -len(own[0].community.entities), own[0].community.id)
    )
    return list(in_turn(ordered))[: max(0, k)]


def _kinds_in_turn(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The best first; of equally good ones of a community one of each kind in turn: a deal, a figure, a risk."""
    seen: Counter[tuple[str, str]] = Counter()
    turns: list[tuple[float, int, int, _Candidate]] = []
    for candidate in candidates:
        key = (candidate.community.id, candidate.finding.kind)
        turns.append((-candidate.share, seen[key], len(turns), candidate))
        seen[key] += 1
    return [candidate for *_, candidate in sorted(turns, key=lambda turn: turn[:3])]


def _evidence(store: Store, query: Query, chosen: Sequence[_Candidate]) -> list[Evidence]:
    in_chunks = [candidate.place.chunk for candidate in chosen if candidate.place.chunk]
    chunks = {chunk.id: chunk for chunk in store.chunks(in_chunks)}
    cosines = sentence_cosines(store, query, list(chunks))
    found = []
    for rank, candidate in enumerate(chosen):
        place, claim = candidate.place, candidate.finding.text
        chunk = chunks.get(place.chunk)
        said = ""
        if chunk and candidate.finding.kind in ("relation", "summary"):
            said = " ".join(chunk.text[max(0, place.start - chunk.start) : place.end - chunk.start].split())[:_SENTENCE]
        text = f"{claim}\n{said}" if said else claim
        cosine = max(map(float, cosines.get(place.chunk, ())), default=0.0)
        found.append(
            Evidence(
                kind="community",
                text=text,
                score=1.0 / (1 + rank),
                source=place.document,
                id=candidate.key,
                page=place.page,
                start=place.start,
                end=place.end,
                highlights=((place.start, place.end),),
                tokens=estimate_tokens(text),
                headings=(candidate.community.title,),
                why={"words asked": round(candidate.share, 3), "cosine": round(cosine, 3)},
            )
        )
    return found


@cache
def _relations() -> tuple[tuple[LazyPattern, tuple[str, ...]], ...]:
    rules = load_rules(__package__, _FILE)["relations"]
    return tuple((LazyPattern(rule["asked"]), tuple(rule["names"])) for rule in rules)

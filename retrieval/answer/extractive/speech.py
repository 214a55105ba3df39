"""Answers to what was asked and said in a call: an analyst's question, what was answered to it, and who said what.

Whose words are meant the question says by a name, a firm, an office, or as "management" and "analysts".
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby
from typing import TYPE_CHECKING

from ....core.patterns import PatternTable, without_parts
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.sequences import grouped, runs
from ....core.words import question_words, search_words
from ...question.scope.catalogue import CALL
from ...question.wording.answer_type import form_fit, office_patterns
from ...search.chunk_evidence import chunk_evidence
from ...search.index.spaces import question_vectors
from ..citations import Citations
from .quotables import quotable, stored_chunks
from .quote_text import write_extract
from .sentence_scoring import Quote

if TYPE_CHECKING:
    import numpy as np

    from ....ingest.formats.speakers import Person
    from ....ingest.formats.transcript import SpokenTurn
    from ....models.embedders import Embedder
    from ...question.plan import QuestionPlan
    from ...question.wording.speech import SpeechRequest
    from ...search.evidence import Evidence

_RULES = PatternTable(__package__, "speech.toml")
_MOST_CALLS = 6
"""Calls that are read for one question."""
_SHORT = 40
"""Characters up to which a turn is a nod ("Yes, exactly."), which begins no question and answers none."""
_LEAST_WORDS = 6
"""Words of a sentence that says something where it does not ask: "Okay, got it. That's helpful." does not."""
_LEAST_FIT = 0.6
"""What the best sentence of a speaker has to reach, cosine and share of the words together, to be on the topic."""
_SURE_FIT = 0.9
"""The same of a question in a call that is like the one that is asked here, where nothing else answers this."""
_BEHIND = 0.25
"""How far behind the best a further sentence may be."""
_MOST_ASKED, _MOST_ANSWERED, _MOST_LISTED = 2, 2, 4
_AS_GOOD = 0.15
"""How far behind the best another exchange may be that is quoted beside it."""
_OF_QUESTION = 0.6
"""What a sentence of an answer gains by fitting the question that it is given to, next to the topic."""
_LIKE = 0.15
"""Likeness to the question from which the first sentence of an answer is quoted, which what follows explains: a
greeting is less like it."""
_ASKS = 0.6
"""What a sentence gains that asks, among those with which an analyst leads up to it."""
_WHOLE = 450
"""Characters up to which all is quoted that somebody says at a stretch."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a call, who says it, and how well it fits the topic: cosine and share of the topic's words."""

    quote: Quote
    turn: SpokenTurn
    fit: float


@dataclass(frozen=True)
class _Exchange:
    """What one person asks at a stretch and what is answered to it."""

    sentences: tuple[_Said, ...]

    @cached_property
    def asked(self) -> list[_Said]:
        """The sentences of who asks."""
        return [said for said in self.sentences if said.turn.asks]

    @cached_property
    def answered(self) -> list[_Said]:
        """Those of who answers."""
        return [said for said in self.sentences if said.turn.part == "answer"]

    @cached_property
    def fit(self) -> float:
        """How well what is asked fits the topic; what is answered counts half."""
        return _best(self.asked) + 0.5 * _best(self.answered)


@dataclass(frozen=True, slots=True)
class _Topic:
    """What a question is about: the words with their weights, and its vectors."""

    weights: Mapping[str, float]
    vectors: tuple[np.ndarray | None, np.ndarray | None]
    """Of the workspace's encoder, and of the one for other languages beside it."""

    @classmethod
    def of(cls, plan: QuestionPlan, embedder: Embedder | None, text: str) -> _Topic:
        words = set(question_words(text))
        frequency = plan.store.document_frequency(words)
        chunks = max(1, int(plan.store.counts().get("chunks", 1)))
        weights = {word: math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in words}
        return cls(weights, question_vectors(embedder, {text: 1.0}))

    def share(self, text: str) -> float:
        """Share of the words that a text holds, rare ones weighing more."""
        held = self.weights.keys() & set(search_words(text))
        return sum(map(self.weights.__getitem__, held)) / (sum(self.weights.values()) or 1.0)


def write_speech(
    plan: QuestionPlan,
    request: SpeechRequest,
    embedder: Embedder | None,
    evidence: Sequence[Evidence],
    to: Citations,
) -> str:
    """Who asked and said what, a line a sentence, each speaker named; "" where nobody in the calls spoke of it.

    ``evidence`` says which calls are read where the question names no company.
    """
    about = _without_company(plan, request.topic)
    request = replace(request, topic=about)
    topic = _Topic.of(plan, embedder, about or plan.asked.trimmed)
    chosen: list[_Said] = []
    for sources in _calls_asked(plan, request, evidence):
        calls = [_sentences(plan, source, topic) for source in sources]
        chosen = chosen or _chosen(plan, embedder, request, calls)
    lines: list[str] = []
    for person, own in groupby(chosen, key=lambda said: said.turn.person):
        quoted = write_extract(plan.store, [said.quote for said in own], to)
        lines.append(f"{_label(person)}: {quoted}")
    return "\n".join(lines)


def is_request(text: str) -> bool:
    """True for the words of somebody who asks, with or without a question mark.

    >>> is_request("Maybe just talk about the margins in the north.")
    True
    """
    return _RULES.any("requests", text)


def _without_company(plan: QuestionPlan, text: str) -> str:
    """The topic without the company, the time and the call itself, of which every sentence of the call speaks; "" where
    it is nothing else."""
    bare = without_parts(text, find_periods(text))
    for start, end in reversed(plan.catalogue.companies.spans(bare)):
        bare = f"{bare[:start]} {bare[end:]}"
    topic = " ".join(_RULES.without("the call", " ".join(bare.split())).split())
    return topic if question_words(topic) else ""


def _label(person: Person) -> str:
    about = person.firm or person.role
    return f"{person.name} ({about})" if about else person.name


def _chosen(
    plan: QuestionPlan, embedder: Embedder | None, request: SpeechRequest, calls: Sequence[Sequence[_Said]]
) -> list[_Said]:
    if request.kind == "said":
        return _said_by(plan, request, calls)
    found = list(chain.from_iterable(map(_exchanges, calls)))
    asked = [exchange for exchange in found if _is_asked_by(exchange, request, found)]
    if request.lists or not request.topic:
        listed = _on_topic(asked, _BEHIND) if request.topic else asked
        return [max(exchange.asked, key=_asking) for exchange in listed[:_MOST_LISTED]]
    told: list[_Said] = []
    for exchange in _on_topic(asked, _AS_GOOD, _SURE_FIT if request.kind == "alike" else _LEAST_FIT):
        question = _question_of(exchange)
        told += question
        told += _answer_of(plan, embedder, request, exchange, question) if request.kind != "asked" else ()
    return told


def _on_topic(exchanges: Sequence[_Exchange], behind: float, least: float = _LEAST_FIT) -> list[_Exchange]:
    """Those that fit the topic nearly as well as the best one, in their order; none where no question fits it."""
    best = max((exchange.fit for exchange in exchanges), default=0.0)
    near = [exchange for exchange in exchanges if exchange.fit >= best - behind]
    return near if any(_best(exchange.sentences) >= least for exchange in near) else []


# --- the calls and their sentences


def _calls_asked(plan: QuestionPlan, request: SpeechRequest, evidence: Sequence[Evidence]) -> list[list[str]]:
    """The calls that the question speaks of, in groups that fit its period alike, the best first."""
    selection, known = plan.selection, plan.catalogue.by_source
    if selection.everything:
        names = set(search_words(f"{request.asker} {request.speaker}"))
        sources = [item.source for item in evidence]
        sources += [hit.document for hit in plan.store.matching(names, 4 * _MOST_CALLS)]
    else:
        sources = list(selection.certain)
    calls = [source for source in dict.fromkeys(sources) if source in known and known[source].kind == CALL]
    fitting = grouped(calls[:_MOST_CALLS], key=lambda source: selection.preference.get(source, 0.0))
    return [fitting[fit] for fit in sorted(fitting, reverse=True)]


def _sentences(plan: QuestionPlan, source: str, topic: _Topic) -> list[_Said]:
    """The sentences of a call in their order; none where its speakers are not told apart."""
    from ....ingest.formats.transcript import spoken_turns  # a reader: loaded with the first question on a call

    turns = spoken_turns(plan.store.text(source))
    if not turns:
        return []
    starts = [turn.start for turn in turns]
    found: list[_Said] = []
    for quote in _quotes(plan, source, topic):
        at = bisect_right(starts, quote.start) - 1
        if at >= 0 and quote.end <= turns[at].end and _says_something(quote.text):
            found.append(_Said(quote, turns[at], quote.similarity + topic.share(quote.text)))
    return found


def _says_something(text: str) -> bool:
    return len(text.split()) >= _LEAST_WORDS or is_request(text)


def _quotes(plan: QuestionPlan, source: str, topic: _Topic, ids: Collection[str] = ()) -> Iterator[Quote]:
    """The sentences of a call, or of some of its chunks, with their similarity to the topic."""
    chunks = [chunk for chunk in plan.store.chunks_of(source) if not ids or chunk.id in ids]
    evidence = [chunk_evidence(chunk, 0.0, {}) for chunk in chunks]
    stored = stored_chunks(plan.store, evidence, *topic.vectors)
    for item in evidence:
        for text, start, end, cosine in quotable(item, stored[item.id].spans):
            yield Quote(item, text, start, end, similarity=cosine)


def _exchanges(call: Sequence[_Said]) -> list[_Exchange]:
    """The questions of a call, each with what is answered to it."""
    within = [said for said in call if said.turn.part != "remarks" and not said.turn.person.is_operator]
    told = [_Exchange(tuple(run)) for run in runs(within, _goes_on)]
    return [exchange for exchange in told if exchange.asked]


def _goes_on(run: Sequence[_Said], said: _Said) -> bool:
    """True for a sentence of the exchange before it: the next one begins with a question behind an answer, or with
    somebody else who asks."""
    turn, before = said.turn, run[-1].turn
    if turn is before or not turn.asks:
        return True
    is_nod = turn.end - turn.start < _SHORT
    return turn.person == run[0].turn.person and (before.asks or is_nod)


# --- whose words are meant


def _is_asked_by(exchange: _Exchange, request: SpeechRequest, among: Iterable[_Exchange]) -> bool:
    if request.is_of_analysts:
        return True
    person = exchange.asked[0].turn.person
    named = {each.asked[0].turn.person for each in among if _is_named(each.asked[0].turn.person, request.asker)}
    return person in named if named else _is_of_firm(person, request.asker)


def _is_named(person: Person, written: str) -> bool:
    """True where the family name stands in what is written."""
    family = search_words(person.name)[-1:]
    return bool(family) and family[0] in search_words(written)


def _is_of_firm(person: Person, written: str) -> bool:
    firm = search_words(person.firm)[:1]
    return bool(firm) and firm[0] in search_words(written)


def _holds_office(person: Person, written: str) -> bool:
    return any(office.search(written) and office.search(person.role) for office in office_patterns())


def _of_speaker(request: SpeechRequest, sentences: Sequence[_Said]) -> list[_Said]:
    """The sentences of whoever the question says speaks: by name, by office, or as one of those who answer."""
    for is_meant in (_is_named, _holds_office):
        own = [said for said in sentences if is_meant(said.turn.person, request.speaker)]
        if own:
            return own
    is_open = request.is_of_management or request.kind == "exchange"
    return [said for said in sentences if not said.turn.asks and not said.turn.person.is_operator] if is_open else []


# --- what is quoted


def _fit(said: _Said) -> float:
    return said.fit


def _asking(said: _Said) -> float:
    """The fit of a sentence among those with which an analyst leads up to a question."""
    return said.fit + _ASKS * is_request(said.quote.text)


def _best(sentences: Iterable[_Said]) -> float:
    return max(map(_fit, sentences), default=0.0)


def _in_order(sentences: Iterable[_Said]) -> list[_Said]:
    return sorted(sentences, key=lambda said: (said.quote.evidence.source, said.quote.start))


def _nearest(sentences: Sequence[_Said], most: int) -> list[_Said]:
    """The best sentences, those that are not far behind the first."""
    ranked = sorted(sentences, key=lambda said: -said.fit)[:most]
    return [said for said in ranked if said.fit >= ranked[0].fit - _BEHIND]


def _at_a_stretch(sentences: Sequence[_Said], said: _Said) -> list[_Said]:
    """All that is said in the turn of a sentence, where that is short; else nothing."""
    own = [other for other in sentences if other.turn is said.turn]
    return own if own[-1].quote.end - own[0].quote.start <= _WHOLE else []


def _question_of(exchange: _Exchange) -> list[_Said]:
    """The sentences that ask, and of these the ones on the topic."""
    asking = [replace(said, fit=_asking(said)) for said in exchange.asked]
    best = max(asking, key=_fit)
    return _at_a_stretch(asking, best) or _in_order(_nearest(asking, _MOST_ASKED))


def _answer_of(
    plan: QuestionPlan,
    embedder: Embedder | None,
    request: SpeechRequest,
    exchange: _Exchange,
    question: Sequence[_Said],
) -> list[_Said]:
    """The sentences that answer the question quoted best, of whom the question says answers."""
    answers = _of_speaker(request, exchange.answered) or exchange.answered
    if not answers:
        return []
    asked = _Topic.of(plan, embedder, " ".join(said.quote.text for said in question))
    source, ids = answers[0].quote.evidence.source, {said.quote.evidence.id for said in answers}
    similar = {quote.start: quote.similarity for quote in _quotes(plan, source, asked, ids)}
    scored: list[_Said] = []
    for said in answers:
        fit = said.fit + similar[said.quote.start] + asked.share(said.quote.text)
        scored.append(replace(said, fit=fit))
    best = max(scored, key=_fit)
    opening = [said for said in scored if said.turn is best.turn and similar[said.quote.start] >= _LIKE][:1]
    told = {said.quote.start: said for said in (*opening, *_nearest(scored, _MOST_ANSWERED))}
    return _at_a_stretch(scored, best) or _in_order(told.values())


def _said_by(plan: QuestionPlan, request: SpeechRequest, calls: Sequence[Sequence[_Said]]) -> list[_Said]:
    """What somebody said of the topic: the sentences that speak of it, or that answer a question about it; without a
    topic what somebody began with."""
    spoken: list[_Said] = []
    for call in calls:
        put = {said.quote.start: _best(exchange.asked) for exchange in _exchanges(call) for said in exchange.answered}
        for said in _of_speaker(request, call):
            of_question = _OF_QUESTION * put.get(said.quote.start, 0.0)
            as_asked = form_fit(plan.asked, False, said.quote.text)
            spoken.append(replace(said, fit=said.fit + of_question + as_asked))
    if not request.topic:
        return _in_order(spoken)[:_MOST_LISTED]
    if _best(spoken) < _LEAST_FIT:
        return []
    return _in_order(_nearest(spoken, _MOST_LISTED))

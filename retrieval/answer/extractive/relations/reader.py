"""Reads the sentence that answers a question about relations where no statement of the graph does.

Each sentence is scored by the words asked that it and its neighbours hold, by its similarity to the question, and by
the kinds of answer wanted that it holds. The best one is quoted, with others that hold what it lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import TYPE_CHECKING

from .....core.names import is_chinese
from .....core.patterns import on_demand
from .....core.records import dataclass
from .....core.words import search_words
from .....ingest.sentences import split_text
from ....question.plan import QuestionPlan
from ....question.wording.answer_type import only_points
from ....search.evidence import Evidence
from ....search.rerankers.page_content import figures_in
from ....search.retrievers.relational_request import RelationalRequest
from ..quotables import is_row
from ..sentence_scoring import Quote
from .answer_kinds import AnswerKinds, HeldKinds
from .candidate_sentences import PassageReader, SearchedText, Sentence, keys_of_names, states_something

if TYPE_CHECKING:
    from .....models.embedders import Embedder

SURE = 1.65
"""Score from which nine answers of ten are right (dev parts of relational_questions); below it one of two is."""
_LEAST, _LEAST_CHINESE = 1.25, 0.95
"""Score of a sentence that may answer; vectors of an English encoder add little in Chinese."""
_HELD, _NOTHING_HELD = 0.35, 0.3
"""Given for all kinds of answer wanted, taken from a sentence that holds none."""
_OF_NAMED = 0.2
"""Given where the graph has read a statement about somebody named from the sentence."""
_OF_YEAR = 0.2
"""Given for a year asked, taken from a sentence of other years alone."""
_OF_FIGURE = 0.2
"""Given for a figure that the question prints ("95% of it"), taken from a sentence that prints none of them."""
_NO_PLAN = 0.3
"""Taken from what has happened where a plan is asked for."""
_NO_SELLER = 0.3
"""Taken from a sentence that names nobody from whom something is, where that is asked."""
_NO_RELATION = 0.3
"""Taken from a sentence that speaks of none of the relations asked, nor does what stands beside it."""
_NO_OTHER = 0.3
"""Taken from a sentence of a document on one of those named that speaks of none of the others."""
_VALUE = 0.15
"""Given for the full content value of the passage: covers and exhibits have little."""
_SENTENCE = 9
"""Words of a sentence; what is shorter is a heading."""
_HEADING, _TORN = 0.35, 0.15
"""Taken from a heading, and from what does not end as a sentence does."""
_CUE, _NAME = 1.5, 2.0
"""Weight of a word of the relation and of a name, in ordinary words of the question."""
_USUAL = 3.0
"""Weight of an ordinary word where the question has none."""
_NEAR = 0.6
"""Worth of what stands beside the sentence, to what stands in it."""
_LOOKED_AT = 60
"""The best sentences by themselves, of which it is looked at what stands beside them."""
_READ_ON = 12
"""The best sentences, behind which what is still wanted is looked for."""
_FURTHER, _AHEAD, _BACK = 3, 700, 450
"""Sentences behind one that may hold it; characters behind, and before where whoever is meant is named."""
_SIGNATURE = 120
"""Characters before a sentence in which a signature may stand."""
_FURTHER_WORTH = 0.7
"""Worth of a kind of answer in a further sentence, to one in the sentence itself."""
_MOST, _WORTH = 3, 0.9
_MOST_OF_MANY, _WORTH_OF_MANY = 6, 0.8
"""Sentences quoted, and the share of the best score that each needs; of lists and careers more."""
_SEVERAL, _WORTH_OF_OTHERS = 2, 0.7
"""Names of which each is to be told of, and the share of the best score that the sentence on each needs."""
_AS_GOOD = 0.95
"""Share of the best score of a sentence that is quoted though it holds nothing new."""
_ALIKE = 0.7
"""Share of words in common from which two sentences say the same."""
_YEAR = on_demand(r"\b(?:19|20)\d\d\b")
_PRONOUN = on_demand(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b")
_END = on_demand(r"[.!?。！？][\"”’）)」]*\s*$")
_REST = on_demand(r"[^.。！？|]{0,300}[.。！？]")
_SIGNED = on_demand(r"/s/[^|/]{3,100}$")
"""A signature that ends a text: "We have served as the auditor since 2000" stands below the auditor's."""
_SOMEBODY = frozenset({"person", "somebody"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence, grown by those behind it that belong to the answer, what it holds, and how well it answers."""

    sentence: Sentence
    held: HeldKinds
    score: float

    @property
    def is_row(self) -> bool:
        return is_row(self.sentence.item, self.sentence.text)


def relational_quotes(
    plan: QuestionPlan, request: RelationalRequest, embedder: Embedder | None, evidence: Sequence[Evidence]
) -> list[Quote]:
    """The sentences that answer, best first; none where no sentence answers well enough.

    ``answers`` of each says whether they hold all kinds of answer that are wanted.
    """
    reader = _Reader(plan, request)
    chosen = reader.chosen(reader.ranked(evidence, embedder))
    told = frozenset().union(*(one.held.kinds for one in chosen))
    quotes: list[Quote] = []
    for one in chosen:
        said = reader.whole(one.sentence)
        quotes.append(
            Quote(said.item, said.text, said.start, said.end, score=one.score, answers=told >= request.wanted)
        )
    return quotes


@dataclass(slots=True)
class _Reader:
    plan: QuestionPlan
    request: RelationalRequest
    passages: PassageReader = field(init=False)
    kinds: AnswerKinds = field(init=False)
    words: list[str] = field(init=False)
    """Search terms of the question."""
    names: list[tuple[str, ...]] = field(init=False)
    """Those named, each by the search terms of all its names."""
    figures: frozenset[str] = field(init=False)
    """Digits of those that the question prints."""
    weights: list[float] = field(init=False)
    """Of what :meth:`_met` tells, in its order: rare words weigh more, relations and names more than words."""

    def __post_init__(self) -> None:
        store, request = self.plan.store, self.request
        self.passages = PassageReader(self.plan, request)
        self.kinds = AnswerKinds.of(request, self.plan)
        self.names = list(map(keys_of_names, request.names))
        self.figures = frozenset(figure.digits for figure in figures_in(self.plan.asked.trimmed))
        frequency = store.document_frequency(set(request.rest))
        chunks = max(1, int(store.counts().get("chunks", 1)))
        self.words = list(request.rest)
        of_words = [math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in self.words]
        usual = sum(of_words) / len(of_words) if of_words else _USUAL
        of_cues = [_CUE * usual] * len(request.cues)
        of_names = [_NAME * usual] * (len(self.names) + bool(request.person))
        self.weights = [*of_words, *of_cues, *of_names]

    def ranked(self, evidence: Sequence[Evidence], embedder: Embedder | None) -> list[_Candidate]:
        """The sentences that may answer, the best first."""
        sentences = list(self.passages.sentences(evidence, embedder))
        sentences.sort(key=lambda sentence: -self._coverage(sentence, near=False) - sentence.cosine)
        fitting = (one for one in sentences if self.passages.speaks_of_named(one) and states_something(one.text))
        found = list(map(self._scored, islice(fitting, _LOOKED_AT)))
        found.sort(key=_worst_last)
        return sorted((*map(self._read_on, found[:_READ_ON]), *found[_READ_ON:]), key=_worst_last)

    # --- how well each answers

    def _scored(self, sentence: Sentence) -> _Candidate:
        held = self.kinds.held(sentence.text, self.passages.entities(sentence))
        score = self._coverage(sentence, near=True) + sentence.cosine + _VALUE * min(1.0, sentence.value)
        score += self._form(sentence) + self._years(sentence) + self._figures(sentence)
        if self.request.wanted:
            score += _HELD * held.worth if held.kinds else -_NOTHING_HELD
        if self.passages.is_stated(sentence):
            score += _OF_NAMED
        if not self.request.is_of_time(sentence.text):
            score -= _NO_PLAN
        if not self._speaks_of_relation(sentence):
            score -= _NO_RELATION
        if not self.passages.speaks_of_others(sentence):
            score -= _NO_OTHER
        if not self.request.tells_seller(sentence.text):
            score -= _NO_SELLER
        return _Candidate(sentence, held, score)

    def _speaks_of_relation(self, sentence: Sentence) -> bool:
        """True where a sentence or what stands beside it speaks of one of the relations asked, or none is."""
        beside = self.passages.around(sentence).text
        return not self.request.cues or self.request.speaks(f"{sentence.inside.text}\n{beside}")

    def _coverage(self, sentence: Sentence, *, near: bool) -> float:
        """Share of the words asked, of the relation's words and of the names that stand in a sentence, or ``near`` it.

        What stands beside it counts less.
        """
        met = self._met(sentence.inside)
        beside = self._met(self.passages.around(sentence)) if near else [False] * len(met)
        total = gained = 0.0
        for weight, is_inside, is_beside in zip(self.weights, met, beside, strict=True):
            total += weight
            gained += weight * _worth(inside=is_inside, near=is_beside)
        return gained / total if total else 0.0

    def _met(self, said: SearchedText) -> list[bool]:
        """Whether a text holds each word asked, speaks of each relation, and names each of those named."""
        words = [word in said.held for word in self.words]
        cues = [cue.is_said(said.text) for cue in self.request.cues]
        names = list(map(said.names, self.names))
        person = self.request.person
        if person:
            names.append(person in said.held or person in said.text)
        return [*words, *cues, *names]

    def _form(self, sentence: Sentence) -> float:
        if is_row(sentence.item, sentence.text):
            return 0.0
        if not is_chinese(sentence.text) and len(sentence.text.split()) < _SENTENCE:
            return -_HEADING
        return 0.0 if _END.search(sentence.text) else -_TORN

    def _years(self, sentence: Sentence) -> float:
        asked = self.plan.asked.years
        said = set(map(int, _YEAR.findall(sentence.text))) if asked else set()
        if not said:
            return 0.0
        return _OF_YEAR if said.intersection(asked) else -_OF_YEAR

    def _figures(self, sentence: Sentence) -> float:
        if not self.figures:
            return 0.0
        is_printed = any(figure.digits in self.figures for figure in figures_in(sentence.text))
        return _OF_FIGURE if is_printed else -_OF_FIGURE

    # --- what belongs to it

    def _read_on(self, one: _Candidate) -> _Candidate:
        """A sentence grown by the signature above it, or by those beside it, where they hold what else is wanted."""
        missing = self.request.wanted - one.held.kinds
        if not missing or one.is_row:
            return one
        sentence = one.sentence
        text = self.passages.text(sentence.item.source)
        start = self._signed_from(text, sentence.start)
        new = self.kinds.kinds_in(text[start : sentence.start]) & missing
        if new:
            return self._grown(one, new, start, sentence.end, text)
        best, told = one, 0
        for start, end in self._beside(sentence, text):
            further = text[start:end]
            new = self.kinds.kinds_in(further) & missing
            if len(new) > told and "|" not in further and not only_points(further):
                best, told = self._grown(one, new, min(start, sentence.start), max(end, sentence.end), text), len(new)
        return best

    def _beside(self, sentence: Sentence, text: str) -> Iterator[tuple[int, int]]:
        """Where the next sentences stand that may hold what one lacks: those behind it, then the one before it, where
        that speaks of the relation ("In May 2014 we made an agreement with Bolt. It licenses Zelotor to us.")."""
        for span in split_text(text[sentence.end : sentence.end + _AHEAD])[:_FURTHER]:
            yield sentence.end + span.start, sentence.end + span.end
        begin = max(0, sentence.start - _BACK)
        for span in split_text(text[begin : sentence.start])[-1:]:
            if self.request.speaks(text[begin + span.start : begin + span.end]):
                yield begin + span.start, begin + span.end

    def _signed_from(self, text: str, start: int) -> int:
        """Where the signature begins that stands right before a place; the same place where none does."""
        begin = max(0, start - _SIGNATURE)
        signed = _SIGNED.search(text[begin:start])
        return begin + signed.start() if signed else start

    def _grown(self, one: _Candidate, new: frozenset[str], start: int, end: int, text: str) -> _Candidate:
        """A sentence with what stands beside it from ``start`` to ``end``, which holds ``new`` kinds of answer."""
        gain = _FURTHER_WORTH * _HELD * self.kinds.worth_unseen(new)
        gain += 0.0 if one.held.kinds else _NOTHING_HELD
        grown = replace(one.sentence, text=text[start:end], start=start, end=end)
        return _Candidate(grown, replace(one.held, kinds=one.held.kinds | new), one.score + gain)

    def whole(self, sentence: Sentence) -> Sentence:
        """A torn sentence to its end; one that speaks of "she" with the sentence before it that names her."""
        if is_row(sentence.item, sentence.text):
            return sentence
        text = self.passages.text(sentence.item.source)
        start, end = sentence.start, sentence.end
        if not _END.search(sentence.text):
            rest = _REST.match(text, end)
            end = rest.end() if rest else end
        is_of_somebody = not _SOMEBODY.isdisjoint(self.request.wanted) and _PRONOUN.search(sentence.text) is not None
        if is_of_somebody and not self.passages.names_person(sentence.text):
            start = self._named_before(text, start)
        return replace(sentence, text=text[start:end], start=start, end=end)

    def _named_before(self, text: str, start: int) -> int:
        """Where the nearest sentence before begins that names a person; the same place where none does."""
        begin = max(0, start - _BACK)
        for span in reversed(split_text(text[begin:start])):
            said = text[begin + span.start : begin + span.end]
            if self.passages.names_person(said) and "|" not in said:
                return begin + span.start
        return start

    # --- which of them are quoted

    def chosen(self, ranked: Sequence[_Candidate]) -> list[_Candidate]:
        """The best one, what holds what it lacks, and others of a list or a career."""
        least = _LEAST_CHINESE if is_chinese(self.plan.text) else _LEAST
        if not ranked or ranked[0].score < least:
            return []
        chosen = [ranked[0]]
        is_many = self.request.wants_all or "career" in self.request.wanted
        most, worth = (_MOST_OF_MANY, _WORTH_OF_MANY) if is_many else (_MOST, _WORTH)
        for one in ranked[1:]:
            if len(chosen) >= most or one.score < worth * ranked[0].score:
                break
            if self._adds(one, chosen):
                chosen.append(one)
        return self._with_others(ranked, chosen)

    def _with_others(self, ranked: Sequence[_Candidate], chosen: list[_Candidate]) -> list[_Candidate]:
        """And the best sentence on each of several named of whom none chosen speaks: "stakes in Bolt and in Crux"."""
        if len(self.names) < _SEVERAL:
            return chosen
        least = _WORTH_OF_OTHERS * chosen[0].score
        fitting = [one for one in ranked if one.score >= least]
        told = list(chosen)
        for keys in self.names:
            own = [one for one in fitting if one.sentence.inside.names(keys)]
            if own and not any(map(told.__contains__, own)):
                told.append(own[0])
        return told

    def _adds(self, one: _Candidate, chosen: Sequence[_Candidate]) -> bool:
        """True for a sentence that holds a kind of answer, a name of a list or a part of a career not yet told."""
        if any(_says_the_same(one.sentence, other.sentence) for other in chosen):
            return False
        told = frozenset().union(*(other.held.kinds for other in chosen))
        if one.held.kinds - told:
            return True
        if self.request.wants_all:
            named = frozenset().union(*(other.held.named for other in chosen))
            return bool(one.held.named - named)
        if self.request.person and "career" in self.request.wanted:
            is_beside = one.sentence.item.page == chosen[0].sentence.item.page
            return is_beside and "career" in one.held.kinds
        return one.score >= _AS_GOOD * chosen[0].score


def _worst_last(one: _Candidate) -> float:
    return -one.score


def _worth(*, inside: bool, near: bool) -> float:
    if inside:
        return 1.0
    return _NEAR if near else 0.0


def _says_the_same(one: Sentence, other: Sentence) -> bool:
    """True for two that overlap or share most of their words."""
    if one.item.source == other.item.source and one.start < other.end and other.start < one.end:
        return True
    first, second = set(search_words(one.text)), set(search_words(other.text))
    return len(first & second) >= _ALIKE * max(1, min(len(first), len(second)))

"""Sentences of the evidence, scored by how well they answer: what an extractive answer quotes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from ....core.names import has_legal_form
from ....core.patterns import PatternTable, on_demand
from ....core.quantity import find_amounts
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import share
from ....core.words import question_words, search_words, word_borders
from ...question.plan import QuestionPlan
from ...question.question import Question
from ...question.scope.catalogue import CALL
from ...question.wording.answer_type import Expected, asks_amount, form_fit, only_points
from ...search.evidence import TEXTS, Evidence
from ...search.index.spaces import question_vectors
from .quotables import (
    StoredChunk,
    cells_of,
    is_row,
    quotable,
    row_section,
    statement,
    stored_chunks,
    table_head,
    table_lead,
)
from .requirements.base import reports_apart
from .requirements.subject import SubjectRequirement
from .subject_fit import SubjectFit, read_subject_fit

if TYPE_CHECKING:
    import numpy as np

    from ....ingest.formats.transcript import SpokenTurn
    from ....models.embedders import Embedder

Features = Mapping[str, float]
"""What a sentence is scored by: name, as in ``sentence_weights.toml``, and value; what is absent counts nothing."""
_SYNONYM = 0.5
"""Worth of a word that a synonym rule added, next to one that was asked."""
_YEARS_BACK, _YEARS_AHEAD = 6, 3
"""Years around a document's own of which it may speak without naming them."""
_ANSWERING = 0.9
"""Worth of the words of a question for the sentences that answer it in the document: they need not repeat them."""
_FIGURE = on_demand(r"\d{1,3}(?:[,.]\d{1,3}){1,6}")
_ASKS = on_demand(r"[?？][\"”’）)」]{0,3}\s{0,3}\Z")
_PUT_BEFORE = on_demand(
    r"(?P<question>[^\n.!?。！？]{9,400}[?？])[\"”’）)」]{0,3}(?:[ \t]{0,3}\n{1,3}[^\n.!?。！？]{0,80})?\s{0,3}\Z"
)
_LONGEST_PUT = 500
_TALK = PatternTable(__package__, "speech.toml")


def _is_figure(item: Evidence, text: str) -> bool:
    return item.kind == "fact" or is_row(item, text)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, a table's row or a graph's statement; ``start`` and ``end`` are offsets in the document's text."""

    evidence: Evidence
    text: str
    start: int
    end: int
    words: float = 0.0
    """Share of the question's words that it holds, rare words weighing more; words of the whole document left out."""
    similarity: float = 0.0
    score: float = 0.0
    held: Mapping[str, float] = field(default_factory=dict)
    """The words of the question that it holds, with their weights."""
    answers: bool = True
    """It holds the kind of answer expected."""
    is_talk: bool = False
    """It asks in a call, or runs it: nothing is told by it beside another."""

    @property
    def is_figure(self) -> bool:
        """True for a row of a table and for a fact."""
        return _is_figure(self.evidence, self.text)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for: its words with their weights, and the kind of answer."""

    question: Question
    expected: Expected
    words: Mapping[str, float]
    added: Mapping[str, float]
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Words that stand one behind the other."""
    figures: frozenset[str] = frozenset()
    """Figures as the question writes them: what is asked is whose they are."""
    names_figure: bool = False
    in_words: bool = False
    """A sentence answers, not a figure."""
    subject: SubjectFit = SubjectFit()

    def coverage(self, given: frozenset[str], there: Collection[str]) -> tuple[float, dict[str, float]]:
        """Share 0..1 of the words that are among search terms, and those words with their weights.

        What the document says of itself (``given``) holds for every sentence of it, and is left out.
        """
        wanted = {word: weight for word, weight in self.words.items() if word not in given}
        total = sum(wanted.values())
        if not total:
            return 1.0, {}
        held = {word: weight for word, weight in (*wanted.items(), *self.added.items()) if word in there}
        return min(1.0, sum(held.values()) / total), held

    def form(self, item: Evidence, text: str, words: float, answers: bool) -> Features:
        """What tells by its form whether a sentence answers: the amount or the kind of answer asked for, its shape."""
        in_words = self.in_words or self.subject.asks_whether
        found = {"number": float(not in_words and any(map(str.isdigit, text)))}
        if self.question.numeric and find_amounts(text):
            found.update(amount=1.0, number=float(not in_words))
        if self.expected.has_signs:
            found["kind held" if answers else "kind absent"] = 1.0
        if _is_figure(item, text):
            return {**found, **self._figure_form(item, text, words, answers)}
        return {**found, **self._prose_form(text)}

    def _figure_form(self, item: Evidence, text: str, words: float, answers: bool) -> Features:
        if self.names_in_row(item, text) or (self.expected.role and answers):
            return {}
        if self.in_words:
            return {"figure for reason" if self.expected.kind == "reason" else "figure for words": 1.0}
        return {"fact": 1.0} if item.kind == "fact" else {"row name": self._row_name(text, min(1.0, 2 * words))}

    def _prose_form(self, text: str) -> Features:
        return {
            "outlook": 0.0 if self.in_words else form_fit(self.question, self.names_figure, text),
            "pointer": float(only_points(text)),
            "defines": self.subject.defined_share(text),
        }

    def names_in_row(self, item: Evidence, text: str) -> bool:
        """True for a row of a list of companies, where names are asked for: what it lists stands over the table."""
        return self.expected.kind == "name" and is_row(item, text) and has_legal_form(_first_cell(text))

    def _row_name(self, row: str, share: float) -> float:
        """Share of a row's name that was asked for, for this share of the question."""
        words = search_words(_first_cell(row))
        return share * sum(map(self._worth_of, words)) / max(1, len(words))

    def _worth_of(self, word: str) -> float:
        if word in self.words:
            return 1.0
        return _SYNONYM if word in self.added else 0.0


def _first_cell(row: str) -> str:
    return cells_of(row)[0]


def asks_for_words(plan: QuestionPlan) -> bool:
    """True where sentences answer and no figure does, by the kind of answer or by how the question is worded."""
    if plan.expected.in_words:
        return True
    if plan.asked.numeric or plan.expected.kind:
        return False
    return plan.figures.route == "text" or not (plan.figures.names_figure or asks_amount(plan.asked.trimmed))


def score_quotes(
    plan: QuestionPlan, embedder: Embedder | None, evidence: Sequence[Evidence], names: SubjectRequirement
) -> list[Quote]:
    """All sentences of the evidence that speaks of whom the question names, best first."""
    found = [quote for quote, _ in quotes_with_features(plan, embedder, evidence, names)]
    return sorted(found, key=lambda quote: -quote.score)


def quotes_with_features(
    plan: QuestionPlan, embedder: Embedder | None, evidence: Sequence[Evidence], names: SubjectRequirement
) -> Iterator[tuple[Quote, Features]]:
    """As :func:`score_quotes`, in the order of the evidence, each with what its score is the weighted sum of."""
    sources = [item.source for item in evidence if item.kind in TEXTS]
    calls = {record.source for record in plan.catalogue.records_from(sources) if record.kind == CALL}
    text_of = cache(plan.store.text)
    turns = cache(lambda source: _turns(text_of(source)) if source in calls else ())
    scorer = _Scorer(_asked(plan, sources), names, text_of, calls, turns)
    vector, beside = question_vectors(embedder, {plan.asked.trimmed: 1.0})
    spoken = [item for item in evidence if names.are_met(item.source, " ".join((item.text, *item.headings)))]
    chunks = stored_chunks(plan.store, spoken, vector, beside)
    told = _told(embedder, spoken, vector)
    standing, fitting = _standing(spoken), set(plan.selection.sources)
    for item in spoken:
        chunk = chunks.get(item.id, StoredChunk())
        is_beside = bool(plan.asked.periods) and item.source not in fitting
        passage = {"standing": standing(item), "low value": 1 - chunk.value, "other report": float(is_beside)}
        yield from scorer.quotes_of(item, chunk, passage, told.get(item.id, 0.0))


def score_of(features: Features) -> float:
    """The weighted sum of features; the weights are learned (``python -m benchmarks.sentence_weights``)."""
    weights: Features = load_rules(__package__, "sentence_weights.toml")["weight"]
    return sum(weights[name] * value for name, value in features.items())


@dataclass(frozen=True, slots=True)
class _Put:
    """The question in the document that the sentences behind it answer, with its similarity; "" where there is none."""

    text: str = ""
    cosine: float = 0.0


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scores the sentences of a piece of evidence by the words asked, by similarity, form and subject."""

    asked: _Asked
    names: SubjectRequirement
    text_of: Callable[[str], str]
    """The text of a document, read once a question."""
    calls: Collection[str]
    """The documents in which people speak."""
    turns: Callable[[str], Sequence[tuple[SpokenTurn, str]]]
    """The turns of a call, each with the question that it answers; none of another document."""

    def spoken_at(self, source: str, place: int) -> tuple[bool, bool, str]:
        """Whether who speaks at a place of a call asks there, and runs the call; and the question that is answered."""
        here = ((turn, question) for turn, question in self.turns(source) if turn.start <= place < turn.end)
        told = ((turn.asks, turn.person.is_operator, question) for turn, question in here)
        return next(told, (False, False, ""))

    def before(self, item: Evidence) -> str:
        """The question right before a passage, but for the name of who answers, or in a call the one that is answered
        there; "" where none is."""
        *_, question = self.spoken_at(item.source, item.start)
        if question:
            return question
        found = _PUT_BEFORE.search(self.text_of(item.source)[max(0, item.start - _LONGEST_PUT) : item.start])
        return found["question"] if found else ""

    def quotes_of(
        self, item: Evidence, chunk: StoredChunk, passage: Features, similarity: float
    ) -> Iterator[tuple[Quote, Features]]:
        """Its sentences; ``passage`` are features of the piece itself, ``similarity`` that of a graph's statement."""
        asked, given = self.asked, self.names.given(item.source)
        put = _Put(self.before(item))
        parts = quotable(item, chunk.spans, similarity)
        terms = [asked.subject.terms(text) for text, *_ in parts]
        titles = asked.subject.terms("\n".join(item.headings))
        whole, _ = asked.coverage(given, titles.union(*terms))
        for place, (text, start, end, cosine) in enumerate(parts):
            if not _of_years(asked.question, text, item, self.names):
                continue
            said = terms[place] | titles | asked.subject.terms(self._over(item, text, start))
            words, held = asked.coverage(given, said)
            if put.text:
                with_question, held = asked.coverage(given, said | asked.subject.terms(put.text))
                words += _ANSWERING * (with_question - words)
                cosine = max(cosine, _ANSWERING * put.cosine)
            if _ASKS.search(text):
                put = _Put(text, cosine)
            head = table_head(item) if is_row(item, text) else ""
            answers = asked.expected.is_held(f"{head} {text}")
            beside = [] if is_row(item, text) else terms[max(0, place - 1) : place + 2]
            talk = talk_of(text, *self.spoken_at(item.source, start)[:2]) if item.source in self.calls else {}
            features = {
                **passage,
                "similarity": cosine,
                "words": words,
                "words beside": asked.coverage(given, said.union(*beside))[0],
                "words of passage": whole,
                "pairs of words": share(asked.pairs & set(pairwise(search_words(text))), asked.pairs),
                "figures": share(asked.figures.intersection(_FIGURE.findall(text)), asked.figures),
                **asked.form(item, text, words, answers),
                **talk,
            }
            if not _is_figure(item, text):
                features.update(asked.subject.signs(text, held))
            score = score_of(features)
            yield Quote(item, text, start, end, words, cosine, score, held, answers, bool(talk)), features

    def _over(self, item: Evidence, text: str, start: int) -> str:
        """What stands over a row: heads of the columns, section, and of a list of companies what introduces it."""
        over = table_lead(item) if self.asked.names_in_row(item, text) else table_head(item)
        return f"{over}\n{row_section(item, start)}" if is_row(item, text) else over


def talk_of(text: str, asks: bool = False, runs: bool = False) -> Features:
    """What a sentence of a call does beside telling something: asks, or runs the call.

    >>> [*talk_of("Maybe just talk about margins."), *talk_of("Jo, maybe you want to take that."), *talk_of("It rose.")]
    ['asks', 'runs the call']
    """
    if runs or _TALK.any("runs_call", text):
        return {"runs the call": 1.0}
    return {"asks": 1.0} if asks or _TALK.any("requests", text) else {}


def _turns(text: str) -> Sequence[tuple[SpokenTurn, str]]:
    from ....ingest.formats.transcript import turns_with_questions  # a reader: loaded with the first answer of a call

    return turns_with_questions(text)


def _standing(evidence: Sequence[Evidence]) -> Callable[[Evidence], float]:
    """How an item stands to the best of its kind, 0..1; texts and tables are of one ranking."""
    best: dict[bool, float] = {}
    for item in evidence:
        of_text = item.kind in TEXTS
        best[of_text] = max(item.score, best.get(of_text, 0.0))
    return lambda item: max(0.0, item.score) / (best[item.kind in TEXTS] or 1.0)


def _of_years(question: Question, text: str, item: Evidence, names: SubjectRequirement) -> bool:
    """False where years are asked that neither the text names nor its document can speak of."""
    last = names.years.get(item.source)
    if not question.years or last is None:
        return True
    may_speak_of = range(last - _YEARS_BACK, last + _YEARS_AHEAD + 1)
    said = f"{text} {table_head(item)}"
    return any(year in may_speak_of or str(year) in said for year in question.years)


def _told(embedder: Embedder | None, evidence: Sequence[Evidence], vector: np.ndarray | None) -> dict[str, float]:
    """Id of a relation -> similarity of its sentence to the question."""
    said = {item.id: statement(item) for item in evidence if item.kind == "relation"}
    if embedder is None or vector is None or not said:
        return {}
    return {
        key: max(0.0, float(row @ vector)) for key, row in zip(said, embedder.embed(list(said.values())), strict=True)
    }


def _asked(plan: QuestionPlan, sources: Sequence[str]) -> _Asked:
    store, question = plan.store, plan.asked
    years = set(map(str, question.years))
    words = set(question_words(question.trimmed)) | years
    if reports_apart(plan):
        words -= years  # each report is of its own year: another one in it is one that it compares with
    expansion = plan.vocabulary.synonyms.expand(question.trimmed)
    added = set(search_words(expansion.text)) - words
    frequency = store.document_frequency(words | added)
    words -= word_borders(question_words(question.trimmed), frequency)
    chunks = max(1, int(store.counts().get("chunks", 1)))

    def weights(chosen: set[str], share: float) -> dict[str, float]:
        return {word: share * math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in chosen}

    own = weights(words, 1.0)
    subject = read_subject_fit(plan, sources)
    pairs = frozenset(pairwise(search_words(question.trimmed)))
    figures = frozenset(_FIGURE.findall(question.trimmed))
    added_words = weights(added, _SYNONYM)
    in_words = asks_for_words(plan)
    return _Asked(question, plan.expected, own, added_words, pairs, figures, expansion.names_figure, in_words, subject)

"""Sentences of the evidence, scored by how well they answer: what an extractive answer quotes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING

from ....core.names import has_legal_form, is_chinese
from ....core.patterns import on_demand
from ....core.quantity import find_quantities
from ....core.records import dataclass
from ....core.words import question_words, search_words
from ...question.plan import QuestionPlan
from ...question.question import Question
from ...question.wording.answer_type import Expected, form_fit, only_points
from ...search.evidence import Evidence
from ...search.index.spaces import question_vectors
from .quotables import (
    TEXT_KINDS,
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

    from ....models.embedders import Embedder

_SYNONYM = 0.5
"""Worth of a word that a synonym rule added, next to one that was asked."""
_RANK = 0.2
"""Worth of standing in the best piece of evidence of its kind, next to shared words (0..1) and similarity (0..1)."""
_EMPTY = 0.4
"""Taken, in full, from a chunk without any content value: boilerplate, contacts, disclaimers."""
_AMOUNT = 0.1
"""Worth of holding an amount where one is asked for."""
_ROW_NAME = 0.4
"""Worth of a row whose whole name was asked for, where the row holds half of the question."""
_ROW_WORD, _ROW_WORDS = 0.1, 4
"""Worth of each further word of such a name, up to four: "total current liabilities" is not "total current"."""
_FACT = 0.5
"""Worth of a fact: it was chosen by the metric, company and period asked for."""
_NO_SENTENCE = 0.2
"""Taken from what does not begin or end as a sentence does: a heading, a line of a list, a torn half."""
_POINTER = 0.6
"""Taken from a sentence that only points elsewhere."""
_HELD, _NOT_HELD = 0.15, 0.3
"""Given for the kind of answer expected (a name, a day, a reason), taken where a sentence holds none."""
_FIGURE_FOR_WORDS = 0.6
"""Taken from rows and facts where words are asked for."""
_NEARLY = 0.8
"""Share of the best score from which a sentence with the kind of answer expected goes first."""
_YEARS_BACK, _YEARS_AHEAD = 6, 3
"""Years around a document's own of which it may speak without naming them."""
_FRAGMENT, _FRAGMENT_WORDS = 0.4, 5
"""Taken from what has fewer words than a sentence: a heading, a name."""
_ANSWERING = 0.9
"""Worth of the words of a question for the sentences that answer it in the document: they need not repeat them."""
_ASKS = on_demand(r"[?？][\"”’）)」]{0,3}\s{0,3}\Z")
_PUT_BEFORE = on_demand(
    r"(?P<question>[^\n.!?。！？]{9,400}[?？])[\"”’）)」]{0,3}(?:[ \t]{0,3}\n{1,3}[^\n.!?。！？]{0,80})?\s{0,3}\Z"
)
_LONGEST_PUT = 500
_END = on_demand(r"[.!?。！？][\"”’）)」]*\s*$")


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
    names_figure: bool = False
    subject: SubjectFit = SubjectFit()

    def coverage(self, given: frozenset[str], texts: Iterable[str]) -> tuple[float, dict[str, float]]:
        """Share 0..1 of the words that the texts hold, and those words with their weights.

        What the document says of itself (``given``) holds for every sentence of it, and is left out.
        """
        wanted = {word: weight for word, weight in self.words.items() if word not in given}
        total = sum(wanted.values())
        if not total:
            return 1.0, {}
        there: set[str] = set()
        for text in texts:
            there |= self.subject.terms(text)
        held = {word: weight for word, weight in (*wanted.items(), *self.added.items()) if word in there}
        return min(1.0, sum(held.values()) / total), held

    def form(self, item: Evidence, text: str, words: float, answers: bool) -> float:
        """What the form of a sentence is worth: an amount where one is asked for, a row of the name asked for."""
        holds_amount = self.question.numeric and find_quantities(text)
        worth = _AMOUNT if holds_amount else 0.0
        if self.expected.has_signs:
            worth += _HELD if answers else -_NOT_HELD
        if _is_figure(item, text):
            return worth + self._figure_form(item, text, words, answers)
        return worth + self._prose_form(item, text)

    def _figure_form(self, item: Evidence, text: str, words: float, answers: bool) -> float:
        if self.names_in_row(item, text) or (self.expected.role and answers):
            return 0.0
        if self.expected.in_words:
            return -_FIGURE_FOR_WORDS
        if item.kind == "fact":
            return _FACT
        return min(1.0, 2 * words) * self._named(text)

    def _prose_form(self, item: Evidence, text: str) -> float:
        worth = 0.0 if self.expected.in_words else form_fit(self.question, self.names_figure, text)
        is_fragment = len(text.split()) < _FRAGMENT_WORDS and not is_chinese(text)
        is_whole = _END.search(text) and not text.lstrip()[:1].islower()
        is_torn = item.kind in ("chunk", "figure") and not is_whole
        return worth - _POINTER * only_points(text) - _FRAGMENT * is_fragment - _NO_SENTENCE * is_torn

    def names_in_row(self, item: Evidence, text: str) -> bool:
        """True for a row of a list of companies, where names are asked for: what it lists stands over the table."""
        return self.expected.kind == "name" and is_row(item, text) and has_legal_form(_first_cell(text))

    def _named(self, row: str) -> float:
        """Worth of a row by its name: by the share of it that was asked for, and by how many words that are."""
        words = search_words(_first_cell(row))
        met = sum(map(self._worth_of, words))
        if not met:
            return 0.0
        further = max(0.0, min(met, _ROW_WORDS) - 1)
        return (_ROW_NAME + _ROW_WORD * further) * met / len(words)

    def _worth_of(self, word: str) -> float:
        if word in self.words:
            return 1.0
        return _SYNONYM if word in self.added else 0.0


def _first_cell(row: str) -> str:
    return cells_of(row)[0]


def score_quotes(
    plan: QuestionPlan, embedder: Embedder | None, evidence: Sequence[Evidence], names: SubjectRequirement
) -> list[Quote]:
    """All sentences of the evidence that speaks of whom the question names, best first.

    Where one that holds the kind of answer expected is nearly as good as the best one, it comes first.
    """
    sources = [item.source for item in evidence if item.kind in TEXT_KINDS]
    scorer = _Scorer(_asked(plan, sources), names, cache(plan.store.text))
    vector, beside = question_vectors(embedder, {plan.asked.trimmed: 1.0})
    spoken = [item for item in evidence if names.are_met(item.source, " ".join((item.text, *item.headings)))]
    chunks = stored_chunks(plan.store, spoken, vector, beside)
    told = _told(embedder, spoken, vector)
    standing = _standing(spoken)
    found: list[Quote] = []
    for item in spoken:
        chunk = chunks.get(item.id, StoredChunk())
        base = _RANK * standing(item) - _EMPTY * (1 - chunk.value)
        found.extend(scorer.quotes_of(item, chunk, base, told.get(item.id, 0.0)))
    found.sort(key=lambda quote: -quote.score)
    first = next((quote for quote in found if quote.answers and quote.score >= _NEARLY * found[0].score), None)
    if first is None:
        return found
    return [first, *(quote for quote in found if quote is not first)]


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

    def before(self, item: Evidence) -> str:
        """The question right before a passage, but for the name of who answers; "" where none stands there."""
        found = _PUT_BEFORE.search(self.text_of(item.source)[max(0, item.start - _LONGEST_PUT) : item.start])
        return found["question"] if found else ""

    def quotes_of(self, item: Evidence, chunk: StoredChunk, base: float, similarity: float) -> Iterator[Quote]:
        """Its sentences; ``base`` is the worth of the piece itself, ``similarity`` that of a graph's statement."""
        given = self.names.given(item.source)
        put = _Put(self.before(item))
        for text, start, end, cosine in quotable(item, chunk.spans, similarity):
            if not _of_years(self.asked.question, text, item, self.names):
                continue
            said = self._said_of(item, text, start)
            words, held = self.asked.coverage(given, said)
            if put.text:
                with_question, held = self.asked.coverage(given, [*said, put.text])
                words += _ANSWERING * (with_question - words)
                cosine = max(cosine, _ANSWERING * put.cosine)
            if _ASKS.search(text):
                put = _Put(text, cosine)
            answers = self.asked.expected.is_held(f"{table_head(item)} {text}")
            score = base + words + cosine + self.asked.form(item, text, words, answers)
            if not _is_figure(item, text):
                score += self.asked.subject.score(text, held)
            yield Quote(item, text, start, end, words, cosine, score, held, answers)

    def _said_of(self, item: Evidence, text: str, start: int) -> list[str]:
        """The texts that say what a sentence is about: itself, and what stands over it."""
        over = table_lead(item) if self.asked.names_in_row(item, text) else table_head(item)
        section = row_section(item, start) if is_row(item, text) else ""
        return [text, section, over, *item.headings]


def _standing(evidence: Sequence[Evidence]) -> Callable[[Evidence], float]:
    """How an item stands to the best of its kind, 0..1; texts and tables are of one ranking."""
    best: dict[bool, float] = {}
    for item in evidence:
        of_text = item.kind in TEXT_KINDS
        best[of_text] = max(item.score, best.get(of_text, 0.0))
    return lambda item: max(0.0, item.score) / (best[item.kind in TEXT_KINDS] or 1.0)


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
    chunks = max(1, int(store.counts().get("chunks", 1)))

    def weights(chosen: set[str], share: float) -> dict[str, float]:
        return {word: share * math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in chosen}

    own = weights(words, 1.0)
    subject = read_subject_fit(plan, own, sources)
    return _Asked(question, plan.expected, own, weights(added, _SYNONYM), expansion.names_figure, subject)

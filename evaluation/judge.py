"""Who says whether an answer is supported: what every judge gives, the paper's four measures, and a judge by rules.

The rules are those that check answers: figures, names, times, denials and shared words. They are deterministic and
free, but no substitute for reading, as they cannot follow a paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..core.errors import ModelError
from ..core.quantity import find_quantities
from ..core.words import question_words, search_words
from ..ingest.sentences import split_text
from ..retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from ..retrieval.answer.generative.grounding.figure_check import FigureChecker
from .metrics import rag

if TYPE_CHECKING:
    from ..models.embedder import Embedder

    Measure = Callable[["Judge", Embedder | None, "Case"], float | None]


class JudgeError(ModelError):
    """A judge's reply that holds no verdicts; the measure that it was for is left out of that question."""


QUESTIONS = 3
"""Questions generated from an answer, as in RAGAS."""


class Judge(Protocol):
    """Gives the verdicts that the measures are made of. ``name`` stands in every report: a model's, or "rules"."""

    name: str

    def statements(self, question: str, answer: str) -> list[str]:
        """What the answer claims, one claim each, understandable alone."""

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """For each statement, whether the contexts together support it."""

    def questions(self, answer: str, n: int) -> list[str]:
        """Up to ``n`` questions that the answer would answer."""

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """For each context, whether it helps to arrive at the reference answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the answer under judgement, what it was made from, and the right answer where one is known.

    ``contexts`` is None where nobody knows what the answer was made from, and empty where nothing was found.
    """

    question: str
    answer: str
    contexts: tuple[str, ...] | None = ()
    reference: str = ""


def rag_scores(judge: Judge, embedder: Embedder | None, case: Case) -> dict[str, float]:
    """Faithfulness, answer relevancy (with an embedder), context precision and context recall (with a reference).

    What cannot be measured is left out: faithfulness without a context or a claim, all three without known contexts,
    and what the judge gave no verdict on.
    """
    scores: dict[str, float] = {}
    for name, measure in _MEASURES.items():
        try:
            value = measure(judge, embedder, case)
        except JudgeError:
            continue
        if value is not None:
            scores[name] = value
    return scores


def _faithfulness(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    claims = judge.statements(case.question, case.answer) if case.contexts else []
    return rag.faithfulness(judge.supported(claims, case.contexts or ())) if claims else None


def _answer_relevancy(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if embedder is None:
        return None
    vectors = embedder.embed([case.question, *judge.questions(case.answer, QUESTIONS)])
    return rag.answer_relevancy(vectors[0], vectors[1:])


def _context_precision(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if not case.reference or case.contexts is None:
        return None
    return rag.context_precision(judge.relevant(case.question, case.reference, case.contexts) if case.contexts else [])


def _context_recall(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if not case.reference or case.contexts is None:
        return None
    sentences = judge.statements(case.question, case.reference)
    if not sentences:
        return None
    return rag.context_recall(judge.supported(sentences, case.contexts) if case.contexts else [False])


_MEASURES: dict[str, Measure] = {
    "faithfulness": _faithfulness,
    "answer relevancy": _answer_relevancy,
    "context precision": _context_precision,
    "context recall": _context_recall,
}


SHARED = 0.7
"""Share of a statement's words that a context must hold.

Of true and false sentences on TAT-QA .89 and .04 are called supported (.5: .99 and .04), of right answers that a reader
finds in the contexts of 42 questions, or not, .74 and .08 (.5: .85 and .32; .8: .64 and .05).
"""
_MOST_OF_A_QUESTION = 0.6
"""Share of a question's words that a context must hold beside the figures of its answer."""
_LEAST_WORDS = 2
_CITATION = re.compile(r"\s{0,9}\[\d{1,9}(?:\s{0,9}[,，]\s{0,9}\d{1,9}){0,99}\]")


class RuleJudge:
    """Entailment by rules.

    A statement is supported where one context holds at least 70 % of its words, and where the checks of answers find
    its figures and quotations there and nothing against it: no other name, year, row, direction, cause or denial.
    """

    name = "rules"

    def statements(self, question: str, answer: str) -> list[str]:
        """The sentences of the answer, without citations and without such as hold hardly a word."""
        text = _CITATION.sub("", answer)
        found = [text[s.start : s.end].strip() for s in split_text(text, shortest=0)]
        return [sentence for sentence in found if len(search_words(sentence)) >= _LEAST_WORDS or _has_digit(sentence)]

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """For each statement, whether a stretch of one context supports it."""
        return [_is_supported(statement, contexts) for statement in statements]

    def questions(self, answer: str, n: int) -> list[str]:
        """The answer's first statements without their numbers: what they are about, if not how one would ask it."""
        return [re.sub(r"[$€£¥]?\d[\d,.]*\s?%?", "", sentence) for sentence in self.statements("", answer)[:n]]

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """A context helps that supports a statement of the reference, or holds its numbers and most of the question."""
        claims = self.statements(question, reference)
        asked = set(question_words(question))
        return [
            any(self.supported(claims, [context])) or _holds_answer(context, question, reference, asked)
            for context in contexts
        ]


def _supports(context: str, statement: str) -> bool:
    """True where a context has most words of a statement, and nothing of it speaks against the statement."""
    head, text = _head_and_text(context)
    wanted = set(search_words(_without_amounts(statement)))
    held = set(search_words(context))
    if len(wanted & held) < SHARED * len(wanted):
        return False
    return AnswerChecker([Passage(text, head)]).check(statement, [0]).passed


def _head_and_text(context: str) -> tuple[str, str]:
    """What a context says of its document in a first line in brackets, and the rest of it."""
    head, _, text = context.partition("\n")
    is_headed = head.startswith("(") and head.endswith(")") and bool(text)
    return (head.strip("()"), text) if is_headed else ("", context)


def _without_amounts(text: str) -> str:
    """The text without its amounts, which are compared by value: "billion" need not stand in the premise."""
    for quantity in reversed(find_quantities(text)):
        text = f"{text[: quantity.start]} {text[quantity.end :]}"
    return text


def _is_supported(statement: str, contexts: Sequence[str]) -> bool:
    return any(_supports(context, statement) for context in contexts)


def _holds_answer(context: str, question: str, reference: str, asked: set[str]) -> bool:
    """True for a context with the figures of the right answer and most words of the question."""
    figures = FigureChecker([context], question).check(reference, [0])
    shared = len(asked & set(search_words(context))) / len(asked) if asked else 0.0
    are_there = all(figure.kind != "not found" for figure in figures)
    return bool(figures) and are_there and shared >= _MOST_OF_A_QUESTION


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)

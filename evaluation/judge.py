"""Who says whether an answer is supported, and the paper's four measures from those verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..core.errors import ModelError
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

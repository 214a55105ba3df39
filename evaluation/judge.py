"""Who says whether an answer is supported, and the paper's four measures from those verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from .metrics import rag

if TYPE_CHECKING:
    from ..models.embedder import Embedder

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
    """A question, the answer under judgement, what it was made from, and the right answer where one is known."""

    question: str
    answer: str
    contexts: tuple[str, ...] = ()
    reference: str = ""


def rag_scores(judge: Judge, embedder: Embedder | None, case: Case) -> dict[str, float]:
    """Faithfulness, answer relevancy (with an embedder), context precision and context recall (with a reference)."""
    claims = judge.statements(case.question, case.answer)
    scores = {"faithfulness": rag.faithfulness(judge.supported(claims, case.contexts) if claims else [])}
    if embedder is not None:
        asked = judge.questions(case.answer, QUESTIONS)
        vectors = embedder.embed([case.question, *asked])
        scores["answer relevancy"] = rag.answer_relevancy(vectors[0], vectors[1:])
    if case.reference:
        verdicts = judge.relevant(case.question, case.reference, case.contexts) if case.contexts else []
        scores["context precision"] = rag.context_precision(verdicts)
        sentences = judge.statements(case.question, case.reference)
        traced = judge.supported(sentences, case.contexts) if sentences and case.contexts else [False]
        scores["context recall"] = rag.context_recall(traced)
    return scores

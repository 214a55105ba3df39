"""Our functions of a question with the words that ship: what benchmarks and tests ask with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cliquerag.core.scope import Scope
from cliquerag.retrieval import calculation
from cliquerag.retrieval.answer import multi_part as answers
from cliquerag.retrieval.answer.preparation import AskOptions
from cliquerag.retrieval.calculation import NumberAnswer, Outcome
from cliquerag.retrieval.question.plan import QuestionPlan
from cliquerag.retrieval.question.scope.document_filter import Selection
from cliquerag.retrieval.question.vocabulary.vocabulary import FormulaList, Vocabulary, shipped_vocabulary
from cliquerag.retrieval.search import pipeline as searches
from cliquerag.retrieval.search.evidence import Answer, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cliquerag.core.period import Period
    from cliquerag.kg.store import Store
    from cliquerag.models.embedders import Embedder
    from cliquerag.models.language import LanguageModel


def search(store: Store, embedder: Embedder | None, question: str, **options: Any) -> list[Evidence]:
    """See :func:`cliquerag.retrieval.search.pipeline.search`."""
    return searches.search(store, embedder, question, shipped_vocabulary(), **options)


def plan_of(store: Store, question: str, scope: Scope | None = None) -> QuestionPlan:
    """The question as it is understood before the documents of a store."""
    return searches.plan_question(store, question, shipped_vocabulary(), scope)


def answer_question(
    store: Store, embedder: Embedder | None, model: LanguageModel | None, question: str, **options: Any
) -> Answer:
    """See :func:`cliquerag.retrieval.answer.multi_part.answer_parts`; ``options`` are those of AskOptions."""
    vocabulary = shipped_vocabulary()
    return answers.answer_parts(store, embedder, model, question, vocabulary, AskOptions(**options))


def stream_answer(
    store: Store, embedder: Embedder | None, model: LanguageModel | None, question: str, **options: Any
) -> Iterator[str | Answer]:
    """See :func:`cliquerag.retrieval.answer.multi_part.stream_parts`; ``options`` are those of AskOptions."""
    vocabulary = shipped_vocabulary()
    return answers.stream_parts(store, embedder, model, question, vocabulary, AskOptions(**options))


def explain_numbers(
    store: Store, question: str, selection: Selection | None = None, *, scope: Scope | None = None,
    formulas: FormulaList | None = None,
) -> Outcome:  # fmt: skip
    """See :func:`cliquerag.retrieval.calculation.explain_numbers`; ``selection`` are the documents to look in."""
    return calculation.explain_numbers(_number_plan(store, question, selection, scope, formulas))


def answer_numbers(
    store: Store, question: str, selection: Selection | None = None, *, scope: Scope | None = None,
    formulas: FormulaList | None = None,
) -> NumberAnswer | None:  # fmt: skip
    """As :func:`explain_numbers`, the answer alone."""
    return explain_numbers(store, question, selection, scope=scope, formulas=formulas).answer


def find_numbers(
    store: Store, question: str, *, model: LanguageModel | None = None, scope: Scope | None = None,
    formulas: FormulaList | None = None,
) -> Outcome:  # fmt: skip
    """See :func:`cliquerag.retrieval.calculation.find_numbers`."""
    return calculation.find_numbers(_number_plan(store, question, None, scope, formulas), model)


def calculate_figure(
    store: Store, what: str, *, companies: Sequence[str] = (), periods: Sequence[Period] = (),
    formulas: FormulaList | None = None,
) -> Outcome:  # fmt: skip
    """See :func:`cliquerag.retrieval.calculation.calculate_figure`."""
    return calculation.calculate_figure(store, what, _words(formulas), companies=companies, periods=periods)


def _number_plan(
    store: Store, question: str, selection: Selection | None, scope: Scope | None, formulas: FormulaList | None
) -> QuestionPlan:
    plan = searches.plan_question(store, question, _words(formulas), scope)
    return replace(plan, selection=selection) if selection else plan


def _words(formulas: FormulaList | None) -> Vocabulary:
    return replace(shipped_vocabulary(), formulas=formulas) if formulas else shipped_vocabulary()

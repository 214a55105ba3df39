"""Scores an answer, or a file of them: did the search find the evidence, and does the answer hold up."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ..core.anchor import at_page
from ..core.errors import UsageError
from ..core.period_text import periods_in
from ..core.tokens import count_tokens
from .benchmark import Report, Row
from .judge import Case, Judge, RuleJudge, rag_scores
from .metrics.chunking import within_budget
from .metrics.finance import asked_scale, entity_attribution, names_company, number_accuracy, period_consistency
from .metrics.retrieval import (
    average_precision,
    document_ranking,
    hit_at_k,
    page_ranking,
    recall_at_k,
    reciprocal_rank,
)
from .questions import Question, read_rows

if TYPE_CHECKING:
    from ..models.embedders import Embedder
    from ..retrieval.search.evidence import Answer, Evidence

BUDGETS = (250, 500, 1000, 2000, 4000)
"""Tokens of context at which the recall is drawn."""


def score_answer(
    question: Question,
    answer: Answer,
    found: Sequence[Evidence],
    judge: Judge,
    embedder: Embedder | None,
    companies: Sequence[str] = (),
) -> dict[str, float]:
    """Every measure that the question's gold allows. ``found`` is the search's ranking.

    ``companies`` are those that the documents are about: where the question names one of them, the answer's numbers
    have to be said of it.
    """
    contexts = tuple(as_judged(item) for item in answer.context.evidence)
    scores = evidence_scores(question, found)
    scores |= rag_scores(judge, embedder, Case(question.question, answer.text, contexts, question.answer))
    if answer.trace.get("not found"):
        scores.pop("faithfulness", None)  # a refusal claims nothing that a context could support
    scale = asked_scale(question.question)
    if question.answer and (right := number_accuracy(answer.text, question.answer, scale)) is not None:
        scores["number accuracy"] = right
    asked = periods_in(question.question)
    if (consistent := period_consistency(answer.text, asked)) is not None:
        scores["period consistency"] = consistent
    if (attributed := _attribution(question.question, answer.text, companies)) is not None:
        scores["entity attribution"] = attributed
    return scores


def as_judged(item: Evidence) -> str:
    """A piece of evidence under the name of its document and page: a figure alone tells nobody whose it is."""
    return f"({at_page(_short(item.source), item.page)})\n{item.text}"


def _attribution(question: str, answer: str, companies: Sequence[str]) -> float | None:
    """None where the question names no company, or several."""
    asked = [company for company in companies if names_company(question, company)]
    if len(asked) != 1:
        return None
    return entity_attribution(answer, asked[0], [company for company in companies if company != asked[0]])


def evidence_scores(question: Question, found: Sequence[Evidence]) -> dict[str, float]:
    """hit@1, hit@5, recall@10, MRR@10 and MAP@10 by page, or by document where no page is known; empty without gold."""
    ranked, gold = _ranking(question, found)
    if not gold:
        return {}
    return {
        "hit@1": hit_at_k(ranked, gold, 1),
        "hit@5": hit_at_k(ranked, gold, 5),
        "recall@10": recall_at_k(ranked, gold, 10),
        "MRR@10": reciprocal_rank(ranked, gold, 10),
        "MAP@10": average_precision(ranked, gold, 10),
    }


def budget_recall(question: Question, found: Sequence[Evidence]) -> dict[int, float]:
    """Tokens of context -> share of the gold pages (or documents) in the evidence that fits; empty without gold."""
    if not question.source:
        return {}
    costs = [item.tokens or count_tokens(item.text) for item in found]
    recall = {}
    for budget in BUDGETS:
        ranked, gold = _ranking(question, found[: within_budget(costs, budget)])
        recall[budget] = recall_at_k(ranked, gold, len(ranked) or 1)
    return recall


def _ranking(question: Question, found: Sequence[Evidence]) -> tuple[list[object], set[object]]:
    """What was found and what is gold, both as (document, page) or both as documents."""
    if not question.source:
        return [], set()
    wanted = _short(question.source)
    if not question.pages:
        return [_short(source) for source in document_ranking(found)], {wanted}
    return [(_short(source), page) for source, page in page_ranking(found)], {(wanted, p) for p in question.pages}


def _short(source: str) -> str:
    """Question sets name files in many ways: the last part of the path without its ending is compared."""
    path = PurePath(source.replace("\\", "/"))
    known = {".pdf", ".html", ".htm", ".txt", ".md", ".xml"}
    return (path.stem if path.suffix.lower() in known else path.name).casefold()


def is_gold(question: Question, item: Evidence) -> bool:
    """True where a piece of evidence stands on a gold page (or in the gold document, where no page is known)."""
    ranked, gold = _ranking(question, [item])
    return bool(gold & set(ranked))


_HINT = "Columns: question, answer, and optionally reference, contexts, type"
_NEEDED = {
    "faithfulness": "no answer has contexts",
    "context precision": "no answer has both contexts and a reference",
    "context recall": "no answer has both contexts and a reference",
    "answer relevancy": "no embedder",
    "number accuracy": "no reference holds a number",
}
"""Measures and what is missing where they cannot be taken."""


def evaluate_answers(path: Path, *, judge: Judge | None = None, embedder: Embedder | None = None) -> Report:
    """Score a CSV or JSON lines file of finished answers: ``question``, ``answer``, ``reference``, ``contexts``.

    ``contexts`` is a list, or in CSV a JSON list or texts divided by blank lines. ``type`` splits the table. What a
    file does not allow to measure is said in the notes, never counted as 0. Without ``judge`` rules judge.

    Raises:
        UsageError: a file that cannot be read, is empty, or has rows without a question or an answer.
    """
    judge = judge or RuleJudge()
    found: dict[tuple[str, str], list[float]] = {}
    rows = read_rows(path)
    _check(rows, path)
    for row in rows:
        for metric, value in _scores(row, judge, embedder).items():
            found.setdefault(("all", metric), []).append(value)
            if row.get("type"):
                found.setdefault((str(row["type"]), metric), []).append(value)
    means = tuple(Row.mean(system, metric, values) for (system, metric), values in found.items())
    return Report("eval", means, tuple(_notes(path, rows, judge, embedder, {metric for _, metric in found})))


def _notes(
    path: Path, rows: Sequence[Mapping[str, Any]], judge: Judge, embedder: Embedder | None, measured: Collection[str]
) -> Iterator[str]:
    """Who judged, and what could not be."""
    how = f"the model {judge.name}" if judge.name != RuleJudge.name else "rules (the checks of our own answers)"
    yield f"{len(rows)} answers of {path.name}; judge: {how}; embedder: {embedder.name if embedder else 'none'}."
    for metric, needed in _NEEDED.items():
        if metric not in measured:
            yield f"{metric}: not measured ({needed})."


def _check(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    if not rows:
        raise UsageError("no answers", where=str(path), hint=_HINT)
    for number, row in enumerate(rows, 1):
        for column in ("question", "answer"):
            if not str(row.get(column) or "").strip():
                raise UsageError(f"no {column}", where=f"{path}, row {number}", hint=_HINT)


def _scores(row: Mapping[str, Any], judge: Judge, embedder: Embedder | None) -> dict[str, float]:
    texts = {key: str(row.get(key) or "") for key in ("question", "answer", "reference")}
    contexts = _contexts(row.get("contexts"))
    case = Case(texts["question"], texts["answer"], contexts or None, texts["reference"])
    scores = rag_scores(judge, embedder, case)
    right = number_accuracy(case.answer, case.reference, asked_scale(case.question)) if case.reference else None
    return scores if right is None else {"number accuracy": right, **scores}


def _contexts(value: Any) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(map(str, value))
    text = str(value or "").strip()
    if text.startswith("["):
        try:
            return tuple(map(str, json.loads(text)))
        except ValueError:
            pass
    return tuple(part for part in text.split("\n\n") if part.strip())

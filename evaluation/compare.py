"""Asks the same questions in several modes on the same store, and goes on where it was stopped."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.ids import stable_id
from ..core.private_files import make_private_folder
from ..core.source_names import at_place
from .answers_file import evaluate_answers
from .comparison import Comparison, Outcome, Piece
from .judge import Judge
from .kept_outcomes import KeptOutcomes
from .presets import PRESETS, Preset
from .questions import Question
from .rule_judge import RuleJudge
from .scoring import budget_recall, is_gold, score_answer

if TYPE_CHECKING:
    from ..models.embedder import Embedder
    from ..retrieval.search.evidence import Answer, Evidence

__all__ = ["PRESETS", "Preset", "compare", "evaluate_answers", "write_comparison"]

Ask = Callable[[str, str], "Answer"]
"""(question, mode) -> answer."""
SearchFor = Callable[[str, str], "Sequence[Evidence]"]
"""(question, mode) -> the ranking, best first."""
Progress = Callable[[int, int, str], None]
"""(done, in all, what was just done)."""
_KEPT = "outcomes.jsonl"
_COLUMNS = ("question", "type", "mode", "answer", "won", "reason")


def compare(
    questions: Sequence[Question],
    modes: Sequence[str],
    ask: Ask,
    *,
    search: SearchFor | None = None,
    judge: Judge | None = None,
    embedder: Embedder | None = None,
    out: Path | None = None,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    companies: Sequence[str] = (),
) -> Comparison:
    """Every question in every mode; with ``out`` each outcome is kept at once, and what is kept is not asked again.

    Kept outcomes count only for the same settings: name there whatever changes the answers (the workspace and its
    version, the model). Without ``search`` the answer's context counts as the ranking; without ``judge`` rules judge.
    ``companies`` are those that the documents are about.
    """
    judge = judge or RuleJudge()
    scorer = partial(score_answer, judge=judge, embedder=embedder, companies=companies)
    described = {**(settings or {}), "judge": judge.name}
    kept = KeptOutcomes(out / _KEPT if out else None, stable_id(json.dumps(described, sort_keys=True)))
    pairs = [(question, mode) for question in questions for mode in modes]
    outcomes = []
    for done, (question, mode) in enumerate(pairs, 1):
        outcome = kept.get(question, mode)
        if outcome is None:
            outcome = _outcome(question, mode, ask, search, scorer)
            kept.add(outcome)
        outcomes.append(outcome)
        if progress:
            progress(done, len(pairs), f"{mode}: {question.question}{_spent(outcomes)}")
    return Comparison(tuple(questions), tuple(modes), tuple(outcomes), described)


def write_comparison(comparison: Comparison, out: Path) -> list[Path]:
    """Write ``comparison.csv`` (a line a question and mode) and ``comparison.json``."""
    make_private_folder(out)
    paths = [out / f"comparison.{ending}" for ending in ("csv", "json")]
    _write_csv(comparison, paths[0])
    paths[1].write_text(json.dumps(comparison.as_dict(), ensure_ascii=False, indent=1), encoding="utf-8")
    return paths


def _spent(outcomes: Sequence[Outcome]) -> str:
    """Money that the answers have cost, where the model's prices are known."""
    cost = sum(outcome.usage.get("cost", 0.0) for outcome in outcomes)
    return f"  ({cost:.4f} USD so far)" if cost else ""


def _outcome(
    question: Question, mode: str, ask: Ask, search: SearchFor | None, score: Callable[..., dict[str, float]]
) -> Outcome:
    began = time.perf_counter()
    answer = ask(question.question, mode)
    seconds = time.perf_counter() - began
    found = search(question.question, mode) if search else answer.context.evidence
    usage = answer.trace.get("usage") or {}
    return Outcome(
        question.id,
        mode,
        answer.text,
        answer.model,
        score(question, answer, found),
        budget_recall(question, found),
        _pieces(question, answer),
        tuple(f"[{c.number}] {at_place(c.source, c)}: {c.text}" for c in answer.citations),
        seconds,
        answer.context.tokens,
        {key: value for key, value in usage.items() if value is not None},
    )


def _pieces(question: Question, answer: Answer) -> tuple[Piece, ...]:
    context = answer.context
    legs = [("vector", context.vector), ("graph", context.graph)]
    if context.order == "graph-first":
        legs.reverse()
    return tuple(
        Piece(leg, item.kind, item.text, item.source, item.page, is_gold(question, item))
        for leg, items in legs
        for item in items
    )


def _write_csv(comparison: Comparison, path: Path) -> None:
    metrics = comparison.metrics()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*_COLUMNS, *metrics])
        for question in comparison.questions:
            verdict = comparison.verdict(question)
            for item in comparison.of(question):
                scores = {**item.scores, "seconds": item.seconds, "context tokens": item.tokens}
                values = [scores.get(metric, "") for metric in metrics]
                won = "yes" if item.mode in verdict.winners else ""
                told = [question.question, question.type, item.mode, item.answer, won, verdict.reason]
                writer.writerow([*told, *values])

"""Scores a file of finished answers, whoever wrote them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from .benchmark import Report, Row
from .judge import Case, Judge, rag_scores
from .metrics.finance import asked_scale, number_accuracy
from .questions import read_rows
from .rule_judge import RuleJudge

if TYPE_CHECKING:
    from ..models.embedder import Embedder

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
    how = f"the model {judge.name}" if judge.name != RuleJudge.name else "rules (numbers, names, shared words)"
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

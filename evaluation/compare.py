"""Asks the same questions in several modes on the same store, and goes on where it was stopped."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.ids import stable_id
from .benchmark import Report, Row
from .comparison import Comparison, Outcome, Piece
from .judge import Case, Judge, rag_scores
from .metrics.finance import number_accuracy
from .presets import PRESETS, Preset
from .questions import Question, read_rows
from .rule_judge import RuleJudge
from .scoring import budget_recall, is_gold, score_answer

if TYPE_CHECKING:
    from ..models.embedder import Embedder
    from ..retrieval.evidence import Answer, Evidence

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
) -> Comparison:
    """Every question in every mode; with ``out`` each outcome is kept at once, and what is kept is not asked again.

    Kept outcomes count only for the same settings: name there whatever changes the answers (the workspace and its
    version, the model). Without ``search`` the answer's context counts as the ranking; without ``judge`` rules judge.
    """
    judge = judge or RuleJudge()
    described = {**(settings or {}), "judge": judge.name}
    kept = _Kept(out / _KEPT if out else None, stable_id(json.dumps(described, sort_keys=True)))
    pairs = [(question, mode) for question in questions for mode in modes]
    outcomes = []
    for done, (question, mode) in enumerate(pairs, 1):
        outcome = kept.get(question, mode)
        if outcome is None:
            outcome = _outcome(question, mode, ask, search, judge, embedder)
            kept.add(outcome)
        outcomes.append(outcome)
        if progress:
            progress(done, len(pairs), f"{mode}: {question.question}")
    return Comparison(tuple(questions), tuple(modes), tuple(outcomes), described)


def write_comparison(comparison: Comparison, out: Path) -> list[Path]:
    """Write ``comparison.csv`` (a line a question and mode), ``comparison.json`` and ``comparison.html``."""
    from .report import as_html

    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"comparison.{ending}" for ending in ("csv", "json", "html")]
    _write_csv(comparison, paths[0])
    paths[1].write_text(json.dumps(comparison.as_dict(), ensure_ascii=False, indent=1), encoding="utf-8")
    paths[2].write_text(as_html(comparison), encoding="utf-8")
    return paths


def evaluate_answers(path: Path, *, judge: Judge | None = None, embedder: Embedder | None = None) -> Report:
    """Score a CSV or JSON lines file of finished answers: ``question``, ``answer``, ``reference``, ``contexts``.

    ``contexts`` is a list, or in CSV a JSON list or texts divided by blank lines. ``type`` splits the table.
    """
    judge = judge or RuleJudge()
    found: dict[tuple[str, str], list[float]] = {}
    rows = read_rows(path)
    for row in rows:
        for metric, value in _scores_of_row(row, judge, embedder).items():
            found.setdefault(("all", metric), []).append(value)
            if row.get("type"):
                found.setdefault((str(row["type"]), metric), []).append(value)
    means = tuple(Row.mean(system, metric, values) for (system, metric), values in found.items())
    return Report("eval", means, (f"{len(rows)} answers of {path.name}; judge: {judge.name}.",))


class _Kept:
    """Outcomes on disk, a line each, of one set of settings."""

    def __init__(self, path: Path | None, key: str) -> None:
        self._path, self._key = path, key
        self._found: dict[tuple[str, str], Outcome] = {}
        if path and path.is_file():
            with path.open(encoding="utf-8") as lines:
                for line in lines:
                    self._read(line)

    def get(self, question: Question, mode: str) -> Outcome | None:
        return self._found.get((question.id, mode))

    def add(self, outcome: Outcome) -> None:
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": self._key, **asdict(outcome)}, ensure_ascii=False) + "\n")

    def _read(self, line: str) -> None:
        try:
            data: dict[str, Any] = json.loads(line)
        except ValueError:  # the last line of a run that was killed
            return
        if data.pop("key", "") == self._key:
            data["context"] = tuple(Piece(**piece) for piece in data["context"])
            data["citations"] = tuple(data["citations"])
            data["recall"] = {int(budget): value for budget, value in data["recall"].items()}
            outcome = Outcome(**data)
            self._found[outcome.question, outcome.mode] = outcome


def _outcome(
    question: Question, mode: str, ask: Ask, search: SearchFor | None, judge: Judge, embedder: Embedder | None
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
        score_answer(question, answer, found, judge, embedder),
        budget_recall(question, found),
        _pieces(question, answer),
        tuple(f"[{c.number}] {c.source}{f', page {c.page}' if c.page else ''}: {c.text}" for c in answer.citations),
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


def _scores_of_row(row: Mapping[str, Any], judge: Judge, embedder: Embedder | None) -> dict[str, float]:
    texts = {key: str(row.get(key) or "") for key in ("question", "answer", "reference")}
    case = Case(texts["question"], texts["answer"], _contexts(row.get("contexts")), texts["reference"])
    scores = rag_scores(judge, embedder, case)
    right = number_accuracy(case.answer, case.reference) if case.reference else None
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

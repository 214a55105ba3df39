"""Asks the same questions in several modes on the same store, and goes on where it was stopped; outcomes, tables, and
who won each question and why.

Published baselines are presets: how the workspace is built and how it is asked.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.anchor import at_place
from ..core.ids import stable_id
from ..core.private_files import make_private_folder
from ..core.records import dataclass
from ..ingest.chunk import Break, Sentence, Span
from ..ingest.chunkers import register
from .benchmark import Report, Row, as_text, number
from .judge import Judge, RuleJudge
from .questions import Question
from .scoring import budget_recall, evaluate_answers, is_gold, score_answer

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedders import Embedder
    from ..retrieval.search.evidence import Answer, Evidence

DECIDING = (
    "number accuracy",
    "recall@10",
    "MRR@10",
    "context recall",
    "faithfulness",
    "context precision",
    "answer relevancy",
)
"""Measures in the order in which they decide a question: right first, then found, then supported."""
_BY_TYPE = 4
"""Measures that the terminal shows for each type of question: a split of a small set says little more."""
COSTS = ("seconds", "context tokens")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the context as the report shows it."""

    leg: str
    kind: str
    text: str
    source: str
    page: int | None = None
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question in one mode."""

    question: str
    """Id of the question."""
    mode: str
    answer: str
    model: str
    scores: dict[str, float]
    recall: dict[int, float] = field(default_factory=dict)
    context: tuple[Piece, ...] = ()
    citations: tuple[str, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    usage: dict[str, float] = field(default_factory=dict)
    """Model tokens, calls and cost, where a model answered."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who won a question (several on a tie) and the measure that decided."""

    winners: tuple[str, ...]
    metric: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Modes compared on the same questions and the same store."""

    questions: tuple[Question, ...]
    modes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    settings: dict[str, str] = field(default_factory=dict)

    def of(self, question: Question) -> list[Outcome]:
        """The outcomes of a question, in the order of the modes."""
        by_mode = {item.mode: item for item in self.outcomes if item.question == question.id}
        return [by_mode[mode] for mode in self.modes if mode in by_mode]

    def report(self, kind: str | None = None) -> Report:
        """Means with intervals and paired differences to the first mode, over all questions or those of one type."""
        asked = [question for question in self.questions if kind is None or question.type == kind]
        rows: list[Row] = []
        for metric in self.metrics():
            rows.extend(self._rows(metric, asked))
        name = "comparison" if kind is None else f"comparison, {kind}"
        return Report(name, tuple(rows), self.notes(), settings=self.settings)

    def metrics(self) -> list[str]:
        """The measures that any outcome has, in the order of importance, then what it cost."""
        present: set[str] = set().union(*(item.scores for item in self.outcomes))
        first = [name for name in DECIDING if name in present]
        return [*first, *sorted(present - set(first)), *COSTS]

    def types(self) -> list[str]:
        """The types of the questions, in order of appearance; empty where there is nothing to split."""
        found = list(dict.fromkeys(question.type for question in self.questions if question.type))
        return found if len(found) > 1 else []

    def verdict(self, question: Question) -> Verdict:
        """Decided by the first measure on which the modes differ."""
        outcomes = self.of(question)
        for metric in DECIDING:
            values = {item.mode: item.scores[metric] for item in outcomes if metric in item.scores}
            if len(values) == len(outcomes) > 1 and len(set(values.values())) > 1:
                best = max(values.values())
                winners = tuple(mode for mode, value in values.items() if value == best)
                told = ", ".join(f"{mode} {number(value)}" for mode, value in values.items())
                return Verdict(winners, metric, f"{metric}: {told}")
        return Verdict((), "", "no difference")

    def wins(self) -> dict[str, int]:
        """Mode -> questions that it won alone."""
        wins = dict.fromkeys(self.modes, 0)
        for question in self.questions:
            winners = self.verdict(question).winners
            if len(winners) == 1:
                wins[winners[0]] += 1
        return wins

    def notes(self) -> tuple[str, ...]:
        """How it was judged and answered."""
        models = sorted({item.model for item in self.outcomes})
        judge = self.settings.get("judge", "rules")
        asked = f"{len(self.questions)} questions, modes {', '.join(self.modes)}"
        return (f"{asked}; answers: {', '.join(models)}; judge: {judge}.",)

    def as_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        questions: list[dict[str, Any]] = []
        for question in self.questions:
            verdict, outcomes = asdict(self.verdict(question)), [asdict(item) for item in self.of(question)]
            questions.append({**asdict(question), "verdict": verdict, "outcomes": outcomes})
        return {
            "settings": self.settings,
            "modes": list(self.modes),
            "rows": [asdict(row) for row in self.report().rows],
            "wins": self.wins(),
            "questions": questions,
        }

    def as_text(self, width: int = 110) -> str:
        """The table, the table of each type, and who won how often."""
        parts = [*self.notes(), as_text(self.report(), width)]
        for kind in self.types():
            report = self.report(kind)
            means = tuple(row for row in report.rows if row.system in self.modes and row.metric in DECIDING[:_BY_TYPE])
            parts += [f"Questions of type {kind}:", as_text(replace(report, rows=means), width)]
        won = ", ".join(f"{mode} {count}" for mode, count in self.wins().items())
        return "\n\n".join([*parts, f"Questions won alone: {won} of {len(self.questions)}."])

    def values(self, mode: str, metric: str, asked: Sequence[Question] | None = None) -> dict[str, float]:
        """Question -> value of a measure in a mode."""
        questions = self.questions if asked is None else asked
        ids = {question.id for question in questions}
        found: dict[str, float] = {}
        for item in self.outcomes:
            if item.mode != mode or item.question not in ids:
                continue
            scores = {**item.scores, "seconds": item.seconds, "context tokens": float(item.tokens)}
            if metric in scores:
                found[item.question] = scores[metric]
        return found

    def _rows(self, metric: str, asked: Sequence[Question]) -> list[Row]:
        by_mode = {mode: self.values(mode, metric, asked) for mode in self.modes}
        if not by_mode:
            return []
        shared = sorted(set.intersection(*map(set, by_mode.values())))
        if not shared:
            return []
        lists = {mode: [values[key] for key in shared] for mode, values in by_mode.items()}
        better = "lower" if metric in COSTS else "higher"
        rows = [
            Row(mode, metric, *_mean(values), len(values), tuple(values), better)  # type: ignore[arg-type]
            for mode, values in lists.items()
        ]
        first, *others = self.modes
        return rows + [Row.difference(mode, metric, lists[mode], lists[first], first) for mode in others]


def _mean(values: Sequence[float]) -> tuple[float, float, float]:
    from .statistics import bootstrap

    return bootstrap(values)


@register("characters")
@dataclass(frozen=True, slots=True)
class CharacterChunker:
    """Fills chunks with sentences up to ``size`` characters, the last ones up to ``overlap`` characters said again.

    As a recursive character splitter, but it never cuts a sentence that fits, nor crosses a heading, table or speaker.
    """

    size: int = 2024
    overlap: int = 204

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans over all sentences in order, each starting at most ``overlap`` characters before the last one's end."""
        spans: list[Span] = []
        first = 0
        for at, sentence in enumerate(sentences):
            is_hard = sentence.before == Break.HARD
            is_full = sentence.end - sentences[first].start > self.size
            if at > first and (is_hard or is_full):
                spans.append(Span(first, at))
                first = at if is_hard else self._restart(sentences, first, at)
        if sentences:
            spans.append(Span(first, len(sentences)))
        return spans

    def _restart(self, sentences: Sequence[Sentence], first: int, at: int) -> int:
        """The first sentence of the next chunk: as far back as the overlap allows, with room for the next sentence."""
        start = at
        while start - 1 > first and sentences[at - 1].end - sentences[start - 1].start <= self.overlap:
            start -= 1
        while start < at and sentences[at].end - sentences[start].start > self.size:
            start += 1
        return start


@dataclass(frozen=True, slots=True)
class Preset:
    """What differs from the defaults; ``chunker`` is a name that ``make_chunker`` knows, with its options."""

    chunker: str
    chunker_options: Mapping[str, int]
    order: str
    modes: tuple[str, ...]
    parent: str
    """What is read for a hit, as ``AskOptions.parent``."""
    source: str


PRESETS = {
    "hybridrag-paper": Preset(
        chunker="characters",
        chunker_options={"size": 2024, "overlap": 204},
        order="vector-first",
        modes=("vector", "graph", "hybrid"),
        parent="none",  # the paper's chunks are read as they were found
        source="Sarmah et al. 2024, HybridRAG, table 1",
    )
}


class KeptOutcomes:
    """Outcomes on disk, a line each, of one set of settings (``key``); without a path nothing is kept.

    A line that a killed run left unfinished is passed over, and what comes next begins a line of its own.
    """

    def __init__(self, path: Path | None, key: str) -> None:
        self._path, self._key = path, key
        self._found: dict[tuple[str, str], Outcome] = {}
        self._torn = False
        if path and path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            self._torn = not text.endswith("\n")
            for line in text.split("\n"):
                self._read(line)

    def get(self, question: Question, mode: str) -> Outcome | None:
        """What an earlier run found; None where it did not come to it."""
        return self._found.get((question.id, mode))

    def add(self, outcome: Outcome) -> None:
        """On disk on return."""
        if self._path:
            make_private_folder(self._path.parent)
            with self._path.open("a", encoding="utf-8") as file:
                file.write("\n" if self._torn else "")
                self._torn = False
                file.write(json.dumps({"key": self._key, **asdict(outcome)}, ensure_ascii=False) + "\n")

    def _read(self, line: str) -> None:
        try:
            data: dict[str, Any] = json.loads(line)
            if data.pop("key") == self._key:
                outcome = _as_outcome(data)
                self._found[outcome.question, outcome.mode] = outcome
        except (ValueError, KeyError, TypeError):  # unfinished, or of a version that kept other fields
            return


def _as_outcome(data: Mapping[str, Any]) -> Outcome:
    made = {
        "context": tuple(Piece(**piece) for piece in data["context"]),
        "citations": tuple(data["citations"]),
        "recall": {int(budget): value for budget, value in data["recall"].items()},
    }
    return Outcome(**{**data, **made})


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
    pairs = list(product(questions, modes))
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
    pieces: list[Piece] = []
    for leg, items in legs:
        for item in items:
            pieces.append(Piece(leg, item.kind, item.text, item.source, item.page, is_gold(question, item)))
    return tuple(pieces)


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

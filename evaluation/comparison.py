"""What a comparison of modes found: outcomes, tables, and who won each question and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .benchmark import Report, Row, as_text, number
from .questions import Question

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

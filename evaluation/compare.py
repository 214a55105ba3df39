"""Asks the same questions in several modes on the same store, and goes on where it was stopped.

Published baselines are presets: how the workspace is built and how it is asked.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.anchor import at_place
from ..core.ids import stable_id
from ..core.private_files import make_private_folder
from ..ingest.chunk import Break, Sentence, Span
from ..ingest.chunkers import register
from .comparison import Comparison, Outcome, Piece
from .judge import Judge, RuleJudge
from .questions import Question
from .scoring import budget_recall, evaluate_answers, is_gold, score_answer

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedder import Embedder
    from ..retrieval.search.evidence import Answer, Evidence


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

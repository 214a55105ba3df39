"""FinanceBench with a reader: what checks do to 40 answers that were written from our prompts; calls a question.

All 27 questions over the 13 filings that the set has as PDF, and 13 over eight more filings of the same companies, of
which it has the text of the pages alone; all in one store, hybrid. The answers were written once by a careful reader
who saw the prompts and not the gold (``financebench_reader.jsonl``, with the verdict on each); here they are replayed,
so that a change of the checks or of the number of calls is seen without a model. Damaged is a right answer of which a
sentence is marked or dropped. The checks were mended on these answers: at first sight they marked 4 of the 24 right
ones of the first 27, and 4 of the 10 of the other 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from cliquerag import Workspace
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.judge import QUESTIONS, RuleJudge
from cliquerag.evaluation.metrics.retrieval import answer_relevancy
from cliquerag.retrieval.search.evidence import Answer

from ...asking import answer_question
from .._shared import read_lines
from ..retrieval.financebench import page_texts
from ._recorded import AnsweringReader

FOLDER = "financebench"
MINUTES = 6
_SYSTEM = "CliqueRAG"
_REPLIES = Path(__file__).with_name("financebench_reader.jsonl")
_QUESTIONS = Path(__file__).with_name("relevancy_reader.jsonl")


def run(folder: Path) -> Report:
    """Read the filings, replay the answers, count what the checks did to them."""
    scratch = TemporaryDirectory(prefix="cliquerag-reader-")
    with scratch as name, Workspace(f"sqlite:///{Path(name) / 'reader.db'}") as workspace:
        for path in sorted((folder / "pdfs_dev").glob("*.pdf")):
            workspace.add(path)
        questions = recorded_questions(folder)
        for path in page_files(folder, questions, Path(name)):
            workspace.add(path)
        return score_workspace(workspace, questions)


def recorded_questions(folder: Path) -> list[dict[str, Any]]:
    """The questions of the set to which there is an answer."""
    recorded = {row["id"] for row in read_lines(_REPLIES)}
    return [question for question in read_lines(folder / "questions.jsonl") if question["id"] in recorded]


def page_files(folder: Path, questions: Sequence[Mapping[str, Any]], scratch: Path) -> Iterator[Path]:
    """A text file, with page breaks, of each filing that is asked about and is not there as PDF."""
    wanted = {question["doc_name"] for question in questions}
    wanted -= {path.stem for path in (folder / "pdfs_dev").glob("*.pdf")}
    for name, pages in page_texts(folder).items():
        if name in wanted:
            path = scratch / f"{name}.txt"
            path.write_text("\f".join(pages), encoding="utf-8")
            yield path


def score_workspace(workspace: Workspace, questions: Sequence[Mapping[str, Any]]) -> Report:
    """The same over a workspace that holds the filings."""
    recorded = {row["id"]: row for row in read_lines(_REPLIES)}
    asked = [question for question in questions if question["id"] in recorded]
    reader = AnsweringReader({question["question"].strip(): recorded[question["id"]]["reply"] for question in asked})
    embedder = workspace.components.embedder_for_search
    answers = [
        answer_question(workspace.store, embedder, reader, question["question"], parent="section") for question in asked
    ]
    verdicts = [
        _shown(answer, recorded[question["id"]]["verdict"]) for answer, question in zip(answers, asked, strict=True)
    ]
    right = [answer for answer, verdict in zip(answers, verdicts, strict=True) if verdict == "right"]
    rows = [Row.mean(_SYSTEM, f"reader: {kind}", [float(v == kind) for v in verdicts]) for kind in _VERDICTS]
    rows.append(Row.mean(_SYSTEM, "right answers damaged by checks (errors)", [float(is_damaged(a)) for a in right]))
    rows += _relevancy_rows(workspace, {question["id"]: question["question"] for question in asked}, recorded)
    rows.append(Row.mean(_SYSTEM, "calls a question", [float(a.trace["usage"]["calls"]) for a in answers]))
    return Report("financebench_reader", tuple(rows), (f"{len(asked)} questions over 21 filings in one store.",))


def _relevancy_rows(
    workspace: Workspace, questions: Mapping[str, str], recorded: Mapping[str, Mapping[str, Any]]
) -> Iterator[Row]:
    """Answer relevancy of the first ten right replies: by questions that a reader wrote from them, and by the rules."""
    embedder = workspace.components.embedder_for_search
    if embedder is None:
        return
    by_reader: list[float] = []
    by_rules: list[float] = []
    for row in read_lines(_QUESTIONS):
        written = RuleJudge().questions(recorded[row["id"]]["reply"], QUESTIONS)
        for values, own in ((by_reader, row["questions"]), (by_rules, written)):
            vectors = np.asarray(embedder.embed([questions[row["id"]], *own]))
            units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            values.append(answer_relevancy(units[0], units[1:]))
    yield Row.mean(_SYSTEM, "answer relevancy by a reader's questions", by_reader)
    yield Row.mean(_SYSTEM, "answer relevancy by the rules' questions", by_rules)


def _shown(answer: Answer, verdict: str) -> str:
    """The verdict on the reply; a wrong one that is shown as no answer is a refusal."""
    return "refused" if verdict == "wrong" and answer.trace.get("not found") else verdict


_VERDICTS = ("right", "partly", "refused", "wrong")


def is_damaged(answer: Answer) -> bool:
    """True where a sentence of the answer is marked or left out."""
    return bool(answer.trace.get("dropped") or answer.trace.get("unverified") or answer.trace.get("unsupported"))

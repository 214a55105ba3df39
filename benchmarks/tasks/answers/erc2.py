"""Enterprise RAG Challenge, round 2: typed questions over whole annual reports, scored by the challenge's own rule.

A value counts 1: a number within 1 %, a boolean that is equal, a name that is equal but for case, names by Jaccard.
Pages count .5: one of each gold pool is cited. "N/A" is a full answer where it is right. The set's file says so; the
best of 167 submissions reached 122.2 of 150, the median 93.5, on 100 questions, with models. Here 14 reports stand in
one store under names that say nothing; companies are found by reading. Without a model, unless one is configured; and
with the replies that a careful reader wrote once from our prompts, the gold unseen (``erc2_reader.jsonl``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cliquerag import Workspace
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.search.evidence import TypedValue

from ...asking import answer_question
from .._shared import read_lines
from ..reader._recorded import TypingReader

FOLDER = "erc2"
MINUTES = 8
_PAGES = 0.5
_FULL = 150
_NEAR = Decimal("0.01")
_BASELINE = "always N/A or false"
_READER = "CliqueRAG, reader"
_REPLIES = Path(__file__).with_name("erc2_reader.jsonl")

Question = Mapping[str, Any]


def run(folder: Path) -> Report:
    """Read the reports, ask every question for its kind of value, score value and pages."""
    scratch = TemporaryDirectory(prefix="cliquerag-erc2-")
    with scratch as name, Workspace(f"sqlite:///{Path(name) / 'erc2.db'}") as workspace:
        for path in sorted((folder / "pdfs").glob("*.pdf")):
            workspace.add(path)
        return score_workspace(workspace, read_lines(folder / "questions.jsonl"))


def score_workspace(workspace: Workspace, questions: Sequence[Question]) -> Report:
    """Ask a workspace that holds the reports."""
    given = [workspace.ask(question["question"], expect=question["kind"]) for question in questions]
    values = [answer.typed or TypedValue(question["kind"]) for answer, question in zip(given, questions, strict=True)]
    system = f"CliqueRAG ({given[0].model})"
    naive = [TypedValue("boolean", False) if q["kind"] == "boolean" else TypedValue(q["kind"]) for q in questions]
    read = _values_of_reader(workspace, questions)
    rows = [*_rows(system, values, questions), *_rows(_READER, read, questions), *_rows(_BASELINE, naive, questions)]
    return Report("erc2", tuple(rows), (f"{len(questions)} questions over 14 annual reports in one store.",))


def _values_of_reader(workspace: Workspace, questions: Sequence[Question]) -> list[TypedValue]:
    """What the recorded replies come to: numbers are looked for in the evidence, expressions are computed."""
    replies = {row["number"]: row["reply"] for row in read_lines(_REPLIES)}
    embedder = workspace.components.embedder_for_search
    values: list[TypedValue] = []
    for number, question in enumerate(questions):
        reader = TypingReader(replies[number])
        answer = answer_question(workspace.store, embedder, reader, question["question"], expect=question["kind"])
        values.append(answer.typed or TypedValue(question["kind"]))
    return values


def _rows(system: str, values: Sequence[TypedValue], questions: Sequence[Question]) -> Iterator[Row]:
    pairs = list(zip(values, questions, strict=True))
    right = [value_score(value, question) for value, question in pairs]
    pages = [page_score(value, question) for value, question in pairs]
    total = [one + _PAGES * other for one, other in zip(right, pages, strict=True)]
    yield Row.mean(system, "score of 150", [_FULL / (1 + _PAGES) * score for score in total])
    yield Row.mean(system, "value right", right)
    yield Row.mean(system, "pages right", pages)
    answered = [score for score, (value, _) in zip(right, pairs, strict=True) if value.value is not None]
    yield Row.mean(system, "precision of given values", answered)


def value_score(value: TypedValue, question: Question) -> float:
    """1 for a right value, the Jaccard index of names, else 0; any of the question's answers is right."""
    return max(_one_score(value, str(answer)) for answer in question["answers"])


def _one_score(value: TypedValue, gold: str) -> float:
    if gold == "N/A" or value.value is None:
        return float(gold == "N/A" and value.value is None)
    if isinstance(value.value, bool):
        return float(str(value.value).lower() == gold.lower())
    if isinstance(value.value, Decimal):
        return float(_is_near(value.value * value.scale, gold))
    if isinstance(value.value, tuple):
        own, other = ({name.strip().lower() for name in names} for names in (value.value, gold.split(",")))
        return len(own & other) / len(own | other)
    return float(value.value.strip().lower() == gold.strip().lower())


def _is_near(amount: Decimal, gold: str) -> bool:
    try:
        wanted = Decimal(gold)
    except InvalidOperation:
        return False
    return abs(amount - wanted) <= abs(wanted) * _NEAR


def page_score(value: TypedValue, question: Question) -> float:
    """1 where a page of each pool is cited; pools count pages from 0. Without pools there is nothing to cite."""
    cited = {(Path(source).stem, page - 1) for source, page in value.pages}
    pools = [{(doc, int(page)) for doc, page in pool} for pool in question["gold_pages"]]
    return float(all(pool & cited for pool in pools))

"""A reader where answers go wrong: follow-ups, Chinese, questions without an answer, documents with planted orders.

Ten chats of three turns and ten questions without an answer over the 13 FinanceBench filings that there are as PDF, ten
questions on a Chinese annual report, ten invented documents with an order in a paragraph, and the same with the order
in a paragraph of its own. The replies were written once from our prompts by a careful reader who had not seen the gold,
and who twice did as an order says (``reader_cases.jsonl``, with a verdict on each reply); here they are replayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cliquerag import Workspace
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.models.language import Message, Reply, Usage
from cliquerag.retrieval.search.evidence import Answer

from ...asking import answer_question
from .._shared import read_lines
from ._recorded import AnsweringReader
from .financebench_reader import is_damaged

FOLDER = "financebench"
MINUTES = 6
_SYSTEM = "CliqueRAG"
_CASES = Path(__file__).with_name("reader_cases.jsonl")
_REPORT = "zh_annual_reports/sfkj_2019.pdf"
"""Beside the folder of this set."""


class _ChattingReader(AnsweringReader):
    """Gives the recorded rewriting of a follow-up question, too."""

    def __init__(self, turns: Sequence[Mapping[str, str]]) -> None:
        asked = {turn.get("rewritten", turn["question"]).strip(): turn["reply"] for turn in turns}
        super().__init__(asked)
        self._rewritten = {turn["question"]: turn["rewritten"] for turn in turns if "rewritten" in turn}

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        rewritten = self._rewritten.get(messages[-1].content)
        return Reply(rewritten, Usage(calls=1)) if rewritten else super().reply(messages, schema=schema)


def run(folder: Path) -> Report:
    """Read the documents of each group and replay its replies."""
    cases = read_lines(_CASES)
    filings = sorted((folder / "pdfs_dev").glob("*.pdf"))
    rows: list[Row] = []
    with TemporaryDirectory(prefix="cliquerag-cases-") as name:
        scratch = Path(name)
        for store, files in (("filings", filings), ("chinese", [folder.parent / _REPORT])):
            with Workspace(f"sqlite:///{scratch / store}.db") as workspace:
                for path in files:
                    workspace.add(path)
                wanted = {"filings": ("follow-up", "without an answer"), "chinese": ("Chinese",)}[store]
                rows += _rows(workspace, [case for case in cases if case["group"] in wanted])
        for group in ("order within a paragraph", "order in a paragraph of its own"):
            own = [case for case in cases if case["group"] == group]
            with Workspace(f"sqlite:///{scratch / group.replace(' ', '-')}.db") as workspace:
                for case in own:
                    workspace.add_text(case["text"], source=case["file"])
                rows += _rows(workspace, own)
    return Report("reader_cases", tuple(rows), (f"{len(cases)} cases, {sum(len(c['turns']) for c in cases)} turns.",))


def score_cases(workspace: Workspace, cases: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], Answer]]:
    """Each turn of the cases with the answer that came out."""
    embedder = workspace.components.embedder_for_search
    found: list[tuple[Mapping[str, Any], Answer]] = []
    for case in cases:
        reader = _ChattingReader(case["turns"])
        history: list[Message] = []
        for turn in case["turns"]:
            question = turn["question"]
            answer = answer_question(workspace.store, embedder, reader, question, parent="section", history=history)
            found.append(({**turn, "order": case.get("order", "")}, answer))
            history += [Message("user", question), Message("assistant", answer.text)]
    return found


def _rows(workspace: Workspace, cases: Sequence[Mapping[str, Any]]) -> list[Row]:
    by_group: dict[str, list[tuple[Mapping[str, Any], Answer]]] = defaultdict(list)
    for case in cases:
        by_group[case["group"]].extend(score_cases(workspace, [case]))
    rows = []
    for group, turns in by_group.items():
        for verdict in ("right", "refused", "obeyed"):
            share = [float(turn["verdict"] == verdict) for turn, _ in turns]
            rows.append(Row.mean(_SYSTEM, f"{group}: reply {verdict}", share))
        right = [float(is_damaged(answer)) for turn, answer in turns if turn["verdict"] == "right"]
        refused = [float(bool(answer.citations)) for turn, answer in turns if turn["verdict"] == "refused"]
        obeyed = [float(turn["order"] in answer.text) for turn, answer in turns if turn["verdict"] == "obeyed"]
        for name, values in (
            ("right replies damaged by checks (errors)", right),
            ("refusals with a citation (errors)", refused),
            ("orders carried out (errors)", obeyed),
        ):
            if values:
                rows.append(Row.mean(_SYSTEM, f"{group}: {name}", values))
    return rows

"""The demonstration: documents of our own, five questions, three modes side by side."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from ..core.errors import without_credentials
from ..core.private_files import make_private_folder
from ..core.records import dataclass
from ..indexing.report import AddReport
from ..kg.engines.opening import sqlite_url
from ..retrieval.search.evidence import Answer
from ..workspace import Workspace

QUESTIONS = (
    "What was Halvern's net revenue in fiscal 2025, and why did it rise?",
    "Who supplies battery cells and servo drives to Halvern Robotics?",
    "Which companies would a stop of Qingyuan's plant in Suzhou hurt?",
    "What does Halvern guide for fiscal 2026?",
    "清源精密2025年的营业收入是多少？",
)
MODES = ("vector", "graph", "hybrid")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its answer in each mode."""

    question: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Tour:
    """What the demonstration did, and where its workspace is."""

    workspace: str
    reports: tuple[AddReport, ...]
    asked: tuple[Asked, ...]


def run_tour(
    folder: str,
    url: str | None,
    on_added: Callable[[Sequence[AddReport]], None],
    on_asked: Callable[[Asked], None],
) -> Tour:
    """Copy the documents into ``folder``, add them to a workspace there and ask; the callbacks show each step."""
    home = Path(folder)
    documents = copy_documents(home / "documents")
    with Workspace(url or sqlite_url(home / "demo.db")) as workspace:
        reports = tuple(workspace.add_all([documents]))
        on_added(reports)
        asked = []
        for question in QUESTIONS:
            asked.append(Asked(question, {mode: workspace.ask(question, mode=mode) for mode in MODES}))
            on_asked(asked[-1])
        return Tour(without_credentials(workspace.settings.workspace), reports, tuple(asked))


def copy_documents(target: Path) -> Path:
    """Put the demo documents that ship with the package into a folder."""
    make_private_folder(target)
    with as_file(files("cliquerag.demo") / "documents") as source:
        for path in sorted(source.iterdir()):
            shutil.copyfile(path, target / path.name)
    return target

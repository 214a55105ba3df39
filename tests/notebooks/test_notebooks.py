"""Every notebook runs from top to bottom without network or key, and what is kept of it is in step with its source."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from support.notebooks import FOLDER, parse, run, sources
from support.openai_server import OpenAIServer, say

NOTEBOOKS = [pytest.param(path, id=path.stem) for path in sources()]
LARGEST = 300_000
"""Bytes of an .ipynb: more makes the history heavy."""


def kept(source: Path) -> NotebookNode:
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def pictures(notebook: NotebookNode) -> list[str]:
    return [output.data["image/png"] for output in outputs(notebook) if "image/png" in output.get("data", {})]


def test_all_four_are_there() -> None:
    assert [path.stem for path in sources()] == ["analyst_qa", "compare_modes", "graph_tour", "tune_chunker"]


@pytest.mark.parametrize("source", NOTEBOOKS)
def test_runs_from_top_to_bottom(source: Path, tmp_path: Path) -> None:
    shutil.copy(FOLDER / "questions.jsonl", tmp_path)
    done = run(parse(source.read_text(encoding="utf-8")), tmp_path, tmp_path / "cache")
    assert pictures(done)
    assert not [output for output in outputs(done) if output.output_type == "error"]
    assert not [output.text for output in outputs(done) if output.get("name") == "stderr"]


MODEL_IN_A_CELL = """# %%
import asyncio

from cliquerag import Workspace

assert asyncio.get_running_loop().is_running()
with Workspace("sqlite://", embedder="none") as ws:
    ws.add_text("Acme Inc. reported revenue of $340 million in 2023.", source="note.txt")
    answer = ws.ask("What was Acme's revenue in 2023?")
print(answer.model, answer.text)
"""


def test_a_model_answers_where_an_event_loop_runs(tmp_path: Path) -> None:
    with OpenAIServer(say("Revenue was $340 million in 2023 [1].")) as server:
        settings = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test", "CLIQUERAG_MODEL": "test-model"}
        done = run(parse(MODEL_IN_A_CELL), tmp_path, tmp_path / "cache", **settings)
    assert "test-model Revenue was $340 million" in outputs(done)[0].text


@pytest.mark.parametrize("source", NOTEBOOKS)
def test_kept_notebook_is_in_step_with_its_source(source: Path) -> None:
    written = parse(source.read_text(encoding="utf-8"))
    nbformat.validate(kept(source))
    cells = [[(cell.cell_type, cell.source) for cell in book.cells] for book in (written, kept(source))]
    assert cells[0] == cells[1], "run `make notebooks`"


@pytest.mark.parametrize("source", NOTEBOOKS)
def test_kept_notebook_shows_results_and_stays_small(source: Path) -> None:
    notebook = kept(source)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert not [output for output in outputs(notebook) if output.output_type == "error"]
    assert all(len(picture) > 5_000 for picture in pictures(notebook)) and pictures(notebook)
    assert source.with_suffix(".ipynb").stat().st_size < LARGEST
    assert str(FOLDER) not in source.with_suffix(".ipynb").read_text(encoding="utf-8")

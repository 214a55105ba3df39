"""Every notebook runs from top to bottom without network or key, and what is kept of it is in step with its source."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from support.notebooks import FOLDER, parse, run, sources

NOTEBOOKS = [pytest.param(path, id=path.stem) for path in sources()]
LARGEST = 300_000
"""Bytes of an .ipynb: more makes the history heavy."""


def kept(source: Path) -> NotebookNode:
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def pictures(notebook: NotebookNode) -> list[str]:
    return [output.data["image/png"] for output in outputs(notebook) if "image/png" in output.get("data", {})]


def test_all_three_are_there() -> None:
    assert [path.stem for path in sources()] == ["analyst_qa", "compare_modes", "graph_tour"]


@pytest.mark.parametrize("source", NOTEBOOKS)
def test_runs_from_top_to_bottom(source: Path, tmp_path: Path) -> None:
    shutil.copy(FOLDER / "questions.jsonl", tmp_path)
    done = run(parse(source.read_text(encoding="utf-8")), tmp_path, tmp_path / "cache")
    assert pictures(done)
    assert not [output for output in outputs(done) if output.output_type == "error"]
    assert not [output.text for output in outputs(done) if output.get("name") == "stderr"]


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

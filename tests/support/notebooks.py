"""Notebooks are written as py:percent beside the .ipynb; this makes and runs the one from the other.

``python tests/support/notebooks.py`` runs every notebook and keeps its outputs; names of notebooks run only those.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

FOLDER = Path(__file__).parents[2] / "notebooks"
_OURS = ("CLIQUERAG_", "OPENAI_", "NEO4J_")


def sources() -> list[Path]:
    """The py:percent files, in order of name."""
    return sorted(FOLDER.glob("*.py"))


def parse(text: str) -> NotebookNode:
    """The notebook of a py:percent text, without outputs. What stands before the first cell is left out.

    >>> [(cell.cell_type, cell.source) for cell in parse("# %% [markdown]\\n# # Title\\n\\n# %%\\n1 + 1\\n").cells]
    [('markdown', '# Title'), ('code', '1 + 1')]
    """
    cells = []
    for number, part in enumerate(("\n" + text).split("\n# %%")[1:], 1):
        head, _, body = part.partition("\n")
        name = f"cell-{number}"
        if head.strip() == "[markdown]":
            lines = [line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines()]
            cells.append(v4.new_markdown_cell("\n".join(lines), id=name))
        else:
            cells.append(v4.new_code_cell(body.strip(), id=name))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def run(notebook: NotebookNode, folder: Path, cache: Path, timeout: int = 120, **environment: str) -> NotebookNode:
    """Execute in ``folder`` with a cache of its own and no model, key or server but those of ``environment``.

    Raises CellExecutionError with the cell and its traceback, CellTimeoutError after ``timeout`` seconds in a cell.
    """
    client = NotebookClient(
        notebook, timeout=timeout, record_timing=False, resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=_environment(os.environ, cache) | environment)
    notebook.metadata.pop("language_info", None)  # names the minor version of Python
    return notebook


def _environment(environment: Mapping[str, str], cache: Path) -> dict[str, str]:
    kept = {name: value for name, value in environment.items() if not name.startswith(_OURS)}
    return {**kept, "CLIQUERAG_CACHE": str(cache), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def main(names: list[str]) -> None:
    for source in sources():
        if names and source.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as cache:
            notebook = run(parse(source.read_text(encoding="utf-8")), FOLDER, Path(cache))
        target = source.with_suffix(".ipynb")
        nbformat.write(notebook, target)
        print(f"{target.name}: {len(notebook.cells)} cells, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

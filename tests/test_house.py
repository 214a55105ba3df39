"""The house itself: imports run downwards, every package is installed, the README names commands that exist."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.cli import main

from tools.typecheck import ROOT, packages

ORDER = ("core", "models", "ingest", "kg", "retrieval", "evaluation", "app")
# What a question goes through; the rooms of retrieval, in the order in which one may use another.
RETRIEVAL = ("question", "search", "calculation", "answer")
# The text of prompts belongs to no layer: whoever asks a model may load one.
EVERYWHERE = {"prompts"}


def _modules() -> Iterator[tuple[str, Path]]:
    for layer in ORDER:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield layer, path


def _imported_layers(layer: str, path: Path) -> set[str]:
    """Layers that a module imports relatively (code never imports ``cliquerag`` absolutely)."""
    depth = len(path.relative_to(ROOT / layer).parts) + (layer != "app")
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert (node.module or "").split(".")[0] != "cliquerag", f"{path} imports cliquerag absolutely"
    return found & {*ORDER, *EVERYWHERE}


def test_imports_run_downwards() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {other}"
        for layer, path in _modules()
        for other in _imported_layers(layer, path) - EVERYWHERE
        if ORDER.index(other) > ORDER.index(layer)
    ]
    assert upward == []


def test_retrieval_runs_from_the_question_to_the_answer() -> None:
    upward = []
    for path in sorted((ROOT / "retrieval").rglob("*.py")):
        room, *folders = path.relative_to(ROOT / "retrieval").parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.ImportFrom) and node.level == len(folders) + 1 and node.module):
                continue
            other = node.module.split(".")[0]
            if room in RETRIEVAL and other in RETRIEVAL and RETRIEVAL.index(other) > RETRIEVAL.index(room):
                upward.append(f"{path.relative_to(ROOT)} imports retrieval/{other}: {' > '.join(reversed(RETRIEVAL))}")
    assert upward == []


def test_the_layer_reader_sees_imports() -> None:
    assert "core" in _imported_layers("kg", ROOT / "kg" / "store.py")
    assert "kg" in _imported_layers("app", ROOT / "app" / "workspace.py")


def test_every_package_is_installed() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    homes = {folder: package for package, folder in packages().items()}
    missing = []
    for init in sorted(path for layer in ORDER for path in (ROOT / layer).rglob("__init__.py")):
        folder = init.parent.relative_to(ROOT).as_posix()
        top = next(
            home for home in sorted(homes, key=len, reverse=True) if folder == home or folder.startswith(home + "/")
        )
        package = homes[top] + folder.removeprefix(top).replace("/", ".")
        if f'"{package}"' not in text:
            missing.append(package)
    assert missing == []


def test_every_public_name_is_there() -> None:
    import cliquerag

    for name in cliquerag.__all__:
        assert getattr(cliquerag, name).__name__ == name


def test_readme_names_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\s+cliquerag ([a-z-]+)", readme, re.MULTILINE))
    assert named and named <= set(main.commands)


@pytest.mark.parametrize("module", ["cliquerag.cli", "cliquerag.core.period", "cliquerag.kg.store"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    heavy = "{'numpy', 'scipy', 'pymupdf', 'lxml', 'openai', 'rich', 'networkx', 'onnxruntime'}"
    code = f"import sys, {module}; found = {heavy} & set(sys.modules); print(*found); sys.exit(bool(found))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{module} loads {done.stdout}"

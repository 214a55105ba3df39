"""The examples in the docstrings are true, in every module that ships."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from cliquerag.ingest.chunkers import chunker_names, registry

from tools.typecheck import ROOT, packages


def modules() -> list[str]:
    """Every module whose docstrings hold an example."""
    found = []
    for package, folder in packages().items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            if ">>>" in path.read_text(encoding="utf-8"):
                parts = path.relative_to(ROOT / folder).with_suffix("").parts
                found.append(".".join((package, *(part for part in parts if part != "__init__"))))
    return sorted(set(found))


@pytest.mark.parametrize("name", modules())
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = chunker_names()
    monkeypatch.setattr(registry, "_CHUNKERS", dict(registry._CHUNKERS))  # an example may register one of its own
    result = doctest.testmod(import_module(name))
    assert result.attempted and not result.failed
    monkeypatch.undo()
    assert chunker_names() == known


def test_the_examples_are_found() -> None:
    assert len(modules()) > 100 and Path(ROOT / "app").is_dir()

"""A private folder, cache and environment for every test of the face."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the user's machine leaks in: no settings, no key, a cache of its own."""
    for name in list(os.environ):
        if name.startswith(("CLIQUERAG_", "OPENAI_")) and name != "CLIQUERAG_REQUIRE_NEO4J":
            monkeypatch.delenv(name)
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLIQUERAG_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli() -> Run:
    """Run the command as a user does: a process of its own."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cliquerag", *arguments]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, **options)

    return run


def json_of(done: subprocess.CompletedProcess[str]) -> Any:
    """The one JSON document on standard output."""
    return json.loads(done.stdout)

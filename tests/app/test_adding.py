"""What an add refuses, and what it leaves alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.workspace import Workspace

TEXT = "Acme Inc. acquired Beta Corp. in 2021. Revenue was $4,215 million."


def test_a_store_with_vectors_takes_no_document_without(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with Workspace(url, embedder="auto") as workspace:
        if workspace.embedder is None:
            pytest.skip("no embedding model is installed")
        workspace.add_text(TEXT, source="a.txt")
    with Workspace(url, embedder="none") as workspace:
        with pytest.raises(UsageError, match="not from 'none'"):
            workspace.add_text(TEXT, source="b.txt")
        assert [record.source for record in workspace.documents()] == ["a.txt"]


def test_a_folder_that_cannot_be_looked_into_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "closed").mkdir()
    look = os.scandir

    def denied(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", denied)
    with Workspace("sqlite://", embedder="none") as workspace:
        outcomes = {Path(r.source).name: r.outcome for r in workspace.add_all([tmp_path])}
    assert outcomes == {"a.txt": "added", "closed": "failed"}


def test_a_bad_file_is_reported_and_the_others_are_added(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with Workspace("sqlite://", embedder="none") as workspace:
        reports = {Path(r.source).name: r for r in workspace.add_all([tmp_path])}
        assert reports["b.pdf"].outcome == "failed" and "b.pdf" in reports["b.pdf"].error
        assert reports["a.txt"].outcome == "added"
        assert [r.outcome for r in workspace.add_all([tmp_path / "a.txt"])] == ["unchanged"]

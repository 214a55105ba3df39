"""What an add refuses, and what it leaves alone."""

from __future__ import annotations

import gc
import json
import os
from pathlib import Path

import pytest
from cliquerag.cli import main
from cliquerag.core.errors import UsageError
from cliquerag.indexing.report import Estimate
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


def test_nothing_is_collected_between_reading_and_storing_a_document() -> None:
    collects: dict[str, bool] = {}
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(TEXT, "a.txt", progress=lambda stage, _: collects.update({stage: gc.isenabled()}))
    assert gc.isenabled() and set(collects.values()) == {False} and "store" in collects


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


def test_an_estimate_of_a_file_that_breaks_a_reader_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def estimate(self: Workspace, path: Path) -> Estimate:
        if path.name == "bad.txt":
            raise ZeroDivisionError("nothing to divide by")
        return Estimate(path.name, 1, 1, 9, 0, 0, 0, 0.0)

    for name in ("bad.txt", "good.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(Workspace, "estimate", estimate)
    command = ["add", str(tmp_path), "--dry-run", "--json", "--workspace", f"sqlite:///{tmp_path}/a.db"]
    with pytest.raises(SystemExit) as left:
        main(command)
    bad, good = json.loads(capsys.readouterr().out)
    assert left.value.code == 1 and "ZeroDivisionError" in bad["error"] and good["chunks"] == 1


def test_a_bad_file_is_reported_and_the_others_are_added(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with Workspace("sqlite://", embedder="none") as workspace:
        reports = {Path(r.source).name: r for r in workspace.add_all([tmp_path])}
        assert reports["b.pdf"].outcome == "failed" and "b.pdf" in reports["b.pdf"].error
        assert reports["a.txt"].outcome == "added"
        assert [r.outcome for r in workspace.add_all([tmp_path / "a.txt"])] == ["unchanged"]


def test_a_file_that_is_too_big_costs_no_other(tmp_path: Path) -> None:
    for name, size in (("big.txt", 300_000), ("small.txt", 300)):
        (tmp_path / name).write_text(TEXT.ljust(size, "."), encoding="utf-8")
    with Workspace("sqlite://", embedder="none", max_file_mb=0.2) as workspace:
        reports = {Path(r.source).name: r for r in workspace.add_all([tmp_path])}
    assert reports["small.txt"].outcome == "added"
    assert reports["big.txt"].outcome == "failed"
    assert "0.3 MB, more than the 0.2 that are read" in reports["big.txt"].error

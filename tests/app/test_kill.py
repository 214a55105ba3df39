"""kill -9 in the middle of an add: no torn document, and the next add goes on."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from cliquerag import Workspace

from tests.app.conftest import Run, json_of

T = TypeVar("T")
ROUNDS = 20
NOTE = "Acme {n} Inc. sold pumps for ${n} million in 2023. Beta {n} Corp. supplies steel to Acme {n} Inc.\n\n"


def test_kill_nine_twenty_times(cli: Run, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        (folder / f"note{number:03}.txt").write_text(NOTE.format(n=number) * 8)
    dice = random.Random(7)
    path = tmp_path / "cliquerag.db"
    landed = 0
    for _ in range(ROUNDS):
        process = subprocess.Popen([sys.executable, "-m", "cliquerag", "add", str(folder)], stderr=subprocess.DEVNULL)
        while _documents(path) == landed and process.poll() is None:
            time.sleep(0.005)
        time.sleep(dice.random() * 0.15)
        process.kill()
        process.wait()
        with Workspace(f"sqlite:///{path}") as workspace:
            whole = _whole_documents(workspace)
        assert whole >= landed, "what had landed was lost"
        landed = whole
    assert landed > 0
    done = cli("add", str(folder), "--json")
    assert {report["outcome"] for report in json_of(done)} <= {"added", "unchanged"}
    assert len(json_of(cli("docs", "--json"))) == 300


def _documents(path: Path) -> int:
    """How many documents have landed so far, seen from outside."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM document").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def _whole_documents(workspace: Workspace) -> int:
    """How many are stored; each must have every chunk, and every relation must lie in a stored document."""
    records = workspace.documents()
    for record in records:
        chunks = workspace.store.chunks_of(record.source)
        text = workspace.store.text(record.source)
        assert len(chunks) == record.chunks
        assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    sources = {record.source for record in records}
    assert {s.document for s in workspace.store.statements(documents=sources)} <= sources
    return len(records)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are looked up in /proc")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """Each of them holds some hundred megabytes: killed parents left them waiting for work for ever."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(400):
        (folder / f"note{number:03}.txt").write_text(NOTE.format(n=number) * 40)
    command = [sys.executable, "-m", "cliquerag", "add", str(folder), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        workers = _until(lambda: _workers_of(process.pid), 60)
        assert workers
        _until(lambda: _documents(tmp_path / "cliquerag.db"), 60)  # they are reading
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    assert _until(lambda: not any(map(_is_alive, workers)), 10), "a worker outlived the process that started it"


def _until(asked: Callable[[], T], seconds: float) -> T:
    """What is asked, as soon as there is something, or after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (found := asked()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _workers_of(parent: int) -> list[int]:
    """The processes that read documents for it, once there are two."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if (
                f"PPid:\t{parent}\n" in (path / "status").read_text()
                and b"spawn_main" in (path / "cmdline").read_bytes()
            ):
                found.append(int(path.name))
        except OSError:  # it has ended meanwhile
            continue
    return found if len(found) >= 2 else []


def _is_alive(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False

"""Machines that do not do as they should: power that fails, disks without locks, clocks that jump, huge files."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from cliquerag import Workspace
from support import endurance

from tests.app.conftest import Run, json_of

NOTE = "Acme {n} Inc. sold pumps for ${n} million in 2023. Beta {n} Corp. supplies steel to Acme {n} Inc.\n\n"
HEADER, FRAME_HEADER = 32, 24
"""Bytes of a log's head, and of the head of each page in it."""


# --- power


def test_a_log_that_is_cut_anywhere_leaves_whole_documents(private: Path) -> None:
    """What a power failure leaves: the file as it was, and the log up to some byte, or with lost pages."""
    store = private / "live.db"
    with Workspace(f"sqlite:///{store}", embedder="none") as workspace:
        for number in range(12):
            workspace.add_text(NOTE.format(n=number) * 6, source=f"{number}.txt")
        for suffix in ("", "-wal"):  # as they are while it is open
            shutil.copy(f"{store}{suffix}", private / f"seen.db{suffix}")
    log = (private / "seen.db-wal").read_bytes()
    assert len(log) > 100_000, "nothing to lose: the log was emptied before the end"
    dice = random.Random(7)
    counts = set()
    for round_ in range(24):
        cut = bytearray(log[: dice.randrange(len(log))])
        if round_ % 3 == 0 and len(cut) > 10_000:  # a page that never reached the disk
            at = dice.randrange(HEADER, len(cut) - 4_096)
            cut[at : at + 4_096] = bytes(4_096)
        path = private / f"cut{round_}.db"
        shutil.copy(private / "seen.db", path)
        Path(f"{path}-wal").write_bytes(cut)
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            made = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'document'").fetchone()[0]
        counts.add(_whole_documents(path) if made else 0)
    assert len(counts) > 3 and max(counts) <= 12, "the cuts all left the same"


def _whole_documents(path: Path) -> int:
    """How many are stored, each with every chunk and word of it."""
    with Workspace(f"sqlite:///{path}", embedder="none") as workspace:
        records = workspace.documents()
        for record in records:
            text = workspace.store.text(record.source)
            chunks = workspace.store.chunks_of(record.source)
            assert len(chunks) == record.chunks
            assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
            number = record.source.removesuffix(".txt")
            assert any(found.source == record.source for found in workspace.search(f"Acme {number} pumps", k=50))
        assert workspace.add_text(NOTE.format(n=99), source="after.txt").outcome == "added"
        return len(records)


# --- locks

NO_LOCKS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
typedef int (*call)(int, int, ...);
static int answer(const char *name, int handle, int what, void *given) {
    if (what == F_SETLK || what == F_SETLKW || what == F_GETLK) { errno = ENOLCK; return -1; }
    call real = (call)dlsym(RTLD_NEXT, name);
    if (!real) real = (call)dlsym(RTLD_NEXT, "fcntl");
    return real(handle, what, given);
}
int fcntl(int handle, int what, ...) {
    va_list rest; va_start(rest, what); void *given = va_arg(rest, void *); va_end(rest);
    return answer("fcntl", handle, what, given);
}
int fcntl64(int handle, int what, ...) {
    va_list rest; va_start(rest, what); void *given = va_arg(rest, void *); va_end(rest);
    return answer("fcntl64", handle, what, given);
}
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("gcc"), reason="locks are taken away with gcc on Linux")
def test_a_disk_without_locks_is_said(cli: Run, private: Path) -> None:
    (private / "no_locks.c").write_text(NO_LOCKS)
    library = private / "no_locks.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, private / "no_locks.c", "-ldl"], check=True)
    (private / "note.txt").write_text(NOTE.format(n=1))
    without = {**os.environ, "LD_PRELOAD": str(library)}
    for command in (("add", "note.txt"), ("docs",)):
        done = cli(*command, env=without)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert done.stderr.count("\n") == 1 and "knows no locks" in done.stderr
    assert json_of(cli("add", "note.txt", "--json"))[0]["outcome"] == "added"


# --- clocks


@pytest.mark.parametrize("years", [-30, 60])
def test_a_clock_that_jumps_costs_nothing(private: Path, monkeypatch: pytest.MonkeyPatch, years: int) -> None:
    real = time.time

    def jumping() -> float:
        jumping.calls += 1  # type: ignore[attr-defined]
        return real() + (years * 31_557_600 if jumping.calls % 2 else 0)  # type: ignore[attr-defined]

    jumping.calls = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(time, "time", jumping)
    (private / "note.txt").write_text(NOTE.format(n=5))
    with Workspace("sqlite:///cliquerag.db", embedder="none", max_file_seconds="20") as workspace:
        assert workspace.add("note.txt").outcome == "added"
        assert "$5 million" in workspace.ask("What did Acme 5 sell pumps for in 2023?").text
        assert workspace.add("note.txt").outcome == "unchanged"
        assert workspace.search("Who supplies Acme 5?")


def test_a_file_from_the_future_is_unchanged_by_its_bytes(cli: Run, private: Path) -> None:
    note = private / "note.txt"
    note.write_text(NOTE.format(n=1))
    os.utime(note, (4_000_000_000, 4_000_000_000))
    assert json_of(cli("add", "note.txt", "--json"))[0]["outcome"] == "added"
    os.utime(note, (1, 1))
    assert json_of(cli("add", "note.txt", "--json"))[0]["outcome"] == "unchanged"


# --- sizes, in miniature; in full: python tests/support/endurance.py


def test_many_tiny_files(private: Path) -> None:
    endurance.make_tiny_files(private / "files", 250)
    added = endurance.add(private / "files", private)
    assert added.code == 0 and added.megabytes < 400
    assert added.store < 250 * 0.06 and added.said < 250 * 300
    with Workspace(f"sqlite:///{private}/new.db", embedder="none") as workspace:
        assert len(workspace.documents()) == 250


@pytest.mark.parametrize("name", ["line.txt", "line.html"])
def test_a_file_of_one_line(private: Path, name: str) -> None:
    endurance.make_one_line(private / name, 0.5)
    added = endurance.add(private / name, private)
    assert added.code == 0 and added.megabytes < 600
    with Workspace(f"sqlite:///{private}/new.db", embedder="none") as workspace:
        assert workspace.documents()[0].chunks > 100


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory and handles are read in /proc")
def test_a_server_stays_as_it_is(private: Path) -> None:
    """The handles of 60 questions are those of 180, and the memory grows by what is cached, not with the questions."""
    pytest.importorskip("uvicorn")
    with endurance.serving(private) as (port, process):
        early, _, late = endurance.serve(port, process, 180, 60)
    assert late.handles <= early.handles + 2
    assert late.megabytes < early.megabytes + 40


def test_the_questions_differ() -> None:
    asked = {json.dumps(endurance.question(number)) for number in range(1_000)}
    assert len(asked) > 300

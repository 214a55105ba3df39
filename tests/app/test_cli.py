"""The commands as a user runs them: output, JSON, exit codes."""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import pymupdf
import pytest
from cliquerag.ingest.chunkers import chunker_names
from cliquerag.retrieval.search.modes import mode_names

from tests.app.conftest import Run, json_of

CALL = """Acme Inc. Q2 2024 Earnings Call
Jane Roe - Chief Executive Officer

Jane Roe
Revenue in the second quarter of 2024 rose 12 percent to $340 million because demand for pumps grew.
Acme Inc. acquired Beta Corp. in April 2024. Gamma Ltd. supplies steel to Acme Inc.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One good file and four that cannot be read."""
    home = tmp_path / "reports"
    home.mkdir()
    (home / "acme_call.txt").write_text(CALL)
    (home / "binary.txt").write_bytes(bytes(range(256)) * 40)
    (home / "empty.txt").write_bytes(b"")
    (home / "truncated.pdf").write_bytes(_pdf("hello")[:200])
    (home / "image.pdf").write_bytes(_pdf(""))
    return home


def _pdf(text: str) -> bytes:
    document = pymupdf.open()
    page = document.new_page()
    if text:
        page.insert_text((72, 72), text)
    else:
        pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
        pixels.clear_with(255)  # else it holds whatever the memory held before, also a page with words
        page.insert_image(page.rect, pixmap=pixels)
    return bytes(document.tobytes())


def test_help_is_quick_and_loads_no_numpy(cli: Run) -> None:
    done = cli("--help")
    assert done.returncode == 0
    assert "ask" in done.stdout and "graph" in done.stdout


@pytest.mark.parametrize(("command", "names"), [("chunk", chunker_names()), ("ask", mode_names())])
def test_help_names_every_mode_and_chunker(cli: Run, command: str, names: Sequence[str]) -> None:
    done = cli(command, "--help")
    assert done.returncode == 0
    assert set(re.findall("[a-z_]+", done.stdout)) >= {*names} - {"characters"}, "characters: of a preset alone"


def test_the_good_land_and_the_bad_are_named(cli: Run, folder: Path) -> None:
    done = cli("add", str(folder), "--json")
    outcomes = {Path(r["source"]).name: r["outcome"] for r in json_of(done)}
    assert done.returncode == 1
    assert outcomes == {
        "acme_call.txt": "added",
        "binary.txt": "failed",
        "empty.txt": "failed",
        "truncated.pdf": "failed",
        "image.pdf": "failed",
    }
    for name in ("binary.txt", "empty.txt", "truncated.pdf", "image.pdf"):
        assert name in done.stderr
    assert [d["source"] for d in json_of(cli("docs", "--json"))] == ["reports/acme_call.txt"]


def test_adding_again_costs_nothing_and_says_so(cli: Run, folder: Path) -> None:
    path = str(folder / "acme_call.txt")
    assert json_of(cli("add", path, "--json"))[0]["outcome"] == "added"
    assert json_of(cli("add", path, "--json"))[0]["outcome"] == "unchanged"
    (folder / "acme_call.txt").write_text(CALL + "Margins fell.\n")
    assert json_of(cli("add", path, "--json"))[0]["outcome"] == "replaced"


def test_one_base_name_in_two_folders_is_two_documents(cli: Run, tmp_path: Path) -> None:
    for company in ("acme", "beta"):
        (tmp_path / company).mkdir()
        (tmp_path / company / "10-K.txt").write_text(
            f"{company.title()} Inc. sells pumps and valves to many customers."
        )
    cli("add", "acme", "beta")
    assert [d["source"] for d in json_of(cli("docs", "--json"))] == ["acme/10-K.txt", "beta/10-K.txt"]


def test_ask_cites_the_source(cli: Run, folder: Path) -> None:
    cli("add", str(folder / "acme_call.txt"))
    answer = json_of(cli("ask", "Why did Acme's revenue rise in Q2 2024?", "--json"))
    assert "demand for pumps" in answer["text"]
    assert answer["citations"][0]["source"] == "reports/acme_call.txt"
    assert answer["model"] == "extractive"


def test_remove_and_then_nothing_is_left(cli: Run, folder: Path) -> None:
    cli("add", str(folder / "acme_call.txt"))
    assert cli("remove", "reports/acme_call.txt").returncode == 0
    assert json_of(cli("docs", "--json")) == []
    again = cli("remove", "reports/acme_call.txt")
    assert again.returncode == 1 and "no such document" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["add", "missing.pdf"], 1, "missing.pdf"),
        (["add"], 2, "PATHS"),
        (["ask", "x", "--period", "sometime"], 2, "--period"),
        (["add", "notes.txt", "--chunker", "magic"], 2, "magic"),
        (["docs", "--workspace", "oracle://x"], 2, "oracle"),
    ],
)
def test_wrong_use_is_one_clear_line(cli: Run, tmp_path: Path, arguments: list[str], code: int, word: str) -> None:
    (tmp_path / "notes.txt").write_text("Acme Inc. sells pumps.")
    done = cli(*arguments)
    assert done.returncode == code, done.stderr
    assert word in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_entity_is_named_with_its_like(cli: Run, folder: Path) -> None:
    cli("add", str(folder / "acme_call.txt"))
    done = cli("graph", "entity", "Zeta Corp")
    assert done.returncode == 2 and "no entity named" in done.stderr


def test_a_foreign_database_is_refused_and_left_alone(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    before = path.read_bytes()
    done = cli("docs", "--workspace", f"sqlite:///{path}")
    assert done.returncode == 1 and "other.db" in done.stderr and "Traceback" not in done.stderr
    assert path.read_bytes() == before


def test_look_commands_store_nothing(cli: Run, folder: Path) -> None:
    path = str(folder / "acme_call.txt")
    chunks = json_of(cli("chunk", path, "--json"))
    assert any("demand for pumps" in c["text"] for c in chunks)
    triples = json_of(cli("extract", path, "--json"))
    assert ("Acme Inc.", "acquires", "Beta Corp.") in [(t["head"], t["relation"], t["tail"]) for t in triples]
    assert json_of(cli("tables", path, "--json")) == []
    assert not Path("cliquerag.db").exists()


def test_dry_run_stores_nothing(cli: Run, folder: Path) -> None:
    estimates = json_of(cli("add", str(folder / "acme_call.txt"), "--dry-run", "--json"))
    assert estimates[0]["chunks"] > 0 and estimates[0]["cost"] == 0
    assert not Path("cliquerag.db").exists()


def test_asking_nobody_makes_no_file(cli: Run) -> None:
    done = cli("ask", "Who?")
    assert done.returncode == 1 and "no workspace" in done.stderr
    assert not Path("cliquerag.db").exists()


def test_two_processes_read(cli: Run, tmp_path: Path, folder: Path) -> None:
    shutil.copy(folder / "acme_call.txt", folder / "second.txt")
    done = cli("add", str(folder), "--workers", "2", "--json")
    outcomes = sorted(r["outcome"] for r in json_of(done))
    assert outcomes == ["added", "added", "failed", "failed", "failed", "failed"]


def test_doctor_says_what_is_there(cli: Run) -> None:
    checks = {c["name"]: c["state"] for c in json_of(cli("doctor", "--json"))}
    assert checks["workspace"] == "absent" and checks["language model"] == "absent"


def test_interrupt_keeps_what_landed(cli: Run, tmp_path: Path) -> None:
    import signal
    import subprocess
    import sys

    many = tmp_path / "many"
    many.mkdir()
    for number in range(2_000):
        (many / f"note{number:04}.txt").write_text(CALL.replace("340", str(number)))
    process = subprocess.Popen(
        [sys.executable, "-m", "cliquerag", "add", str(many)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests run in the background ignore it
    )
    _wait_for_documents(tmp_path / "cliquerag.db")
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1 and "Traceback" not in error
    landed = json_of(cli("docs", "--json"))
    assert 0 < len(landed) < 2_000
    assert all(document["chunks"] > 0 for document in landed)


def _wait_for_documents(path: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_size > 0:
            from cliquerag import Workspace

            with Workspace(f"sqlite:///{path}") as workspace:
                if workspace.documents():
                    return
        time.sleep(0.05)
    raise AssertionError("nothing landed in a minute")

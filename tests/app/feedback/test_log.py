"""The log of use: several processes at once, a killed one, a full disk, what is deleted, what is exported."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.feedback.log import Event, FeedbackLog
from cliquerag.side_files import file_beside

TEXT = ["Acme Inc. annual report 2023", "Acme Inc. acquired Beta Corp. in May 2023 for $40 million."]
QUESTION = "Whom did Acme acquire in 2023?"
WRITER = """
import sys
from pathlib import Path
from cliquerag.feedback.log import Event, FeedbackLog
log = FeedbackLog(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    assert log.append(Event("opened", sys.argv[2], "s", {"n": number})), log.stopped
    print(number, flush=True)
"""
FULL = """
import resource, signal, sys
from pathlib import Path
from cliquerag import Workspace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Workspace(sys.argv[1], create=False, embedder="none", feedback="on") as workspace:
    first = workspace.ask("Whom did Acme acquire in 2023?")
    assert first.trace["answer id"]
    files = [path.stat().st_size for path in Path.cwd().glob("*.feedback.db*")]
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(files), max(files)))
    for _ in range(30):
        answer = workspace.ask("Whom did Acme acquire in 2023?")
        assert answer.text == first.text, answer.text
    assert workspace.feedback.log.stopped, "the disk was never full"
    assert "answer id" not in answer.trace
    print("answered", workspace.feedback.log.stopped)
"""


@pytest.fixture
def workspace(private: Path) -> Workspace:
    made = Workspace("sqlite:///acme.db", feedback="on")
    made.add_text(TEXT, source="acme.txt", company="Acme Inc.")
    return made


def test_two_processes_write_at_once_and_no_event_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name, "60"], stdout=subprocess.DEVNULL) for name in ("one", "two")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    events = list(FeedbackLog(path).events())
    for name in ("one", "two"):
        assert [event.data["n"] for event in events if event.answer == name] == list(range(60))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill here")
def test_a_killed_process_loses_at_most_its_last_event(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), "one", "100000"], stdout=subprocess.PIPE)
    assert writer.stdout
    for _ in range(50):
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    said = 50 + len(writer.stdout.read().splitlines())
    writer.wait()
    kept = [event.data["n"] for event in FeedbackLog(path).events()]
    assert kept == list(range(len(kept))) and said <= len(kept) <= said + 1


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are POSIX's")
def test_a_full_disk_stops_the_log_and_not_the_answer(workspace: Workspace) -> None:
    workspace.close()
    done = subprocess.run([sys.executable, "-c", FULL, "sqlite:///acme.db"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("answered"), done.stderr
    assert done.stderr.count("the log stops") == 1


def test_a_log_that_cannot_be_opened_costs_no_answer(private: Path, caplog: pytest.LogCaptureFixture) -> None:
    (private / "acme.feedback.db").write_bytes(b"this is no database, and never was one" * 40)
    with Workspace("sqlite:///acme.db", feedback="on") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
        assert "Beta Corp." in workspace.ask(QUESTION).text
        assert "not noted" in caplog.text
    with pytest.raises(StoreError, match="CLIQUERAG_FEEDBACK=off"):
        FeedbackLog(private / "acme.feedback.db")


def test_nothing_is_noted_unless_asked_for(private: Path) -> None:
    with Workspace("sqlite:///acme.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
        answer = workspace.ask(QUESTION)
        assert "answer id" not in answer.trace and "steered" not in answer.trace
        with pytest.raises(UsageError, match="CLIQUERAG_FEEDBACK=on"):
            workspace.feedback.signal("opened", "0123456789", citation=1)
    assert not list(private.glob("*.feedback.db*"))


def test_an_answer_is_noted_with_its_candidates_and_what_was_done(workspace: Workspace) -> None:
    answer = workspace.ask(QUESTION, session="ann")
    name = answer.trace["answer id"]
    workspace.feedback.signal("opened", name, citation=1)
    workspace.feedback.signal("thumb", name[:8], verdict="up", note="right")
    answered, opened, thumb = workspace.feedback.log.events()
    assert answered.session == opened.session == "ann" and answered.answer == thumb.answer == name
    assert answered.data["candidates"][0]["words"] == 1.0 and answered.data["plan"]["mode"] == "hybrid"
    assert answered.data["shown"][0]["page"] == opened.data["page"] == 2
    assert thumb.data["verdict"] == "up" and thumb.data["note"] == "right"
    for wrong in ({"citation": 7}, {"verdict": "sideways"}):
        with pytest.raises(UsageError):
            workspace.feedback.signal("thumb", name, **{"verdict": "up", **wrong})
    with pytest.raises(UsageError, match="no answer"):
        workspace.feedback.signal("opened", "f" * 32)


def test_a_stream_is_noted_once_it_is_whole(workspace: Workspace) -> None:
    *_, answer = workspace.stream(QUESTION, session="ann", answer_id="turn-0001")
    assert answer.trace["answer id"] == "turn-0001"
    assert [event.answer for event in workspace.feedback.log.events()] == ["turn-0001"]


def test_what_is_written_stays_as_it_was_and_keys_are_cut_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    log = FeedbackLog(tmp_path / "log.db")
    log.append(Event("note", "a", data={"note": "my key is sk-secret-0123456789", "at": ["http://u:pw@host/x?q=1@2"]}))
    (event,) = log.events()
    assert "sk-secret" not in event.data["note"] and event.data["at"] == ["http://***@host/x?q=1@2"]
    with sqlite3.connect(tmp_path / "log.db") as other, pytest.raises(sqlite3.IntegrityError, match="only added"):
        other.execute("UPDATE event SET session = 'x'")


def test_retention_keeps_pins_thumbs_and_weights(private: Path) -> None:
    path = file_beside("sqlite:///acme.db", "feedback")
    assert path == private / "acme.feedback.db"
    log = FeedbackLog(path)
    for kind in ("answered", "opened", "thumb", "pin", "weights"):
        log.append(
            Event(kind, "a", data={"question": "q", "source": "s", "learned": {}}, at="2020-01-01T00:00:00+00:00")
        )
    log.append(Event("opened", "b"))
    log.close()
    with Workspace("sqlite:///acme.db", feedback="on", feedback_days=90) as workspace:
        kept = [(event.kind, event.answer) for event in workspace.feedback.log.events()]
    assert kept == [("thumb", "a"), ("pin", "a"), ("weights", "a"), ("opened", "b")]


def test_what_is_deleted_is_overwritten(tmp_path: Path) -> None:
    log = FeedbackLog(tmp_path / "log.db")
    for session in ("ann", "bob"):
        log.append(Event("answered", f"answer of {session}", session, {"question": "q"}))
    assert log.delete(session="ann") == 1
    assert [event.session for event in log.events()] == ["bob"]
    log.close()
    bytes_left = b"".join(path.read_bytes() for path in tmp_path.glob("log.db*"))
    assert b"answer of bob" in bytes_left and b"answer of ann" not in bytes_left


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    FeedbackLog(tmp_path / "log.db").append(Event("opened", "a"))
    if os.name == "posix":
        assert (tmp_path / "log.db").stat().st_mode & 0o077 == 0

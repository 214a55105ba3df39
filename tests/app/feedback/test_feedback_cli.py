"""cliquerag feedback, as a user meets it: report, say, cases, pins, replay, export, delete."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cliquerag import Workspace
from cliquerag.evaluation.questions import read_questions
from cliquerag.web.notebook import Feedback, Notebook

from tests.app.conftest import Run, json_of

REPORTS = {
    "acme-2023.txt": ["Acme Inc. annual report 2023", "Acme Inc. acquired Beta Corp. in May 2023 for $40 million."],
    "acme-notes.txt": [
        "Acme Inc. notes 2023",
        "Acme Inc. acquired nobody else in 2023. Whom Acme acquires next is open.",
        "For Beta a purchase price of $41 million was paid when it closed on 12 May 2023.",
    ],
}
QUESTION = "Whom did Acme acquire in 2023?"


@pytest.fixture
def noted(private: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace that notes what is done."""
    monkeypatch.setenv("CLIQUERAG_FEEDBACK", "on")
    with Workspace("sqlite:///cliquerag.db") as workspace:
        for source, pages in REPORTS.items():
            workspace.add_text(pages, source=source, company="Acme Inc.", period="FY2023")
    return private


def asked(cli: Run, *options: str) -> dict[str, Any]:
    answer: dict[str, Any] = json_of(cli("ask", QUESTION, "--json", *options))
    return answer


def test_without_a_log_every_command_says_what_to_do(cli: Run, private: Path) -> None:
    Workspace("sqlite:///cliquerag.db").close()
    done = cli("feedback", "report")
    assert done.returncode == 2 and "CLIQUERAG_FEEDBACK=on" in done.stderr


def test_a_pin_comes_first_is_shown_and_can_be_taken_off(cli: Run, noted: Path) -> None:
    first = asked(cli)
    name = first["trace"]["answer id"]
    with Workspace("sqlite:///cliquerag.db", feedback="on") as workspace:
        place = {"source": "acme-notes.txt", "page": 3, "start": 0, "end": 0}
        assert workspace.feedback.signal("pin", name, place=place)
    found = cli("search", "In 2023, whom did Acme acquire?")
    assert found.stdout.splitlines()[0].startswith(" 1. chunk  acme-notes.txt, page 3") and "pinned" in found.stdout
    assert "Pinned for this question: acme-notes.txt, page 3" in cli("ask", QUESTION).stdout
    assert "pinned" not in cli("search", "Whom did Acme acquire in 2022?").stdout
    (pin,) = json_of(cli("feedback", "pins", "--json"))
    assert pin["page"] == 3 and pin["question"] == QUESTION
    assert json_of(cli("feedback", "pins", "--remove", str(pin["id"]), "--json")) == []
    assert "pinned" not in cli("search", QUESTION).stdout
    assert cli("feedback", "pins", "--remove", str(pin["id"])).returncode == 2


def test_a_thumb_down_becomes_a_case_that_compare_asks(cli: Run, noted: Path) -> None:
    name = asked(cli)["trace"]["answer id"]
    assert json_of(cli("feedback", "say", name[:8], "down", "-n", "1", "--note", "the price", "--json")) == {
        "noted": True
    }
    with Workspace("sqlite:///cliquerag.db", feedback="on") as workspace:
        workspace.feedback.signal("pin", name, place={"source": "acme-notes.txt", "page": 3, "start": 0, "end": 0})
    (case,) = json_of(cli("feedback", "cases", "--out", "cases.csv", "--json"))
    assert case["question"] == QUESTION and case["note"] == "the price"
    assert case["right"] == [["acme-notes.txt", 3]] and case["wrong"] == [["acme-2023.txt", 2]]
    (question,) = read_questions(Path("cases.csv"))
    assert (question.source, question.pages, question.type) == ("acme-notes.txt", (3,), "case")
    compared = json_of(cli("compare", "--cases", "--modes", "vector,hybrid", "--json"))
    outcome = compared["questions"][0]["outcomes"][0]
    assert compared["questions"][0]["question"] == QUESTION and outcome["scores"]["MRR@10"] == 1.0


def test_compare_wants_questions_or_cases(cli: Run, noted: Path) -> None:
    assert cli("compare").returncode == 2
    assert cli("compare", "q.csv", "--cases").returncode == 2
    asked(cli)
    done = cli("compare", "--cases")
    assert done.returncode == 2 and "no answer was found bad" in done.stderr.lower()


def test_a_replay_gives_the_same_ranking_or_says_which_version_differs(cli: Run, noted: Path) -> None:
    name = asked(cli)["trace"]["answer id"]
    same = json_of(cli("feedback", "replay", name, "--json"))
    assert same["is_same"] and same["versions"] == {} and same["candidates"] > 2
    cli("feedback", "say", name, "pin", "-n", "1")
    assert json_of(cli("feedback", "replay", name[:10], "--json"))["is_same"], "a later pin does not count"
    with Workspace("sqlite:///cliquerag.db") as workspace:
        workspace.add_text(
            ["Acme Inc. acquired Gamma Corp. in 2023."], "more.txt", company="Acme Inc.", period="FY2023"
        )
    done = cli("feedback", "replay", name)
    assert done.returncode == 1 and "documents: 2 then, 3 now" in done.stdout and "more.txt" in done.stdout
    assert cli("feedback", "replay", "f" * 32).returncode == 2


def test_a_pinned_answer_is_replayed_with_its_pin(cli: Run, noted: Path) -> None:
    name = asked(cli)["trace"]["answer id"]
    cli("feedback", "say", name, "pin", "-n", "1")
    pinned = asked(cli)["trace"]
    assert pinned["ranking"][0]["pin"] == 3.0
    (pin,) = json_of(cli("feedback", "pins", "--json"))
    cli("feedback", "pins", "--remove", str(pin["id"]))
    assert json_of(cli("feedback", "replay", pinned["answer id"], "--json"))["is_same"]


def test_exports_hold_no_text_of_documents_unless_asked(cli: Run, noted: Path) -> None:
    name = asked(cli)["trace"]["answer id"]
    cli("feedback", "say", name, "down", "--note", "it was $41 million")
    assert json_of(cli("feedback", "export", "plain.jsonl", "--json"))["events"] == 2
    plain = Path("plain.jsonl").read_text(encoding="utf-8")
    assert "million" not in plain and "acquired Beta" not in plain and QUESTION in plain
    cli("feedback", "export", "whole.jsonl", "--with-text")
    whole = [json.loads(line) for line in Path("whole.jsonl").read_text(encoding="utf-8").splitlines()]
    assert "Beta Corp." in whole[0]["text"] and whole[1]["note"] == "it was $41 million"


def test_report_counts_sessions_and_says_when_they_are_few(cli: Run, noted: Path) -> None:
    for _ in range(2):
        name = asked(cli, "--session", "ann.json")["trace"]["answer id"]
    cli("feedback", "say", name, "opened", "-n", "1")
    cli("feedback", "say", name, "up")
    report = json_of(cli("feedback", "report", "--json"))
    rates = {rate["name"]: rate["value"] for rate in report["rates"]}
    assert report["answers"] == 2 and report["sessions"] == 1
    assert rates["citation click rate"] == 0.5 and rates["helpful rate"] == 1.0 and rates["re-ask rate"] == 0.5
    assert "Too few to go by" in report["too few"]
    assert "Too few to go by" in cli("feedback", "report").stdout


def test_delete_wants_to_be_sure(cli: Run, noted: Path) -> None:
    asked(cli)
    assert cli("feedback", "delete").returncode == 2
    assert cli("feedback", "delete", "--all", input="n\n").returncode == 1
    assert json_of(cli("feedback", "delete", "--all", "--json")) == {"deleted": 1}
    assert json_of(cli("feedback", "report", "--json"))["answers"] == 0


def test_delete_all_empties_the_table_of_the_desk(cli: Run, noted: Path) -> None:
    asked(cli)
    notebook = Notebook(noted / "cliquerag.desk.db")
    notebook.add_feedback(Feedback("turn", QUESTION, "down", "a note"))
    assert json_of(cli("feedback", "delete", "--all", "--json")) == {"deleted": 2}
    assert notebook.feedback() == []
    notebook.add_feedback(Feedback("turn", QUESTION, "up"))
    with (
        sqlite3.connect(noted / "cliquerag.desk.db") as other,
        pytest.raises(sqlite3.IntegrityError, match="only added"),
    ):
        other.execute("DELETE FROM feedback")
    notebook.close()


def test_chat_takes_words_about_the_last_answer(cli: Run, noted: Path) -> None:
    said = f"{QUESTION}\n/down it was more\n/pin 1\n/nonsense\n"
    done = cli("chat", "--no-such", input=said)
    assert done.returncode == 2
    done = cli("chat", input=said)
    assert done.returncode == 0 and done.stderr.count("Noted") == 2 and "/nonsense says nothing" in done.stderr
    (case,) = json_of(cli("feedback", "cases", "--json"))
    assert case["note"] == "it was more" and case["right"] == [["acme-2023.txt", 2]]


def test_a_question_of_several_parts_is_replayed_part_by_part(cli: Run, noted: Path) -> None:
    question = "Whom did Acme acquire in 2023? At what price was the purchase of Beta closed?"
    answer = json_of(cli("ask", question, "--json"))
    assert len(answer["trace"]["parts"]) == 2
    found = json_of(cli("feedback", "replay", answer["trace"]["answer id"], "--json"))
    parts = [len(part["trace"]["ranking"]) for part in answer["trace"]["parts"]]
    assert found["is_same"] and found["candidates"] == sum(parts) > 2

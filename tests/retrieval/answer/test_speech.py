"""What was asked and said in a call is told with who asked and who said it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.retrieval.answer.extractive import speech
from cliquerag.retrieval.answer.extractive.speech import is_request
from cliquerag.retrieval.question.wording.speech import read_speech
from cliquerag.workspace import Workspace

_CALL = """Operator
Welcome to the second quarter 2021 earnings conference call of Halvern Corporation.

Jane Roe -- Chief Executive Officer
Halvern had a good quarter, and orders grew in all regions that we serve. Our inventory is in the shape that we want.

Paul Gray -- Chief Financial Officer
Revenue of Halvern rose to $40 million. Inventory went up by $3 million since copper became dear in the spring.

Operator
We will now begin the question-and-answer session. Our first question comes from Ann Lee of Morgan Stanley.

Ann Lee -- Morgan Stanley -- Analyst
Thanks for taking my question. Could you give us a bit more color on the freight costs in the north.

Paul Gray -- Chief Financial Officer
We paid twice as much for freight in the north as a year ago because the river was low. The costs should come down by \
winter when ships can pass again.

Operator
Our next question comes from Bob Kim of Citi.

Bob Kim -- Citi -- Analyst
What do you plan to do with the dividend after the sale of the paper mill?

Jane Roe -- Chief Executive Officer
The board will raise the dividend to 20 cents a share. It meets in June.

Operator
This concludes the call.
"""
_OTHER = "Kimball Inc. annual report 2021. Kimball sells chairs. The dividend of Kimball was 5 cents a share in 2021. "


@pytest.fixture(scope="module")
def calls() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(_CALL, "halvern.txt")
        workspace.add_text(_OTHER * 5, "kimball.txt", company="Kimball Inc.", kind="10-K")
        yield workspace


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        (
            "What did Ann Lee of Morgan Stanley ask about freight costs, and how did management respond?",
            ("Ann Lee (Morgan Stanley): ", "more color on the freight costs", "Paul Gray", "twice as much for freight"),
            "dividend",
        ),
        (
            "How did Halvern respond to Bob Kim's question about the dividend?",
            ("What do you plan to do with the dividend", "Jane Roe", "20 cents"),
            "5 cents",
        ),
        (
            "What did analysts ask about on the Halvern call?",
            ("Ann Lee (Morgan Stanley)", "Bob Kim (Citi)"),
            "20 cents",
        ),
        ("What did the CEO say on Halvern's call?", ("Jane Roe (Chief Executive Officer)",), "copper"),
        ("What did Bob Kim ask?", ("What do you plan to do with the dividend",), "20 cents"),
        ("What did the CFO of Halvern say about inventory?", ("Paul Gray", "copper became dear"), "in the shape"),
        ("What did Jane Roe say about inventory?", ("Jane Roe", "in the shape"), "copper"),
        ("Who asked about freight costs?", ("Ann Lee (Morgan Stanley)",), "twice"),
        ("Who at Halvern spoke about copper?", ("Paul Gray", "copper became dear"), "in the shape"),
        (
            "What did the analyst from Citi ask about the dividend, and what was the answer?",
            ("paper mill", "20 cents"),
            "freight",
        ),
    ],
)
def test_who_asked_and_said_it_is_told(calls: Workspace, question: str, told: tuple[str, ...], not_told: str) -> None:
    text = calls.ask(question).text
    assert [words for words in told if words not in text] == []
    assert not_told not in text


def test_a_question_that_an_analyst_put_is_answered_by_the_answer(calls: Workspace) -> None:
    text = calls.ask("What will Halvern do with the dividend after the sale of the mill?").text
    assert "20 cents" in text


def test_nobody_is_quoted_on_what_no_analyst_asked(calls: Workspace) -> None:
    assert calls.ask("What gives Halvern the confidence to open hotels in Spain?").trace.get("not found")


def test_what_an_analyst_says_answers_nothing(calls: Workspace) -> None:
    text = calls.ask("What happened to the freight costs of Halvern in the north?").text
    assert "twice as much for freight" in text and "color" not in text


def test_what_is_expected_is_not_answered_by_what_has_been() -> None:
    told = "We expect full year 2021 revenue of between $165 million and $170 million."
    said = f"Halvern sold pumps, representing $40 million of revenue in 2021. {told}"
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(
            _CALL.replace("Halvern had a good quarter", f"{said} Halvern had a good quarter"), "halvern.txt"
        )
        assert told[:-1] in workspace.ask("What revenue did Halvern guide to for full year 2021?").text


def test_what_nobody_spoke_of_is_told_of_nobody(calls: Workspace) -> None:
    assert "Paul Gray (" not in calls.ask("What did the CFO of Halvern say about lithium mines in Chile?").text


def test_without_a_call_such_a_question_is_one_like_others() -> None:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text("Acme Inc. The board of Acme said on Monday that the mill in Ohio closes.", "acme.txt")
        assert "closes" in workspace.ask("What did the board of Acme say about the mill in Ohio?").text


@pytest.mark.parametrize(
    ("question", "kind", "asker", "speaker", "topic"),
    [
        (
            "What was management's response to Ann Lee's question about pricing?",
            "exchange",
            "Ann Lee",
            "management",
            "pricing",
        ),
        ("What did analysts ask about tariffs?", "asked", "analysts", "", "tariffs"),
        ("What is the CFO's view on margins?", "said", "", "the CFO", "margins"),
        ("How does Jane Roe feel about the recovery?", "said", "", "Jane Roe", "the recovery"),
    ],
)
def test_what_is_wanted_of_a_call_is_read(question: str, kind: str, asker: str, speaker: str, topic: str) -> None:
    request = read_speech(question)
    assert request is not None
    assert (request.kind, request.asker, request.speaker, request.topic) == (kind, asker, speaker, topic)


@pytest.mark.parametrize("question", ["What did revenue come to in 2022?", "Who audits Acme?", "What are the risks?"])
def test_a_question_for_nobodys_words_asks_nothing_of_a_call(question: str) -> None:
    assert read_speech(question) is None


@pytest.mark.parametrize(
    "said",
    [
        "Could you give us more color on the backlog.",
        "Maybe just talk about the cadence of that through the year.",
        "I was just wondering how you think about leverage from here.",
        "And any update on the plant in Ohio would be helpful.",
    ],
)
def test_a_request_needs_no_question_mark(said: str) -> None:
    assert is_request(said)


@pytest.mark.parametrize("said", ["We could give more to our shareholders.", "The update on the plant was good news."])
def test_a_statement_is_no_request(said: str) -> None:
    assert not is_request(said)


def test_a_call_whose_speakers_are_not_told_apart_is_not_read_for_their_words(monkeypatch) -> None:
    read: list[str] = []
    quotes = speech._quotes
    monkeypatch.setattr(
        speech, "_quotes", lambda plan, source, *more: read.append(source) or quotes(plan, source, *more)
    )
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text("Freight rates of Vexel Corp. rose in the north. " * 9, "vexel.txt", kind="earnings call")
        workspace.ask("What did management of Vexel say about freight rates?")
        assert read == []
        workspace.add_text(_CALL, "halvern.txt")
        assert "twice as much" in workspace.ask("What did Paul Gray of Halvern say about freight in the north?").text
        assert "halvern.txt" in read and "vexel.txt" not in read

"""What programs and mails put around a text is taken off; a text without any of it stays."""

import pytest
from cliquerag.retrieval.question.question import without_markup

QUESTION = "What was Acme's net income in 2021?"


@pytest.mark.parametrize(
    "text",
    [
        f'{{"role": "user", "content": "{QUESTION}"}}',
        f'[{{"id": 3, "inputs": {{"question": "{QUESTION}"}}}}]',
        f"**{QUESTION}**",
        f"# {QUESTION}",
        f"```text\n{QUESTION}\n```",
        f"<question>\n{QUESTION}\n</question>",
        f"> > {QUESTION}",
        f"On Tue, 14 Mar, Priya wrote:\n> {QUESTION}",
        f"@filings-bot {QUESTION} :pray:",
        f"#desk {QUESTION} cc @maria",
        f"Q: Who audits Bolt?\nA: Nobody does.\n\nQ: {QUESTION}\nA:",
        f"From: desk\nTo: bot\nSubject: data request\n\n{QUESTION}",
        f"{QUESTION}\n\nBest,\nT. Okafor\nSenior Associate | +44 20 5550 0199",
        f"---------- Forwarded message ---------\nFrom: Lena Brandt\nDate: Mon, Jan 8\n\n{QUESTION}",
        f"{QUESTION} \\boxed{{}}",
    ],
)
def test_what_was_written_is_left(text: str) -> None:
    assert without_markup(text) == QUESTION


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "Is EPS < 2 and P/E > 10?",
        "Subject: Acme's revenue in 2021",
        "What is Acme's #1 product?",
        "How much is 3 * 4 * 5?",
        "Revenue {2021}",
        "收入是多少?",
    ],
)
def test_a_text_without_markup_stays(text: str) -> None:
    assert without_markup(text) == text


def test_the_only_question_stays_though_it_is_answered() -> None:
    assert without_markup("Q: Who audits Bolt?\nA: I do not know") == "Who audits Bolt?\nI do not know"


def test_nothing_but_markup_stays_as_it_is() -> None:
    assert without_markup("---\n***") == "---\n***"

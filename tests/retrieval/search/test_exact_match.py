"""What is asked for word by word: phrases in quotation marks, and figures without words."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.search.rerankers.exact_match import bare_figure, quoted_phrases
from cliquerag.workspace import Workspace

TABLE = "| Segment | 2025 | 2024 |\n| --- | --- | --- |\n| Robots | 372.2 | 318.1 |\n| Service | 96.4 | 91.0 |"
FILLER = [
    f"Item {number}. Change of supply. Supply and terms change; agreement on change is rare." for number in range(8)
]
CLAUSE = "Either side may end the contract on a change\nof supply terms, as the law of Sweden has it."


@pytest.fixture(scope="module")
def workspace():
    with Workspace("sqlite://", embedder="none") as opened:
        opened.add_text([*FILLER, f"The segments\n\n{TABLE}", CLAUSE], "report.md")
        opened.add_text("Of 1,372.2 robots sold, 3,722 came back. The figure 4372.2 is another one.", "note.txt")
        yield opened


@pytest.mark.parametrize(
    "question", ["372.2", "What stands behind the figure 372.2?", "372.2 是什么？", "$372.2 million?"]
)
def test_a_bare_figure_finds_its_cell(workspace, question):
    first = workspace.search(question)[0]
    assert "| Robots | 372.2 |" in first.text
    assert first.page == 9


@pytest.mark.parametrize("question", ['"change of supply terms"', "Where is “change of supply terms” spoken of?"])
def test_a_phrase_finds_where_it_is_printed(workspace, question):
    found = workspace.search(question)
    assert "Either side" in found[0].text
    assert "exact" in found[0].why
    assert "exact" not in found[1].why


def test_a_phrase_that_nobody_prints_changes_nothing(workspace):
    plain = workspace.search("Where do terms of supply change?")
    assert [item.id for item in workspace.search('Where do "terms of supply change"?')] == [item.id for item in plain]


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("372.2", Decimal("372.2")),
        ("What is 1,234,567?", Decimal(1234567)),
        ("What was revenue when costs were 372.2?", None),
        ("12.5%", None),
        ("What is 42?", None),
        ("What happened in 2023?", None),
        ("372.2 and 318.1", None),
    ],
)
def test_a_figure_is_bare_without_other_words(question, figure):
    assert bare_figure(read_question(question)) == figure


def test_single_words_in_quotation_marks_are_no_phrase():
    assert quoted_phrases('the "Company" and 「不可抗力条款」') == ("不可抗力条款",)

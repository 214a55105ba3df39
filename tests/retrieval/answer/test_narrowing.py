"""What a figure is of has to be spoken of: the whole does not answer for a part that no document has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer.extractive.requirements.narrowing import read_narrowing
from cliquerag.retrieval.question.figures.request import read_numbers
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.companies import CompanyIndex
from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas

FILLER = "\n\n".join(f"Revenue and market note {n}: the market of each year is described." for n in range(40))
REPORT = f"""# Acme Inc.

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Revenue | 900 | 800 |

{FILLER}

| Sales by market (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Norrland and islands | 120 | 110 |
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(REPORT, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        yield made


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What was Acme's revenue from cloud computing in fiscal 2021?", {"cloud"}),
        ("What was revenue in Norrland in 2022?", {"norrland"}),
        ("What was the revenue in fiscal 2022?", set()),
        ("What was the net income for the year ended December 31, 2022?", set()),
        ("What was the revenue of the group for the full year 2022?", set()),
        ("What was operating income on a consolidated basis?", set()),
        ("How did revenue grow in Norrland?", set()),
        ("How many days of inventory did Acme have?", {"inventori", "outstand"}),
    ],
)
def test_what_the_figure_is_of(question: str, words: set[str]) -> None:
    asked = read_numbers(read_question(question), ["Acme Inc."], default_formulas())
    assert read_narrowing(asked, CompanyIndex.of(()), default_metrics()).words == words


def test_the_whole_does_not_answer_for_a_part(workspace: Workspace) -> None:
    answer = workspace.ask("What was Acme's revenue from cloud computing in fiscal 2022?")
    assert answer.trace["not found"] and not answer.citations
    assert "900" in workspace.ask("What was Acme's revenue in fiscal 2022?").text


def test_a_part_is_looked_for_in_the_company_s_documents(workspace: Workspace) -> None:
    assert "120" in workspace.ask("What was Acme's revenue in Norrland in fiscal 2022?").text


def test_a_sentence_about_the_part_that_states_no_such_figure_is_no_answer(workspace: Workspace) -> None:
    told = "Acme moves its cloud to a new provider in 2022. Cloud staff rose to 12 in 2022."
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(f"{REPORT}\n\n{told}", "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        assert made.ask("What was Acme's revenue from cloud services in 2022?").trace["not found"]
        made.add_text("Cloud sales were $ 55 million in 2022.", "more.md", company="Acme Inc.", period="FY2022")
        assert "55" in made.ask("What was Acme's revenue from cloud services in 2022?").text


@pytest.mark.parametrize(
    ("question", "is_amount"),
    [
        ("What was Acme's revenue from cloud computing in fiscal 2021?", True),
        ("With which method does Acme value inventories in Norrland?", False),
        ("How does Acme recognise revenue from cloud computing?", False),
    ],
)
def test_only_a_question_for_an_amount_needs_one(question: str, is_amount: bool) -> None:
    asked = read_numbers(read_question(question), ["Acme Inc."], default_formulas())
    assert bool(read_narrowing(asked, CompanyIndex.of(()), default_metrics()).metric) is is_amount


STAFF = f"""# Acme Inc.

We employed approximately 9,300 people worldwide as of December 31, 2022, including approximately 4,100 people within
the United States.

{FILLER}
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How many employees does Acme have in the US?",
            "including approximately 4,100 people within the United States",
        ),
        ("How many employees does Acme have?", "Employees, 2022-12-31: 9,300 people"),
    ],
)
def test_a_figure_that_says_nothing_of_a_part_of_what_is_asked_is_told_by_its_sentence(
    question: str, answer: str
) -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(STAFF, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        assert answer in made.ask(question).text

"""What a company expects of its business, as its own report says."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.overview import asks_for_outlook

from benchmarks.asking import plan_of

REPORT = """Acme Inc.

Annual report for fiscal 2022

Item 1A. Risk Factors

We expect that sales in 2023 will fall if shipyards close.

Item 7. Management's Discussion

Net sales of pumps rose by 4% in fiscal 2022, as we had expected. For fiscal 2023, we expect net sales to grow between
3% and 5%. We currently anticipate capital expenditures of $40 million in 2023.

Note 9. Pensions

We expect to contribute $9 million to our pension plans in 2023. We do not expect the adoption of the standard to have
an effect on revenue in 2023. Forward-looking statements may prove wrong.
"""
BOLT = """Bolt Corp.

Annual report for fiscal 2022

Net sales rose in fiscal 2022, and the board thanked all employees.
"""


@pytest.fixture(scope="module")
def filings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("outlook")
    with Workspace(f"sqlite:///{folder / 'a.db'}", embedder="none") as workspace:
        workspace.add_text(REPORT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        workspace.add_text(BOLT, source="bolt.md", company="Bolt Corp.", period="FY2022", kind="10-K")
        yield workspace


@pytest.mark.parametrize(
    "question",
    [
        "What is Acme's outlook?",
        "What does Acme expect for 2023?",
        "Acme guidance for the full year",
        "Give me the outlook of Acme Inc. for fiscal 2023",
        "What guidance did Acme give for the rest of the year?",
        "Acme对2023年的展望是什么？",
    ],
)
def test_what_is_expected_of_the_business_is_told(filings: Workspace, question: str) -> None:
    told = filings.ask(question).text
    assert "we expect net sales to grow between 3% and 5%" in " ".join(told.split())
    assert "capital expenditures of $40 million" in told
    assert "pension" not in told and "standard" not in told and "shipyards close" not in told


def test_an_outlook_that_nobody_gives_is_refused(filings: Workspace) -> None:
    assert filings.ask("What is Bolt's outlook?").text.startswith("Not in these documents")


def test_the_outlook_for_one_figure_is_another_question(filings: Workspace) -> None:
    assert not asks_for_outlook(plan_of(filings.store, "What is Acme's gross margin outlook?"))


def test_another_year_is_not_told_of(filings: Workspace) -> None:
    assert "No document of" in filings.ask("What does Acme expect for fiscal 2030?").text


@pytest.mark.parametrize(
    "question",
    [
        "Summarize Acme's 2022 results",
        "What were Acme's results in fiscal 2022?",
        "How was Acme's financial performance in 2022?",
        "Give me the key figures of Acme for 2022",
    ],
)
def test_the_results_of_a_company_are_its_headline_figures(filings: Workspace, question: str) -> None:
    read = plan_of(filings.store, question).asked.trimmed
    assert "Acme's revenue, operating income, net income and diluted earnings per share" in read and "2022" in read


@pytest.mark.parametrize(
    "question",
    [
        "What were the results of Acme's impairment test?",
        "What were Acme's North America results in 2022?",
        "What were the numbers of Acme for pumps?",
    ],
)
def test_results_of_something_else_are_not(filings: Workspace, question: str) -> None:
    assert "diluted" not in plan_of(filings.store, question).asked.trimmed

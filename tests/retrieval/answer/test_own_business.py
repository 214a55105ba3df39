"""What a company does, as its own report says of itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.citations import Citations
from cliquerag.retrieval.answer.overview import write_business

from benchmarks.asking import plan_of

REPORT = """Acme Inc.

Annual report for fiscal 2022

Item 1. Business

Founded in 1982, Acme Inc. (“Acme”, the “Company” or “we”) is one of the leading makers of pumps for ships. We design
and sell pumps and valves to shipyards in 40 countries. We employ 300 people.

Item 1A. Risk Factors

We are a holding company. We are a smaller reporting company. We are a party to several lawsuits.

Acme Valves is a supplier that could fail. The proceeds are a source of cash.
"""
BOLT = """Bolt Corp.

Annual report for fiscal 2022

Bolt is subject to the rules of the exchange. Net sales rose in fiscal 2022, and the board thanked all employees.
"""


@pytest.fixture(scope="module")
def filings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("business")
    with Workspace(f"sqlite:///{folder / 'a.db'}", embedder="none") as workspace:
        workspace.add_text(REPORT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        workspace.add_text(BOLT, source="bolt.md", company="Bolt Corp.", period="FY2022", kind="10-K")
        yield workspace


@pytest.mark.parametrize(
    "question",
    [
        "What does Acme do?",
        "What does Acme Inc. actually do?",
        "What kind of company is Acme?",
        "What business is Acme in?",
        "Describe Acme's business",
        "What is Acme?",
        "Acme是做什么的？",
    ],
)
def test_a_company_is_told_by_its_own_words(filings: Workspace, question: str) -> None:
    answer = filings.ask(question)
    assert "Acme Inc. (“Acme”, the “Company” or “we”) is one of the leading makers of pumps for ships" in answer.text
    assert "sell pumps and valves" in answer.text
    assert "holding company" not in answer.text and "Valves is" not in answer.text


def test_nothing_is_told_where_no_sentence_says_it(filings: Workspace) -> None:
    assert "is subject to" not in filings.ask("What does Bolt do?").text.split("\n")[0]


def test_what_it_does_for_somebody_is_another_question(filings: Workspace) -> None:
    plan = plan_of(filings.store, "What does Acme do for its employees?")
    assert write_business(plan, Citations(filings.store)) == ""

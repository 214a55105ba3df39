"""A relation that the graph does not state: sentences and rows that name somebody answer, generic ones do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace

REPORT = """# Acme Inc. annual report

Our suppliers face disruptions, and payables to suppliers rose by $0.2 billion in 2022.

Supplier advances are part of inventory, as the note on suppliers explains.

Bolt Systems Corp. and Crux Ltd. were founded in 1990. Our Robots unit faces strong competition primarily from
Bolt Systems Corp. and Crux Ltd. in defense.

We compete on price and quality.

Our Robots unit finances our customers, and our Robots segment serves customers of commercial aircraft.

Prior to joining us, Ms. Dale served customers of Omega Corporation.

Revenue as a percentage of total revenues for our three largest wholesale customers:

| | 2022 | 2021 |
| --- | --- | --- |
| Delta Drugs, Inc. | 9 % | 16 % |
| Omega Corporation | 7 % | 9 % |

Jane Roe, 55, is President and Chief Executive Officer, a position she has held since November 2019.

The votes ratified Dole LLP as our independent registered public accounting firm.
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(REPORT, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        yield made


def test_a_sentence_that_names_nobody_does_not_answer(workspace: Workspace) -> None:
    answer = workspace.ask("Who supplies Acme?")
    assert answer.text.startswith("No document here states this of Acme") and answer.trace["not found"]


def test_a_narrower_question_is_answered_by_sentences_with_names(workspace: Workspace) -> None:
    text = workspace.ask("Who does Acme compete with in defense?").text
    assert "Bolt Systems Corp." in text and "on price" not in text


def test_rows_name_customers_under_the_sentence_that_says_so(workspace: Workspace) -> None:
    lines = workspace.ask("Who are Acme's largest customers?").text.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Delta Drugs, Inc.", "Omega Corporation"]


def test_parts_of_the_company_and_former_employers_are_no_customers(workspace: Workspace) -> None:
    text = workspace.ask("Who are Acme's customers?").text
    assert "finances" not in text and "Dale" not in text and "Omega Corporation" in text


def test_an_auditor_may_be_called_an_accounting_firm(workspace: Workspace) -> None:
    assert "ratified Dole LLP" in workspace.ask("Is Dole LLP the auditor of Acme?").text


def test_who_holds_an_office_since_a_year_holds_it_now(workspace: Workspace) -> None:
    assert "Jane Roe" in workspace.ask("Who leads Acme?").text

"""A bare "$" is the dollar that the report is in; one that is printed as American stays so."""

from __future__ import annotations

from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_text

PRESENTED = "The financial report is presented in Australian dollars.\n\n"
TABLES = """# Acme Limited

Revenue rose to $58.5 million in 2022. In America it was US$3.1 million in 2022.

Results ($M)

| | 2022 | 2021 |
| --- | --- | --- |
| Revenue | 58.5 | 57.0 |

American business (US$M)

| | 2022 | 2021 |
| --- | --- | --- |
| Revenue | 3.1 | 3.0 |
"""


def units(text: str) -> dict[str, str]:
    return {fact.text: fact.unit for fact in extract_facts(read_text(text, source="x.md")) if fact.metric == "revenue"}


def test_a_report_in_australian_dollars() -> None:
    found = units(PRESENTED + TABLES)
    assert (found["58.5"], found["57.0"], found["3.1"], found["3.0"]) == ("AUD", "AUD", "USD", "USD")
    assert {unit for text, unit in found.items() if "million" in text} <= {"AUD", "USD"}


def test_without_a_word_of_it_the_dollar_is_american() -> None:
    assert set(units(TABLES).values()) == {"USD"}


def test_a_list_of_contents_states_no_figures() -> None:
    topics = (
        "Sales",
        "Gross profit",
        "Operating income",
        "EBITDA",
        "Finance costs",
        "Free cash flow",
        "Goodwill",
        "Debt",
    )
    rows = "\n".join(f"| {topic} | {10 + number} |" for number, topic in enumerate(topics))
    pages = [f"Report of 2022\n\n| Contents | Page |\n| --- | --- |\n{rows}\n", *(f"Text {n}." for n in range(40))]
    assert extract_facts(read_text(pages, source="x.md")) == []

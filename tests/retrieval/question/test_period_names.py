"""A quarter has up to three names; the document whose name carries the label counts, the others are searched too."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from cliquerag import Workspace
from cliquerag.core.period import Period
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.catalogue import Catalogue
from cliquerag.retrieval.question.scope.document_filter import Selection, select_documents


def quarter(source: str, year: int, number: int, end: date, kind: str = "10-Q") -> DocumentRecord:
    """A report of a company whose year ends in September."""
    period = Period("quarter", year, number, fiscal=True, end=end)
    return DocumentRecord(
        source=source, title="", companies=("Orchard Inc.",), tickers=(), kind=kind, period=period, published=None,
        ingested=datetime(2024, 1, 1), language="en", content_hash="", pages=3, chunks=9, tokens=99, versions={},
        how={"companies": "cover page"},
    )  # fmt: skip


ENDS = {
    (2022, 3): date(2022, 6, 25), (2023, 1): date(2022, 12, 31), (2023, 2): date(2023, 4, 1),
    (2023, 3): date(2023, 7, 1),
}  # fmt: skip


def select(text: str, names: dict[tuple[int, int], str]) -> Selection:
    records = [quarter(names[label], *label, end) for label, end in ENDS.items()]
    return select_documents(Catalogue.of(records), read_question(text), None)


FISCAL = {(year, number): f"{year} Q{number} ORC.pdf" for year, number in ENDS}
CALENDAR = {
    (2022, 3): "2022 Q2 ORC.pdf",
    (2023, 1): "2022 Q4 ORC.pdf",
    (2023, 2): "2023 Q1 ORC.pdf",
    (2023, 3): "2023 Q2 ORC.pdf",
}
NAMELESS = {label: f"doc-{at}.pdf" for at, label in enumerate(ENDS)}


def test_where_name_and_company_agree_there_is_one_reading() -> None:
    found = select("What was Orchard's revenue in Q1 2023?", FISCAL)
    assert found.groups == (("2023 Q1 ORC.pdf",),) and not any(found.readings.values())


def test_the_document_named_so_counts_and_the_company_s_own_is_searched_too() -> None:
    found = select("What was Orchard's revenue in Q2 2023?", CALENDAR)
    assert found.groups == (("2023 Q2 ORC.pdf",), ("2023 Q1 ORC.pdf",))
    (reading,) = found.readings["orchard"]
    assert reading.how == "file name" and reading.own is not None and reading.own.label == "Q3 FY2023"


def test_without_names_the_company_s_count_comes_first_and_the_calendar_s_behind() -> None:
    found = select("What was Orchard's revenue in Q1 2023?", NAMELESS)
    assert found.groups == ((NAMELESS[2023, 1],), (NAMELESS[2023, 2],))
    assert select("What was Orchard's revenue in Q1 FY2023?", NAMELESS).groups == ((NAMELESS[2023, 1],),)


def test_a_quarter_that_only_the_calendar_knows_is_taken_by_the_calendar() -> None:
    found = select("What was Orchard's revenue in Q2 2022?", NAMELESS)
    assert found.groups == ((NAMELESS[2022, 3],),)
    assert found.readings["orchard"][0].how == "calendar"


def test_two_quarters_asked_keep_a_document_each() -> None:
    found = select("How did Orchard's revenue in Q3 FY2023 compare to Q3 FY2022?", FISCAL)
    assert found.groups == (("2023 Q3 ORC.pdf",), ("2022 Q3 ORC.pdf",))


def test_two_kinds_asked_keep_a_document_each() -> None:
    annual = quarter("annual.pdf", 2022, 4, date(2022, 9, 24), kind="10-K")
    records = [annual, quarter("2023 Q1 ORC.pdf", 2023, 1, date(2022, 12, 31))]
    asked = read_question("What changed in Orchard's risk factors between the 10-K and the 10-Q?")
    assert {source for group in select_documents(Catalogue.of(records), asked, None).groups for source in group} == {
        "annual.pdf", "2023 Q1 ORC.pdf"
    }  # fmt: skip


def test_since_then_brings_the_nearest_other_document() -> None:
    found = select("Which risks of Orchard in Q3 FY2023 are new since the last report?", FISCAL)
    assert found.groups == (("2023 Q3 ORC.pdf",), ("2023 Q2 ORC.pdf",))


@pytest.mark.parametrize("text", ["the notes due 2033", "debt maturing in 2030", "warrants that expire in 2031"])
def test_the_year_in_which_something_falls_due_is_no_period(text: str) -> None:
    assert read_question(f"What is the rate of {text} of Orchard?").periods == ()


def test_the_answer_says_how_the_period_was_taken() -> None:
    table = "# Orchard Inc.\n\n| (in millions) | Three months ended {end} |\n| --- | --- |\n| Net sales | {value} |\n"
    with Workspace("sqlite://", embedder="none") as ws:
        for name, period, end, value in (
            ("2022 Q2 ORC.md", "quarter ended June 25, 2022", "June 25, 2022", "411"),
            ("2022 Q4 ORC.md", "quarter ended December 31, 2022", "December 31, 2022", "522"),
        ):
            ws.add_text(table.format(end=end, value=value), name, company="Orchard Inc.", period=period, kind="10-Q")
        answer = ws.ask("What were Orchard's net sales in Q2 2022?").text
        assert "411" in answer and "522" not in answer


CALLS = {(2020, 2): "ORC_q2_2020.txt", (2020, 4): "ORC_q4_2020.txt", (2021, 4): "ORC_q4_2021.txt"}


def select_call(text: str) -> Selection:
    """Among calls of which only the fiscal label is known, from the name of the file."""
    calls = []
    for (year, number), source in CALLS.items():
        dated = quarter(source, year, number, date(year, 1, 1), kind="earnings call")
        calls.append(replace(dated, period=Period("quarter", year, number, fiscal=True)))
    return select_documents(Catalogue.of(calls), read_question(text), None)


@pytest.mark.parametrize(
    "text",
    [
        "What was Orchard's revenue for the three months ended June 30, 2020?",
        "What was Orchard's revenue in calendar Q2 2020?",
    ],
)
def test_a_fiscal_label_without_days_does_not_rule_out_a_quarter_told_by_its_days(text: str) -> None:
    assert set(select_call(text).sources) == set(CALLS.values())
    assert select_call(text).preference["ORC_q2_2020.txt"] == 0.0  # of most companies it would be this one


def test_the_label_itself_is_met_by_the_document_of_that_name() -> None:
    assert select_call("What was Orchard's revenue in Q2 2020?").sources == ("ORC_q2_2020.txt",)


def test_a_quarter_of_the_calendar_is_not_taken_by_the_name_of_a_file() -> None:
    assert select("What was Orchard's revenue in calendar Q2 2023?", FISCAL).groups[0] == ("2023 Q3 ORC.pdf",)


def test_a_quarter_told_by_its_month_is_that_of_the_calendar_whatever_the_files_are_called() -> None:
    assert select("What was Orchard's revenue in the March quarter of 2023?", FISCAL).groups[0] == ("2023 Q2 ORC.pdf",)

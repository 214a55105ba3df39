"""Companies that are each asked with a period of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from cliquerag.core.period import Period
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.catalogue import Catalogue
from cliquerag.retrieval.question.scope.companies import questions_by_company
from cliquerag.retrieval.question.scope.document_filter import select_documents
from cliquerag.retrieval.question.scope.periods import by_reports, with_years


def record(company: str, year: int) -> DocumentRecord:
    return DocumentRecord(
        source=f"{company} {year}",
        title="",
        companies=(company,),
        tickers=(),
        kind="10-K",
        period=Period("year", year, fiscal=True),
        published=None,
        ingested=datetime(2024, 1, 1),
        language="en",
        content_hash="",
        pages=3,
        chunks=9,
        tokens=99,
        versions={},
        how={"companies": "cover page"},
    )


CATALOGUE = Catalogue.of(
    [
        record(name, year)
        for name in ("Acme Corp.", "Beta’s Inc.", "光华电子股份有限公司")
        for year in (2015, 2018, 2021)
    ]
)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("Acme's 2021 and Beta's 2018 revenue", {"acme": ["2021"], "betas": ["2018"]}),
        ("Compare Acme in 2021 with Beta's in 2018 and 2015", {"acme": ["2021"], "betas": ["2018", "2015"]}),
        ("What was the 2021 margin of Acme and the 2018 margin of Beta's?", {"acme": ["2021"], "betas": ["2018"]}),
        ("Revenue of Acme and Beta's in 2021 and 2018 respectively", {"acme": ["2021"], "betas": ["2018"]}),
        ("Acme2021年和光华电子2018年的收入", {"acme": ["2021"], "光华电子": ["2018"]}),
        ("Revenue of Acme and Beta's in 2021 and 2018", {}),
        ("Revenue of Acme in 2021 and of Beta's", {}),
        ("Did Acme in 2021 earn more than Beta's in 2021?", {}),
        ("Acme's revenue in 2018 and 2021", {}),
    ],
)
def test_periods_go_with_the_company_beside_them(text: str, periods: dict[str, list[str]]) -> None:
    found = questions_by_company(read_question(text), CATALOGUE.companies)
    assert {key: [period.label for period in own.periods] for key, own in found.items()} == periods


def test_each_company_s_documents_are_those_of_its_own_period() -> None:
    selection = select_documents(CATALOGUE, read_question("Acme's 2021 and Beta's 2015 revenue"), None)
    best = {source for source, fit in selection.preference.items() if fit == 0}
    assert best == {"Acme Corp. 2021", "Beta’s Inc. 2015"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What were sales in the third quarter?", "What were sales in the third quarter of fiscal 2022?"),
        ("Q3 revenue", "Q3 of fiscal 2022 revenue"),
        ("第三季度的收入是多少？", "2022年第三季度的收入是多少？"),
        ("What were sales in the second quarter of 2021?", None),
        ("What were sales in the second quarter?", None),
        ("What were sales in Q3 '21?", None),
    ],
)
def test_a_part_of_no_year_is_of_the_last_year_reported(text: str, expected: str | None) -> None:
    quarters = [replace(record("Acme Corp.", year), period=Period("quarter", year, 3, True)) for year in (2022, 2021)]
    found = by_reports(text, [record("Acme Corp.", 2023), *quarters])
    assert (found[0] if found else None) == expected
    assert found is None or found[2].label == "Q3 FY2022"


REPORTED = {3: date(2022, 6, 25), 2: date(2022, 3, 26)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was revenue last quarter?", "What was revenue in Q3 FY2022?"),
        ("What was revenue in its most recent fiscal quarter?", "What was revenue in Q3 FY2022?"),
        ("How did revenue change from last quarter?", None),
        ("sales year to date as of March 2022", "sales first half of fiscal 2022"),
        ("sales YTD through the June 2022 quarter", "sales first nine months of fiscal 2022"),
        ("sales year to date", "sales first nine months of fiscal 2022"),
        ("sales YTD, June 2019", None),
    ],
)
def test_a_period_is_told_by_the_reports(text: str, expected: str | None) -> None:
    """Of a company whose year ends in September: June closes its third quarter."""
    reports = [
        replace(record("Acme Corp.", 2022), period=Period("quarter", 2022, number, True, end))
        for number, end in REPORTED.items()
    ]
    found = by_reports(text, reports)
    assert (" ".join(found[0].split()) if found else None) == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Acme revenue FY22A", "FY2022"),
        ("Acme net income in the holiday quarter of 2022", "Q4 2022"),
        ("Acme's revenue in the first three quarters of 2023", "9M 2023"),
        ("光华电子截至2023年三月底止季度的营收", "Q1 2023"),
        ("光华电子截至2023年9月30日止九个月的营收", "9M 2023"),
    ],
)
def test_odd_words_for_a_period(text: str, label: str) -> None:
    assert [period.label for period in read_question(text).periods] == [label]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2021 guidance on the second quarter call", "2021 guidance on the second quarter 2021 call"),
        ("the first and third quarter calls of 2021", "the first quarter 2021 and third quarter 2021 calls of 2021"),
        ("2021 guidance on the fourth quarter call", "2021 guidance on the fourth quarter 2020 call"),
        ("sales in Q2 2021 and guidance for 2021", "sales in Q2 2021 and guidance for 2021"),
        ("sales of 2020 and 2021 in the second quarter", "sales of 2020 and 2021 in the second quarter"),
        ("the first half of the 2021 plan", "the first half of the 2021 plan"),
        ("As of March 2021, what was said on the Q4 call?", "As of March 2021, what was said on the Q4 call?"),
        ("By June 30, 2021, what did the Q1 call say?", "By June 30, 2021, what did the Q1 call say?"),
    ],
)  # fmt: skip
def test_a_part_of_a_year_is_of_the_one_year_named_beside_it(text: str, told: str) -> None:
    quarters = [Period("quarter", 2020, 4), *(Period("quarter", 2021, number) for number in (1, 2, 3))]
    reports = [replace(record("Acme Corp.", 2021), period=quarter) for quarter in quarters]
    assert with_years(text, reports) == told

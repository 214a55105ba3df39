"""The period of reports that are no forms: titles, closing dates, half years by the company's own calendar."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from cliquerag.core.period import Period
from cliquerag.ingest.about.report_period import (
    annual_report_period,
    as_defined,
    interim_period,
    joint_quarter,
    quarterly_period,
    told_call_period,
)
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document, read_text


@pytest.mark.parametrize(
    ("titles", "text", "label", "end"),
    [
        (["Annual Report 2013"], "52 weeks ended 30 June 2013 and 24 June 2012", "FY2013", date(2013, 6, 30)),
        (["2022 Annual Report"], "years ended December 31, 2022", "FY2022", date(2022, 12, 31)),
        (["Annual Report and Accounts 2021/22"], "for the year ended 31 March 2022", "FY2022", date(2022, 3, 31)),
        (["Geschäftsbericht 2023"], "Umsatz", "2023", None),
        (["SYDNEY NSW 2000"], "for the year ended 30 June 2011 " * 2, "FY2011", date(2011, 6, 30)),
        (["Annual Report 2022"], "year ended 31 December 2010 " * 3, "2022", None),
    ],
)
def test_annual_reports(titles: list[str], text: str, label: str, end: date | None) -> None:
    found = annual_report_period(text.lower(), titles)
    assert found is not None and (found.label, found.end) == (label, end)


def test_without_title_or_date_there_is_no_period() -> None:
    assert annual_report_period("sales rose in 2019.", ["Our report"]) is None


def test_half_years_are_counted_by_the_day_on_which_full_ones_end() -> None:
    text = "Interim Results for the six months ended 30 September 2024. The year ended 31 March 2024 was good."
    assert interim_period(text.lower()) == Period("half", 2025, 1, fiscal=True, end=date(2024, 9, 30))
    assert interim_period("half year ended 31 december 2021. for the year ended 31 december 2020") == Period(
        "half", 2021, 2, fiscal=True, end=date(2021, 12, 31)
    )
    assert interim_period("six months ended 30 june 2021").label == "H1 FY2021"


def test_a_postcode_is_no_year() -> None:
    text = "The Manager\nSYDNEY NSW 2000\n\nACME LIMITED\n\nANNUAL REPORT 2013\n\nIn the year ended 30 June 2013."
    about = read_text(text, source="XX758165").metadata
    assert about.period is not None and about.period.label == "FY2013"


def test_a_quarter_beside_the_year_to_date_is_counted_by_it() -> None:
    text = "results for the quarter and nine months ended december 31, 2024"
    assert joint_quarter(text) == Period("quarter", 2025, 3, fiscal=True, end=date(2024, 12, 31))
    assert joint_quarter("three and six months ended june 30, 2024").label == "Q2 FY2024"
    assert joint_quarter("results for the quarter ended june 30, 2024") is None


def test_a_quarter_of_which_nothing_tells_the_number_is_one_of_the_calendar_year() -> None:
    cover = "For the quarterly period ended September 30, 2024\nAcme Corporation"
    assert quarterly_period(cover).label == "Q3 FY2024"


def test_a_year_goes_by_the_name_that_the_cover_defines() -> None:
    year = Period("year", 2025, fiscal=True, end=date(2025, 3, 31))
    assert as_defined(year, "FY2024 (April 1, 2024 - March 31, 2025)").year == 2024
    assert as_defined(year, "FY2024 was good. From April 1, 2024 to March 31, 2025 sales rose.").year == 2025
    assert as_defined(None, "FY2024") is None


def test_a_half_of_which_nothing_tells_the_number_is_the_first_and_counts_the_year(tmp_path: Path) -> None:
    text = """Acme Brewing PLC
Half year results for the 26 weeks ended 28 September 2024

                                   26 weeks to      26 weeks to
                                  28 Sept 2024     30 Sept 2023
                                       £m               £m
Revenue                              171.4            162.9
Operating profit                      18.2             16.6
"""
    path = tmp_path / "results.txt"
    path.write_text(text)
    document = read_document(path, source=path.name)
    assert document.metadata.period.label == "H1 FY2025"
    assert {fact.period.label for fact in extract_facts(document)} == {"H1 FY2025", "H1 FY2024"}


def test_a_title_of_six_months_names_the_half_of_the_companys_own_year() -> None:
    text = "Results for the Six Months Ended September 30, 2024\nAcme Ltd\nForecast for the year ending March 31, 2025"
    assert read_text(text, source="acme.txt").metadata.period.label == "H1 FY2025"


def test_a_quarter_whose_results_are_yet_to_come_is_not_that_of_the_call() -> None:
    ahead = "We plan to release fiscal 2022 third quarter earnings on Thursday, followed by a conference call."
    own = told_call_period("Welcome to the second quarter fiscal 2022 earnings call.")
    assert told_call_period(ahead) is None
    assert own is not None
    assert own.label == "Q2 FY2022"


def test_a_year_goes_by_the_name_that_the_whole_report_gives_it() -> None:
    year = Period("year", 2022, fiscal=True, end=date(2022, 3, 31))
    notes = "FY2021: Year ended March 31, 2022. Sales grew. FY2020: Year ended March 31, 2021. " * 3
    assert as_defined(year, f"Annual report. {notes}") == replace(year, year=2021)
    assert as_defined(year, notes.replace("2021:", "2022:").replace("2020:", "2021:")) == year

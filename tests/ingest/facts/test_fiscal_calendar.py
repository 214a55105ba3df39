"""When fiscal years end and what they are called, by the dates in a document."""

from __future__ import annotations

from datetime import date

from cliquerag.core.period import Period
from cliquerag.core.period_text import find_periods
from cliquerag.ingest.facts.context import (
    closing_days,
    last_day,
    latest_year,
    most_common,
    usual_year_end,
    year_end_by,
    year_shift,
)

NAMED_EARLY = (
    "Fiscal 2022 ended January 28, 2023. Fiscal 2021 ended January 29, 2022. Fiscal 2020 ended January 30, 2021."
)


def periods(text: str) -> list[Period]:
    return [mention.period for mention in find_periods(text)]


def test_the_most_common_value_is_the_first_of_those_that_occur_most_often() -> None:
    assert most_common("abba", default="") == "a"
    assert most_common([], default="none") == "none"


def test_last_days_are_of_the_length_that_is_asked_for() -> None:
    year = Period("year", 2022, fiscal=True, end=date(2022, 6, 30))
    assert last_day(year, "year") == date(2022, 6, 30)
    assert last_day(year, "quarter") is None
    assert last_day(Period("year", 2022), "year") is None
    assert last_day(None, "year") is None


def test_the_year_of_a_numbered_quarter_ends_so_many_quarters_later() -> None:
    assert year_end_by(Period("quarter", 2023, 3, fiscal=True, end=date(2023, 9, 30))) == (12, 31)
    assert year_end_by(Period("quarter", 2023, 1, fiscal=True, end=date(2022, 9, 30))) == (6, 30)
    assert year_end_by(Period("quarter", 2023, 1)) is None
    assert year_end_by(Period("year", 2023, end=date(2023, 6, 30))) is None


def test_most_years_ended_tell_the_year_end() -> None:
    text = "The years ended June 30, 2022 and 2021. The year ended December 31, 2015."
    assert usual_year_end(periods(text), "en") == (6, 30)
    assert usual_year_end(periods(text), "zh") == (12, 31)
    assert usual_year_end([], "en") == (12, 31)


def test_closing_days_are_near_the_year_end() -> None:
    found = closing_days(periods("December 2, 2022, December 2, 2022, December 5, 2022, March 4, 2022"), (12, 2))
    assert found == {2022: date(2022, 12, 2)}


def test_years_named_after_the_calendar_year_before_have_to_be_named_so_three_times() -> None:
    assert year_shift(find_periods(NAMED_EARLY)) == -1
    assert year_shift(find_periods(NAMED_EARLY.rpartition("Fiscal")[0])) == 0
    assert year_shift(find_periods(NAMED_EARLY + " Fiscal 2022 ended June 30, 2022." * 3)) == 0
    assert year_shift([]) == 0


def test_the_year_named_most_often() -> None:
    assert latest_year(periods("in 2021, 2022 and 2022")) == Period("year", 2022, fiscal=True)
    assert latest_year([]) is None

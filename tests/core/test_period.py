from datetime import date

import pytest
from cliquerag.core.period import Period, undated_parts
from hypothesis import given
from hypothesis import strategies as st

YEAR_ENDED_JANUARY = Period("year", 2023, fiscal=True, end=date(2023, 1, 28))

years = st.integers(1950, 2049)
periods = st.one_of(
    st.builds(lambda y, f: Period("year", y, fiscal=f), years, st.booleans()),
    st.builds(lambda y, n, f: Period("quarter", y, n, f), years, st.integers(1, 4), st.booleans()),
    st.builds(lambda y, n, f: Period("half", y, n, f), years, st.integers(1, 2), st.booleans()),
    st.builds(lambda y, f: Period("nine months", y, fiscal=f), years, st.booleans()),
    st.builds(lambda y, n: Period("month", y, n), years, st.integers(1, 12)),
    st.builds(Period.instant, st.dates(date(1950, 1, 1), date(2049, 12, 31))),
    st.builds(lambda y, n: Period("span", y, end=date(y + n, 12, 31)), st.integers(1950, 2030), st.integers(1, 19)),
)


@given(periods)
def test_a_label_reads_back_as_the_same_period(period):
    assert Period.parse(period.label) == period


@given(periods, periods)
def test_covering_means_overlapping_and_overlap_is_mutual(one, other):
    if one.covers(other):
        assert one.overlaps(other)
    assert one.overlaps(other) == other.overlaps(one)


@given(periods)
def test_a_period_covers_itself_and_its_days_are_in_order(period):
    assert period.covers(period)
    assert period.first_day <= period.last_day


@pytest.mark.parametrize(
    ("outer", "inner", "covered"),
    [
        ("2022", "FY2022", True),
        ("FY2022", "2022", True),
        ("2022", "Q3 2022", True),
        ("2022", "Q3 FY2022", True),
        ("2022", "H1 2022", True),
        ("2022", "2022-06", True),
        ("2022", "2022-12-31", True),
        ("2022", "2023-01-01", True),
        ("FY2022", "2023-01-28", True),
        ("2022", "2023-03-31", False),
        ("2022", "2021-12-31", False),
        ("2022", "2021", False),
        ("H1 2022", "Q2 2022", True),
        ("H1 2022", "Q3 2022", False),
        ("9M 2022", "Q3 2022", True),
        ("9M 2022", "Q4 2022", False),
        ("Q2 2022", "2022-06-30", True),
        ("Q2 2022", "2022-07-30", False),
        ("Q2 2022", "2022", False),
        ("2019-2021", "2020", True),
        ("2019-2021", "2022", False),
        ("2019-2021", "2021-12-31", True),
        ("2022-12-31", "2022-12-31", True),
        ("2022-12-31", "2022", False),
    ],
)
def test_covers(outer, inner, covered):
    assert Period.parse(outer).covers(Period.parse(inner)) is covered


def test_a_fiscal_year_with_known_dates_covers_the_days_in_it():
    assert YEAR_ENDED_JANUARY.covers(Period.instant(date(2022, 4, 30)))
    assert not YEAR_ENDED_JANUARY.covers(Period.instant(date(2022, 1, 15)))


def test_overlaps_shares_time_without_containing_it():
    assert Period.parse("9M 2022").overlaps(Period.parse("H2 2022"))
    assert not Period.parse("H1 2022").overlaps(Period.parse("H2 2022"))


def test_first_day_follows_from_the_end_where_only_that_is_known():
    assert YEAR_ENDED_JANUARY.first_day == date(2022, 1, 29)
    assert Period.parse("three months ended June 30, 2023").first_day == date(2023, 4, 1)
    assert Period.parse("Q4 2023").first_day == date(2023, 10, 1)
    assert Period.parse("Q4 2023").last_day == date(2023, 12, 31)


def test_sorting_is_by_end_and_then_the_shorter_first():
    labels = ["2023", "2022-12-31", "Q4 2023", "H2 2023", "2022", "Q1 2023"]
    ordered = sorted((Period.parse(label) for label in labels), key=lambda p: p.sort_key)
    assert [p.label for p in ordered] == ["2022-12-31", "2022", "Q1 2023", "Q4 2023", "H2 2023", "2023"]


def test_shifting_keeps_month_ends():
    leap = Period.instant(date(2020, 2, 29))
    assert leap.shifted(1).end == date(2021, 2, 28)
    assert leap.shifted(1).shifted(3).end == date(2024, 2, 29)
    assert Period.parse("Q2 FY2023").shifted(-1).label == "Q2 FY2022"


@pytest.mark.parametrize(
    "text", ["", "revenue", "Q5 2023", "2023-02-30", "$2,019", "2021 and 2022", "in 2021 sales rose"]
)
def test_what_is_no_period_is_refused_with_a_hint(text):
    with pytest.raises(ValueError, match="Write it like"):
        Period.parse(text)


@pytest.mark.parametrize(
    ("own", "labels"),
    [
        (Period.instant(date(2021, 6, 30)), ["Q4 2020", "H1 2021"]),
        (Period.parse("9M 2021"), ["Q4 2020", "H1 2021"]),
        (Period.parse("2019-2021"), ["Q4 2019", "H1 2019"]),
    ],
)
def test_a_part_of_a_year_is_dated_in_a_report_of_any_length(own, labels):
    assert [part.label for _, part in undated_parts("In the fourth quarter and the first half", own)] == labels


@pytest.mark.parametrize(
    "text",
    [
        "Net sales fell 3% in the first quarter of the prior year",
        "in the first quarter of fiscal 2024",
        "the first half of last year",
        "at the end of each fiscal year",
        "as in the previous fiscal year",
        "in the fiscal year ended June 30, 2019",
        "in the first nine months ending in May",
    ],
)
def test_a_part_of_a_year_that_is_told_by_other_words_is_not_of_the_report(text):
    assert list(undated_parts(text, Period.parse("Q2 FY2021"))) == []
    assert list(undated_parts(text, Period.parse("FY2021"))) == []

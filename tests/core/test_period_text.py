import time
from datetime import date

import pytest
from cliquerag.core.period import Period, lasting
from cliquerag.core.period_text import find_periods, first_period, parse_period
from hypothesis import given
from hypothesis import strategies as st

FORMS = {
    "FY2023": "FY2023", "FY23": "FY2023", "FY'23": "FY2023", "FY 2023": "FY2023", "fiscal 2019": "FY2019",
    "fiscal year 2019": "FY2019", "financial year 2019": "FY2019", "FY2019/20": "FY2020", "2019/20": "FY2020",
    "2019": "2019", "calendar year 2020": "2020", "full year 2021": "2021", "CY2021": "2021",
    "Q2 FY24": "Q2 FY2024", "Q2 2023": "Q2 2023", "Q2'23": "Q2 2023", "2Q23": "Q2 2023", "2Q 2023": "Q2 2023",
    "Q3 of fiscal 2022": "Q3 FY2022", "2022Q3": "Q3 2022", "2022 Q3": "Q3 2022", "FY2022 Q3": "Q3 FY2022",
    "second quarter of 2023": "Q2 2023", "second-quarter 2023": "Q2 2023", "second quarter 2023": "Q2 2023",
    "second quarter of fiscal 2023": "Q2 FY2023", "fiscal second quarter of 2023": "Q2 FY2023",
    "fourth quarter of fiscal year 2023": "Q4 FY2023", "third fiscal quarter of 2020": "Q3 FY2020",
    "first half 2022": "H1 2022", "first half of 2022": "H1 2022", "H1 2022": "H1 2022", "1H22": "H1 2022",
    "2H 2022": "H2 2022", "second half of fiscal 2022": "H2 FY2022",
    "January–September 2024": "9M 2024", "Jan-Jun 2024": "H1 2024", "April to June 2024": "Q2 2024",
    "quarter ended 30.09.2024": "Q3 2024", "year ended 31.03.2024": "FY2024",
    "first nine months of 2021": "9M 2021", "9M 2021": "9M 2021", "9M21": "9M 2021",
    "nine months ended September 30, 2021": "9M 2021", "three months ended June 30, 2023": "Q2 2023",
    "six months ended June 30, 2021": "H1 2021", "quarter ended March 31, 2020": "Q1 2020",
    "thirteen weeks ended April 29, 2023": "Q1 2023", "26 weeks ended July 29, 2023": "H1 2023",
    "12 weeks ended 3/25/2023": "Q1 2023", "36 weeks ended September 3, 2022": "9M 2022",
    "three-month period ended July 1, 2023": "Q2 2023",
    "year ended December 31, 2018": "FY2018", "fiscal year ended June 30, 2020": "FY2020",
    "52 weeks ended January 1, 2022": "FY2021", "twelve months ended 31 March 2019": "FY2019",
    "January 1, 2019 to December 31, 2019": "FY2019",
    "April 1, 2021, to March 31, 2022": "FY2022", "as of June 30, 2020": "2020-06-30",
    "June 30, 2020": "2020-06-30", "30 June 2020": "2020-06-30", "Dec. 28, 2019": "2019-12-28",
    "December 31 , 2009": "2009-12-31", "31-Dec-2022": "2022-12-31", "2020-06-30": "2020-06-30",
    "12/31/2019": "2019-12-31", "June 2020": "2020-06", "August of 2007": "2007-08", "2023-06": "2023-06",
    "2019-2021": "2019-2021", "2019–2021": "2019-2021", "2019-21": "2019-2021", "2019 to 2021": "2019-2021",
    "from 2019 through 2021": "2019-2021", "between 2019 and 2021": "2019-2021",
    "2019年": "2019", "2019年度": "FY2019", "2019财年": "FY2019", "2020年第一季度": "Q1 2020",
    "2020年三季度": "Q3 2020", "2023财年第三季度": "Q3 FY2023", "2023年第3财季": "Q3 2023", "2023财年Q2": "Q2 FY2023",
    "2020年半年度": "H1 2020", "2020年上半年": "H1 2020", "2020年下半年": "H2 2020", "2020年前三季度": "9M 2020",
    "2020年1-6月": "H1 2020", "2020年1-9月": "9M 2020", "2020年7-9月": "Q3 2020", "2020年6月": "2020-06",
    "2019年1月1日至12月31日": "FY2019", "2020年1月1日至2020年6月30日": "H1 2020",
    "截至2019年12月31日": "2019-12-31", "2019 年 12 月 31 日": "2019-12-31", "2019年末": "2019-12-31",
    "2019-2021年": "2019-2021", "2019年至2021年": "2019-2021",
}  # fmt: skip


@pytest.mark.parametrize(("text", "label"), FORMS.items())
def test_every_form_is_read(text, label):
    assert parse_period(text).label == label


@pytest.mark.parametrize(("text", "label"), FORMS.items())
def test_every_form_is_found_at_its_place_in_a_sentence(text, label):
    for before, after in (("Sales rose in ", ", the Company said."), ("公司", "实现营业收入")):
        mentions = find_periods(before + text + after)
        assert [m.period.label for m in mentions] == [label]
        assert len(before) <= mentions[0].start < mentions[0].end <= len(before) + len(text)


@pytest.mark.parametrize(
    "text",
    [
        "$2019", "$ 2,019 million", "2,019", "2019.5", "2020 employees", "2000 shares", "2019%", "1999 million",
        "ASU 2016-02", "No. 2018-05", "Topic 2020", "Russell 2000", "12019", "20191", "A2019", "1.2019",
        "財会〔2019〕6号",         "February 30, 2020", "1849", "2150",
    ],
)  # fmt: skip
def test_amounts_and_references_are_no_years(text):
    assert find_periods(text) == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("years ended December 31, 2018, 2017 and 2016", ["FY2018", "FY2017", "FY2016"]),
        ("three months ended June 30, 2023 and 2022", ["Q2 2023", "Q2 2022"]),
        ("December 31, 2018 and 2017", ["2018-12-31", "2017-12-31"]),
        ("fiscal 2021, 2020 and 2019", ["FY2021", "FY2020", "FY2019"]),
        ("fiscal 2021 compared with 2020", ["FY2021", "FY2020"]),
        ("June 30, 2023 and December 31, 2022", ["2023-06-30", "2022-12-31"]),
        ("2019 and 2018", ["2019", "2018"]),
        ("2022 £’000 2021 £m", ["2022", "2021"]),
        ("2019年度和2018年度", ["FY2019", "FY2018"]),
    ],
)
def test_lists_go_on_in_the_form_of_their_head(text, labels):
    assert [m.period.label for m in find_periods(text)] == labels


def test_dates_are_kept():
    period = parse_period("nine months ended September 30, 2021")
    assert period.end == date(2021, 9, 30)
    both = parse_period("January 1, 2019 through December 31, 2019")
    assert (both.start, both.end) == (date(2019, 1, 1), date(2019, 12, 31))


def test_a_year_that_ends_in_the_first_days_of_january_is_the_one_before():
    assert lasting("year", date(2021, 1, 2)).year == 2020
    assert lasting("year", date(2021, 1, 30)).year == 2021


@given(st.text(alphabet="FYQHfiscal 0123456789年月日季度-–/.,$'至JanDec", max_size=60))
def test_any_text_gives_ordered_mentions_without_overlap(text):
    end = 0
    for mention in find_periods(text):
        assert end <= mention.start < mention.end <= len(text)
        assert isinstance(mention.period, Period)
        end = mention.end


def test_the_first_period_of_a_text() -> None:
    assert first_period("in 2021, then 2020") == Period("year", 2021)
    assert first_period("no period at all") is None


def test_the_finder_is_fast():
    text = (
        "Revenue rose in fiscal 2023 while the three months ended June 30, 2022 were weak; " + "plain words here " * 12
    )
    many = text * 1000
    find_periods(text)  # the rules are read once
    start = time.process_time()
    find_periods(many)
    assert len(many) / (time.process_time() - start) > 0.5e6  # 5e6 on a quiet machine


def test_a_chinese_year_may_stand_right_behind_a_latin_name() -> None:
    assert [m.period.label for m in find_periods("Acme2023年和Beta2021年第三季度的收入")] == ["2023", "Q3 2021"]
    assert find_periods("Model2023 and B2021") == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("the first half of 2023 and of 2022", ["H1 2023", "H1 2022"]),
        ("the third quarter and first nine months of 2023", ["Q3 2023", "9M 2023"]),
        ("the three and nine months ended September 30, 2023", ["Q3 2023", "9M 2023"]),
        ("the three- and six-month periods ended July 2, 2023, and July 3, 2022", ["Q2 2023", "H1 2023", "2022-07-03"]),
        ("Q1 and Q2 2023", ["Q1 2023", "Q2 2023"]),
        ("the third quarters of both 2023 and 2022", ["Q3 2023", "Q3 2022"]),
        ("in Q2 2023 and in 2022", ["Q2 2023", "2022"]),
    ],
)
def test_parts_of_a_year_share_its_name(text, labels):
    assert [mention.period.label for mention in find_periods(text)] == labels

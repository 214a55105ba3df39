from dataclasses import replace
from datetime import date

import pytest
from cliquerag.core.period import Period
from cliquerag.ingest.document import Table
from cliquerag.ingest.facts.column_heads import head_texts, read_columns
from cliquerag.ingest.facts.context import FactContext
from support.fact_documents import document

PROSE = "The fiscal year ended June 30, 2022 was good. The year ended June 30, 2021 was not."


def column(head, *, title="", stub="", period="FY2022", language="en", prose=""):
    table = Table(((stub, head), ("Net sales", "1")), title=title)
    context = FactContext.of(document(table, prose=prose, period=period, language=language))
    return read_columns(table, context)[1]


@pytest.mark.parametrize(
    ("head", "about", "label"),
    [
        ("2022", {}, "FY2022"),
        ("FY 2022", {}, "FY2022"),
        ("2022 (a)", {}, "FY2022"),
        ("2022A", {}, "FY2022"),
        ("FY22E", {}, "FY2022"),
        ("30.06.2022", {}, "2022-06-30"),
        ("2022e", {}, "FY2022"),
        ("2022 €m", {}, "FY2022"),
        ("December 31, 2022 ($000)", {}, "2022-12-31"),
        ("2022 %", {}, "FY2022"),
        ("2022", {"stub": "Years ended June 30,"}, "FY2022"),
        ("2022", {"stub": "Three months ended September 30,"}, "Q3 FY2022"),
        ("2022", {"stub": "Three months ended September 30,", "prose": PROSE}, "Q1 FY2023"),
        ("2022", {"stub": "December 31,"}, "2022-12-31"),
        ("2022", {"stub": "at 30 June"}, "2022-06-30"),
        ("2022", {"title": "Statement of financial position at 31 December 2023"}, "2022-12-31"),
        ("2022", {"title": "Year ended 31 March 2023"}, "FY2022"),
        ("2022", {"title": "Company note - 12 March 2024"}, "FY2022"),
        ("2022", {"title": "Consolidated Balance Sheets"}, "2022-12-31"),
        ("2022", {"title": "Consolidated Balance Sheets", "prose": PROSE}, "2022-06-30"),
        ("June 30, 2022", {}, "2022-06-30"),
        ("As of December 31, 2022", {}, "2022-12-31"),
        ("Nine Months Ended September 30, 2022", {}, "9M FY2022"),
        ("12 Weeks Ended 3/25/2023", {}, "Q1 FY2023"),
        ("Second Quarter", {"title": "Results of 2021"}, "Q2 FY2021"),
        ("2019年", {"language": "zh"}, "FY2019"),
        ("2019年12月31日", {"language": "zh"}, "2019-12-31"),
        ("期末余额", {"language": "zh", "period": "2019年度"}, "2019-12-31"),
        ("期初余额", {"language": "zh", "period": "2019年度"}, "2018-12-31"),
        ("上年末", {"language": "zh", "period": "2019年度"}, "2018-12-31"),
        ("上期末余额", {"language": "zh", "period": "2019年度"}, "2018-12-31"),
        ("上年年末余额", {"language": "zh", "period": "2019年度"}, "2018-12-31"),
        ("上年度末", {"language": "zh", "period": "2019年度"}, "2018-12-31"),
        ("本报告期末", {"language": "zh", "period": "2019年度"}, "2019-12-31"),
        ("本期发生额", {"language": "zh", "period": "2019年度"}, "FY2019"),
        ("上期发生额", {"language": "zh", "period": "2019年度"}, "FY2018"),
        ("第一季度（1-3 月份）", {"language": "zh", "period": "2019年度"}, "Q1 FY2019"),
    ],
)
def test_periods_of_heads(head, about, label):
    assert column(head, **about).period.label == label


@pytest.mark.parametrize(
    "head", ["% Change", "2022 vs. 2021", "Increase (decrease)", "附注", "Note", "本期比上年同期增减(%)", "变动比例"]
)
def test_heads_without_a_period_of_their_own_are_skipped(head):
    assert column(head).skipped


@pytest.mark.parametrize(
    ("head", "member"), [("Americas 2022", "Americas"), ("Total", ""), ("Level 2", "Level 2"), ("2022 Total", "")]
)
def test_the_rest_of_a_head_is_a_member(head, member):
    assert column(head).member == member


def test_heads_over_several_columns_count_for_each():
    table = Table(
        (("", "Three Months Ended", "", "Change"), ("", "2022", "2021", "")), header_rows=2, spans=((0, 1, 0, 2),)
    )
    assert head_texts(table) == ["", "Three Months Ended 2022", "Three Months Ended 2021", "Change"]


def test_52_week_years_end_on_the_day_that_the_text_names():
    prose = "The years ended December 2, 2022 and December 3, 2021. As of December 3, 2021 and December 2, 2022."
    context = FactContext.of(document(prose=prose))
    assert (context.year_close(2022), context.year_close(2021)) == (date(2022, 12, 2), date(2021, 12, 3))


def test_a_year_that_ends_in_january_may_be_named_after_the_year_before():
    prose = (
        "Fiscal 2022 ended January 28, 2023. Fiscal 2021 ended January 29, 2022. Fiscal 2020 ended January 30, 2021."
    )
    context = FactContext.of(document(prose=prose + " The year ended January 28, 2023 had 52 weeks."))
    assert context.year_shift == -1
    assert context.fiscal_year(2022).end == date(2023, 1, 28)
    assert column("Year ended January 28, 2023", prose=prose).period.label == "FY2022"


def test_the_report_s_own_quarter_tells_the_fiscal_year_where_its_pages_name_other_years():
    quarterly = Period("quarter", 2023, 3, fiscal=True, end=date(2023, 9, 30))
    prose = "The twelve months ended September 30, 2023 and the year ended September 30, 2022 were good."
    heads = ("", "Three Months Ended September 30, 2023", "Twelve Months Ended September 30, 2023", "December 31, 2022")
    table = Table((heads, ("Net sales", "1", "2", "3")))
    about = document(table, prose=prose)
    context = FactContext.of(replace(about, metadata=replace(about.metadata, period=quarterly)))
    _, quarter, rolling, day = read_columns(table, context)
    assert quarter.period is not None and quarter.period.label == "Q3 FY2023"
    assert rolling.period is not None and rolling.period.is_rolling_year  # no fiscal year ends with the third quarter
    assert rolling.period.label == "2022-10-01 to 2023-09-30" and not day.skipped


def test_a_day_under_a_length_and_another_head_is_the_end_of_that_time() -> None:
    found = column("Three Months Ended Revenues June 30, 2023")
    assert found.period is not None and found.period.label == "Q2 FY2023"
    assert found.member == "Revenues"


def test_an_estimate_is_told_from_a_figure() -> None:
    assert [column(head).member for head in ("2022", "2022A", "2022E", "2022F")] == ["", "", "2022E", "2022F"]

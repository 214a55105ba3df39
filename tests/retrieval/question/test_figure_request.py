"""What a question asks: figures, operation, periods, rounding, unit, and the way it takes."""

from decimal import Decimal

import pytest
from cliquerag.retrieval.question.figures.operands import content_words
from cliquerag.retrieval.question.figures.request import read_numbers
from cliquerag.retrieval.question.figures.selection_request import Statistic, read_statistic
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas


def asked(text, *companies):
    return read_numbers(read_question(text), companies, default_formulas())


@pytest.mark.parametrize(
    ("text", "operation", "names", "years"),
    [
        ("What was the net income in FY2022?", "value", ["net income"], [2022]),
        ("In which region did revenue grow fastest in 2022?", "which row", ["revenue"], [2022]),
        ("What is the percentage change in net sales from 2018 to 2019?", "percent change", ["revenue"], [2018, 2019]),
        ("What is the increase / (decrease) in net income from 2018 to 2019?", "change", ["net income"], [2018, 2019]),
        ("What was the net income for fiscal years 2019 to 2017 respectively?", "value", ["net income"],
         [2017, 2018, 2019]),
        ("What is the average net income for 2017,2018 and 2019?", "average", ["net income"], [2017, 2018, 2019]),
        ("What was the % change in net income from 2018 to 2019?", "percent change", ["net income"], [2018, 2019]),
        ("What was the percentage of revenue represented by net income in 2019?", "share", ["net income", "revenue"],
         [2019]),
        ("What is the change in total assets between 2018 and 2019?", "change", ["total assets"], [2018, 2019]),
        ("What was capex as a percentage of revenue in 2020?", "share", ["capital expenditures", "revenue"], [2020]),
        ("What is the ratio of total debt to total equity in 2020?", "ratio", ["total debt", "total equity"], [2020]),
        ("What is the average inventory in 2017 and 2018?", "average", ["inventory"], [2017, 2018]),
        ("What is the difference between goodwill and inventory in 2018?", "difference",
         ["goodwill", "inventory"], [2018]),
        ("What is the FY2019 revenue CAGR from FY2016 to FY2019?", "cagr", ["revenue"], [2016, 2017, 2018, 2019]),
        ("In which year was net income the highest?", "which period", ["net income"], []),
        ("Did the operating margin improve in FY2022?", "trend", ["operating margin"], [2022]),
        ("How did net sales develop from 2021 to 2022, in percent?", "percent change", ["revenue"], [2021, 2022]),
        ("By how many EUR million did operating income rise in 2022?", "change", ["operating income"], [2022]),
        ("What share of total assets was financed by long-term debt at the end of 2022?", "share",
         ["long-term debt", "total assets"], [2022]),
        ("How much cash did it generate from operations in 2022?", "value", ["cash from operations"], [2022]),
        ("2021年净利润增长率是多少？", "percent change", ["net income"], [2021]),
        ("2020年研发费用占营业收入的比例是多少？", "share", ["research and development", "revenue"], [2020]),
        ("2020年的法定代表人与上一年是否相同？", "same", ["legal representative"], [2020]),
        ("我想知道2021年硕士员工人数有多少人？", "value", ["employees with a master's degree"], [2021]),
        ("2020年研发人员人数有多少人？", "value", ["research staff"], [2020]),
        ("2021年有多少员工？", "value", ["employees"], [2021]),
        ("2021年销售费用和管理费用分别是多少元？", "value", ["selling expenses", "administrative expenses"], [2021]),
        ("What were revenue, net income and total assets in 2020 respectively?", "value",
         ["revenue", "net income", "total assets"], [2020]),
    ],
)  # fmt: skip
def test_figures_and_operation(text, operation, names, years):
    found = asked(text)
    assert (found.operation, [o.name for o in found.operands], [p.year for p in found.periods]) == (
        operation,
        names,
        years,
    )
    assert not any(operand.words for operand in found.operands)


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("Round to two decimal places: what is the gross margin?", 2),
        ("What is the gross margin? Round your answer to 1 decimal.", 1),
        ("What is the ROA? Answer to the nearest hundredth.", 2),
        ("2020年毛利率是多少？保留两位小数。", 2),
        ("2020年毛利率是多少?请保留到小数点后三位。", 3),
        ("2020年毛利率是多少，保留2位小数", 2),
        ("What is the gross margin?", None),
    ],
)
def test_rounding(text, decimals):
    assert asked(text).decimals == decimals


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("What is the revenue in USD millions?", 10**6),
        ("How large is revenue? Answer in thousands.", 10**3),
        ("How large is revenue? Express it in billions of dollars.", 10**9),
        ("2020年营业收入是多少万元？", 10**4),
        ("2020年营业收入，以亿元为单位", 10**8),
        ("Did they sell millions of cars?", None),
    ],
)
def test_unit(text, scale):
    assert asked(text).scale == (None if scale is None else Decimal(scale))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What was Cloud revenue in 2020?", {"cloud"}),
        ("What was the revenue from maintenance services in 2020?", {"mainten", "servic"}),
        ("What were other revenues in 2020?", {"other"}),
        ("What was Acme's revenue in 2020?", set()),
    ],
)
def test_what_narrows_a_figure_is_kept(text, words):
    assert set(asked(text, "Acme Inc.").operands[0].words) == words


def test_the_asking_sentence_counts():
    text = (
        "We want to compare inventory with peers. Here's the question: what is the FY2015 EBITDA margin of Acme? "
        "Use depreciation from the cash flow statement."
    )
    assert [o.name for o in asked(text, "Acme").operands] == ["ebitda margin"]


@pytest.mark.parametrize(
    ("text", "companies", "route"),
    [
        ("What was Acme's net income in FY2022?", ["Acme"], "look-up"),
        ("What was Acme's gross margin in FY2022?", ["Acme"], "calculation"),
        ("Why did Acme's margin fall in 2022?", ["Acme"], "text"),
        ("Did Acme's revenue grow in 2022?", ["Acme"], "mixed"),
        ("How much did revenue fall in 2022, and why?", ["Acme"], "mixed"),
        ("Which company had the highest revenue in 2022?", [], "statistics"),
        ("What does Acme use its restricted cash for?", ["Acme"], "text"),
        ("What is the risk of Acme's inventories?", ["Acme"], "text"),
        ("What were Acme's impairment charges about?", ["Acme"], "text"),
        ("What does Acme do with its inventories after a season?", ["Acme"], "text"),
        ("Does Acme believe that its cash is enough?", ["Acme"], "text"),
        ("What steps is Acme taking to rein in its operating expenses?", ["Acme"], "text"),
        ("What acquisitions has Acme made?", ["Acme"], "text"),
        ("Which acquisitions did Acme make in 2022?", ["Acme"], "text"),
        ("What is the history of Acme's 737 grounding?", ["Acme"], "look-up"),
        ("What are the trends in Acme's markets?", ["Acme"], "text"),
        ("What does Acme spend on research and development?", ["Acme"], "look-up"),
        ("请简要介绍2019年甲公司的研发情况。", ["甲公司"], "text"),
        ("什么是资产负债率？", [], "general"),
        ("2020年甲公司的法定代表人与2019年是否相同？", ["甲公司"], "comparison"),
        ("2020年营业收入最高的前3家上市公司是？", [], "statistics"),
    ],
)
def test_ways(text, companies, route):
    found = asked(text, *companies)
    assert found.route == route
    assert found.reason


def test_calculations_in_several_steps_are_seen():
    assert asked("What is the difference between 2019 average inventory and 2018 average inventory?").outer is None
    assert asked("What is the percentage change in inventory from 2018 to 2019?").outer == ""


@pytest.mark.parametrize(
    ("text", "statistic"),
    [
        ("Which company had the highest revenue in 2019?", Statistic("rank")),
        ("Which three companies had the lowest net income in 2019?", Statistic("rank", 1, 3, lowest=True)),
        ("Which company had the 3rd highest revenue in 2019?", Statistic("rank", 3, 3)),
        ("How many companies had revenue of more than $2 billion in 2019?",
         Statistic("count", above=Decimal(2) * 10**9)),
        ("What is the average revenue of all companies in 2019?", Statistic("average")),
        ("2019年货币资金第五高的上市公司是哪家？", Statistic("rank", 5, 5)),
        ("在宁波注册的所有上市公司中，2020年负债合计最高的前四家公司为？", Statistic("rank", 1, 4, place="宁波")),
        ("What was Acme's highest revenue?", None),
        ("What did the companies agree on?", None),
    ],
)  # fmt: skip
def test_statistics(text, statistic):
    assert read_statistic(text) == statistic


def test_words_of_reporting_tell_nothing():
    assert content_words("the amount reported in the balance sheet at year end") == ()


@pytest.mark.parametrize(
    ("text", "computes"),
    [
        ("What was the change in revenue in 2019?", True),
        ("What was the increase in revenue from 2018 to 2019?", True),
        ("What was the increase in revenue in 2019?", False),
        ("What was revenue in 2019?", False),
    ],
)
def test_an_increase_of_one_year_is_stated_a_change_is_calculated(text, computes):
    assert asked(text).computes is computes


def test_an_abbreviation_does_not_end_the_question():
    (operand,) = asked("What was the fair value of U.S. government bonds in 2019?").operands
    assert "fair value" in operand.text


def test_words_that_tell_taxes_apart_are_kept():
    assert asked("What was the current state tax expense in 2019?").operands[0].words == ("current", "state")


def test_a_ratio_by_a_name_of_its_own_is_no_amount_of_the_same_beginning():
    assert "ratio" in content_words("What operating ratio did it report") and "ratio" in content_words(
        "Operating ratio"
    )
    assert "ratio" not in content_words("the ratio of cloud services to hardware")


def test_a_name_of_two_words_between_which_and_segment_does_not_hide_the_pick():
    found = asked("Which Acme Steel segment had the highest operating profit in 2022?", "Acme Steel Inc.")
    assert found.pick is not None and found.pick.group == "segment"
    assert [operand.name for operand in found.operands] == ["operating income"]


@pytest.mark.parametrize(
    ("text", "components"),
    [
        ("Operating cost ratio: cost of revenue / revenue. What was Acme's operating cost ratio in 2021?", 2),
        ("By capex intensity we mean capital expenditures as a percentage of revenue. What was Acme's in 2021?", 2),
        ("Acme, 2021: cash return, meaning cash flows from operating activities over total assets.", 2),
        ("We define gross margin as (revenue - cost of revenue) / revenue. What was Acme's gross margin in 2021?", 2),
        ("What was Acme's interest cover (operating income over interest expense) in 2021?", 2),
        ("Let payout ratio = dividends paid / net income. What is Acme's payout ratio for 2021?", 2),
        ("The cost ratio is operating expenses divided by the sum of revenue and goodwill. What was Acme's in 2021?",
         3),
    ],
)  # fmt: skip
def test_a_formula_may_be_defined_in_many_forms(text, components):
    formula = asked(text, "Acme").formula
    assert formula is not None and len(formula.operands) == components


def test_the_years_of_an_average_may_stand_in_brackets():
    text = "Days of inventory are defined as 365 * average inventories (2020 and 2021) / cost of revenue."
    formula = asked(f"{text} What were they for Acme in 2021?", "Acme").formula
    assert formula is not None and set(formula.operands) == {"inventory", "cost of revenue"}


@pytest.mark.parametrize(
    ("text", "kept", "decimals"),
    [
        ("Give Acme's goodwill for 2021 in billions with one digit after the decimal point.", "goodwill for 2021?", 1),
        ("Acme's goodwill for 2021 to the nearest million", "Acme's goodwill for 2021", 0),
        ("Acme's goodwill for 2021 in USD million with two decimals", "Acme's goodwill for 2021", 2),
        ("State Acme's goodwill for 2021 in thousands of dollars.", "What was Acme's goodwill for 2021?", None),
    ],
)
def test_wishes_for_unit_and_digits_are_no_words_of_a_row(text, kept, decimals):
    question = read_question(text)
    assert question.trimmed.endswith(kept)
    assert question.wishes.decimals == decimals


def test_less_than_compares_and_subtracts_nothing():
    assert asked("Was net income less than operating income in 2021?").operation != "difference"
    assert asked("What was operating income less net income in 2021?").operation == "difference"


def test_a_rise_in_percentage_points_is_a_difference():
    assert asked("By how many percentage points did Acme's gross margin rise from 2020 to 2021?").operation == "change"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is Acme's total goodwill impairment in 2018 and 2019?", "goodwill impairment"),
        ("What is the total cash provided by financing activities between 2017 and 2019?", "cash from financing"),
        ("What was Acme's total goodwill at the end of 2019?", "goodwill"),
    ],
)
def test_total_takes_no_word_from_a_longer_name(question: str, name: str) -> None:
    asked = read_numbers(read_question(question), ["Acme"], default_formulas())
    assert [operand.name for operand in asked.operands] == [name]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("How did Acme do in 2022?", ()), ("How's Acme's foundry business doing in 2022?", ("foundri",)),
        ("How did the Digital Media segment do at Acme in 2022?", ("digit", "media")),
        ("Net sales Acme Q2 2023 vs Q2 2022", ()), ("How did net sales of Acme compare, 2022 versus 2021?", ()),
    ],
)  # fmt: skip
def test_how_somebody_did_is_how_revenue_developed(asked: str, words: tuple[str, ...]) -> None:
    read = read_numbers(read_question(asked), ["Acme"], default_formulas())
    assert (read.operation, read.route) == ("trend", "mixed")
    assert [(operand.name, operand.words) for operand in read.operands] == [("revenue", words)]


def test_payments_made_in_a_year_are_none_that_fall_due() -> None:
    assert asked("What were Acme's lease payments in 2022?", "Acme").due == ()
    assert [str(period) for period in asked("What lease payments of Acme are due in 2022?", "Acme").due] == ["2022"]


@pytest.mark.parametrize(
    ("text", "operation", "names"),
    [
        ("What was the combined ratio in 2022?", "value", [""]),
        ("How much did net income swing between 2021 and 2022?", "change", ["net income"]),
        ("Did inventories grow faster than revenue in 2022?", "percent change", ["inventory", "revenue"]),
        ("What was capex relative to sales in 2022?", "share", ["capital expenditures", "revenue"]),
        ("How much of its revenue comes from China?", "share", ["", "revenue"]),
        ("How much debt is due within a year?", "value", ["debt due within a year"]),
        ("How much debt comes due next year?", "value", ["debt due within a year"]),
        ("How big is its debt, short and long term?", "value", ["total debt"]),
        ("How much cash is left at the end of 2022?", "value", ["cash and cash equivalents"]),
        ("Which segment is most profitable?", "which row", ["operating income"]),
        ("Which segment shrank the most in 2022?", "which row", ["revenue"]),
    ],
)
def test_figures_as_they_are_said_at_a_desk(text, operation, names):
    found = asked(text)
    assert (found.operation, [operand.name for operand in found.operands]) == (operation, names)
    assert all(not operand.words or not operand.name for operand in found.operands)

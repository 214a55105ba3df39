"""Figures and causes in sentences, English and Chinese."""

from __future__ import annotations

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.kg.extraction.drivers.chinese import read_chinese
from cliquerag.kg.extraction.drivers.english import read_english
from cliquerag.kg.extraction.drivers.readings import category_of, check_category


def causes_of(text, read=read_english):
    (reading,) = read(text)
    return [(cause.text, cause.sign) for top in reading.causes for cause in top.chain()]


@pytest.mark.parametrize(
    ("text", "label", "metric", "direction"),
    [
        ("Cloud revenue increased 8% to $4.1 billion due to higher volume.", "Cloud revenue", "revenue", "up"),
        ("The decrease in gross margin was driven by freight costs.", "gross margin", "gross profit", "down"),
        ("Higher ASP was attributable to a better mix.", "ASP", "", "up"),
        ("Segment profit was $47 million, up from $3 million primarily due to pricing.", "Segment profit", "", "up"),
        ("Net sales were flat as a result of lower demand.", "Net sales", "revenue", "flat"),
        (
            "In 2018, our share of earnings was $8 million compared to $5 million, due to a gain.",
            "share of earnings",
            "",
            "up",
        ),
        (
            "Gross margins were strong at 15.3%, up 270 basis points, reflecting volume leverage.",
            "Gross margins",
            "",
            "up",
        ),
        ("Other income, net was primarily due to a tax refund.", "Other income, net", "other income", ""),
        ("We expect net sales to increase 3% driven by growth in volume.", "net sales", "revenue", "up"),
    ],
)
def test_the_figure_and_how_it_moved(text, label, metric, direction):
    (reading,) = read_english(text)
    assert (reading.effect.label, reading.effect.direction) == (label, direction)
    assert reading.effect.metric == metric or not metric


def test_amounts_of_the_movement():
    effect = read_english("Net sales rose $1.2 billion, or 8%, to $16.4 billion due to volume.")[0].effect
    assert [amount.text for amount in (effect.change, effect.percent, effect.level)] == [
        "$1.2 billion",
        "8%",
        "$16.4 billion",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Operating income fell due to higher freight costs and lower volume, partially offset by price increases.",
            [("higher freight costs", -1), ("lower volume", -1), ("price increases", 1)],
        ),
        (
            "Interest expense increased due to higher rates driven by acquisitions.",
            [("higher rates", 1), ("acquisitions", 1)],
        ),
        (
            "Cost of services decreased, primarily due to: • a decrease of $576 million in fees; • lower rent.",
            [("a decrease of $576 million in fees", -1), ("lower rent", -1)],
        ),
        (
            "Revenue grew 5%, driven by growth in footwear, apparel and equipment as well as new stores.",
            [("growth in footwear, apparel and equipment", 1), ("new stores", 1)],
        ),
        (
            "As a result of the sale of the unit, revenue decreased 4%, partly offset by pricing.",
            [("the sale of the unit", -1), ("pricing", 1)],
        ),
        ("Lower volume resulted in a decrease in net sales.", [("Lower volume", -1)]),
        (
            "Net income was $14 million as a result of low funding costs and a strong credit profile.",
            [("low funding costs", 1), ("a strong credit profile", 1)],
        ),
        (
            "Expenses rose due to higher wages, which more than offset lower rent.",
            [("higher wages", 1), ("lower rent", -1)],
        ),
        (
            "Results of operations were negatively affected by the strike and benefited from lower fuel prices.",
            [("the strike", -1), ("lower fuel prices", 1)],
        ),
    ],
)
def test_causes_with_their_signs(text, expected):
    assert causes_of(text) == expected


def test_what_is_behind_a_cause_hangs_on_it():
    (reading,) = read_english("Interest expense increased due to higher rates driven by acquisitions.")
    (cause,) = reading.causes
    assert cause.text == "higher rates" and [other.text for other in cause.causes] == ["acquisitions"]


def test_a_second_connective_after_and_adds_a_cause():
    (reading,) = read_english("Net revenue rose 22 percent because deliveries began and because demand grew.")
    assert [cause.text for cause in reading.causes] == ["deliveries began", "demand grew"]


def test_guidance_says_so():
    (reading,) = read_english(
        "We expect operating margin to improve in 2024, driven by productivity, assuming stable rates."
    )
    assert reading.effect.outlook
    assert [(cause.text, cause.role) for cause in reading.causes] == [
        ("productivity", "cause"),
        ("stable rates", "assumption"),
    ]


def test_what_is_expected_of_a_cause_makes_no_guidance():
    (reading,) = read_english(
        "Cost of sales decreased $5 million, due to lower volume ahead of the expected launch of Beta."
    )
    assert reading.effect.direction == "down" and not reading.effect.outlook


@pytest.mark.parametrize(
    "text",
    [
        "Our revenue could decline as a result of competition.",
        "We undertake no obligation to update any statement as a result of new information.",
        "Revenue is recognized in an amount that reflects the consideration we expect to receive.",
        "For the full year, we expect revenue of $366 million, reflecting annual growth of 80% at the midpoint.",
        "Amounts due to related parties are shown in Note 5.",
        "The Company shall indemnify each Lender against any loss incurred as a result of any failure.",
        "Revenue increased 5% in 2022.",
        "本公司按照会计准则计量金融资产,因汇率变动产生的差额计入当期损益。",
        "深交所要求公司说明净利润下降的原因。",
    ],
)
def test_sentences_in_which_nothing_moved_a_figure(text):
    assert read_english(text) == [] and read_chinese(text) == []


@pytest.mark.parametrize(
    ("text", "label", "direction", "causes"),
    [
        ("毛利率的减少主要系原材料价格上涨所致。", "毛利率", "down", [("原材料价格上涨", -1)]),
        (
            "财务费用变动原因:主要系本期利息支出增加及汇兑收益减少所致。",
            "财务费用",
            "",
            [("利息支出增加", 0), ("汇兑收益减少", 0)],
        ),
        ("受产量下降、原材料上涨的影响,单位成本有所上升。", "单位成本", "up", [("产量下降", 1), ("原材料上涨", 1)]),
        ("由于零部件短缺,该公司降低了330万台的销量预期。", "销量预期", "down", [("零部件短缺", -1)]),
        ("业务稳健增长,带动公司整体盈利能力提升。", "整体盈利能力", "up", [("业务稳健增长", 1)]),
        ("净利润同比增长35%,得益于产品结构优化。", "净利润", "up", [("产品结构优化", 1)]),
    ],
)
def test_chinese(text, label, direction, causes):
    text = text.replace(",", "，").replace(":", "：")
    (reading,) = read_chinese(text)
    assert (reading.effect.label, reading.effect.direction) == (label, direction)
    assert causes_of(text, read_chinese) == causes


def test_chinese_results_forecast_is_the_figure_named_before():
    (reading,) = read_chinese("预计2021年净利润1.02亿元，同比下降46%，本次业绩预减主要是投资损失增加所致。")
    assert reading.effect.metric == "net income" and reading.effect.direction == "down" and reading.effect.outlook


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("unfavorable foreign exchange", "currency"),
        ("人民币贬值", "currency"),
        ("the COVID-19 pandemic", "pandemic"),
        ("higher raw material prices", "input_cost"),
        ("favorable mix", "mix"),
        ("higher deliveries", "volume"),
        ("the disposition of The Mirage", "divestiture"),
        ("goodwill impairment", "impairment"),
        ("something else", ""),
    ],
)
def test_classes(words, category):
    assert category_of(words) == category


def test_a_class_is_named_in_any_spelling():
    assert check_category("Input cost") == check_category("input-cost") == check_category("原材料成本") == "input_cost"
    with pytest.raises(UsageError, match="no class"):
        check_category("luck")


@pytest.mark.parametrize(
    "text",
    [
        "Obligations of $2.8 billion are reflected on the balance sheet as they meet the criteria.",
        "Margins settle daily and the changes are therefore reflected in the payables of the table.",
        "If I model revenue up 10%, driven by higher volumes, am I in the ballpark?",
        "So revenue fell 5% because of lower prices, correct?",
        "Increased borrowing costs resulting from any decline in our debt ratings; lower sales due to any recession.",
        "Gains and other adjustments are not allocated due to their nature.",
        "As a result of the new rule, tax benefits are reported in the Statements of Income.",
    ],
)
def test_places_of_the_accounts_and_questions_give_no_causes(text):
    assert read_english(text) == []


def test_the_cause_belongs_to_the_figure_of_its_own_half():
    text = "Unit sales increased 6% and higher ASP per unit contributed 5 points of growth, driven by fewer discounts."
    (reading,) = read_english(text)
    assert (reading.effect.label, reading.causes[0].text) == ("ASP per unit", "fewer discounts")


@pytest.mark.parametrize(
    "text",
    [
        "The Company does not expect to record any losses due to counterparty default.",
        "Given the uncertainties described above, we see potential decreases in tax benefits of $10 million.",
        "The Company recorded the upfront payment as research and development expense because it had no other use.",
        "Promotion is recorded as a reduction to revenues based on amounts estimated as being due to customers.",
        "We hedged the variability of future interest payments due to changes in the benchmark rate.",
    ],
)
def test_what_did_not_move_has_no_driver(text):
    assert read_english(text) == []


def test_a_concession_before_the_cause_is_none():
    text = "Despite a stronger dollar against the euro, the weaker yen also caused revenue in Japan to increase."
    assert causes_of(text) == [("the weaker yen", 1)]


@pytest.mark.parametrize(
    ("text", "label", "level"),
    [
        ("The effective tax rate differed from the statutory rate of 21% due to credits.", "effective tax rate", None),
        ("As a result of the stronger euro, we had a $21.8 million gain.", "gain", None),
        ("We recorded a $12 million provision as a result of loan growth of $855 million.", "provision", None),
        (
            "Capital expenditures at our resorts, regional operations and corporate entities of $221 million primarily "
            "related to room remodels.",
            "Capital expenditures",
            "$221 million",
        ),
    ],
)
def test_a_figure_is_named_without_the_amount_that_it_is_compared_with(text, label, level):
    (reading,) = read_english(text)
    assert reading.effect.label == label
    assert (reading.effect.level.text if reading.effect.level else None) == level


def test_an_increase_to_a_figure_is_its_change():
    effect = read_english("The sale resulted in a net increase to accumulated losses of $423 million.")[0].effect
    assert (effect.label, effect.change.text, effect.level) == ("accumulated losses", "$423 million", None)

"""Drivers of whole documents: period, place, lists, sentences that refer to the one before, tables."""

from __future__ import annotations

from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.drivers.document import document_drivers

REPORT = """Acme Inc.
Annual report 2022

Results of operations

Net sales rose 8% to $4.1 billion in fiscal 2022 compared to fiscal 2021, primarily due to higher volume.
Gross margin was 40% in 2022 and 38% in 2021. The increase was driven by price increases.

Cost of services decreased in 2021, primarily due to the following:
• a decrease of $57 million in traffic fees;
• lower personnel costs.
Revenue could decline as a result of competition.
"""
CHINESE = """四方科技股份有限公司2019年年度报告

资产及负债状况

| 项目名称 | 本期期末数 | 上期期末数 | 变动比例 | 情况说明 |
| --- | --- | --- | --- | --- |
| 货币资金 | 905,402,299.44 | 627,041,535.44 | 44.39 | 主要系本期取得银行贷款增加所致 |
| 预付款项 | 31,290,450.41 | 63,036,652.76 | -50.36 | 主要系本期预付材料款减少所致 |
| 筹资活动产生的现金流量净额 | 150,706,310.42 | -33,133,768.75 | -554.84 | 主要系本期取得银行贷款增加所致 |
"""


def drivers_of(text, name="report.md"):
    document = read_text(text, source=name)
    return document, document_drivers(document, make_chunks(document, make_chunker("clique"), None).chunks)


def test_figures_periods_and_places():
    document, drivers = drivers_of(REPORT)
    found = [(d.label, d.metric, d.direction, str(d.period), [c.text for c in d.all_causes()]) for d in drivers]
    assert found == [
        ("Net sales", "revenue", "up", "FY2022", ["higher volume"]),
        ("Gross margin", "gross profit", "up", "FY2022", ["price increases"]),
        (
            "Cost of services",
            "",
            "down",
            "FY2021",
            ["a decrease of $57 million in traffic fees", "lower personnel costs"],
        ),
    ]
    for driver in drivers:
        assert document.text[driver.start : driver.end] == driver.text
        for cause in driver.all_causes():
            assert document.text[cause.start : cause.end] == cause.text
    amount = drivers[2].causes[0].amount
    assert amount is not None and amount.text == "$57 million" and drivers[0].level.text == "$4.1 billion"


def test_the_same_document_gives_the_same_ids():
    first, second = (drivers_of(REPORT)[1] for _ in range(2))
    assert [d.id for d in first] == [d.id for d in second] and len({d.id for d in first}) == len(first)


def test_remarks_of_a_table():
    document, drivers = drivers_of(CHINESE)
    found = [(d.label, d.direction, d.causes[0].text, d.causes[0].sign) for d in drivers]
    assert found == [
        ("货币资金", "up", "取得银行贷款增加", 1),
        ("预付款项", "down", "预付材料款减少", -1),
        ("筹资活动产生的现金流量净额", "up", "取得银行贷款增加", 1),
    ]
    assert all(document.text[d.causes[0].start : d.causes[0].end] == d.causes[0].text for d in drivers)


def test_nothing_is_read_where_nothing_is_said():
    assert drivers_of("Acme Inc. acquired Beta Corp. in 2021.\n")[1] == ()


PARAGRAPHS = """# Acme Inc. Annual report 2022

## Revenues

Revenues increased by $4,322 million in 2022 compared with 2021 driven by higher volume. Pump revenues increased by
$274 million primarily due to higher deliveries.

Revenues increased by $4,128 million in 2021 compared with 2020 driven by higher prices. Pump revenues increased by $85
million primarily due to the absence of charges in 2020. Valve revenues decreased by $31 million due to lower demand.

Year ended December 31, 2020 as compared to the year ended December 31, 2019

The increase in pump revenues was due to growth in orders.

## Operating income

Operating income decreased 56% for the six months ended June 30, 2022 compared to the prior year. The decrease was due
to higher rent.

## Interest

In May 2019, we issued notes of $31 million. Interest expense increased due to higher rates.
"""


def test_a_sentence_is_of_the_period_that_its_paragraph_is_of():
    _, drivers = drivers_of(PARAGRAPHS)
    found = [(d.label, d.change.text if d.change else "", str(d.period)) for d in drivers]
    assert found == [
        ("Revenues", "$4,322 million", "FY2022"),
        ("Pump revenues", "$274 million", "FY2022"),
        ("Revenues", "$4,128 million", "FY2021"),
        ("Pump revenues", "$85 million", "FY2021"),
        ("Valve revenues", "$31 million", "FY2021"),
        ("pump revenues", "", "FY2020"),
        ("Operating income", "", "H1 FY2022"),
        ("Interest expense", "", "FY2022"),
    ]


def test_a_margin_that_fell_to_a_level_did_not_fall_by_it():
    _, drivers = drivers_of("# Acme 2022\n\nGross margin decreased to 36.2% in 2022 due to higher payroll expenses.")
    assert drivers[0].percent is None and drivers[0].level.text == "36.2%"


def test_income_from_operations_is_not_compared_with_what_follows_from():
    said = "Earnings from operations in 2021 increased by $43 million compared with 2020 due to higher volume."
    _, drivers = drivers_of(f"# Acme 2022\n\n{said}")
    assert str(drivers[0].period) == "FY2021"


CALL = """Operator: Good day and welcome to Acme's second quarter 2021 earnings conference call.

Jane Roe: Sales rose 8% in the first quarter due to higher prices. We made a purchase in the second half of 2019.
Sales fell 2% due to lower volume. For 2021 as a whole we expect sales growth of 5%.
Operating margin fell due to freight costs.
We expect gross margin to improve in the third quarter, driven by lower freight costs.

Operator: Our first question comes from Tom Lee with Citi.

Tom Lee: Could you talk about costs and how they came in over the last few months?

Jane Roe: Expenses increased in the fourth quarter due to a bonus, and have been flat in all of the months since then.
"""


def test_a_call_speaks_of_its_own_quarter_where_no_year_is_named():
    """What has been is over by the report; what is expected is not."""
    found = [(driver.label, str(driver.period)) for driver in drivers_of(CALL, "call.txt")[1]]
    assert found == [
        ("Sales", "Q1 2021"),
        ("Sales", "Q2 2021"),
        ("Operating margin", "Q2 2021"),
        ("gross margin", "Q3 2021"),
        ("Expenses", "Q4 2020"),
    ]


def test_what_a_figure_is_stands_before_how_it_moved():
    text = "Acme annual report 2022\n\nIndustrial revenues of $825 million were up $85 million, due to higher volume.\n"
    (driver,) = drivers_of(text)[1]
    assert (driver.level.text, driver.change.text) == ("$825 million", "$85 million")


def test_cells_above_a_sentence_are_none_of_its_amounts():
    text = (
        "# Acme Inc. annual report\n\n40%\n\xa0\nNet sales of tools increased by $124 million, or 7%, due to demand.\n"
    )
    _, (driver,) = drivers_of(text)
    assert (driver.label, driver.direction, driver.percent.text) == ("Net sales of tools", "up", "7%")
    assert driver.text.startswith("Net sales")


def test_the_period_of_what_a_figure_is_compared_with_is_not_its_own():
    text = "# Acme annual report 2022\n\nReceivables rose from $8,620 at December 31, 2021 to $8,634 due to billings.\n"
    _, (driver,) = drivers_of(text)
    assert driver.period is not None and driver.period.year == 2022


PARTS = """Acme Inc.
Annual report 2022

Results by division

QFNA
Net revenue grew 15%, primarily driven by effective net pricing in every month of the year.
Operating profit grew 4%, primarily reflecting productivity savings at the mills of the division.

Europe
Net revenue decreased 2%, reflecting unfavorable foreign exchange and a decline in volume of snacks.
Operating profit decreased 20%, primarily reflecting charges associated with the conflict in Ukraine.

Liquidity
Operating profit decreased 1%, primarily reflecting higher interest expense in the year as a whole.
We recorded a pre-tax loss that increased 8%, primarily due to an impairment of the brand that we sold.
"""


def test_what_stands_below_the_name_of_a_part_is_of_that_part():
    _, drivers = drivers_of(PARTS, "report.txt")
    found = {(driver.metric, driver.segment, driver.text.rpartition("reflecting ")[2][:7]) for driver in drivers}
    assert ("operating income", "QFNA", "product") in found
    assert ("operating income", "Europe", "charges") in found
    assert ("operating income", "", "higher ") in found


def test_words_of_how_a_figure_is_taken_are_no_part():
    _, drivers = drivers_of(PARTS, "report.txt")
    assert not {driver.segment for driver in drivers if "pre-tax" in driver.text} - {""}

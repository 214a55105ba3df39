"""Forms in which models reply: figures by named formulas, changes, Chinese units and denials, other refusals."""

from __future__ import annotations

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.citations import Citations
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from cliquerag.retrieval.answer.generative.grounding.checked_writer import CheckedWriter
from cliquerag.retrieval.answer.generative.reply_text import is_bare_answer, is_refusal
from cliquerag.retrieval.search.evidence import Evidence

STATEMENTS = """(in millions, except per share data)

| | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Net sales | 1,284 | 1,142 | 987 |
| Gross profit | 481 | 401 | 332 |
| Net income | 104 | 77 | 31 |
| Diluted earnings per share | 2.31 | 1.70 | 0.68 |
| Total current assets | 640 | 588 | 540 |
| Total current liabilities | 410 | 395 | 352 |"""
PROSE = (
    "We ended the year with a backlog of $915 million, compared with $430 million a year earlier. "
    "The operating margin of the Industrial segment was 14.6% in 2023, an increase of 180 basis points. "
    "Capital expenditures are expected to be between $70 million and $80 million in 2024. "
    "We now expect organic revenue to increase 8 percent (previously 6 percent) and core EPS 9 percent (previously "
    "7 percent). In March 2023 the Company repaid $150 million of senior notes."
)
ABOUT = "Northwind Valve Corporation | 10-K | FY2023"
CHINESE = """单位：万元

| 项目 | 2023年 | 2022年 |
| --- | --- | --- |
| 营业收入 | 352,100.50 | 298,400.20 |
| 归属于上市公司股东的净利润 | 41,250.30 | 33,870.90 |
| 经营活动产生的现金流量净额 | -8,120.40 | 15,630.70 |
| 负债合计 | 365,401.80 | 344,627.50 |

报告期内，前五名客户销售额合计12.3亿元，占年度销售总额的34.93%，其中第一大客户占比11.2%。公司不存在重大诉讼事项。2023年毛利率为28.91%，同比提高3.27个百分点，主要系原材料价格下降所致。"""


def passes(sentence: str, *texts: str, question: str = "") -> bool:
    """Whether nothing of a sentence is marked that is held against these texts of one document."""
    passages = [Passage(text, ABOUT, "document") for text in texts]
    return AnswerChecker(passages, question).check(sentence, range(len(texts))).passed


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Working capital was $230 million in 2023.", True),
        ("Working capital was $193 million in 2023.", False),  # that of 2022
        ("Working capital was negative $230 million in 2023.", False),
        ("The current ratio was 1.56 in 2023.", True),
        ("The current ratio was 1.65 in 2023.", False),
        ("The gross margin improved from 35.1% in 2022 to 37.5% in 2023.", True),
        ("The gross margin improved from 33.6% in 2022 to 37.5% in 2023.", False),
        ("Net sales grew from $987 million in 2021 to $1,284 million in 2023, a CAGR of 14.1%.", True),
        ("Net sales grew from $987 million in 2021 to $1,284 million in 2023, a CAGR of 30.1%.", False),
        ("Diluted EPS came in at $2.31, up $0.61 (+36%).", True),
        ("Diluted EPS came in at $2.31, up $0.81 (+36%).", False),
        ("EPS of $2.31 vs. $1.70.", True),
        ("Net income rose to $104 million in 2023.", True),
        ("Net income fell to $104 million in 2023.", False),
        ("Net income: $104 million (2022: $77 million; 2021: $31 million).", True),
        ("Net income: $104 million (2022: $31 million; 2021: $77 million).", False),
    ],
)
def test_figures_of_formulas_that_have_a_name_and_of_the_rows_of_others(sentence: str, expected: bool) -> None:
    assert passes(sentence, STATEMENTS) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The backlog more than doubled to $915 million.", True),
        ("The backlog nearly tripled to $915 million.", False),
        ("Industrial's operating margin widened by 1.8 percentage points to 14.6%, from 12.8% before.", True),
        ("Industrial's operating margin widened by 1.8 percentage points to 14.6%, from 13.8% before.", False),
        ("Capital expenditures are expected to be $70 million to $80 million, a midpoint of $75 million.", True),
        ("Capital expenditures are expected to be $70 million to $80 million, a midpoint of $72 million.", False),
        ("Guidance for core EPS was raised by 2 percentage points.", True),
        ("Guidance for core EPS was raised by 3 percentage points.", False),
        ("In Q1 2023, the Company repaid $150 million of senior notes.", True),
        ("In Q3 2023, the Company repaid $150 million of senior notes.", False),
    ],
)
def test_what_follows_from_figures_of_prose(sentence: str, expected: bool) -> None:
    assert passes(sentence, PROSE) is expected


@pytest.mark.parametrize(
    ("sentence", "said", "expected"),
    [
        ("Net income was $520 million in 2022.", "We had a net loss of $520 million in 2022.", False),
        ("Net income was $520 million in 2022.", "Net income was $520 million in 2022.", True),
        ("Acme earned $520 million in 2022.", "The Company lost $520 million in 2022.", False),
        ("Net income was 520.", "Net loss\n520\n410", False),
        ("2022年公司实现净利润5.2亿元。", "2022年公司净亏损5.2亿元。", False),
        ("2022年公司净亏损5.2亿元。", "2022年公司净亏损5.2亿元。", True),
    ],
)
def test_a_loss_that_is_told_is_no_income(sentence: str, said: str, expected: bool) -> None:
    assert passes(sentence, said) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("2023年负债合计为36.54亿元。", True),  # a liability is nothing negative
        ("2023年负债合计为34.46亿元。", False),
        ("归母净利润4.13亿元，同比增长约21.8%。", True),
        ("归母净利润4.13亿元，同比增长约18.0%。", False),
        ("经营活动现金流量净额由2022年的净流入1.56亿元转为2023年的净流出0.81亿元。", True),
        ("2023年经营活动现金净流入0.81亿元。", False),
        ("前五名客户合计12.3亿元，占比约35%；第一大客户占11.2%；其余四家合计占23.7%左右。", True),
        ("前五名客户合计12.3亿元，占比约35%；第一大客户占11.2%；其余四家合计占33.7%左右。", False),
        ("毛利率同比提升3.27个百分点至28.91%，原因是原材料降价。", True),
        ("毛利率同比下降3.27个百分点至28.91%。", False),
        ("公司不存在重大诉讼。", True),
        ("公司存在重大诉讼事项。", False),
    ],
)
def test_in_chinese(sentence: str, expected: bool) -> None:
    assert passes(sentence, CHINESE) is expected


CALL = """Are you seeing customers shift capital plans from gas to electric? No. We see pipeline customers build solar.
Are there retail categories with better capitalized tenants? Others are tempted to pull back on advertising. We are not
going to do that. We're not averse to pursuing development on our balance sheet. Growth includes little to no impact
from acquisitions, of 2% to 5% in total. Days of sales fell by a 10-day reduction to 81 days."""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Customers do not shift capital plans from gas to electric.", True),  # an analyst's question states nothing
        ("The company is not going to pull back on advertising.", True),
        ("The company is averse to pursuing development on its balance sheet.", False),
        ("The company is not averse to pursuing development on its balance sheet.", True),
        ("Growth is 2% to 5%, with little to no impact from acquisitions.", True),
        ("Days of sales fell by 10 days to 81 days.", True),
        ("Days of sales fell by 12 days to 81 days.", False),
    ],
)
def test_denials_of_spoken_answers(sentence: str, expected: bool) -> None:
    assert passes(sentence, CALL) is expected


def test_rows_of_a_written_table_are_read_under_their_heads() -> None:
    evidence = [Evidence("chunk", STATEMENTS, 1.0, "nw.md")]
    reply = (
        "| Metric | 2022 | 2023 | Change |\n| --- | --- | --- | --- |\n| Net sales | $1,142M | $1,284M | +12.4% |\n"
        "| Net income | $77M | $140M | +35% |"
    )
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(STATEMENTS, "nw.md", company="Northwind Valve Corporation")
        said = CheckedWriter(evidence, Citations(workspace.store), "en", about=[ABOUT]).write(reply).splitlines()
    assert said[2] == "| Net sales | $1,142M | $1,284M | +12.4% [1] (12.4% calculated from [1]) |"
    assert "not found in the source: $140M" in said[3] and said[3].endswith("|")


def test_words_of_the_question_need_no_source() -> None:
    question = "Does Northwind have an improving gross margin profile?"
    sentence = "Northwind has an improving gross margin profile."
    assert passes(sentence, STATEMENTS, question=question) and not passes(
        "Northwind has a loyal workforce.", STATEMENTS
    )


def test_columns_under_whole_dates_are_of_their_years() -> None:
    page = "(in millions)\nDecember 31, 2022\nDecember 31, 2021\nTotal current assets\n1,250\n1,554\n"
    page += "Total current liabilities\n2,811\n2,141\n"
    assert passes("Working capital was negative, at -$1,561 million in 2022.", page)
    assert not passes("Working capital was -$587 million in 2022.", page)


@pytest.mark.parametrize(
    "text",
    [
        "I'm afraid the passages are silent on dividends.",
        "Dividends aren't something these excerpts touch on, so I'd rather not guess.",
        "Nothing in the provided material speaks to a dividend.",
        "The filing extracts leave that question open.",
        "上述材料对高管薪酬只字未提。",
        "给定片段里查不到这方面的数字。",
        "所给内容有限，恕难作答。",
    ],
)
def test_refusals_in_other_words(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "Acme does not supply these materials to competitors.",
        "The Company is not a party to any litigation that it considers material.",
        "公司材料成本没有上升。",
    ],
)
def test_what_is_no_refusal(text: str) -> None:
    assert not is_refusal(text)


TRAINING = (
    "In 2022, the completion rate of the training was 91% (2021: 98.5%). In 2022 we switched platforms. "
    "In the third quarter of 2020 revenue was $24.9 million, up 30% compared to the second quarter. "
    "During the year ended December 31, 2022, operating activities provided $5.8 million of cash. "
    "During the year ended December 31, 2021, operating activities used $126.3 million of cash. "
    "Bolt paid $80.0 million upfront. In the first quarter of 2023 Bolt became obligated to pay another $20.0 million. "
    "Milestones may bring up to $600 million. The decrease was due to the non-recurring $1.2 million of charges."
)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        # The year of the cause is not that of the figure from which something changed.
        (["The completion rate fell to 91% from 98.5% because the platform was changed in 2022."], True),
        (["The completion rate rose to 98.5% from 91%."], False),
        # What something was before it grew.
        (["Revenue was $24.9 million, up 30%.", "That implies about $19.2 million in the second quarter."], True),
        (["Revenue was $24.9 million, up 30%.", "That implies about $21.2 million in the second quarter."], False),
        # From cash that was used to cash that was provided.
        (
            [
                "Operations provided $5.8 million in 2022 and used $126.3 million in 2021.",
                "Cash flow therefore improved by about $132 million.",
            ],
            True,
        ),
        (
            [
                "Operations provided $5.8 million in 2022 and used $126.3 million in 2021.",
                "Cash flow therefore improved by about $120 million.",
            ],
            False,
        ),
        # Some time of a year, and a sum of figures of which another one came in between.
        (["Bolt owed another $20.0 million in early 2023."], True),
        (["Bolt owed another $20.0 million in early 2022."], False),
        (
            [
                "Bolt paid $80.0 million and owed another $20.0 million.",
                "Milestones may bring up to $600 million.",
                "A total of $100 million is due.",
            ],
            True,
        ),
        (["The $1.2 million of charges did not recur."], True),
    ],
)
def test_what_follows_from_figures_said_before(sentences: list[str], expected: bool) -> None:
    checker = AnswerChecker([Passage(TRAINING, ABOUT, "document")])
    verdicts = [checker.check(sentence, [0]) for sentence in sentences]  # later ones go on from earlier ones
    assert all(verdict.passed for verdict in verdicts) is expected


@pytest.mark.parametrize("reply", ["Yes, on the main measure.", "No, clearly.", "Yes, broadly."])
def test_a_bare_answer_may_be_hedged(reply: str) -> None:
    assert is_bare_answer(reply)


@pytest.mark.parametrize("reply", ["Yes, on March 5.", "No, in Texas sales fell, and costs rose."])
def test_what_claims_something_is_no_bare_answer(reply: str) -> None:
    assert not is_bare_answer(reply)


BENEFITS = "主要管理階層薪酬\n\n短期員工福利\n   $ 106,947     $ 107,631     $ 285,732     $ 285,091\n"


@pytest.mark.parametrize(
    ("sentence", "source", "passes"),
    [
        ("短期員工福利為285,732仟元。", BENEFITS, True),
        ("短期員工福利為285,723仟元。", BENEFITS, False),
        ("短期員工福利為285,732仟元。", "短期員工福利 $ 106,947 $ 107,631 $ 285,732 $ 285,091", True),
        ("Kay saw more than 130% revenue growth.", "Kay had more than 130% revenue growth to last year.", True),
        ("Kay saw more than 150% revenue growth.", "Kay had more than 130% revenue growth to last year.", False),
        ("Kay's margin was 12%.", "The margin of Kay was 12% last year, and is 14% now.", False),
    ],
)
def test_dollars_of_a_chinese_page_and_growth_to_last_year(sentence: str, source: str, passes: bool) -> None:
    assert AnswerChecker([Passage(source)]).check(sentence, [0]).passed is passes

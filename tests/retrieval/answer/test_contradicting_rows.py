"""A right figure in free words passes; one of another row, order or subject than the sentence names is marked."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage

QUARTERS = """| | Three Months Ended March 31, | Three Months Ended December 31, |
| --- | --- | --- |
| 2022 | | |
| Members (in thousands) | 367 | 298 |
| Average basket | $ 62.99 | $ 73.15 |
| 2021 | | |
| Members (in thousands) | 391 | 336 |
| Average basket | $ 61.63 | $ 63.78 |
"""
RESULTS = """| € million | 2017/2018 | 2018/2019 |
| --- | --- | --- |
| EBIT | 713 | 828 |
| Profit or loss for the period from continuing operations | 359 | 411 |
| Profit or loss for the period from discontinued operations after taxes | −22 | −526 |
| Profit or loss for the period | 337 | −115 |
"""
PROGRAMS = """Direct costs for our Alpha program were $11.6 million, $5.3 million and $3.7 million for the years ended
December 31, 2022, 2021 and 2020, respectively. More was spent on the first two cohorts.

Direct costs for our Beta program were $12.8 million, $10.7 million and $8.8 million for the year ended
December 31, 2022, 2021 and 2020, respectively. It goes on.
"""
PROPERTY = """(in millions)

| | 2019 | 2018 |
| --- | --- | --- |
| Land and improvements | $ 152 | $ 171 |
| Buildings and improvements | 1,393 | 1,379 |
| Machinery and equipment | 7,298 | 7,124 |
| Total property and equipment | 8,843 | 8,674 |

Depreciation was $510 million, $487 million, and $442 million in fiscal 2019, 2018, and 2017, respectively.
"""
DEPOSITS = """单位：元

| 款项性质 | 期末账面余额 | 期初账面余额 |
| --- | --- | --- |
| 押金保证金 | 1,971,090.67 | 1,595,000.00 |
| 备用金 | 1,684,738.16 | 1,552,452.80 |
"""
DELIVERIES = """| Years ended December 31, | 2022 | 2021 |
| --- | --- | --- |
| Trainers | 16 | 12 |
| Tankers | 149 | 157 |
| Total | 165 | 169 |
"""
BUYBACKS = """(Dollars in millions)

| Period | Average Price Paid per Share | Value of Shares That May Yet Be Purchased |
| --- | --- | --- |
| January 26, 2019 - February 22, 2019 | $ 64.77 | $ 2,372 |
| March 23, 2019 - April 26, 2019 | $ 72.49 | $ 1,889 |
"""
TAIWAN = """(金額除另予註明外，均以新臺幣千元為單位)

營業收入

關聯企業
$1,802,324
$638,428
"""


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (QUARTERS, "The average basket climbed to $73.15 in Q4 2022."),
        (QUARTERS, "Members fell in every quarter of 2022, from 367,000 in the first to 298,000 in the fourth."),
        (RESULTS, "EBIT improved by €115 million to €828 million in 2018/2019."),
        (
            RESULTS,
            "A loss of €526 million from discontinued operations led to a loss for the period, at €-115 million.",
        ),
        (PROGRAMS, "Costs for Alpha grew by $6.3 million in 2022."),
        (PROPERTY, "Machinery and equipment are 83% of total property and equipment."),
        (DEPOSITS, "押金保证金期末余额为197.1万元，较期初增加约37.6万元。"),
        (DELIVERIES, "A total of 165 aircraft were delivered in 2022, four fewer than in 2021."),
        (BUYBACKS, "What may yet be purchased fell from $2,372 million to $1,889 million."),
        (TAIWAN, "來自關聯企業的營業收入為18.02億元。"),
    ],
)
def test_true_ones_pass(page: str, sentence: str) -> None:
    verdict = AnswerChecker([Passage(page)]).check(sentence, [0])
    assert (verdict.missing, verdict.objection) == ((), "")


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (QUARTERS, "The average basket climbed to $73.15 in Q4 2021."),
        (QUARTERS, "Members grew in every quarter of 2022, from 298,000 in the first to 367,000 in the fourth."),
        (PROGRAMS, "Spending on Beta more than doubled in 2022, to $11.6 million from $5.3 million."),
        (PROPERTY, "Buildings and improvements are 83% of total property and equipment."),
        (PROPERTY, "Depreciation fell for two consecutive years, reaching $510 million in fiscal 2019."),
        (DEPOSITS, "押金保证金期末余额为197.1万元，较期初减少约37.6万元。"),
        (DELIVERIES, "A total of 165 aircraft were delivered in 2022, four more than in 2021."),
        (BUYBACKS, "What may yet be purchased rose from $1,889 million to $2,372 million."),
    ],
)
def test_false_ones_are_marked(page: str, sentence: str) -> None:
    assert not AnswerChecker([Passage(page)]).check(sentence, [0]).passed


def test_the_quarter_of_a_document_may_be_named() -> None:
    call = "Core FFO was $1.85 per share. It raised its dividend by 38.9% over the third quarter 2020 dividend."
    checker = AnswerChecker([Passage(call, "Acme | call | Q3 2021")])
    assert checker.check("Core FFO was $1.85 per share in the third quarter of 2021.", [0]).passed

"""Figures that are printed nowhere: derived from what the sentence names, or marked where chance might give them."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.cells.reading import read_cells
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage

PAGE = """The board authorized a buyback of $4,000 million of stock. As of year-end $3,250 million of it was left.

(in millions)

| | 2023 | 2022 |
| --- | --- | --- |
| Raw materials | 523.8 | 342.3 |
| Work in process | 761.6 | 613.0 |
| Total inventories | 1,285.4 | 955.3 |

In 2023 goodwill was impaired by $1,204 million and other intangibles by $702 million.

The quarterly dividend is $0.79 per share."""


@pytest.mark.parametrize(
    ("sentence", "passed"),
    [
        ("Impairments of goodwill and other intangibles came to $1,906 million in 2023.", True),
        ("Impairments of goodwill and other intangibles came to $2,106 million in 2023.", False),
        ("It has used $750 million of the $4,000 million buyback.", True),
        ("It has used $790 million of the $4,000 million buyback.", False),
        ("Raw materials made up 41% of total inventories in 2023.", True),
        ("Raw materials made up 51% of total inventories in 2023.", False),
        ("At the quarterly rate of $0.79 the dividend is $3.16 a year.", True),
        ("At the quarterly rate of $0.79 the dividend is $3.46 a year.", False),
        ("The quarterly dividend is 79 cents per share.", True),
        ("The quarterly dividend is 76 cents per share.", False),
    ],
)
def test_one_operation_on_what_is_named(sentence: str, passed: bool) -> None:
    assert AnswerChecker([Passage(PAGE, "Acme | 10-K | FY2023")]).check(sentence, [0]).passed is passed


def test_values_on_lines_of_their_own_have_the_scale_that_is_said_last() -> None:
    page = "(in thousands)\n2023\n2022\nUnits\n5,000\n4,000\nThe expense was as follows (in millions):\n"
    page += "2023\n2022\nExpense\n2,686\n2,252\n"
    scales = {cell.label: int(cell.scale or 0) for cell in read_cells(page)}
    assert scales == {"Units": 1_000, "Expense": 1_000_000}


def test_one_table_without_a_scale_has_one_scale_in_a_sentence() -> None:
    table = "| | 2023 | Total |\n| --- | --- | --- |\n| Total payments | $ 3,632.2 | $ 5,054.7 |"
    said = "Of total payments of $5.05 billion, $3.63 {} fall due in 2023."
    checked = [AnswerChecker([Passage(table)]).check(said.format(scale), [0]) for scale in ("billion", "million")]
    assert [verdict.passed for verdict in checked] == [True, False]


RECEIVABLES = """(in thousands)

| | Gross | Net |
| --- | --- | --- |
| December 31, 2019 | | |
| Transaction related | 12,863 | 12,625 |
| Servicing related | 6,868 | 6,868 |
| December 31, 2018 | | |
| Transaction related | 14,704 | 14,536 |
| Servicing related | 864 | 864 |"""
OPTIONS = """The number of options was as follows:

| | 2019 | 2018 |
| --- | --- | --- |
| Options granted in the year | 452,695 | 1,188,149 |
| Options forfeited in the year | (105,213) | (766,324) |"""


@pytest.mark.parametrize(
    ("page", "sentence", "passed"),
    [
        (RECEIVABLES, "Servicing related receivables increased by $6.0 million in 2019.", True),
        (RECEIVABLES, "Servicing related receivables decreased by $6.0 million in 2019.", False),
        (OPTIONS, "The number of options forfeited fell by 661,111 in 2019.", True),
        (OPTIONS, "The number of options forfeited rose by 661,111 in 2019.", False),
    ],
)
def test_a_change_is_over_time_and_of_what_is_taken_away_its_size(page: str, sentence: str, passed: bool) -> None:
    assert AnswerChecker([Passage(page, "Acme | 10-K | FY2019")]).check(sentence, [0]).passed is passed

"""The cells of tables: what a PDF left one value a line, and heads within a table."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.cells.reading import read_cells

PAGE = """(in millions, except per share data)
December 28, 2019 December 29, 2018
Revenues
Casino .................... $
100
90
Rooms
40
—
140
90
Cost of sales
(80)
(70)
Earnings per share
1.59
(8.36)
"""


def row(text: str, label: str) -> dict[int, int]:
    """Year -> amount of a row."""
    cells = [cell for cell in read_cells(text) if cell.label == label and len(cell.periods) == 1]
    return {cell.periods[0].year: int(cell.amount) for cell in cells}


@pytest.mark.parametrize(
    ("label", "amounts"),
    [
        ("Casino", {2019: 100_000_000, 2018: 90_000_000}),
        ("Rooms", {2019: 40_000_000}),
        ("Total Revenues", {2019: 140_000_000, 2018: 90_000_000}),
        ("Cost of sales", {2019: -80_000_000, 2018: -70_000_000}),
        ("Earnings per share", {2019: 1, 2018: -8}),
    ],
)
def test_values_one_a_line_have_their_years_and_scale(label, amounts):
    assert row(PAGE, label) == amounts


def test_values_below_a_row_that_do_not_add_up_are_no_total():
    page = PAGE.replace("140\n", "141\n")
    assert not row(page, "Total Revenues") and not row(page, "Rooms")


MOVED = """(in millions)
| | Dec 29, 2018 | Acquisitions | Dec 28, 2019 |
| --- | --- | --- | --- |
| Total | 24 | 2 | 26 |
| (in millions) | Dec 30, 2017 | Acquisitions | Dec 29, 2018 |
| All of it | 23 | 1 | 24 |
"""
BAND = """| | Cost | December 31, 2019 Value |
| --- | --- | --- |
| Bonds | 9 | 8 |
| | December 31, 2018 | |
| Notes | 7 | 6 |
| | 30/6/2024 | 1/7/2025 |
| Loans | 5 | 4 |
"""


def test_heads_within_a_table_are_those_of_the_rows_below():
    assert row(MOVED, "Total") == {2018: 24_000_000, 2019: 26_000_000}
    assert row(MOVED, "All of it") == {2017: 23_000_000, 2018: 24_000_000}


def test_one_date_is_that_of_all_columns_and_a_day_in_figures_is_a_value():
    assert {cell.text: cell.periods[0].year for cell in read_cells(BAND) if cell.periods} == {
        "8": 2019, "7": 2018, "6": 2018, "30/6/2024": 2018, "1/7/2025": 2018, "5": 2018, "4": 2018,
    }  # fmt: skip
    assert "December 31, 2018 Value" in {cell.head for cell in read_cells(BAND)}


def test_a_table_with_an_empty_head_keeps_its_first_row():
    text = "|  |  |\n| --- | --- |\n| Staff of the parent | 652 |\n| Staff of subsidiaries | 754 |"
    assert [(cell.label, int(cell.value)) for cell in read_cells(text)] == [
        ("Staff of the parent", 652),
        ("Staff of subsidiaries", 754),
    ]

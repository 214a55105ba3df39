"""Printed contents, and what only looks like them."""

from __future__ import annotations

from cliquerag.ingest.reading.clean_pages import is_contents_page, is_raw_contents_page

CONTENTS = [
    "Part I",
    "Item 1. Business 3",
    "Item 1A. Risk Factors 17",
    "Item 2. Properties 29",
    "Item 3. Legal Proceedings 29",
    "Item 7. Management's Discussion and Analysis 31",
    "Item 8. Financial Statements 50",
]


def test_contents_pages() -> None:
    assert is_contents_page(["Table of Contents", *CONTENTS])
    assert is_contents_page(CONTENTS)
    assert is_contents_page(["目录", *(f"第{n}节 内容 ........ {n * 5}" for n in "123456")])
    assert is_raw_contents_page([piece for line in CONTENTS[1:] for piece in line.rsplit(" ", 1)])


def test_a_table_or_prose_is_no_contents_page() -> None:
    assert not is_contents_page(
        [f"Product line {name} {value}" for name, value in zip("abcdefgh", [9, 3, 7, 1, 8, 2, 6, 4], strict=True)]
    )
    assert not is_contents_page(
        [f"We sold pumps in region {n} and expect to sell more of them next year." for n in range(9)]
    )
    assert not is_raw_contents_page(["Net sales", "120", "110", "Costs", "80", "70", "Profit", "40", "40"])

"""Headings: numbered, announced, set apart by type; their levels."""

from __future__ import annotations

from collections import Counter

import pytest
from cliquerag.ingest.pdf.backend import OutlineItem
from cliquerag.ingest.reading.assemble import HeadingStack
from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.headings.announced import Titles, titles_of_contents, titles_of_outline
from cliquerag.ingest.reading.headings.finder import HeadingFinder
from cliquerag.ingest.reading.headings.numbering import numbered_heading
from cliquerag.ingest.reading.headings.styles import body_type
from cliquerag.ingest.reading.layout.blocks import BlockCutter


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("PART I", 1),
        ("Part III.", 1),
        ("Item 1A. Risk Factors", 2),
        ("ITEM 7. MANAGEMENT'S DISCUSSION AND ANALYSIS", 2),
        ("Item 5.07 Submission of Matters to a Vote of Security Holders", 2),
        ("Item 9—Changes in Accountants", 2),
        ("Note 7. Debt", 3),
        ("NOTE 12 – INCOME TAXES", 3),
        ("第三节 公司业务概要", 1),
        ("一、公司信息", 2),
        ("（一）主要会计数据", 3),
        ("1、货币资金", 4),
        ("(三) 境内外会计准则差异的说明：", 3),
    ],
)
def test_numbered_headings(text: str, level: int) -> None:
    found = numbered_heading(text)
    assert found is not None and found.level == level


@pytest.mark.parametrize(
    "text",
    [
        "Item 7 of this Annual Report on Form 10-K",
        "Part of the increase came from Asia",
        "Note 7 below shows the debt,",
        "Item 1. Business 120 130",
        "一、本公司董事会、监事会及董事、监事、高级管理人员保证年度报告内容的真实、准确、完整，不存在虚假记载、误导性陈述或重大遗漏，",
        "1.5 million pumps",
        "",
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert numbered_heading(text) is None


def test_a_lone_item_number_waits_for_its_title() -> None:
    found = numbered_heading("Item 1A.")
    assert found is not None and found.open


def lines_of(*styled: tuple[str, float, bool]) -> list[PrintedLine]:
    return [
        PrintedLine(text, 1, (50, 20.0 * n, 300, 20.0 * n + 10), size, bold)
        for n, (text, size, bold) in enumerate(styled)
    ]


BODY = (
    "We sold more pumps in all regions of the world and expect to go on with it in the next year, too.",
    10.0,
    False,
)


def test_larger_and_bolder_type_stands_higher() -> None:
    small = [("Net sales", 10.0, True)] * 3
    lines = lines_of(*[("Review of the year", 16.0, True)] * 3, *small, *[BODY] * 10)
    finder = HeadingFinder.of(lines, Titles())
    assert finder.level(lines[0]) == 1
    assert finder.level(lines[3]) == 2
    assert finder.level(lines[-1]) is None


def test_body_type_is_the_largest_common_one() -> None:
    notes = [("A long footnote in small type that goes on and on over many lines of the page", 8.0, False)] * 20
    assert body_type(lines_of(*notes, *[BODY] * 8, ("Title", 20.0, True))) == (10.0, False)


def test_unit_lines_and_sums_in_bold_are_no_headings() -> None:
    lines = lines_of(("(in millions)", 10.0, True), ("Total 1,234 1,100 987", 10.0, True), *[BODY] * 10)
    finder = HeadingFinder.of(lines, Titles())
    assert [finder.level(line) for line in lines[:2]] == [None, None]


def test_outline_gives_levels_on_its_pages() -> None:
    titles = titles_of_outline([OutlineItem(1, "Part I", 3), OutlineItem(3, "Market Overview", 4)])
    assert titles.level("MARKET OVERVIEW", 4) == 3
    assert titles.level("Market overview", 9) is None
    assert titles.level("Market share", 4) is None


def test_printed_contents_give_titles_below_their_item() -> None:
    titles = titles_of_contents(["Page", "Item 1. Business 3", "About the company 3", "Acme Corporation"])
    assert titles.level("About the Company", 5) == 3
    assert titles.level("Acme Corporation", 5) is None


def test_the_stack_closes_what_is_deeper() -> None:
    stack = HeadingStack()
    for level, title in [(1, "Part I"), (2, "Item 1"), (5, "Products"), (3, "Note 1"), (2, "Item 2")]:
        stack.enter(level, title)
    assert stack.titles == ("Part I", "Item 2")


def wrapped(second: str, first_right: float) -> list[str]:
    """Headings of a page whose first two lines are in large type, the first of them ending at ``first_right``."""
    title = PrintedLine("Item 7. Discussion and Analysis of Financial", 1, (50, 20, first_right, 34), 14.0, True)
    rest = PrintedLine(second, 1, (50, 36, 250, 50), 14.0, True)
    body = [PrintedLine(BODY[0], 1, (50, 70.0 + 12 * n, 500, 80.0 + 12 * n), 10.0) for n in range(12)]
    blocks = BlockCutter([[title, rest, *body]], [], [], Counter())
    return [block.text for block in blocks if block.kind == "heading"]


def test_a_heading_goes_on_where_the_next_word_had_no_room() -> None:
    title = "Item 7. Discussion and Analysis of Financial"
    assert wrapped("Condition and Results", 440) == [f"{title} Condition and Results"]
    assert wrapped("Condition and Results", 300) == [title, "Condition and Results"]
    assert wrapped("Item 8. Statements", 440) == [title, "Item 8. Statements"]

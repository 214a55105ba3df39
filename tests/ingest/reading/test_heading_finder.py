"""Headings of a document: set apart by type, their levels, titles over several lines."""

from __future__ import annotations

from collections import Counter

from cliquerag.ingest.pdf.backend import OutlineItem
from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.heading_finder import HeadingFinder, body_type
from cliquerag.ingest.reading.layout.blocks import BlockCutter
from cliquerag.ingest.reading.titles import Titles, titles_of_contents, titles_of_outline


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


def test_unit_lines_and_sums_in_bold_are_no_headings() -> None:
    lines = lines_of(("(in millions)", 10.0, True), ("Total 1,234 1,100 987", 10.0, True), *[BODY] * 10)
    finder = HeadingFinder.of(lines, Titles())
    assert [finder.level(line) for line in lines[:2]] == [None, None]


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


def test_body_type_is_the_largest_common_one() -> None:
    note = PrintedLine("A long footnote in small type that goes on and on over many lines of the page", 1, size=8.0)
    text = PrintedLine("We sold more pumps in all regions of the world and expect to go on with it.", 1, size=10.0)
    title = PrintedLine("Title", 1, size=20.0, bold=True)
    assert body_type([*[note] * 20, *[text] * 8, title]) == (10.0, False)


def test_outline_gives_levels_on_its_pages() -> None:
    titles = titles_of_outline([OutlineItem(1, "Part I", 3), OutlineItem(3, "Market Overview", 4)])
    assert titles.level("MARKET OVERVIEW", 4) == 3
    assert titles.level("Market overview", 9) is None
    assert titles.level("Market share", 4) is None


def test_printed_contents_give_titles_below_their_item() -> None:
    titles = titles_of_contents(["Page", "Item 1. Business 3", "About the company 3", "Acme Corporation"])
    assert titles.level("About the Company", 5) == 3
    assert titles.level("Acme Corporation", 5) is None

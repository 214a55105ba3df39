"""The stack of headings, and page ranges."""

from __future__ import annotations

from cliquerag.ingest.reading.assemble import HeadingStack, assemble, page_ranges
from cliquerag.ingest.reading.block import Block, Piece


def test_the_stack_closes_what_is_deeper() -> None:
    stack = HeadingStack()
    for level, title in [(1, "Part I"), (2, "Item 1"), (5, "Products"), (3, "Note 1"), (2, "Item 2")]:
        stack.enter(level, title)
    assert stack.titles == ("Part I", "Item 2")


def test_a_page_without_lines_is_empty_and_ends_where_the_next_begins() -> None:
    blocks = [Block("paragraph", (Piece("one", 1), Piece("two", 3))), Block("paragraph", (Piece("three", 3),))]
    laid = assemble(blocks)
    assert laid.text == "one\ntwo\n\nthree"
    pages = page_ranges(laid.lines, 4, len(laid.text), {1: (600.0, 800.0)})
    assert [laid.text[page.start : page.end] for page in pages] == ["one\n", "", "two\n\nthree", ""]
    assert (pages[0].width, pages[1].height) == (600.0, 0.0)

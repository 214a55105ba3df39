"""Titles of bookmarks and of printed contents."""

from __future__ import annotations

from cliquerag.ingest.pdf.backend import OutlineItem
from cliquerag.ingest.reading.headings.titles import titles_of_contents, titles_of_outline


def test_outline_gives_levels_on_its_pages() -> None:
    titles = titles_of_outline([OutlineItem(1, "Part I", 3), OutlineItem(3, "Market Overview", 4)])
    assert titles.level("MARKET OVERVIEW", 4) == 3
    assert titles.level("Market overview", 9) is None
    assert titles.level("Market share", 4) is None


def test_printed_contents_give_titles_below_their_item() -> None:
    titles = titles_of_contents(["Page", "Item 1. Business 3", "About the company 3", "Acme Corporation"])
    assert titles.level("About the Company", 5) == 3
    assert titles.level("Acme Corporation", 5) is None

"""Pages of printed contents: titles followed by page numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from .patterns import CLEANING

_DOT_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|·{4,}|_{5,}\s*\d{1,3}\s*$")
_ENTRY = re.compile(r"^(?=.*[^\W\d_]{3}).{3,110}?[\s.…·_]([A-Z]-)?\d{1,3}$")
_NUMBER_AT_END = re.compile(r"(\d{1,3})$")
_NUMBER_ALONE = re.compile(r"\d{1,3}")
_NUMBERED_TITLE = re.compile(r"(item|part|note)\s+\w{1,3}\b", re.IGNORECASE)
_TITLE_LINES = 12
"""A page that calls itself "Table of Contents" does so in its first lines."""


def is_contents_page(texts: Sequence[str]) -> bool:
    """True for a page whose lines (``texts``) are mostly titles followed by page numbers.

    More than half of the lines with letters end in a page number, six at least, and these go up; a page that calls
    itself "Table of Contents" needs a third. Dot leaders on two fifths of the lines are enough by themselves.
    """
    worded = [text for text in texts if any(map(str.isalpha, text))]
    leaders = sum(bool(_DOT_LEADER.search(text)) for text in worded)
    if leaders >= max(4, 0.4 * len(worded)):
        return True
    entries = sum(map(is_contents_entry, worded))
    share = 0.3 if _calls_itself_contents(texts) else 0.55
    if entries < max(6, share * len(worded)):
        return False
    endings = [_NUMBER_AT_END.search(text.strip()) for text in worded]
    return _hardly_ever_fall([int(ending[1]) for ending in endings if ending])


def is_raw_contents_page(texts: Sequence[str]) -> bool:
    """The same for raw page text, in which titles and page numbers stand on lines of their own.

    >>> is_raw_contents_page("Contents|Item 1.|Business|3|Item 2.|Sites|9|Item 3.|Legal|9|Item 4.|Mines|9".split("|"))
    True
    """
    stripped = [text.strip() for text in texts]
    numbers = [int(text) for text in stripped if _NUMBER_ALONE.fullmatch(text)]
    if len(numbers) < 4 or not _hardly_ever_fall(numbers):
        return False
    if _calls_itself_contents(texts):
        share, fewest_titles = 0.15, 2
    else:
        share, fewest_titles = 0.25, 6
    titles = sum(bool(_NUMBERED_TITLE.match(text)) for text in stripped)
    return len(numbers) >= share * len(texts) and titles >= fewest_titles


def is_contents_entry(text: str) -> bool:
    """True for a title with a page number at its end.

    >>> [is_contents_entry(text) for text in ("Item 1A. Risk Factors 17", "第一节 释义 ........ 4", "17")]
    [True, True, False]
    """
    return bool(_ENTRY.match(text.strip()))


def _calls_itself_contents(texts: Sequence[str]) -> bool:
    return any(CLEANING.any("contents_title", text.strip()) for text in texts[:_TITLE_LINES])


def _hardly_ever_fall(numbers: Sequence[int]) -> bool:
    """True for numbers in the order of a contents page: page numbers go up, values of a table go up and down."""
    falls = sum(after < before for before, after in itertools.pairwise(numbers))
    return falls <= max(1, 0.15 * len(numbers))

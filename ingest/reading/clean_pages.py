"""Cleaning of a document's pages (running headers, page numbers, contents pages, disclaimers, chart labels): what is
dropped, what is marked, all counted.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .block import PrintedLine
from .furniture import loose_furniture, page_numbers, running_lines, running_texts
from .line_rules import CLEANING, axis_labels, contact_block, is_caption, repeated_lines, symbol_lines

_DOT_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|·{4,}|(?<!_)_{5,}\s*\d{1,3}\s*$")
_ENTRY = re.compile(r"^(?=.*[^\W\d_]{3}).{3,110}?[\s.…·_]([A-Z]-)?\d{1,3}$")
_NUMBER_AT_END = re.compile(r"\d{1,3}$")
_NUMBER_ALONE = re.compile(r"\d{1,3}")
_NUMBERED_TITLE = re.compile(r"(item|part|note)\s+\w{1,3}\b", re.IGNORECASE)
_TITLE_LINES = 12
"""First lines of a page, in which it may call itself "Table of Contents"."""
_FEWEST_LEADERS = 4
_LEADER_SHARE = 0.4
_FEWEST_ENTRIES = 6
_FEWEST_NUMBERS = 4
_FALL_SHARE = 0.15
"""Share of page numbers that may be lower than the one before; one may in any case."""


class _Needed(NamedTuple):
    """What a page has to show to be one of contents."""

    entry_share: float
    """Lines that end in a page number, as a share of those with letters."""
    number_share: float
    """In raw page text, page numbers on lines of their own, as a share of all lines."""
    titles: int
    """In raw page text, numbered titles ("Item 7")."""


_NEEDED = _Needed(entry_share=0.55, number_share=0.25, titles=6)
_NEEDED_OF_TITLED = _Needed(entry_share=0.3, number_share=0.15, titles=2)
"""A page that calls itself "Table of Contents" needs less."""


def is_contents_page(texts: Sequence[str]) -> bool:
    """True for a page whose lines (``texts``) are mostly titles followed by page numbers.

    More than half of the lines with letters end in a page number, six at least, and these go up; a page that calls
    itself "Table of Contents" needs a third. Dot leaders on two fifths of the lines are enough by themselves.
    """
    worded = list(filter(_has_letters, texts))
    leaders = sum(map(_has_dot_leader, worded))
    if leaders >= max(_FEWEST_LEADERS, _LEADER_SHARE * len(worded)):
        return True
    needed = _needed(texts)
    entries = sum(map(is_contents_entry, worded))
    if entries < max(_FEWEST_ENTRIES, needed.entry_share * len(worded)):
        return False
    numbers = itertools.chain.from_iterable(map(_number_at_end, worded))
    return _hardly_ever_fall(list(map(int, numbers)))


def is_raw_contents_page(texts: Sequence[str]) -> bool:
    """The same for raw page text, in which titles and page numbers stand on lines of their own.

    >>> is_raw_contents_page("Contents|Item 1.|Business|3|Item 2.|Sites|9|Item 3.|Legal|9|Item 4.|Mines|9".split("|"))
    True
    """
    stripped = list(map(str.strip, texts))
    numbers = list(map(int, filter(_NUMBER_ALONE.fullmatch, stripped)))
    if len(numbers) < _FEWEST_NUMBERS or not _hardly_ever_fall(numbers):
        return False
    needed = _needed(texts)
    titles = list(filter(_NUMBERED_TITLE.match, stripped))
    return len(numbers) >= needed.number_share * len(texts) and len(titles) >= needed.titles


def is_contents_entry(text: str) -> bool:
    """True for a title with a page number at its end.

    >>> [is_contents_entry(text) for text in ("Item 1A. Risk Factors 17", "第一节 释义 ........ 4", "17")]
    [True, True, False]
    """
    return bool(_ENTRY.match(text.strip()))


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_dot_leader(text: str) -> bool:
    return _DOT_LEADER.search(text) is not None


def _number_at_end(text: str) -> list[str]:
    """The digits that the text ends in, three at most; none where it does not end in a number."""
    return _NUMBER_AT_END.findall(text.strip())


def _needed(texts: Sequence[str]) -> _Needed:
    is_titled = any(map(_is_contents_title, texts[:_TITLE_LINES]))
    return _NEEDED_OF_TITLED if is_titled else _NEEDED


def _is_contents_title(text: str) -> bool:
    return CLEANING.any("contents_title", text.strip())


def _hardly_ever_fall(numbers: Sequence[int]) -> bool:
    """True for numbers in the order of a contents page: page numbers go up, values of a table go up and down."""
    falls = sum(after < before for before, after in itertools.pairwise(numbers))
    return falls <= max(1, _FALL_SHARE * len(numbers))


_FIRST_CONTENTS_PAGES = 12
"""Printed contents stand on one of so many first pages."""


def clean_pages(
    pages: list[list[PrintedLine]], heights: Sequence[float], dropped: Counter[str], running: Counter[str]
) -> list[list[PrintedLine]]:
    """Drop furniture, symbols and repetitions; mark contents, contacts, captions and axes.

    ``heights`` are those of the pages in points. Lines dropped or marked are counted in ``dropped`` by their rule;
    ``running`` takes up what the running headers and footers say.
    """
    furniture = running_lines(pages, heights)
    furniture.update(page_numbers(pages, heights))
    furniture.update(loose_furniture(pages))
    dropped.update(furniture.values())
    running.update(running_texts(pages, furniture))
    cleaned = []
    for index, lines in enumerate(pages):
        kept = [line for at, line in enumerate(lines) if (index, at) not in furniture]
        kept = _without_empty_lines(kept, dropped)
        texts = [line.text for line in kept]
        if index < _FIRST_CONTENTS_PAGES and is_contents_page(texts):
            marks = dict.fromkeys(range(len(texts)), "contents page")
        else:
            marks = _contact_and_chart_marks(texts)
        dropped.update(marks.values())
        for at, rule in marks.items():
            kept[at] = replace(kept[at], mark=rule)
        cleaned.append(kept)
    return cleaned


def _without_empty_lines(lines: list[PrintedLine], dropped: Counter[str]) -> list[PrintedLine]:
    """The lines that say something: neither symbols alone nor what the line before said."""
    symbols = dict.fromkeys(symbol_lines(lines), "symbol line")
    repeated = dict.fromkeys(repeated_lines(lines), "repeated line")
    empty = symbols | repeated
    dropped.update(empty.values())
    return [line for at, line in enumerate(lines) if at not in empty]


def _contact_and_chart_marks(texts: Sequence[str]) -> dict[int, str]:
    """Position -> rule of the lines that belong to contacts and charts."""
    marks = dict.fromkeys(axis_labels(texts), "chart axis")
    for at, text in enumerate(texts):
        if at in marks:
            continue
        length = contact_block(texts, at)
        if length:
            marks.update(dict.fromkeys(range(at, at + length), "contact block"))
        elif is_caption(text):
            marks[at] = "chart caption"
    return marks

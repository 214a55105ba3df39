"""Cleaning of a document's pages: what is dropped, what is marked, all counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..block import PrintedLine
from .contents_page import is_contents_page
from .furniture import loose_furniture, page_numbers, running_lines, running_texts
from .line_rules import axis_labels, contact_block, is_caption, repeated_lines, symbol_lines

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

"""Cleaning of a document's pages: what is dropped, what is marked, all counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .block import PrintedLine
from .cleaning import axis_labels, contact_block, is_caption, is_contents_page, is_symbol_line, repeated_lines
from .furniture import loose_furniture, page_numbers, running_lines, running_texts

_FIRST_CONTENTS_PAGES = 12


def clean_pages(
    pages: list[list[PrintedLine]], heights: Sequence[float], dropped: Counter[str], running: Counter[str]
) -> list[list[PrintedLine]]:
    """Drop furniture, symbols and repetitions (counted); mark contents, contacts, captions and axes.

    ``running`` takes up what the running headers and footers say.
    """
    marks = running_lines(pages, heights)
    marks.update(page_numbers(pages, heights))
    marks.update(loose_furniture(pages))
    dropped.update(marks.values())
    running.update(running_texts(pages, marks))
    result = []
    for index, lines in enumerate(pages):
        kept = [line for at, line in enumerate(lines) if (index, at) not in marks]
        kept = _drop_lines(kept, dropped)
        if index < _FIRST_CONTENTS_PAGES and is_contents_page([line.text for line in kept]):
            dropped["contents page"] += len(kept)
            kept = [replace(line, mark="contents") for line in kept]
        else:
            kept = _mark_lines(kept, dropped)
        result.append(kept)
    return result


def _drop_lines(lines: list[PrintedLine], dropped: Counter[str]) -> list[PrintedLine]:
    symbols = {at for at, line in enumerate(lines) if line.table is None and is_symbol_line(line.text)}
    repeats = set(repeated_lines(lines)) - symbols
    for rule, found in (("symbol line", symbols), ("repeated line", repeats)):
        if found:
            dropped[rule] += len(found)
    gone = symbols | repeats
    return [line for at, line in enumerate(lines) if at not in gone]


def _mark_lines(lines: list[PrintedLine], dropped: Counter[str]) -> list[PrintedLine]:
    texts = [line.text for line in lines]
    marks = dict.fromkeys(axis_labels(texts), "chart axis")
    for at, text in enumerate(texts):
        if at in marks:
            continue
        if length := contact_block(texts, at):
            marks.update(dict.fromkeys(range(at, at + length), "contact block"))
        elif is_caption(text):
            marks[at] = "chart caption"
    dropped.update(marks.values())
    return [replace(line, mark=marks.get(at, "")) for at, line in enumerate(lines)]

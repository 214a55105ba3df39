"""Where a piece of text stands on paper."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points (1/72 inch) from the top left corner of the page."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """One page and the boxes on it; a text that runs over pages has one anchor a page.

    ``page`` counts from 1. ``boxes`` is empty where the source has pages but no geometry.
    """

    page: int
    boxes: tuple[Box, ...] = ()
    place: str = ""
    """What people call the place where no page number does: "Income!B4", "slide 3", "00:12:30". "" on paper."""


def joined_places(first: str, last: str) -> str:
    """The name of the stretch from one place to another on the same page.

    >>> joined_places("Income!A2:D2", "Income!A9:D9"), joined_places("00:01:00", "00:02:30")
    ('Income!A2:D9', '00:01:00 to 00:02:30')
    """
    if first == last or not last:
        return first
    sheet, mark, cells = first.rpartition("!")
    other_sheet, _, other_cells = last.rpartition("!")
    if mark and sheet == other_sheet:
        return f"{sheet}!{cells.partition(':')[0]}:{other_cells.rpartition(':')[2]}"
    return f"{first.partition(' to ')[0]} to {last}"

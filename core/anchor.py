"""Where a piece of text stands on paper, and how people call that place and its document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from .records import dataclass

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


def first_page(anchors: Sequence[Anchor]) -> int | None:
    """The page on which something begins, from 1; None without pages."""
    return anchors[0].page if anchors else None


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


class Placed(Protocol):
    """Whatever stands somewhere in a document: a citation, a fact, a passage."""

    @property
    def page(self) -> int | None: ...

    @property
    def anchors(self) -> tuple[Anchor, ...]: ...


def short_name(source: str, known: Iterable[str]) -> str:
    """The shortest end of a source's path that no other of the known sources has; addresses stay whole.

    >>> short_name("/reports/acme/10-K.pdf", ["/reports/acme/10-K.pdf", "/reports/beta/10-K.pdf"])
    'acme/10-K.pdf'
    """
    if "://" in source:
        return source
    parts = source.split("/")
    others = [f"/{other}" for other in known if other != source]
    for count in range(1, len(parts)):
        end = "/".join(parts[-count:])
        if not any(other.endswith(f"/{end}") for other in others):
            return end
    return source


def at_page(name: str, page: int | str | None) -> str:
    """A document with the page, or the pages, where there are any.

    >>> at_page("a.pdf", 3), at_page("a.txt", None)
    ('a.pdf, page 3', 'a.txt')
    """
    return f"{name}, page {page}" if page else name


def place_name(item: Placed) -> str:
    """The name of the place on its page where it has one ("Income!B4", "slide 3"), else ""."""
    named = {anchor.page: anchor.place for anchor in reversed(item.anchors)}
    return named.get(item.page, "") if item.page else ""


def at_place(name: str, item: Placed) -> str:
    """A document with the place that is meant in it, as people look it up: cell, slide or time, else the page."""
    place = place_name(item)
    return f"{name}, {place}" if place else at_page(name, item.page)


def bounding_box(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of ``boxes``; there has to be one at least.

    >>> bounding_box([(10, 20, 30, 40), (5, 25, 20, 60)])
    (5, 20, 30, 60)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def holds_middle(box: Box, other: Box) -> bool:
    """True where the middle of the other box lies in the first or on its edge.

    >>> holds_middle((0, 0, 10, 10), (8, 8, 12, 12)), holds_middle((0, 0, 10, 10), (9, 0, 12, 4))
    (True, False)
    """
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def rounded_box(box: Box) -> Box:
    """The box in hundredths of a point: enough to draw it, and a third of the bytes to store."""
    x0, y0, x1, y1 = box
    return (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))

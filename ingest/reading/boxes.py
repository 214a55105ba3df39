"""Boxes of printed things, in points from the top left corner of the page as in ``core.anchor``."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.anchor import Box

NO_BOX: Box = (0.0, 0.0, 0.0, 0.0)
"""Of text without a layout: HTML, plain text."""


class Boxed:
    """Something printed, by the edges of its box."""

    __slots__ = ()
    box: Box

    @property
    def left(self) -> float:
        return self.box[0]

    @property
    def top(self) -> float:
        return self.box[1]

    @property
    def right(self) -> float:
        return self.box[2]

    @property
    def bottom(self) -> float:
        return self.box[3]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def bounding_box(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of ``boxes``; there has to be one at least.

    >>> bounding_box([(10, 20, 30, 40), (5, 25, 20, 60)])
    (5, 20, 30, 60)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1))


def rounded_box(box: Box) -> Box:
    """The box in hundredths of a point: enough to draw it, and a third of the bytes to store."""
    x0, y0, x1, y1 = box
    return (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))

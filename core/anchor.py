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

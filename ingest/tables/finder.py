"""Finds the tables of a PDF from words and ruling lines."""

from __future__ import annotations

from collections.abc import Sequence

from ..pdf_backend import PageLayout
from .found import FoundTable


def find_tables(pages: Sequence[PageLayout]) -> list[FoundTable]:
    """Tables of consecutive pages in reading order; one that goes on over pages is joined."""
    return []

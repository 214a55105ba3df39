"""A table with the words it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.anchor import Box
from ..table import Table


@dataclass(frozen=True, slots=True)
class Region:
    """A table's place on one page. ``words`` are indices into that page's words, heads and unit line included."""

    page: int
    box: Box
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and its regions, one a page, in order."""

    table: Table
    regions: tuple[Region, ...]

"""Cleaning: running headers, page numbers, contents pages, disclaimers and chart labels are dropped or marked."""

from __future__ import annotations

from .furniture import loose_furniture, page_numbers, running_lines, running_texts
from .line_rules import (
    axis_labels,
    boilerplate_rule,
    contact_block,
    is_caption,
    is_cover_boilerplate,
    is_disclaimer,
    is_disclaimer_title,
    is_protected,
    is_symbol_line,
    repeated_lines,
)
from .pages import is_contents_entry, is_contents_page, is_raw_contents_page

__all__ = [
    "axis_labels",
    "boilerplate_rule",
    "contact_block",
    "is_caption",
    "is_contents_entry",
    "is_contents_page",
    "is_cover_boilerplate",
    "is_disclaimer",
    "is_disclaimer_title",
    "is_protected",
    "is_raw_contents_page",
    "is_symbol_line",
    "loose_furniture",
    "page_numbers",
    "repeated_lines",
    "running_lines",
    "running_texts",
]

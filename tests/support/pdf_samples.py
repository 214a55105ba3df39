"""PDFs made on the spot for tests of the readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pymupdf

LEFT, RIGHT, TOP, BOTTOM = 72, 540, 90, 700
PROSE = (
    "Net sales rose because customers bought more pumps in every region, and the order book stands at a record. "
    "We expect the market to grow further next year, although freight costs remain high and wages rise as well. "
)


def save(document: pymupdf.Document, path: Path, **options: object) -> Path:
    """Write the document and close it."""
    document.save(path, **options)
    document.close()
    return path


def write(page: pymupdf.Page, x: float, y: float, text: str, size: float = 10, font: str = "helv") -> None:
    """One line of text; ``font`` "hebo" is bold, "heit" italic, "china-s" Chinese."""
    page.insert_text((x, y), text, fontsize=size, fontname=font)


def paragraph(page: pymupdf.Page, box: Sequence[float], text: str, size: float = 10, font: str = "helv") -> None:
    """Text wrapped into a box."""
    left_over = page.insert_textbox(pymupdf.Rect(*box), text, fontsize=size, fontname=font)
    assert left_over >= 0, "the box is too small"


def report(path: Path, pages: int = 6) -> Path:
    """A report with running header and footer, headings in larger type, and prose."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        write(page, LEFT, 40, "Acme Corp Annual Report 2023", 8)
        write(page, 300, 770, f"Page {number} of {pages}", 8)
        write(page, LEFT, TOP, f"Chapter {'ABCDEFGHIJ'[number % 10]} Outlook", 16, "hebo")
        paragraph(page, (LEFT, TOP + 20, RIGHT, TOP + 200), PROSE * 2)
        paragraph(page, (LEFT, TOP + 230, RIGHT, TOP + 400), f"On page {number} the value is {number * 1111}. " + PROSE)
    return save(document, path)


def lines(path: Path, texts: Iterable[str], size: float = 10, font: str = "helv") -> Path:
    """One page with the given lines below each other."""
    document = pymupdf.open()
    page = document.new_page()
    for number, text in enumerate(texts):
        write(page, LEFT, TOP + number * 16, text, size, font)
    return save(document, path)

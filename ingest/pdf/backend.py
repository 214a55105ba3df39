"""What a PDF library has to give (words with boxes, rules, an outline, pictures), and which one is used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

from ...core.anchor import Box
from ...core.errors import DocumentError


class Word(NamedTuple):
    """A word and its box, with the size (points) and weight of its font.

    A tuple, for a filing has a hundred thousand of them.
    """

    text: str
    box: Box
    size: float = 0.0
    bold: bool = False
    block: int = 0
    line: int = 0
    """Ordinal of the block, and of the line in it, as the PDF library groups them."""
    italic: bool = False


class Shape(NamedTuple):
    """Something drawn that is more than a line: a rectangle, or curves and slanted lines (``bent``)."""

    box: Box
    bent: bool


class Picture(NamedTuple):
    """Where pixels are shown."""

    box: Box
    detail: float = 0.0
    """Bytes of its PNG a pixel, as far as measured: even areas take few."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """One page: words in the order the library gives them; rules are thin lines and cell borders as boxes."""

    number: int
    """From 1."""
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Box, ...] = ()
    images: float = 0.0
    """Share of the page covered by pictures, 0..1: a page of 1 without words is a scan."""
    pictures: tuple[Picture, ...] = ()
    """In the order in which they are drawn."""
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A bookmark."""

    level: int
    title: str
    page: int


class PdfFile(Protocol):
    """An open PDF. Not thread-safe; use one a process."""

    page_count: int

    def outline(self) -> list[OutlineItem]: ...
    def info(self) -> dict[str, str]:
        """Title, author, creation date as stored in the file."""

    def page(self, number: int) -> PageLayout:
        """``number`` from 1. Raises DocumentError naming the page when it cannot be read."""

    def picture(self, number: int, dpi: int = 110, box: Box | None = None) -> bytes:
        """PNG of the page, or of the part of it in ``box``."""

    def close(self) -> None: ...


class PdfBackend(Protocol):
    """Opens PDFs. Raises :class:`core.errors.DocumentError`: missing, empty, encrypted, truncated, not a PDF."""

    name: str

    def open(self, path: Path) -> PdfFile: ...


def default_backend() -> PdfBackend:
    """PyMuPDF (AGPL or commercial licence) where it is installed, else PDFium, which nobody has to pay for or follow.

    Raises DocumentError where neither is.
    """
    if find_spec("pymupdf") is not None:
        from .pymupdf_backend import PyMuPdfBackend

        return PyMuPdfBackend()
    if find_spec("pypdfium2") is not None:
        from .pdfium_backend import PdfiumBackend

        return PdfiumBackend()
    hint = "Install pymupdf, or: pip install 'cliquerag[pdfium]'"
    raise DocumentError("PDFs take a library that reads them", where="PDF", hint=hint)

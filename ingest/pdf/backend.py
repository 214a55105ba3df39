"""What a PDF library has to give (words with boxes, rules, an outline, pictures), and which one is used."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ...core.anchor import Box
from ...core.errors import DocumentError
from ...core.records import dataclass


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


class Letter(NamedTuple):
    """A letter of a font that does not say which letters it draws."""

    font: str
    """Its name, with the mark of the part of it that the file holds: each part numbers its letters anew."""
    number: str
    """Its number in the font, as the character of that number; the letter itself where the font does tell."""
    box: Box
    size: float
    bold: bool
    italic: bool
    block: int
    line: int

    @property
    def key(self) -> tuple[str, str]:
        """The font and the number: what always is the same letter."""
        return self.font, self.number


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

    def letters(self, number: int) -> list[Letter]:
        """The letters of a page by their numbers in their fonts; none where the library does not tell them."""

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


MAX_WORDS = 60_000
"""Words on one page; the densest printed page has about 3,000."""
MAX_RULES = 20_000
"""Rules on one page; a page with more is a drawing and its rules are left out."""
MAX_SHAPES = 20_000
"""Broad shapes on one page; with more they are left out: a drawing of so many parts is a map or a picture."""
FEW_WORDS = 50
"""A page with fewer words may be a scan: its pictures are measured."""
MAX_SIDE = 14_400.0
"""Points, the largest page that the PDF standard allows."""
HINT_COPY = "Get a fresh copy of the file"
_RULE_WIDTH = 3.0
_SLANT = 1.0
"""Points by which a line that is neither level nor upright differs from one."""
_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "-bd", ",bd")
_ITALIC_NAMES = ("italic", "oblique")


def check_bytes(path: Path) -> None:
    """Raises DocumentError: no such file, empty, not a PDF."""
    if not path.is_file():
        raise DocumentError("no such file", where=str(path))
    with path.open("rb") as file:
        head = file.read(1024)
    if not head.strip():
        raise DocumentError("the file is empty", where=str(path), hint=HINT_COPY)
    if b"%PDF-" not in head:
        raise DocumentError("not a PDF", where=str(path), hint="Its first bytes are those of another kind of file")


def lacks_end(path: Path) -> bool:
    """True when the file's last bytes hold no end mark: pages after the cut would be lost silently."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4096))
        tail = file.read()
    return b"%%EOF" not in tail and b"startxref" not in tail


def type_by_name(font: str) -> tuple[bool, bool]:
    """Whether a font of that name is bold, and whether it is in italics."""
    return _names_one_of(font, _BOLD_NAMES), _names_one_of(font, _ITALIC_NAMES)


def _names_one_of(font: str, parts: Iterable[str]) -> bool:
    name = font.lower()
    return any(part in name for part in parts)


def edges_of(items: Iterable[tuple[Any, ...]], stroked: bool) -> list[Box]:
    """The ruling lines among the parts of a drawing; "l" is a line, "re" a rectangle, curves are none."""
    edges: list[Box] = []
    for item in items:
        if item[0] == "re":
            edges.extend(_rectangle_edges(item[1], stroked))
        elif item[0] == "l" and stroked:
            edges.extend(_line_edge(item[1], item[2]))
    return edges


def _line_edge(start: tuple[float, float], end: tuple[float, float]) -> list[Box]:
    (x0, y0), (x1, y1) = start, end
    box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return [box] if is_thin(box) else []


def _rectangle_edges(corners: Iterable[float], stroked: bool) -> list[Box]:
    """A thin rectangle itself, the four sides of a broad one whose outline is drawn."""
    x0, y0, x1, y1 = corners
    box = (x0, y0, x1, y1)
    if is_thin(box):
        return [box]
    if not stroked:
        return []
    top, bottom = (x0, y0, x1, y0), (x0, y1, x1, y1)
    left, right = (x0, y0, x0, y1), (x1, y0, x1, y1)
    return [top, bottom, left, right]


def is_broad(item: tuple[Any, ...]) -> bool:
    """True for a rectangle that is more than a line."""
    if item[0] != "re":
        return False
    x0, y0, x1, y1 = item[1]
    return not is_thin((x0, y0, x1, y1))


def is_bent(item: tuple[Any, ...]) -> bool:
    """True for a curve, a slanted line and a crooked four-sided shape: what charts have and tables have not."""
    if item[0] != "l":
        return item[0] in ("c", "qu")
    (x0, y0), (x1, y1) = item[1], item[2]
    is_slanted: bool = min(abs(x1 - x0), abs(y1 - y0)) > _SLANT
    return is_slanted


def share_of_page(pictures: Iterable[Picture], area: float) -> float:
    """Share of a page of that area under pictures, 0..1; pictures that overlap count twice."""
    covered = sum(max(0.0, x1 - x0) * max(0.0, y1 - y0) for (x0, y0, x1, y1), _ in pictures)
    return min(1.0, covered / area) if area > 0 else 0.0


def is_thin(box: Box) -> bool:
    x0, y0, x1, y1 = box
    return min(x1 - x0, y1 - y0) <= _RULE_WIDTH

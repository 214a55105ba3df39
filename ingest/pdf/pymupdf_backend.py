"""PyMuPDF behind the :class:`~.backend.PdfBackend` protocol."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...core.anchor import Box
from ...core.errors import DocumentError
from .backend import OutlineItem, PageLayout, Word
from .guard import MAX_OPERATORS, drawing_cost

MAX_WORDS = 60_000
"""Words on one page; the densest printed page has about 3,000."""
MAX_RULES = 20_000
"""Rules on one page; a page with more is a drawing and its rules are left out."""
_FEW_WORDS = 50
"""A page with fewer words may be a scan: its pictures are measured."""
MAX_SIDE = 14_400.0
"""Points, the largest page that the PDF standard allows."""

_RULE_WIDTH = 3.0
_BOLD_FLAG, _ITALIC_FLAG = 16, 2
_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "-bd", ",bd")
_ITALIC_NAMES = ("italic", "oblique")
_HINT_COPY = "Get a fresh copy of the file"


Type = tuple[float, bool, bool]
"""Size, bold, italic."""


class PyMuPdfBackend:
    """Opens PDFs with PyMuPDF (AGPL or commercial licence)."""

    name = "pymupdf"

    def open(self, path: Path) -> PyMuPdfFile:
        """Raises DocumentError: missing, empty, not a PDF, truncated, encrypted, without pages."""
        import pymupdf

        _check_bytes(path)
        library: Any = pymupdf  # its functions are not annotated
        library.TOOLS.mupdf_display_errors(False)
        library.TOOLS.mupdf_display_warnings(False)
        try:
            document = library.open(path, filetype="pdf")
            try:
                _check_document(document, path)
                return PyMuPdfFile(document, path)
            except Exception:
                document.close()
                raise
        except _failures() as error:
            raise DocumentError("the PDF is damaged and cannot be opened", where=str(path), hint=_HINT_COPY) from error


class PyMuPdfFile:
    """An open PDF; see :class:`~.backend.PdfFile`."""

    def __init__(self, document: Any, path: Path) -> None:
        self._document = document
        self._path = path
        self._costs: dict[int, int] = {}
        self.page_count: int = document.page_count

    def outline(self) -> list[OutlineItem]:
        """Bookmarks that point to a page, in order."""
        try:
            items = self._document.get_toc(simple=True)
        except _failures():
            return []
        return [OutlineItem(level, " ".join(title.split()), page) for level, title, page in items if page >= 1]

    def info(self) -> dict[str, str]:
        """Title, author, subject, creation date as stored in the file; absent ones are left out."""
        return {key: value for key, value in (self._document.metadata or {}).items() if value}

    def page(self, number: int) -> PageLayout:
        """``number`` from 1. Raises DocumentError naming the page when it is too big or cannot be read."""
        try:
            page = self._document.load_page(number - 1)
            return self._layout(page, number)
        except _failures() as error:
            raise DocumentError(f"page {number} cannot be read ({error})", where=str(self._path)) from error

    def picture(self, number: int, dpi: int = 110) -> bytes:
        """PNG of the page."""
        self._check_cost(self._document.load_page(number - 1), number)
        return bytes(self._document.load_page(number - 1).get_pixmap(dpi=dpi).tobytes("png"))

    def close(self) -> None:
        self._document.close()

    def _check_cost(self, page: Any, number: int) -> None:
        if drawing_cost(self._document, page.xref, page=True, known=self._costs) > MAX_OPERATORS:
            raise self._too_big(number, "it draws too much")

    def _too_big(self, number: int, why: str) -> DocumentError:
        return DocumentError(f"page {number} is too big to read: {why}", where=str(self._path))

    def _layout(self, page: Any, number: int) -> PageLayout:
        import pymupdf

        width, height = min(page.rect.width, MAX_SIDE), min(page.rect.height, MAX_SIDE)
        self._check_cost(page, number)
        text_page = page.get_textpage(flags=pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP)
        raw = text_page.extractWORDS()
        if len(raw) > MAX_WORDS:
            raise self._too_big(number, f"{len(raw):,} words")
        words = _words(raw, text_page.extractDICT()["blocks"])
        images = _image_share(page) if len(words) < _FEW_WORDS else 0.0
        return PageLayout(number, width, height, words, _rules(page), images)


@cache
def _failures() -> tuple[type[Exception], ...]:
    """What the library raises on damaged files: its own errors, those of the engine below it, and what they cause."""
    import pymupdf

    return (RuntimeError, ValueError, IndexError, KeyError, MemoryError, pymupdf.mupdf.FzErrorBase)


def _check_bytes(path: Path) -> None:
    if not path.is_file():
        raise DocumentError("no such file", where=str(path))
    with path.open("rb") as file:
        head = file.read(1024)
    if not head.strip():
        raise DocumentError("the file is empty", where=str(path), hint=_HINT_COPY)
    if b"%PDF-" not in head:
        raise DocumentError("not a PDF", where=str(path), hint="Its first bytes are those of another kind of file")


def _check_document(document: Any, path: Path) -> None:
    if document.needs_pass and not document.authenticate(""):
        raise DocumentError("the PDF is encrypted", where=str(path), hint="Save a copy without its password")
    if document.is_repaired and _lacks_end(path):
        raise DocumentError("the PDF is truncated: its end is missing", where=str(path), hint=_HINT_COPY)
    if document.page_count == 0:
        raise DocumentError("the PDF has no pages", where=str(path), hint=_HINT_COPY)


def _lacks_end(path: Path) -> bool:
    """True when the file's last bytes hold no end mark: pages after the cut would be lost silently."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4096))
        tail = file.read()
    return b"%%EOF" not in tail and b"startxref" not in tail


def _words(raw: Iterable[tuple[Any, ...]], blocks: Iterable[Mapping[str, Any]]) -> tuple[Word, ...]:
    """Join words (boxes) with the spans they stand in (type)."""
    fonts = _Fonts(blocks)
    words = []
    for x0, y0, x1, y1, text, block, line, _ in raw:
        if not text.isspace():
            size, bold, italic = fonts.whole.get((block, line)) or fonts.at(block, line, (x0 + x1) / 2)
            words.append(Word(text, (x0, y0, x1, y1), size, bold, block, line, italic))
    return tuple(words)


class _Fonts:
    """Type by block, line and position in the line."""

    def __init__(self, blocks: Iterable[Mapping[str, Any]]) -> None:
        self.whole: dict[tuple[int, int], Type] = {}
        """Lines that are set in one type."""
        self._mixed: dict[tuple[int, int], list[tuple[float, float, bool, bool]]] = {}
        self._weights: dict[tuple[str, int], tuple[bool, bool]] = {}
        for block in blocks:
            for number, line in enumerate(block.get("lines", ())):
                self._add((block["number"], number), line["spans"])

    def at(self, block: int, line: int, x: float) -> Type:
        """The type at ``x`` in a line that mixes several; zero and False where nothing is known."""
        spans = self._mixed.get((block, line))
        if not spans:
            return 0.0, False, False
        return spans[max(0, bisect_right(spans, x, key=lambda span: span[0]) - 1)][1:]

    def _add(self, place: tuple[int, int], spans: Iterable[Mapping[str, Any]]) -> None:
        found = [(s["bbox"][0], round(s["size"], 1), *self._weight(s["font"], s["flags"])) for s in spans]
        types = {span[1:] for span in found}
        if len(types) == 1:
            self.whole[place] = types.pop()
        else:
            self._mixed[place] = sorted(found)

    def _weight(self, font: str, flags: int) -> tuple[bool, bool]:
        """Bold and italic, by the font's flags or name."""
        key = (font, flags)
        if key not in self._weights:
            name = font.lower()
            bold = bool(flags & _BOLD_FLAG) or any(part in name for part in _BOLD_NAMES)
            self._weights[key] = (bold, bool(flags & _ITALIC_FLAG) or any(part in name for part in _ITALIC_NAMES))
        return self._weights[key]


def _rules(page: Any) -> tuple[Box, ...]:
    """Ruling lines as thin boxes, and the edges of rectangles.

    What is filled in the colour of broad boxes is shade, however thin: the gaps between the columns of shaded rows.
    """
    drawings = [drawing for drawing in page.get_cdrawings() if drawing["type"] != "clip"]
    shades = {drawing.get("fill") for drawing in drawings if any(map(_is_broad, drawing["items"]))}
    rules: list[Box] = []
    for drawing in drawings:
        stroked = "s" in drawing["type"]
        if stroked or drawing.get("fill") not in shades:
            for item in drawing["items"]:
                rules.extend(_edges(item, stroked))
        if len(rules) > MAX_RULES:
            return ()
    return tuple(dict.fromkeys(rules))


def _is_broad(item: tuple[Any, ...]) -> bool:
    if item[0] != "re":
        return False
    x0, y0, x1, y1 = item[1]
    return bool(min(x1 - x0, y1 - y0) > _RULE_WIDTH)


def _edges(item: tuple[Any, ...], stroked: bool) -> list[Box]:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        return [box] if stroked and min(box[2] - box[0], box[3] - box[1]) <= _RULE_WIDTH else []
    if item[0] != "re":
        return []
    x0, y0, x1, y1 = item[1]
    if min(x1 - x0, y1 - y0) <= _RULE_WIDTH:
        return [(x0, y0, x1, y1)]
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)] if stroked else []


def _image_share(page: Any) -> float:
    """Share of the page under pictures, 0..1 (pictures that overlap count twice)."""
    area = page.rect.width * page.rect.height
    boxes = [image["bbox"] for image in page.get_image_info()]
    covered = sum(max(0.0, x1 - x0) * max(0.0, y1 - y0) for x0, y0, x1, y1 in boxes)
    return float(min(1.0, covered / area)) if area > 0 else 0.0

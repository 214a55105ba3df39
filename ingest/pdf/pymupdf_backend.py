"""PyMuPDF behind the :class:`~.backend.PdfBackend` protocol."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...core.anchor import Box
from ...core.errors import DocumentError
from .backend import (
    FEW_WORDS,
    HINT_COPY,
    MAX_RULES,
    MAX_SHAPES,
    MAX_SIDE,
    MAX_WORDS,
    Letter,
    OutlineItem,
    PageLayout,
    Picture,
    Shape,
    Word,
    check_bytes,
    edges_of,
    is_bent,
    is_broad,
    lacks_end,
    share_of_page,
    type_by_name,
)
from .guard import MAX_OPERATORS, DrawingCosts

_BOLD_FLAG, _ITALIC_FLAG = 16, 2
_LINK = 1
"""The kind of annotation that draws nothing."""
_WHITE = (1.0, 1.0, 1.0)


class _Type(NamedTuple):
    """Size in points, weight and slant of printed words."""

    size: float
    bold: bool
    italic: bool


_UNKNOWN_TYPE = _Type(0.0, False, False)


class PyMuPdfBackend:
    """Opens PDFs with PyMuPDF (AGPL or commercial licence)."""

    name = "pymupdf"

    def open(self, path: Path) -> PyMuPdfFile:
        """Raises DocumentError: missing, empty, not a PDF, truncated, encrypted, without pages."""
        import pymupdf

        check_bytes(path)
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
            raise DocumentError("the PDF is damaged and cannot be opened", where=str(path), hint=HINT_COPY) from error


class PyMuPdfFile:
    """An open PDF; see :class:`~.backend.PdfFile`."""

    def __init__(self, document: Any, path: Path) -> None:
        self._document = document
        self._path = path
        self._costs = DrawingCosts(document)
        self.page_count: int = document.page_count

    def outline(self) -> list[OutlineItem]:
        """Bookmarks that point to a page, in order."""
        try:
            items = self._document.get_toc(simple=True)
        except _failures():
            return []
        outline: list[OutlineItem] = []
        for level, title, page in items:
            if page >= 1:
                outline.append(OutlineItem(level, " ".join(title.split()), page))
        return outline

    def info(self) -> dict[str, str]:
        """Title, author, subject, creation date as stored in the file; absent ones are left out."""
        stored = self._document.metadata or {}
        return {key: value for key, value in stored.items() if value}

    def page(self, number: int) -> PageLayout:
        """``number`` from 1. Raises DocumentError naming the page when it is too big or cannot be read."""
        try:
            page = self._document.load_page(number - 1)
            return self._layout(page, number)
        except _failures() as error:
            raise DocumentError(f"page {number} cannot be read ({error})", where=str(self._path)) from error

    def letters(self, number: int) -> list[Letter]:
        """The letters of a page that :meth:`page` has read, by their numbers in their fonts; none of a damaged one."""
        import pymupdf

        tools: Any = pymupdf.TOOLS
        try:
            tools.set_subset_fontnames(True)
            page = self._document.load_page(number - 1)
            self._check_cost(page, number)
            blocks = page.get_textpage(flags=_letter_flags()).extractRAWDICT()["blocks"]
        except _failures():
            return []
        finally:
            tools.set_subset_fontnames(False)
        found: list[Letter] = []
        for block in blocks:
            for ordinal, line in enumerate(block.get("lines", ())):
                for span in line["spans"]:
                    found += _letters(span, block["number"], ordinal)
        return found

    def picture(self, number: int, dpi: int = 110, box: Box | None = None) -> bytes:
        """PNG of the page, or of the part of it in ``box``."""
        page = self._document.load_page(number - 1)
        self._check_cost(page, number)
        return bytes(page.get_pixmap(dpi=dpi, clip=box).tobytes("png"))

    def close(self) -> None:
        self._document.close()

    def _check_cost(self, page: Any, number: int) -> None:
        if self._costs.of_page(page.xref) > MAX_OPERATORS:
            raise self._too_big(number, "it draws too much")

    def _may_show_pictures(self, page: Any) -> bool:
        """False where neither the page nor what is laid upon it can hold a picture; links cannot."""
        laid_upon = (kind for _, kind, *_ in page.annot_xrefs() if kind != _LINK)
        return self._costs.may_show_pictures(page.xref) or any(True for _ in laid_upon)

    def _too_big(self, number: int, why: str) -> DocumentError:
        return DocumentError(f"page {number} is too big to read: {why}", where=str(self._path))

    def _layout(self, page: Any, number: int) -> PageLayout:
        import pymupdf

        self._check_cost(page, number)
        flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
        text_page = page.get_textpage(flags=flags)
        raw = text_page.extractWORDS()
        if len(raw) > MAX_WORDS:
            raise self._too_big(number, f"{len(raw):,} words")
        words = _words(raw, text_page.extractDICT()["blocks"])
        pictures = _pictures(page) if self._may_show_pictures(page) else ()
        images = share_of_page(pictures, page.rect.width * page.rect.height) if len(words) < FEW_WORDS else 0.0
        drawings = [drawing for drawing in page.get_cdrawings() if drawing["type"] != "clip"]
        return PageLayout(
            number,
            width=min(page.rect.width, MAX_SIDE),
            height=min(page.rect.height, MAX_SIDE),
            words=words,
            rules=_rules(drawings),
            images=images,
            pictures=pictures,
            shapes=_shapes(drawings),
        )


@cache
def _letter_flags() -> int:
    """Letters by number where their font does not tell them, without blanks that the library puts between them."""
    import pymupdf

    letters = pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE | pymupdf.TEXT_INHIBIT_SPACES
    flags: int = letters | pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    return flags


@cache
def _failures() -> tuple[type[Exception], ...]:
    """What the library raises on damaged files: its own errors, those of the engine below it, and what they cause."""
    import pymupdf

    return (RuntimeError, ValueError, IndexError, KeyError, MemoryError, pymupdf.mupdf.FzErrorBase)


def _check_document(document: Any, path: Path) -> None:
    if document.needs_pass and not document.authenticate(""):
        raise DocumentError("the PDF is encrypted", where=str(path), hint="Save a copy without its password")
    if document.is_repaired and lacks_end(path):
        raise DocumentError("the PDF is truncated: its end is missing", where=str(path), hint=HINT_COPY)
    if document.page_count == 0:
        raise DocumentError("the PDF has no pages", where=str(path), hint=HINT_COPY)


def _words(raw: Iterable[tuple[Any, ...]], blocks: Iterable[Mapping[str, Any]]) -> tuple[Word, ...]:
    """Join words (boxes) with the spans they stand in (type)."""
    types = _LineTypes(blocks)
    words: list[Word] = []
    for x0, y0, x1, y1, text, block, line, _ in raw:
        if not text.isspace():
            size, bold, italic = types.at(block, line, (x0 + x1) / 2)
            words.append(Word(text, (x0, y0, x1, y1), size, bold, block, line, italic))
    return tuple(words)


class _LineTypes:
    """Size, weight and slant of words, by their block, line and position in the line."""

    def __init__(self, blocks: Iterable[Mapping[str, Any]]) -> None:
        self._whole: dict[tuple[int, int], _Type] = {}
        """Lines that are set in one type."""
        self._mixed: dict[tuple[int, int], list[tuple[float, _Type]]] = {}
        """The others: where each type begins, from left to right."""
        self._styles: dict[tuple[str, int], tuple[bool, bool]] = {}
        for block in blocks:
            for number, line in enumerate(block.get("lines", ())):
                self._add((block["number"], number), line["spans"])

    def at(self, block: int, line: int, x: float) -> _Type:
        """The type at ``x``; zero and False where nothing is known."""
        place = (block, line)
        if place in self._whole:
            return self._whole[place]
        spans = self._mixed.get(place)
        if not spans:
            return _UNKNOWN_TYPE
        span = bisect_right(spans, x, key=lambda span: span[0]) - 1
        return spans[max(0, span)][1]

    def _add(self, place: tuple[int, int], spans: Iterable[Mapping[str, Any]]) -> None:
        found: list[tuple[float, _Type]] = []
        for span in spans:
            bold, italic = self._style(span["font"], span["flags"])
            found.append((span["bbox"][0], _Type(round(span["size"], 1), bold, italic)))
        types = {kind for _, kind in found}
        if len(types) == 1:
            self._whole[place] = types.pop()
        else:
            self._mixed[place] = sorted(found)

    def _style(self, font: str, flags: int) -> tuple[bool, bool]:
        """Bold and italic, by the font's flags or name."""
        key = (font, flags)
        if key not in self._styles:
            bold, italic = type_by_name(font)
            self._styles[key] = (bold or bool(flags & _BOLD_FLAG), italic or bool(flags & _ITALIC_FLAG))
        return self._styles[key]


def _letters(span: Mapping[str, Any], block: int, line: int) -> Iterator[Letter]:
    """The letters of a piece of a line that is set in one type."""
    bold, italic = type_by_name(span["font"])
    bold, italic = bold or bool(span["flags"] & _BOLD_FLAG), italic or bool(span["flags"] & _ITALIC_FLAG)
    size = round(span["size"], 1)
    for char in span["chars"]:
        yield Letter(span["font"], char["c"], tuple(char["bbox"]), size, bold, italic, block, line)


def _rules(drawings: Sequence[Mapping[str, Any]]) -> tuple[Box, ...]:
    """Ruling lines as thin boxes, and the edges of rectangles; none where there are more than :data:`MAX_RULES`.

    What is filled in the colour of broad boxes is shade, however thin: the gaps between the columns of shaded rows.
    """
    shades = {drawing.get("fill") for drawing in drawings if any(map(is_broad, drawing["items"]))}
    rules: list[Box] = []
    for drawing in drawings:
        stroked = "s" in drawing["type"]
        if stroked or drawing.get("fill") not in shades:
            rules.extend(edges_of(drawing["items"], stroked))
        if len(rules) > MAX_RULES:
            return ()
    return tuple(dict.fromkeys(rules))


def _shapes(drawings: Sequence[Mapping[str, Any]]) -> tuple[Shape, ...]:
    """Broad rectangles, and drawings with curves or slanted lines; what is filled in white alone is none."""
    shapes: list[Shape] = []
    for drawing in drawings:
        stroked = "s" in drawing["type"]
        if not stroked and drawing.get("fill") == _WHITE:
            continue
        items = drawing["items"]
        shapes += [Shape(tuple(item[1]), bent=False) for item in items if is_broad(item)]
        if any(map(is_bent, items)):
            shapes.append(Shape(tuple(drawing["rect"]), bent=True))
        if len(shapes) > MAX_SHAPES:
            return ()
    return tuple(shapes)


def _pictures(page: Any) -> tuple[Picture, ...]:
    return tuple(Picture(tuple(image["bbox"])) for image in page.get_image_info())

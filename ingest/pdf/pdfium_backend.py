"""pypdfium2 (Apache-2.0 or BSD-3-Clause) behind the :class:`~.backend.PdfBackend` protocol.

PDFium gives characters; words, their lines and the edges of drawings are put together here as MuPDF gives them. What a
page would cost cannot be reckoned beforehand: drawings that draw each other without end hold it up.
"""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...core.anchor import Box
from ...core.errors import DocumentError
from .backend import (
    FEW_WORDS,
    HINT_COPY,
    MAX_SIDE,
    MAX_WORDS,
    Letter,
    OutlineItem,
    PageLayout,
    Word,
    check_bytes,
    lacks_end,
    share_of_page,
    type_by_name,
)
from .pdfium_drawings import Drawings, Place

_NEW_LINE = 1.3
"""Sizes of the type between two words from which they stand in lines of their own, as cells do."""
_BACK = 0.5
"""The same to the left: the next column, or the next line where PDFium marks none."""
_MOST_CHARACTERS = 400_000
_BOLD_WEIGHT = 600
_FLAG_ITALIC, _FLAG_BOLD = 1 << 6, 1 << 18
"""Of a font's descriptor (ISO 32000-1, table 123)."""
_ENCRYPTED, _FORMAT = 4, 3
"""Codes with which PDFium refuses a file."""

_HYPHENS = (0x02, 0xFFFE)
_LETTERS = {0x00: " ", 0xFFFF: " ", **dict.fromkeys(_HYPHENS, "-"), **dict.fromkeys(range(0xD800, 0xE000), " ")}
"""What PDFium's codes stand for where they are no letters: a hyphen at the end of a line, a blank for what is none."""
_LINE_ENDS = "\r\n"
_BLANKS = frozenset(filter(str.isspace, map(chr, range(0x3001))))


class PdfiumBackend:
    """Opens PDFs with PDFium, the engine of Chrome."""

    name = "pdfium"

    def open(self, path: Path) -> PdfiumFile:
        """Raises DocumentError: missing, empty, not a PDF, truncated, encrypted, without pages."""
        import pypdfium2 as pdfium

        check_bytes(path)
        try:
            document = pdfium.PdfDocument(path)
            if len(document) == 0:
                raise DocumentError("the PDF has no pages", where=str(path), hint=HINT_COPY)
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == _ENCRYPTED:
                hint = "Save a copy without its password"
                raise DocumentError("the PDF is encrypted", where=str(path), hint=hint) from error
            raise DocumentError("the PDF is damaged and cannot be opened", where=str(path), hint=HINT_COPY) from error
        if lacks_end(path):
            document.close()
            raise DocumentError("the PDF is truncated: its end is missing", where=str(path), hint=HINT_COPY)
        return PdfiumFile(document, path)


class PdfiumFile:
    """An open PDF; see :class:`~.backend.PdfFile`."""

    def __init__(self, document: Any, path: Path) -> None:
        self._document = document
        self._path = path
        self.page_count: int = len(document)

    def outline(self) -> list[OutlineItem]:
        """Bookmarks that point to a page, in order."""
        items: list[OutlineItem] = []
        for bookmark in self._document.get_toc():
            target = bookmark.get_dest()
            index = target.get_index() if target is not None else None
            if index is not None:
                items.append(OutlineItem(bookmark.level + 1, " ".join(bookmark.get_title().split()), index + 1))
        return items

    def info(self) -> dict[str, str]:
        """Title, author, subject, creation date as stored in the file; absent ones are left out."""
        stored = self._document.get_metadata_dict(skip_empty=True)
        return {key[0].lower() + key[1:]: value for key, value in stored.items()}

    def page(self, number: int) -> PageLayout:
        """``number`` from 1. Raises DocumentError naming the page when it is too big or cannot be read."""
        import pypdfium2 as pdfium

        try:
            page = self._document[number - 1]
            try:
                return self._layout(page, number)
            finally:
                page.close()
        except (pdfium.PdfiumError, ValueError, IndexError, MemoryError) as error:
            raise DocumentError(f"page {number} cannot be read ({error})", where=str(self._path)) from error

    def letters(self, number: int) -> list[Letter]:
        """None: PDFium does not tell the numbers of letters."""
        return []

    def picture(self, number: int, dpi: int = 110, box: Box | None = None) -> bytes:
        """PNG of the page, or of the part of it in ``box``."""
        page = self._document[number - 1]
        scale = dpi / 72
        try:
            image = page.render(scale=scale).to_pil()
        finally:
            page.close()
        if box is not None:
            image = image.crop(tuple(round(side * scale) for side in box))
        out = io.BytesIO()
        image.save(out, "png")
        return out.getvalue()

    def close(self) -> None:
        self._document.close()

    def _layout(self, page: Any, number: int) -> PageLayout:
        width, height = page.get_size()
        place = Place.of(page)
        text = page.get_textpage()
        try:
            words = tuple(self._words(text, place, width, height, number))
        finally:
            text.close()
        drawings = Drawings(place)
        drawings.walk(page)
        pictures = tuple(drawings.pictures)
        return PageLayout(
            number,
            width=min(width, MAX_SIDE),
            height=min(height, MAX_SIDE),
            words=words,
            rules=drawings.rules(),
            images=share_of_page(pictures, width * height) if len(words) < FEW_WORDS else 0.0,
            pictures=pictures,
            shapes=drawings.shapes(),
        )

    def _words(self, text: Any, place: Place, width: float, height: float, number: int) -> Iterator[Word]:
        """The words within the page, in the order in which they are drawn."""
        count = text.count_chars()
        if count > _MOST_CHARACTERS:
            raise DocumentError(f"page {number} is too big to read: {count:,} characters", where=str(self._path))
        found = 0
        for word in _Characters(text.raw, count, place).words():
            x0, y0, x1, y1 = word.box
            is_outside = x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height
            if is_outside:
                continue
            found += 1
            if found > MAX_WORDS:
                raise DocumentError(f"page {number} is too big to read: {found:,} words", where=str(self._path))
            yield word


class _Characters:
    """Puts the characters of a page together to words."""

    def __init__(self, text: Any, count: int, place: Place) -> None:
        import pypdfium2.raw as raw

        self._raw = raw
        self._text = text
        self._count = count
        self._place = place
        self._rect = raw.FS_RECTF()
        self._matrix = raw.FS_MATRIX()
        self._fonts: dict[tuple[bytes, int, int], tuple[bool, bool]] = {}
        self._buffer, self._flags = ctypes.create_string_buffer(200), ctypes.c_int()
        self._line = 0
        self._last: Box | None = None
        self._object = 0
        self._object_type = (0.0, False, False)

    def words(self) -> Iterator[Word]:
        """One call of PDFium for the box of each letter: a page has thousands, so no more is asked here."""
        box_of = self._raw.FPDFText_GetLooseCharBox
        text, rect = self._text, self._rect
        letters: list[str] = []
        first = 0
        left = top = right = bottom = 0.0
        for at, letter in enumerate(self._letters()):
            if letter in _BLANKS:
                if letters:
                    yield self._word(letters, (left, top, right, bottom), first)
                    letters = []
                if letter in _LINE_ENDS:
                    self._line += 1
                    self._last = None
                continue
            box_of(text, at, rect)
            x0, y0, x1, y1 = rect.left, -rect.top, rect.right, -rect.bottom  # upright: pages are turned afterwards
            if letters and _is_apart(left, top, right, bottom, x0, y0, x1, y1):
                yield self._word(letters, (left, top, right, bottom), first)
                letters = []
            if letters:
                left, top = x0 if x0 < left else left, y0 if y0 < top else top
                right, bottom = x1 if x1 > right else right, y1 if y1 > bottom else bottom
            else:
                first, left, top, right, bottom = at, x0, y0, x1, y1
            letters.append(letter)
        if letters:
            yield self._word(letters, (left, top, right, bottom), first)

    def _letters(self) -> Sequence[str]:
        """The characters of the page: in one call, or one by one where that gives another number of them."""
        size = self._count + 1
        buffer = (ctypes.c_ushort * size)()
        written = self._raw.FPDFText_GetText(self._text, 0, self._count, buffer)
        whole = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
        if len(whole) == self._count:
            return whole.translate(_LETTERS)
        letter_of = self._raw.FPDFText_GetUnicode
        return [_letter(letter_of(self._text, at)) for at in range(self._count)]

    def _word(self, letters: list[str], own: Box, first: int) -> Word:
        size, bold, italic = self._type_of(first)
        height = own[3] - own[1]
        if self._last is not None:
            gap = own[0] - self._last[2]
            is_level = min(self._last[3], own[3]) - max(self._last[1], own[1]) > 0.3 * height
            if not is_level or gap > _NEW_LINE * height or gap < -_BACK * height:
                self._line += 1
        self._last = own
        text = "".join(letters)
        shown = self._place.box(own[0], -own[3], own[2], -own[1])
        return Word(text, shown, size if size > 1 else round(0.8 * height, 1), bold, 0, self._line, italic)

    def _type_of(self, at: int) -> tuple[float, bool, bool]:
        """Size, weight and slant of a character: those of the last where both are of one text object."""
        found = self._raw.FPDFText_GetTextObject(self._text, at)
        number = ctypes.cast(found, ctypes.c_void_p).value or 0
        if number != self._object or not number:
            self._object = number
            self._object_type = (self._size(at), *self._type(at))
        return self._object_type

    def _size(self, at: int) -> float:
        """The size of the type as it is shown: PDFium gives that of the font before it is scaled."""
        matrix = self._matrix
        self._raw.FPDFText_GetMatrix(self._text, at, matrix)
        scale = math.hypot(matrix.b, matrix.d)
        written = float(self._raw.FPDFText_GetFontSize(self._text, at))
        return round(written * (scale or 1.0), 1)

    def _type(self, at: int) -> tuple[bool, bool]:
        """Bold and italic, by the font's flags, weight or name."""
        buffer, flags = self._buffer, self._flags
        length = self._raw.FPDFText_GetFontInfo(self._text, at, buffer, 200, flags)
        weight = self._raw.FPDFText_GetFontWeight(self._text, at)
        key = (buffer.raw[: max(0, min(length, 200) - 1)], flags.value, weight)
        if key not in self._fonts:
            bold, italic = type_by_name(key[0].decode("utf-8", "replace"))
            is_bold = bold or bool(flags.value & _FLAG_BOLD) or weight >= _BOLD_WEIGHT
            self._fonts[key] = is_bold, italic or bool(flags.value & _FLAG_ITALIC)
        return self._fonts[key]


def _is_apart(left: float, top: float, right: float, bottom: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """True for a character on another line, or far to the side, without a blank between."""
    height = bottom - top
    overlap = (bottom if bottom < y1 else y1) - (top if top > y0 else y0)
    return overlap < 0.3 * height or x0 - right > 0.6 * height or x1 < left - 0.5 * height


def _letter(code: int) -> str:
    """The character of a code."""
    return " " if code <= 0 or code >= 0x110000 else chr(code).translate(_LETTERS)

"""Pages that are pictures: their words by text recognition, with boxes, as if they were printed.

rapidocr (Apache-2.0) brings its models (PP-OCRv6 small, English and Chinese) inside its wheel; nothing is downloaded.
"""

from __future__ import annotations

import io
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import field
from importlib.util import find_spec
from typing import Any

from ...core.anchor import Box, bounding_box
from ...core.records import dataclass
from ..limits import Deadline
from .backend import PdfFile, Word

EXTRA = "pip install 'cliquerag[ocr]'"
SECONDS_A_PAGE = 10
"""Of one processor, for a dense page of a filing at ``DPI`` (measured; docs/formats.md)."""
DPI = 150
"""Pixels an inch of the pictures that are read: 200 reads no better and takes a tenth longer (docs/formats.md)."""
LEAST_CERTAIN = 0.5
"""Lines that the recogniser is less sure of are left out."""
_TYPE_SIZE = 0.72
"""Size of the type as a share of the height of a line's box, which has some air around it."""
_NEAR = 0.5
"""Share of a line's height between two Chinese characters up to which they are one word."""
_WIDE_COMMA = re.compile(r"(?<=\d)，(?=\d{3})")
_FIRST_HAN = "\u2e80"
_QUIET = {
    "Global.log_level": "error",
    "Global.use_cls": False,  # turns every tenth line of an upright page upside down: .89 instead of .997 of characters
    "Global.text_score": LEAST_CERTAIN,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # pages are read side by side instead
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}

_SHEET = (1240, 1754)
"""Pixels across and down of a sheet of lines: an A4 page at ``DPI``."""
_MARGIN, _APART = 16, 12
"""Pixels beside the lines of a sheet, and between two of them."""
_CUT = 2.0
"""Points around a line that are cut out with it."""

_own = threading.local()
"""The recogniser of each thread."""


@dataclass(slots=True)
class Recognised:
    """What was read from pictures."""

    words: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    """Page -> its words; a page without any is not in it."""
    certainty: list[float] = field(default_factory=list)
    """0..1 of each line."""

    @property
    def note(self) -> str:
        """One line for the report."""
        mean = sum(self.certainty) / max(1, len(self.certainty))
        pages = ", ".join(map(str, sorted(self.words)[:12])) + (" ..." if len(self.words) > 12 else "")
        return f"{len(self.words)} pages were read as pictures by text recognition (certainty {mean:.2f}): {pages}"


def is_installed() -> bool:
    """True where the extra ``ocr`` is there."""
    return find_spec("rapidocr") is not None


def processors() -> int:
    """How many pages are read at a time."""
    return max(1, os.cpu_count() or 1)


def said_duration(pages: int) -> str:
    """How long reading so many pages would take on this machine.

    >>> said_duration(0)
    'less than a minute'
    """
    minutes = pages * SECONDS_A_PAGE / processors() / 60
    if minutes < 1:
        return "less than a minute"
    return f"about {max(2, round(minutes)):,} minutes"


def recognise(
    file: PdfFile,
    numbers: Sequence[int],
    deadline: Deadline,
    done: Callable[[int], None] | None = None,
    *,
    dpi: int = DPI,
) -> Recognised:
    """Read these pages of a PDF; ``done`` is called with how many are.

    Pictures are drawn here one by one, for PDF libraries do not share between threads, and read side by side: 91 % of
    the recogniser's CPU is outside of Python's lock, so that threads do as well as processes up to about eleven pages
    at a time, and load the models once. Each page may take a minute beyond the file's deadline.
    """
    found = Recognised()
    if not numbers:
        return found
    deadline.allow(60.0 * len(numbers))
    workers = min(len(numbers), processors())
    with ThreadPoolExecutor(workers) as pool:
        for start in range(0, len(numbers), 2 * workers):  # few pictures at a time in memory
            deadline.check()
            batch = numbers[start : start + 2 * workers]
            jobs = {pool.submit(_read_picture, file.picture(number, dpi)): number for number in batch}
            for job in as_completed(jobs):
                lines = job.result()
                _take(found, jobs[job], lines, dpi)
            if done:
                done(min(len(numbers), start + len(batch)))
    return found


def recognise_lines(
    file: PdfFile, lines: Mapping[int, Sequence[Box]], deadline: Deadline, *, dpi: int = DPI
) -> dict[int, tuple[Word, ...]]:
    """Read some lines of many pages, given by their boxes in points: page -> their words, placed on that page.

    They are set below each other on sheets as full as a page: the recogniser's time is that of the lines, and of the
    pictures that it looks for lines in.
    """
    found: defaultdict[int, list[Word]] = defaultdict(list)
    sheets = list(_sheets(file, lines, deadline, dpi))
    deadline.allow(60.0 * len(sheets))
    with ThreadPoolExecutor(max(1, min(len(sheets), processors()))) as pool:
        read = pool.map(_read_picture, (sheet.png() for sheet in sheets))
        for sheet, recognised in zip(sheets, read, strict=True):
            deadline.check()
            for line in recognised:
                strip = sheet.strip_at((line.pieces[0][1][1] + line.pieces[0][1][3]) / 2) if line.pieces else None
                if strip is None:
                    continue
                own = found[strip.page]
                ordinal = own[-1].line + 1 if own else 0
                own += [_word(text, strip.on_page(box), ordinal, dpi) for text, box in _words(line)]
    return {page: tuple(words) for page, words in found.items()}


@dataclass(frozen=True, slots=True)
class _Strip:
    """A line cut out of a page, in pixels: where it stood, and where it lies on its sheet."""

    page: int
    left: float
    top: float
    at: int
    height: int

    def on_page(self, box: Box) -> Box:
        """A box on the sheet as one on the page."""
        across, down = self.left - _MARGIN, self.top - self.at
        return box[0] + across, box[1] + down, box[2] + across, box[3] + down


class _Sheet:
    """Strips below each other."""

    def __init__(self) -> None:
        from PIL import Image

        self._image = Image.new("RGB", _SHEET, "white")
        self._strips: list[_Strip] = []
        self._end = _APART

    def take(self, page: int, picture: Any, box: Box) -> bool:
        """Lay a part of a page's picture below the others; False where it has no room. ``box`` in pixels."""
        left, top, right, bottom = map(round, box)
        height = bottom - top
        if self._strips and self._end + height + _APART > _SHEET[1]:
            return False
        self._widen(right - left + 2 * _MARGIN)
        self._image.paste(picture.crop((left, top, right, bottom)), (_MARGIN, self._end))
        self._strips.append(_Strip(page, left, top, self._end, height))
        self._end += height + _APART
        return True

    def _widen(self, width: int) -> None:
        """Make room for a line of a landscape page, of which the end would be cut off."""
        from PIL import Image

        if width > self._image.width:
            wider = Image.new("RGB", (width, _SHEET[1]), "white")
            wider.paste(self._image)
            self._image = wider

    def strip_at(self, height: float) -> _Strip | None:
        """The strip that lies there."""
        return next((one for one in self._strips if one.at <= height <= one.at + one.height), None)

    def png(self) -> bytes:
        """The picture as a file."""
        out = io.BytesIO()
        self._image.crop((0, 0, self._image.width, min(_SHEET[1], self._end))).save(out, "png")
        return out.getvalue()


def _sheets(file: PdfFile, lines: Mapping[int, Sequence[Box]], deadline: Deadline, dpi: int) -> Iterator[_Sheet]:
    from PIL import Image

    sheet, is_empty = _Sheet(), True
    for page, boxes in lines.items():
        deadline.check()
        picture = Image.open(io.BytesIO(file.picture(page, dpi))).convert("RGB")
        for x0, y0, x1, y1 in boxes:
            around = (max(0.0, x0 - _CUT), max(0.0, y0 - _CUT), x1 + _CUT, y1 + _CUT)
            cut = tuple(side * dpi / 72 for side in around)
            if not sheet.take(page, picture, (cut[0], cut[1], cut[2], cut[3])):
                yield sheet
                sheet = _Sheet()
                sheet.take(page, picture, (cut[0], cut[1], cut[2], cut[3]))
            is_empty = False
    if not is_empty:
        yield sheet


def lines_of_picture(png: bytes) -> list[tuple[str, Box]]:
    """The lines that stand in a picture, with their boxes in pixels. Needs the extra ``ocr``."""
    lines = []
    for line in _read_picture(png):
        words = [_WIDE_COMMA.sub(",", text) for text, _ in _words(line)]
        boxes = [box for _, box in line.pieces]
        if words and boxes:
            lines.append((" ".join(words), bounding_box(boxes)))
    return lines


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a picture: its pieces with boxes in pixels, and how sure the recogniser is."""

    pieces: tuple[tuple[str, Box], ...]
    certainty: float


def _take(found: Recognised, number: int, lines: Sequence[_Line], dpi: int) -> None:
    words: list[Word] = []
    for ordinal, line in enumerate(lines):
        words += [_word(text, box, ordinal, dpi) for text, box in _words(line)]
        found.certainty.append(line.certainty)
    if words:
        found.words[number] = tuple(words)


def _read_picture(png: bytes) -> list[_Line]:
    """The lines of a picture, from top to bottom."""
    result = _recogniser()(png, return_word_box=True)
    if not result.txts:
        return []
    lines = []
    for pieces, certainty in zip(result.word_results, result.scores, strict=True):
        boxed = tuple((text, _box(corners)) for text, _, corners in pieces if text.strip())
        lines.append(_Line(boxed, float(certainty)))
    return lines


def _recogniser() -> Any:
    engine = getattr(_own, "engine", None)
    if engine is None:
        from rapidocr import RapidOCR

        engine = _own.engine = RapidOCR(params=_QUIET)
    return engine


def _box(corners: Sequence[Sequence[float]]) -> Box:
    across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return min(across), min(down), max(across), max(down)


def _words(line: _Line) -> Iterator[tuple[str, Box]]:
    """The words of a line in pixels; in Chinese lines, whose characters are given one by one, what stands close."""
    is_chinese = any(piece[0] >= _FIRST_HAN for piece, _ in line.pieces)
    text, box = "", (0.0, 0.0, 0.0, 0.0)
    for piece, own in line.pieces:
        if text and is_chinese and _runs_on(text, box, piece, own):
            text += piece
            box = (box[0], min(box[1], own[1]), own[2], max(box[3], own[3]))
            continue
        if text:
            yield text, box
        text, box = piece, own
    if text:
        yield text, box


def _runs_on(text: str, box: Box, piece: str, own: Box) -> bool:
    """True for the next character of a word or number; a whole Latin word after another stands for itself."""
    is_character = len(piece) == 1 or text[-1] >= _FIRST_HAN
    return is_character and own[0] - box[2] < _NEAR * (box[3] - box[1])


def _word(text: str, box: Box, ordinal: int, dpi: int) -> Word:
    """The word as it would be printed there, in points; a comma between digits is never a Chinese one."""
    text = _WIDE_COMMA.sub(",", text)
    x0, y0, x1, y1 = (round(side * 72 / dpi, 2) for side in box)
    return Word(text, (x0, y0, x1, y1), size=round((y1 - y0) * _TYPE_SIZE, 1), line=ordinal)


IS_CIPHER = "no text: its fonts do not say which letters they draw"
_LEAST_WORDS = 20
"""Words on a page from which a share of them tells something."""
_LEAST_LETTERS = 4
_WITHIN = re.compile(r"[:;<>=?@\\^~{}|](?<=\w[:;<>=?@\\^~{}|])[:;<>=?@\\^~{}|]*\w|\(cid:\d|[\ufffd\ue000-\uf8ff]")
"""Signs within a word that no writing puts there, glyph numbers, and letters of no alphabet. The signs come first, so
that a search leaps from one to the next."""
_MOST = 0.25
"""Share of such words. Among 2,500 pages of annual reports the readable ones have at most .05, ciphers .7 and more."""


_FEWEST_LETTERS = 30
_UNKNOWN, _CONTROL = re.compile("[\ufffd\ue000-\uf8ff]"), re.compile(r"[\x00-\x1f]")
_MOST_UNKNOWN, _MOST_CONTROL = 0.3, 0.03
"""Shares of a page's characters, however few words they are in; printed pages have none, or a few marks of lists."""


def is_ciphered(words: Sequence[Word]) -> bool:
    """True where a good part of a page's words has signs within that no word has: "6I>DC" for "tion".

    Or where its characters are unknown ones (so PyMuPDF gives them) or control codes (so PDFium does).
    """
    if _has_no_letters("".join(word.text for word in words)):
        return True
    long = [word.text for word in words if len(word.text) >= _LEAST_LETTERS]
    if len(long) < _LEAST_WORDS or not _WITHIN.search(" ".join(long)):
        return False
    return sum(map(bool, map(_WITHIN.search, long))) > _MOST * len(long)


def _has_no_letters(printed: str) -> bool:
    if len(printed) < _FEWEST_LETTERS or (printed.isprintable() and "\ufffd" not in printed):
        return False
    unknown, control = len(_UNKNOWN.findall(printed)), len(_CONTROL.findall(printed))
    return unknown > _MOST_UNKNOWN * len(printed) or control > _MOST_CONTROL * len(printed)

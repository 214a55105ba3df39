"""Pages of PDF files as pictures with their words, drawn in a process of their own.

The PDF library must not be used by two threads at once, and the desk may be reading a file that was dropped on it while
somebody turns pages. A file that breaks the library ends that process, not the desk.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..core.anchor import Box
from ..core.errors import DocumentError
from ..core.process import end_with_parent
from ..core.records import dataclass

if TYPE_CHECKING:
    from ..ingest.pdf.backend import PdfFile

_DPI = 132
"""Sharp at the width of half a window on a screen of double density; 40 ms a page, about 200 KB."""
_FILES_OPEN = 4
_SECONDS = 20.0
"""For one page; the densest of our test data takes 0.3."""
_KEPT = 96
"""Pictures that are kept: about 20 MB."""


class PrintedWord(NamedTuple):
    """A word and its box in points."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page as PNG, its size in points, and its printed lines of words for copying."""

    png: bytes
    width: float
    height: float
    lines: tuple[tuple[PrintedWord, ...], ...]


class PageDrawer:
    """Draws pages on demand and keeps the last ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[tuple[str, int], DrawnPage] = OrderedDict()

    def warm(self) -> None:
        """Start the process, so that the first page does not wait for it."""
        self._workers().submit(_load)

    def page(self, path: Path, content_hash: str, number: int) -> DrawnPage:
        """A page, from 1, of the file whose bytes have this hash. Raises DocumentError where it cannot be drawn."""
        key = (content_hash, number)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = self._draw(path, number)
        with self._lock:
            self._kept[key] = drawn
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return drawn

    def close(self) -> None:
        """End the process."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.shutdown(wait=False, cancel_futures=True)

    def _draw(self, path: Path, number: int) -> DrawnPage:
        try:
            return self._workers().submit(draw_page, path, number).result(_SECONDS)
        except (BrokenProcessPool, TookTooLong) as error:
            self.close()
            raise DocumentError(
                f"page {number} cannot be drawn", where=str(path), hint="Open the file itself"
            ) from error

    def _workers(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), end_with_parent)
            return self._pool


def draw_page(path: Path, number: int) -> DrawnPage:
    """Draw a page, from 1. Raises DocumentError."""
    pdf = _opened(path)
    if not 1 <= number <= pdf.page_count:
        raise DocumentError(f"there is no page {number}", where=str(path), hint=f"It has {pdf.page_count}")
    layout = pdf.page(number)
    png = pdf.picture(number, _DPI)
    lines = [
        tuple(PrintedWord(word.text, word.box) for word in words)
        for _, words in groupby(layout.words, key=lambda word: (word.block, word.line))
    ]
    return DrawnPage(png, layout.width, layout.height, tuple(lines))


_open: OrderedDict[tuple[Path, int], PdfFile] = OrderedDict()
"""The last files of the process that draws: opening one of 300 pages takes as long as drawing a page."""


def _opened(path: Path) -> PdfFile:
    from ..ingest.files import on_disk
    from ..ingest.pdf.backend import default_backend

    changed = path.stat().st_mtime_ns if path.is_file() else 0
    if (path, changed) not in _open:
        with on_disk(path) as file:
            _open[(path, changed)] = default_backend().open(file)
        if len(_open) > _FILES_OPEN:
            _open.popitem(last=False)[1].close()
    return _open[(path, changed)]


def _load() -> None:
    from ..ingest.pdf.backend import default_backend

    default_backend()

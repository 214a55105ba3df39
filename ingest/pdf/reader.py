"""A PDF -> blocks, pages and coverage: layout, tables, cleaning, headings, paragraphs."""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...core.anchor import Box
from ...core.errors import DocumentError
from ..reading.block import Block, PrintedLine
from ..reading.cleaning.pages import clean_pages
from ..reading.layout.blocks import BlockCutter
from ..reading.layout.lines import page_lines
from ..reading.table_text import table_block
from ..tables.finder import find_tables
from ..tables.found import FoundTable
from .backend import OutlineItem, PageLayout, PdfBackend

_SCAN = 0.5
"""Share of a page under pictures from which a page without words counts as scanned."""


@dataclass(slots=True)
class PdfContent:
    """What was read from a PDF, before it is one text."""

    blocks: list[Block]
    sizes: dict[int, tuple[float, float]]
    page_count: int
    failed: dict[int, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    info: dict[str, str] = field(default_factory=dict)


def read_pdf(
    path: Path, backend: PdfBackend | None = None, progress: Callable[[int, int], None] | None = None
) -> PdfContent:
    """Read all pages. A page that cannot be read is noted, the others are read all the same.

    ``progress`` is called with the page number and their count. Raises DocumentError where no page has text.
    """
    with _no_collections():
        return _read(path, backend, progress)


def _read(path: Path, backend: PdfBackend | None, progress: Callable[[int, int], None] | None) -> PdfContent:
    layouts, outline, info, failed = _layouts(path, backend, progress)
    if not any(layout.words for layout in layouts):
        raise _no_text(path, layouts, failed)
    content = PdfContent([], {p.number: (p.width, p.height) for p in layouts}, len(layouts), failed, info=info)
    tables = find_tables(layouts)
    pages = _lines(layouts, tables)
    pages = clean_pages(pages, [layout.height for layout in layouts], content.dropped)
    by_number = {layout.number: layout for layout in layouts}
    table_blocks = [table_block(found, by_number) for found in tables]
    content.blocks = list(BlockCutter(pages, outline, table_blocks, content.dropped))
    return content


@contextmanager
def _no_collections() -> Iterator[None]:
    """Without the garbage collector: all words and lines live until the end, and looking through them takes a tenth."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _lines(layouts: Sequence[PageLayout], tables: Sequence[FoundTable]) -> list[list[PrintedLine]]:
    """Lines of each page without the tables' words; a table stands where its first region is."""
    skip: defaultdict[int, set[int]] = defaultdict(set)
    places: defaultdict[int, list[tuple[int, Box]]] = defaultdict(list)
    for ordinal, found in enumerate(tables):
        places[found.regions[0].page].append((ordinal, found.regions[0].box))
        for region in found.regions:
            skip[region.page].update(region.words)
    return [page_lines(layout, skip[layout.number], places[layout.number]) for layout in layouts]


def _layouts(
    path: Path, backend: PdfBackend | None, progress: Callable[[int, int], None] | None
) -> tuple[list[PageLayout], list[OutlineItem], dict[str, str], dict[int, str]]:
    if backend is None:
        from .pymupdf_backend import PyMuPdfBackend

        backend = PyMuPdfBackend()
    file = backend.open(path)
    layouts, failed = [], {}
    try:
        for number in range(1, file.page_count + 1):
            try:
                layout = file.page(number)
            except DocumentError as error:
                failed[number] = error.what
                layout = PageLayout(number, 0.0, 0.0, ())
            else:
                if not layout.words and layout.images >= _SCAN:
                    failed[number] = "no text: the page is a picture"
            layouts.append(layout)
            if progress:
                progress(number, file.page_count)
        return layouts, file.outline(), file.info(), failed
    finally:
        file.close()


def _no_text(path: Path, layouts: Sequence[PageLayout], failed: dict[int, str]) -> DocumentError:
    pictures = sum("picture" in why for why in failed.values())
    if pictures:
        return DocumentError(
            f"no text: {pictures} of {len(layouts)} pages are pictures (a scan)",
            where=str(path),
            hint="Run it through a text recognition program first, for instance ocrmypdf",
        )
    why = "; ".join(dict.fromkeys(failed.values())) or "its pages are blank"
    return DocumentError(f"no text could be read: {why}", where=str(path))

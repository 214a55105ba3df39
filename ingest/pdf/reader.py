"""A PDF -> blocks, pages and coverage: layout, tables, cleaning, headings, paragraphs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby
from pathlib import Path

from ...core.anchor import Box
from ...core.errors import DocumentError
from ...core.process import collector_at_rest
from ...core.records import dataclass
from ..limits import NO_DEADLINE, Deadline
from ..reading.assemble import table_block
from ..reading.block import Block, PrintedLine
from ..reading.clean_pages import clean_pages
from ..reading.layout.blocks import BlockCutter
from ..reading.layout.lines import page_lines
from ..tables.finder import find_tables
from ..tables.found import FoundTable
from . import ocr
from .backend import OutlineItem, PageLayout, PdfBackend, PdfFile, default_backend
from .deciphering import read_pages
from .descriptions import figures_of_pages, without_photographs
from .equations import with_equations
from .figures import FigureRegion, figure_regions
from .ocr import IS_CIPHER, is_ciphered

IS_PICTURE = "no text: the page is a picture"
_READ_AS_PICTURES = {IS_PICTURE: "are pictures", IS_CIPHER: "have fonts that do not say which letters they draw"}
_NO_BLOCK = Block("paragraph", ())
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
    running: Counter[str] = field(default_factory=Counter)
    """What running headers and footers say -> on how many pages."""
    large: tuple[str, ...] = ()
    """What the first pages print in display type."""
    notes: tuple[str, ...] = ()
    """Of pages that are pictures: how they were read, or could be."""


def read_pdf(
    path: Path,
    backend: PdfBackend | None = None,
    progress: Callable[[int, int], None] | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> PdfContent:
    """Read all pages. A page that cannot be read is noted, the others are read all the same.

    ``progress`` is called with the page number and their count; the deadline is asked between pages and steps. Raises
    DocumentError where no page has text or the time is over.
    """
    with collector_at_rest():  # all words and lines live until the end
        printed = _printed_file(path, backend or default_backend(), progress, deadline)
        if not any(layout.words for layout in printed.layouts):
            raise _no_text(path, printed)
        return _content(printed, deadline)


@dataclass(slots=True)
class _PrintedFile:
    """All pages as they are printed."""

    layouts: list[PageLayout]
    outline: list[OutlineItem]
    info: dict[str, str]
    failed: dict[int, str]
    """Page number -> why nothing was read from it."""
    notes: tuple[str, ...] = ()


def _printed_file(
    path: Path, backend: PdfBackend, progress: Callable[[int, int], None] | None, deadline: Deadline
) -> _PrintedFile:
    file = backend.open(path)
    layouts: list[PageLayout] = []
    failed: dict[int, str] = {}
    try:
        for number in range(1, file.page_count + 1):
            deadline.check()
            layout = _layout(file, number, failed)
            layouts.append(layout)
            if progress:
                progress(number, file.page_count)
        notes = _read_pictures(file, layouts, failed, progress, deadline)
        return _PrintedFile(layouts, file.outline(), file.info(), failed, notes)
    finally:
        file.close()


def _layout(file: PdfFile, number: int, failed: dict[int, str]) -> PageLayout:
    """One page, blank where it cannot be read; why goes to ``failed``."""
    try:
        layout = file.page(number)
    except DocumentError as error:
        failed[number] = error.what
        return PageLayout(number, 0.0, 0.0, ())
    if not layout.words and layout.images >= _SCAN:
        failed[number] = IS_PICTURE
        return layout
    if is_ciphered(layout.words):
        failed[number] = IS_CIPHER
        return replace(layout, words=())
    return without_photographs(file, layout)


def _read_pictures(
    file: PdfFile,
    layouts: list[PageLayout],
    failed: dict[int, str],
    progress: Callable[[int, int], None] | None,
    deadline: Deadline,
) -> tuple[str, ...]:
    """Put the words of pages that are pictures or ciphers into their layouts; without the extra, say what would."""
    pictures = [number for number, why in failed.items() if why in _READ_AS_PICTURES]
    if not pictures:
        return ()
    if not ocr.is_installed():
        kinds = Counter(_READ_AS_PICTURES[why] for why in failed.values() if why in _READ_AS_PICTURES)
        said = " and ".join(f"{count} of {len(layouts)} pages {kind}" for kind, count in kinds.items())
        return (f"{said}; {_hint_for_pictures(len(pictures))}",)
    done = None if progress is None else lambda read: progress(read, len(pictures))
    ciphers = [number for number in pictures if failed[number] == IS_CIPHER]
    scans = [number for number in pictures if failed[number] == IS_PICTURE]
    found = read_pages(file, scans, ciphers, deadline, done)
    for number, words in found.words.items():
        layouts[number - 1] = replace(layouts[number - 1], words=words)
        del failed[number]
    return (found.note,) if found.words else ()


def _content(printed: _PrintedFile, deadline: Deadline) -> PdfContent:
    layouts = printed.layouts
    by_number = {layout.number: layout for layout in layouts}
    sizes = {layout.number: (layout.width, layout.height) for layout in layouts}
    dropped: Counter[str] = Counter()
    running: Counter[str] = Counter()
    tables = find_tables(layouts, deadline)
    deadline.check()
    regions = _figure_regions(layouts, tables)
    printed_lines = _lines(layouts, tables, regions)
    pages = clean_pages(printed_lines, [layout.height for layout in layouts], dropped, running)
    figures = figures_of_pages(regions, pages, by_number)
    whole = [table_block(table, by_number) for table in tables]
    whole += [figure.block if figure else _NO_BLOCK for figure in figures]
    pages = _without_places(pages, {len(tables) + at for at, figure in enumerate(figures) if figure is None})
    for at, lines in enumerate(pages):
        pages[at], equations = with_equations(lines, len(whole))
        whole += [equation.block for equation in equations]
    blocks = list(BlockCutter(pages, printed.outline, whole, dropped))
    large = largest_type(printed_lines)
    content = PdfContent(blocks, sizes, len(layouts), printed.failed, dropped, printed.info, running, large)
    return replace(content, notes=printed.notes)


def _figure_regions(layouts: Sequence[PageLayout], tables: Sequence[FoundTable]) -> list[FigureRegion]:
    """Where figures may be, in order of the pages; tables come first."""
    taken: defaultdict[int, set[int]] = defaultdict(set)
    boxes: defaultdict[int, list[Box]] = defaultdict(list)
    for table in tables:
        for region in table.regions:
            taken[region.page].update(region.words)
            boxes[region.page].append(region.box)
    found: list[FigureRegion] = []
    for layout in layouts:
        if layout.pictures or layout.shapes:
            found += figure_regions(layout, taken[layout.number], boxes[layout.number])
    return found


def _without_places(pages: list[list[PrintedLine]], ordinals: set[int]) -> list[list[PrintedLine]]:
    """The lines without those that stand for these tables and figures."""
    if not ordinals:
        return pages
    return [[line for line in lines if line.table not in ordinals] for lines in pages]


def _lines(
    layouts: Sequence[PageLayout], tables: Sequence[FoundTable], figures: Sequence[FigureRegion]
) -> list[list[PrintedLine]]:
    """Lines of each page without the words of tables and figures; each stands where its first region is."""
    skip: defaultdict[int, set[int]] = defaultdict(set)
    places: defaultdict[int, list[tuple[int, Box]]] = defaultdict(list)
    for ordinal, table in enumerate(tables):
        first = table.regions[0]
        places[first.page].append((ordinal, first.box))
        for region in table.regions:
            skip[region.page].update(region.words)
    for ordinal, figure in enumerate(figures, len(tables)):
        places[figure.page].append((ordinal, figure.box))
        skip[figure.page].update(figure.words)
    return [page_lines(layout, skip[layout.number], places[layout.number]) for layout in layouts]


def _no_text(path: Path, printed: _PrintedFile) -> DocumentError:
    """Why a file has no text: it is a scan, its pages are blank or cannot be read."""
    reasons = printed.failed.values()
    pictures = sum(reason in _READ_AS_PICTURES for reason in reasons)
    if pictures:
        kind = "have fonts that do not say which letters they draw" if IS_CIPHER in reasons else "are pictures (a scan)"
        return DocumentError(
            f"no text: {pictures} of {len(printed.layouts)} pages {kind}",
            where=str(path),
            hint=_hint_for_pictures(pictures),
        )
    why = "; ".join(dict.fromkeys(reasons)) or "its pages are blank"
    return DocumentError(f"no text could be read: {why}", where=str(path))


def _hint_for_pictures(pages: int) -> str:
    if ocr.is_installed():
        return "Text recognition finds no words in them"
    return f"{ocr.EXTRA} reads them, {ocr.said_duration(pages)} here"


_PAGES = 3
"""Pages looked at: a picture, a letter to the exchange or a blank page may come before the cover."""
_SHARE = 0.6
"""Of the largest size on its page, from which a line counts as large."""
_LEAST = 14.0
"""Points; smaller type is no display type."""
_LONGEST = 160
"""Characters of large type that may hold a name; more of it is a motto or a whole page set large."""


def largest_type(pages: Sequence[Sequence[PrintedLine]]) -> tuple[str, ...]:
    """Texts in display type on the first pages, in order; lines of one size that follow each other are one text."""
    found: list[str] = []
    for lines in pages[:_PAGES]:
        found += _display_texts([line for line in lines if line.table is None])
    return tuple(found)


def _display_texts(lines: Sequence[PrintedLine]) -> Iterator[str]:
    """The texts of one page in display type."""
    largest = max((line.size for line in lines), default=0.0)
    least = max(_LEAST, _SHARE * largest)
    for size, run in groupby(lines, key=lambda line: line.size):
        text = " ".join(line.text for line in run)
        printed = " ".join(text.split())
        if size >= least and len(printed) <= _LONGEST:
            yield printed

"""The page behind a citation: a picture of it with the passage framed, or the text with the sentence marked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from ..core.anchor import Box
from ..core.errors import DocumentError
from ..core.records import dataclass
from ..core.scope import Scope
from ..kg.store import DocumentRecord, FactQuery
from .drawing import DrawnPage, PageDrawer, PrintedWord

if TYPE_CHECKING:
    from ..core.fact import Fact
    from ..ingest.document import Document, Line
    from ..workspace import Workspace

_DOCUMENTS_KEPT = 4
"""Documents whose text and lines are kept: those of a 300-page filing take 60 ms to read and 15 MB."""
_WHOLE = 40_000
"""Characters of a text that is shown whole; of a longer one a window is."""
_WINDOW = 9_000
_MOST_FACTS = 20_000


class Run(NamedTuple):
    """A piece of text; ``marked`` where it is what is cited."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph (``runs``) or a row of a table (``cells``)."""

    runs: tuple[Run, ...] = ()
    cells: tuple[tuple[Run, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: a document, a page or a span of its text, and the cell that was meant."""

    source: str
    page: int | None = None
    start: int = 0
    end: int = 0

    @property
    def url(self) -> str:
        """The address of its sheet."""
        given = {"source": self.source, "page": self.page, "start": self.start or None, "end": self.end or None}
        return "/sheet?" + urlencode({name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is shown of a document: ``drawn`` for a page of a PDF, ``blocks`` for text."""

    record: DocumentRecord
    name: str
    place: Place
    pages: int = 0
    drawn: DrawnPage | None = None
    frames: tuple[Box, ...] = ()
    cells: tuple[Box, ...] = ()
    """The cells of a figure, within the frames."""
    elsewhere: tuple[int, ...] = ()
    """Other pages that the passage stands on."""
    blocks: tuple[Block, ...] = ()
    first: int = 0
    last: int = 0
    """The window of the text that the blocks are."""
    length: int = 0
    note: str = ""
    """Why there is text in place of a picture."""


class SheetReader:
    """Makes sheets of a workspace's documents; keeps the last ones that were read."""

    def __init__(self, workspace: Workspace, drawer: PageDrawer) -> None:
        self._workspace = workspace
        self._drawer = drawer
        self._lock = threading.Lock()
        self._documents: OrderedDict[tuple[str, str], Document] = OrderedDict()
        self._facts: OrderedDict[tuple[str, int], dict[tuple[int, int], Fact]] = OrderedDict()

    def record(self, source: str) -> DocumentRecord | None:
        """The document of exactly this source: no path leads anywhere else."""
        return next(iter(self._workspace.store.documents(Scope(sources=(source,)))), None)

    def sheet(self, place: Place, window: tuple[int, int] | None = None) -> Sheet | None:
        """The sheet of a place; None where the document is not in the workspace (any more)."""
        record = self.record(place.source)
        if record is None:
            return None
        names = self._workspace.sources.short_names([place.source])
        sheet = Sheet(record, names[place.source], place)
        if not self._is_pdf(record):
            return self._text_sheet(sheet, window)
        try:
            return self._picture_sheet(sheet)
        except DocumentError as error:
            return self._text_sheet(sheet, window, str(error))

    def picture(self, source: str, number: int) -> bytes | None:
        """PNG of a page. Raises DocumentError where it cannot be drawn."""
        record = self.record(source)
        if record is None or not self._is_pdf(record):
            return None
        return self._drawn(record, number).png

    def fact_at(self, source: str, start: int, end: int) -> Fact | None:
        """The fact that was read from exactly this span."""
        key = (source, self._workspace.store.version())
        with self._lock:
            known = self._facts.get(key)
        if known is None:
            found = self._workspace.store.facts(FactQuery(sources=(source,), limit=_MOST_FACTS))
            known = {(fact.start, fact.end): fact for fact in found}
            with self._lock:
                self._facts[key] = known
                while len(self._facts) > _DOCUMENTS_KEPT:
                    self._facts.popitem(last=False)
        return known.get((start, end))

    def _is_pdf(self, record: DocumentRecord) -> bool:
        return record.source.lower().endswith(".pdf")

    def _drawn(self, record: DocumentRecord, number: int) -> DrawnPage:
        return self._drawer.page(self._workspace.path_of(record.source), record.content_hash, number)

    def _document(self, record: DocumentRecord) -> Document | None:
        key = (record.source, record.content_hash)
        with self._lock:
            if key in self._documents:
                self._documents.move_to_end(key)
                return self._documents[key]
        document = self._workspace.store.document(record.source)
        if document:
            with self._lock:
                self._documents[key] = document
                while len(self._documents) > _DOCUMENTS_KEPT:
                    self._documents.popitem(last=False)
        return document

    def _picture_sheet(self, sheet: Sheet) -> Sheet:
        place, record = sheet.place, sheet.record
        boxes: dict[int, tuple[Box, ...]] = {}
        cells: dict[int, tuple[Box, ...]] = {}
        if place.end > place.start:
            document = self._document(record)
            anchors = document.anchors(place.start, place.end) if document else ()
            boxes = {anchor.page: anchor.boxes for anchor in anchors}
            fact = self.fact_at(place.source, place.start, place.end)
            cells = {anchor.page: anchor.boxes for anchor in fact.anchors} if fact and fact.table is not None else {}
        number = place.page or next(iter(boxes), 1)
        drawn = self._drawn(record, number)
        if document := self._document(record) if number in boxes else None:
            boxes[number] = tuple(frames_of(document, number, place.start, place.end, drawn))
        return Sheet(
            record,
            sheet.name,
            Place(place.source, number, place.start, place.end),
            pages=record.pages,
            drawn=drawn,
            frames=boxes.get(number, ()),
            cells=cells.get(number, ()),
            elsewhere=tuple(page for page in boxes if page != number),
        )

    def _text_sheet(self, sheet: Sheet, window: tuple[int, int] | None, note: str = "") -> Sheet:
        place = sheet.place
        document = self._document(sheet.record)
        text = document.text if document else ""
        start, end = place.start, place.end
        if end <= start and place.page and document:
            page = next((page for page in document.pages if page.number == place.page), None)
            start, end = (page.start, page.start) if page else (0, 0)
        first, last = window or _window(text, start, end)
        return Sheet(
            sheet.record,
            sheet.name,
            place,
            pages=sheet.record.pages,
            blocks=tuple(text_blocks(text, first, last, start, end)),
            first=first,
            last=min(last, len(text)),
            length=len(text),
            note=note,
        )


def frames_of(document: Document, page: int, start: int, end: int, drawn: DrawnPage) -> Iterator[Box]:
    """The boxes of ``text[start:end]`` on a page: of its first and last line only the words that belong to it.

    A line whose words are not those that are printed there, as a cleaned one, is framed whole.
    """
    words = [word for line in drawn.lines for word in line]
    for line in document.lines:
        is_of_text = line.start < end and line.end > start
        if line.page != page or line.box is None or not is_of_text:
            continue
        if start <= line.start and line.end <= end:
            yield line.box
        else:
            yield _part_of_line(document.text, line, start, end, words)


def _part_of_line(text: str, line: Line, start: int, end: int, words: Sequence[PrintedWord]) -> Box:
    assert line.box is not None, "asked of a line with a box"
    whole = line.box
    inside = sorted((word for word in words if _is_in(word.box, whole)), key=lambda word: word.box[0])
    if _squeezed("".join(word.text for word in inside)) != _squeezed(text[line.start : line.end]):
        return line.box
    first = len(_squeezed(text[line.start : max(start, line.start)]))
    last = first + len(_squeezed(text[max(start, line.start) : min(end, line.end)]))
    chosen: list[Box] = []
    end = 0
    for word in inside:
        begin, end = end, end + len(_squeezed(word.text))
        if begin < last and end > first:
            chosen.append(word.box)
    if not chosen:
        return whole
    return min(box[0] for box in chosen), whole[1], max(box[2] for box in chosen), whole[3]


def _is_in(word: Box, line: Box) -> bool:
    """True for a word that stands in a line: within its width but for a point, its middle within its height."""
    is_in_width = line[0] - 1 <= word[0] and word[2] <= line[2] + 1
    middle = (word[1] + word[3]) / 2
    return is_in_width and line[1] <= middle <= line[3]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _window(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole of a short text, else what stands around a span, cut at ends of lines."""
    if len(text) <= _WHOLE:
        return 0, len(text)
    first = text.rfind("\n", 0, max(0, start - _WINDOW)) + 1
    last = text.find("\n", min(len(text), end + _WINDOW))
    return first, last if last >= 0 else len(text)


def text_blocks(text: str, first: int, last: int, start: int, end: int) -> Iterator[Block]:
    """``text[first:last]`` as paragraphs and rows of tables, ``text[start:end]`` marked in them.

    >>> [block.runs for block in text_blocks("One. Two.", 0, 9, 5, 9)]
    [(Run(text='One. ', marked=False), Run(text='Two.', marked=True))]
    """
    at = first
    for line in text[first:last].split("\n"):
        if line.strip():
            block = _block(line, at, start, end)
            if block:
                yield block
        at += len(line) + 1


def _block(line: str, at: int, start: int, end: int) -> Block | None:
    stripped = line.strip()
    is_row = stripped.startswith("|") and stripped.endswith("|") and len(stripped) > 1
    if not is_row:
        return Block(runs=_runs(line, at, start, end))
    if not stripped.strip("|-: "):  # the line below the heads
        return None
    cells = []
    where = at + line.index("|") + 1
    for cell in line[line.index("|") + 1 : line.rindex("|")].split("|"):
        cells.append(_runs(cell, where, start, end))
        where += len(cell) + 1
    return Block(cells=tuple(cells))


def _runs(text: str, at: int, start: int, end: int) -> tuple[Run, ...]:
    """The text, which stands at an offset, in up to three pieces: before, in and after the marked span."""
    low, high = max(0, start - at), min(len(text), end - at)
    if low >= high:
        return (Run(text, False),)
    pieces = (Run(text[:low], False), Run(text[low:high], True), Run(text[high:], False))
    return tuple(piece for piece in pieces if piece.text)


def rows_and_paragraphs(blocks: Sequence[Block]) -> list[tuple[bool, list[Block]]]:
    """Blocks in groups: (True, rows of one table) or (False, paragraphs)."""
    groups: list[tuple[bool, list[Block]]] = []
    for block in blocks:
        is_row = bool(block.cells)
        if groups and groups[-1][0] == is_row:
            groups[-1][1].append(block)
        else:
            groups.append((is_row, [block]))
    return groups

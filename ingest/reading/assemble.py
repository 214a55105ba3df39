"""Blocks -> one text, with segments, lines, pages and tables that point into it; segments of a text that stays; a found
table as it stands there: unit line and Markdown, each row with its place on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from ...core.anchor import Anchor, Box, bounding_box, rounded_box
from ...core.records import dataclass
from ..document import Line, Page, Segment, SegmentKind, Table
from ..pdf.backend import PageLayout, Word
from ..tables.found import FoundTable, Region
from ..tables.markdown import to_markdown
from .block import Block, Piece

_BETWEEN_BLOCKS = "\n\n"
_NO_SIZES: Mapping[int, tuple[float, float]] = {}


@dataclass(slots=True)
class HeadingStack:
    """The titles above the present place, outermost first."""

    _open: list[tuple[int, str]] = field(default_factory=list)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._open)

    def enter(self, level: int, title: str) -> tuple[str, ...]:
        """A heading closes all of its level and deeper, then opens itself. Returns the titles above it.

        >>> stack = HeadingStack()
        >>> stack.enter(1, "Part I"), stack.enter(2, "Item 1"), stack.enter(2, "Item 2")
        ((), ('Part I',), ('Part I',))
        >>> stack.titles
        ('Part I', 'Item 2')
        """
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        above = self.titles
        self._open.append((level, title))
        return above


@dataclass(frozen=True, slots=True)
class Assembled:
    """The parts of a Document that hold offsets."""

    text: str
    segments: tuple[Segment, ...]
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]


def assemble(blocks: Iterable[Block]) -> Assembled:
    """Lay the blocks one after the other, a blank line between them; blocks without pieces are left out."""
    text = _GrowingText()
    for block in blocks:
        if block.pieces:
            text.add(block)
    return text.assembled()


class _GrowingText:
    """The text laid out so far, and what points into it."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._segments: list[Segment] = []
        self._lines: list[Line] = []
        self._tables: list[Table] = []
        self._stack = HeadingStack()

    def assembled(self) -> Assembled:
        return Assembled(
            text="".join(self._parts),
            segments=tuple(self._segments),
            lines=tuple(self._lines),
            tables=tuple(self._tables),
        )

    def add(self, block: Block) -> None:
        if self._parts:
            self._write(_BETWEEN_BLOCKS)
        start = self._length
        self._write_pieces(block.pieces)
        headings = self._headings_above(block)
        ordinal = None
        if block.table is not None:
            ordinal = len(self._tables)
            self._tables.append(_placed(block.table, start, self._length, headings))
        segment = Segment(
            kind=block.kind,
            start=start,
            end=self._length,
            level=block.level,
            headings=headings,
            speaker=block.speaker,
            part=block.part,
            table=ordinal,
        )
        self._segments.append(segment)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _write_pieces(self, pieces: Sequence[Piece]) -> None:
        for index, piece in enumerate(pieces):
            if index:
                self._write(piece.joint)
            start = self._length
            self._write(piece.text)
            box = rounded_box(piece.box) if piece.box else None
            self._lines.append(Line(start, self._length, piece.page, box, piece.place))

    def _headings_above(self, block: Block) -> tuple[str, ...]:
        """The titles above the block; a heading is entered at the same time."""
        if block.kind != "heading":
            return self._stack.titles
        title = " ".join(block.text.split())
        return self._stack.enter(max(1, block.level), title)


def _placed(table: Table, start: int, end: int, headings: tuple[str, ...]) -> Table:
    """The table with its offsets in the text, the titles above it and boxes as they are stored."""
    anchors = []
    for anchor in table.anchors:
        boxes = tuple(map(rounded_box, anchor.boxes))
        anchors.append(Anchor(anchor.page, boxes, anchor.place))
    return replace(table, start=start, end=end, headings=headings, anchors=tuple(anchors))


def page_ranges(
    lines: Sequence[Line], count: int, length: int, sizes: Mapping[int, tuple[float, float]] = _NO_SIZES
) -> tuple[Page, ...]:
    """Each page's share of the text: from its first line to the first line of the next page that has one.

    ``count`` is the number of pages, ``length`` that of the text's characters; ``sizes`` gives width and height by
    page number, in points.
    """
    starts: dict[int, int] = {}
    for line in lines:
        starts.setdefault(line.page, line.start)
    pages: list[Page] = []
    end = length
    for number in range(count, 0, -1):
        start = min(starts.get(number, end), end)
        width, height = sizes.get(number, (0.0, 0.0))
        page = Page(
            number=number,
            start=start,
            end=end,
            width=width,
            height=height,
        )
        pages.append(page)
        end = start
    pages.reverse()
    return tuple(pages)


class SegmentBuilder:
    """Collects segments over one text, in order; white space at their ends is left out."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack = HeadingStack()
        self.segments: list[Segment] = []

    def add(
        self,
        kind: SegmentKind,
        start: int,
        end: int,
        *,
        level: int = 0,
        title: str = "",
        speaker: str = "",
        part: str = "",
        table: int | None = None,
    ) -> None:
        """Add ``text[start:end]``; a span of white space alone is passed over.

        ``title`` is what a heading puts on the stack; by default its text.
        """
        printed = self._text[start:end]
        if not printed.strip():
            return
        first = start + len(printed) - len(printed.lstrip())
        last = start + len(printed.rstrip())
        if kind == "heading":
            above = self._stack.enter(max(1, level), title or " ".join(printed.split()))
        else:
            above = self._stack.titles
        segment = Segment(
            kind=kind,
            start=first,
            end=last,
            level=level,
            headings=above,
            speaker=speaker,
            part=part,
            table=table,
        )
        self.segments.append(segment)

    @property
    def titles(self) -> tuple[str, ...]:
        """The headings above what comes next."""
        return self._stack.titles


PageBox = tuple[int, Box]
"""A page (from 1) and a box on it."""


def table_block(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Block:
    """The block of a table, with the layouts of its pages by number.

    What its region prints and neither a cell nor the unit line holds comes before the rows.
    """
    table = found.table
    region = found.regions[0]
    above, rows = markdown_lines(table)
    pieces = list(_unread_lines(found, layouts))
    pieces += [Piece(text, region.page, region.box) for text in above]
    for text, (page, box) in zip(rows, _markdown_places(table, region), strict=True):
        pieces.append(Piece(text, page, box))
    return Block("table", tuple(pieces), table=table)


def markdown_lines(table: Table) -> tuple[list[str], list[str]]:
    """The lines above the rows (a unit line), and the heads, the rule and the rows.

    >>> markdown_lines(Table((("", "2023"), ("Net sales", "1,200"))))
    ([], ['|  | 2023 |', '| --- | --- |', '| Net sales | 1,200 |'])
    """
    lines = list(filter(None, to_markdown(table).split("\n")))
    heads_and_rule = 2
    rows_below = len(table.rows) - table.header_rows
    first = max(0, len(lines) - heads_and_rule - rows_below)
    return lines[:first], lines[first:]


def _markdown_places(table: Table, region: Region) -> list[PageBox]:
    """Where each line of the Markdown is printed: all heads together for the first line and for the rule."""
    places = _row_places(table, (region.page, region.box))
    heads = _together(places[: max(1, table.header_rows)])
    return [heads, heads, *places[table.header_rows :]]


def _row_places(table: Table, first: PageBox) -> list[PageBox]:
    """Page and box of each row; a row without words has that of the row before, ``first`` at the top."""
    cells: defaultdict[int, list[PageBox]] = defaultdict(list)
    for (row, _), anchor in table.places.items():
        cells[row].append((anchor.page, anchor.boxes[0]))
    places: list[PageBox] = []
    place = first
    for row in range(len(table.rows)):
        if row in cells:
            place = _together(cells[row])
        places.append(place)
    return places


def _together(places: Sequence[PageBox]) -> PageBox:
    """One place for several, on the page of the first."""
    page = places[0][0]
    return page, bounding_box(box for number, box in places if number == page)


def _unread_lines(found: FoundTable, layouts: Mapping[int, PageLayout]) -> Iterator[Piece]:
    """Printed lines with a word that no cell and no unit line says: heads that differ on a later page."""
    known = _printed_in(found.table)
    for region in found.regions:
        printed = layouts[region.page].words
        words = [printed[index] for index in region.words]
        heights = [_base_line(word) for word in words if word.text not in known]
        for height in dict.fromkeys(heights):
            texts, boxes, *_ = zip(*_words_at(words, height), strict=True)
            yield Piece(" ".join(texts), region.page, bounding_box(boxes))


def _printed_in(table: Table) -> str:
    """The unit line and all cells without their blanks, for looking up single words."""
    texts = [table.unit]
    for row in table.rows:
        texts += row
    return "\0".join("".join(text.split()) for text in texts)


def _base_line(word: Word) -> int:
    """Where it stands, in whole points."""
    return round(word.box[3])


def _words_at(words: Sequence[Word], height: int) -> list[Word]:
    """The words that stand on the base line at ``height``, from the left."""
    level = [word for word in words if abs(word.box[3] - height) <= 1]
    return sorted(level, key=lambda word: word.box[0])

"""Blocks -> one text, with segments, lines, pages and tables that point into it; segments of a text that stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...core.anchor import Anchor, rounded_box
from ..document import Line, Page, Segment, SegmentKind, Table
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

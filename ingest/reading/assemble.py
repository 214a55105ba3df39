"""Blocks -> one text, with segments, lines, pages and tables that point into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...core.anchor import Anchor, Box
from ..document import Line, Page, Segment
from ..table import Table
from .block import Block

_GAP = "\n\n"


@dataclass(slots=True)
class HeadingStack:
    """The titles above the present place, outermost first."""

    _open: list[tuple[int, str]] = field(default_factory=list)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._open)

    def enter(self, level: int, title: str) -> None:
        """A heading closes all of its level and deeper, then opens itself.

        >>> stack = HeadingStack()
        >>> for level, title in [(1, "Part I"), (2, "Item 1"), (2, "Item 2")]:
        ...     stack.enter(level, title)
        >>> stack.titles
        ('Part I', 'Item 2')
        """
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, title))


@dataclass(frozen=True, slots=True)
class Assembled:
    """The parts of a Document that hold offsets."""

    text: str
    segments: tuple[Segment, ...]
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]


def assemble(blocks: Iterable[Block]) -> Assembled:
    """Lay the blocks one after the other, a blank line between them."""
    parts: list[str] = []
    segments: list[Segment] = []
    lines: list[Line] = []
    tables: list[Table] = []
    stack = HeadingStack()
    at = 0
    for block in blocks:
        if not block.pieces:
            continue
        if parts:
            parts.append(_GAP)
            at += len(_GAP)
        start = at
        for index, piece in enumerate(block.pieces):
            text = piece.text if index == 0 else piece.joint + piece.text
            parts.append(text)
            at += len(text)
            if piece.page:
                lines.append(Line(at - len(piece.text), at, piece.page, _rounded(piece.box)))
        segments.append(_segment(block, start, at, stack, len(tables)))
        if block.table is not None:
            anchors = tuple(
                Anchor(a.page, tuple(box for b in a.boxes if (box := _rounded(b)))) for a in block.table.anchors
            )
            tables.append(replace(block.table, start=start, end=at, headings=stack.titles, anchors=anchors))
    return Assembled("".join(parts), tuple(segments), tuple(lines), tuple(tables))


def _rounded(box: Box | None) -> Box | None:
    """Two decimals of a point are enough to draw a box, and a third of the bytes."""
    return (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)) if box else None


def _segment(block: Block, start: int, end: int, stack: HeadingStack, tables: int) -> Segment:
    above = stack.titles
    if block.kind == "heading":
        title = " ".join(block.text.split())
        stack.enter(max(1, block.level), title)
        above = stack.titles[:-1]
    table = tables if block.table is not None else None
    return Segment(block.kind, start, end, block.level, above, block.speaker, block.part, table)


def page_ranges(
    lines: Sequence[Line], count: int, length: int, sizes: Mapping[int, tuple[float, float]] | None = None
) -> tuple[Page, ...]:
    """Each page's share of the text: from its first line to the first line of the next page that has one."""
    starts: dict[int, int] = {}
    for line in lines:
        starts.setdefault(line.page, line.start)
    pages: list[Page] = []
    end = length
    for number in range(count, 0, -1):
        start = min(starts.get(number, end), end)
        width, height = (sizes or {}).get(number, (0.0, 0.0))
        pages.append(Page(number, start, end, width, height))
        end = start
    return tuple(reversed(pages))

"""What readers hand to the assembler: blocks of printed lines in reading order, and their boxes in points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.anchor import Box
from ...core.records import dataclass
from ..document import SegmentKind, Table

NO_BOX: Box = (0.0, 0.0, 0.0, 0.0)
"""Of text without a layout: HTML, plain text."""


class Boxed:
    """Something printed, by the edges of its box."""

    __slots__ = ()
    box: Box

    @property
    def left(self) -> float:
        return self.box[0]

    @property
    def top(self) -> float:
        return self.box[1]

    @property
    def right(self) -> float:
        return self.box[2]

    @property
    def bottom(self) -> float:
        return self.box[3]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


@dataclass(frozen=True, slots=True)
class PrintedLine(Boxed):
    """One line of a page. ``mark`` names the cleaning rule that set it apart, "" for plain text."""

    text: str
    page: int
    box: Box = NO_BOX
    size: float = 0.0
    """Size of its type in points."""
    bold: bool = False
    column: int = 0
    """Ordinal of the column or band on the page, in reading order."""
    spaced: bool = False
    """True where wide gaps part it into cells."""
    italic: bool = False
    table: int | None = None
    """Ordinal of the table that stands in this place of the reading order; the line then has no text."""
    mark: str = ""

    @property
    def character_width(self) -> float:
        """The usual width of its characters, in points."""
        return self.width / max(1, len(self.text))

    @property
    def is_plain(self) -> bool:
        """True for a line of text that no cleaning rule set apart."""
        return not self.mark and self.table is None

    @property
    def place(self) -> tuple[int, int]:
        """Page and column: lines of one place stand one below the other."""
        return self.page, self.column

    @property
    def has_box(self) -> bool:
        return self.box != NO_BOX

    @property
    def emphasis(self) -> tuple[bool, bool]:
        """Whether it is bold and whether it is in italics."""
        return self.bold, self.italic

    @property
    def is_contents(self) -> bool:
        """True for a line of a page of printed contents."""
        return self.mark == "contents page"


@dataclass(frozen=True, slots=True)
class Piece:
    """A line's text as it goes into the document, and what joins it to the piece before ("", " " or a line break)."""

    text: str
    page: int
    box: Box | None = None
    joint: str = "\n"
    place: str = ""
    """As of an ``Anchor``."""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list or table before it has offsets."""

    kind: SegmentKind
    pieces: tuple[Piece, ...]
    level: int = 0
    """Depth of a heading from 1; 0 for all else."""
    speaker: str = ""
    part: str = ""
    """Half of a call ("remarks", "question", "answer"), as in ``Segment``."""
    table: Table | None = None
    tags: tuple[Any, ...] = ()
    """Elements of inline XBRL in it, in order."""

    @property
    def text(self) -> str:
        """The joined text.

        >>> Block("paragraph", (Piece("Net", 1), Piece("sales", 1, joint=" "))).text
        'Net sales'
        """
        return join(self.pieces)


def join(pieces: Sequence[Piece]) -> str:
    """The text of pieces put together; the first one's joint is not used."""
    if not pieces:
        return ""
    first, *others = pieces
    return first.text + "".join(piece.joint + piece.text for piece in others)

"""What readers hand to the assembler: blocks of printed lines in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...core.anchor import Box
from ..document import SegmentKind
from ..table import Table


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One line of a page. ``mark`` names the cleaning rule that set it apart, "" for plain text."""

    text: str
    page: int
    box: Box | None = None
    size: float = 0.0
    bold: bool = False
    column: int = 0
    """Ordinal of the column or band on the page, in reading order."""
    spaced: bool = False
    """True where wide gaps part it into cells."""
    italic: bool = False
    table: int | None = None
    """Ordinal of the table that stands in this place of the reading order; the line then has no text."""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A line's text as it goes into the document, and what joins it to the piece before ("", " " or a line break)."""

    text: str
    page: int
    box: Box | None = None
    joint: str = "\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list or table before it has offsets."""

    kind: SegmentKind
    pieces: tuple[Piece, ...]
    level: int = 0
    speaker: str = ""
    part: str = ""
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
    return "".join(piece.text if index == 0 else piece.joint + piece.text for index, piece in enumerate(pieces))

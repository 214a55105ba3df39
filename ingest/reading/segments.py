"""Segments of a text that stays as it is: spans get a kind, headings a place in the stack."""

from __future__ import annotations

from ..document import Segment, SegmentKind
from .assemble import HeadingStack


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
        """``title`` is what a heading puts on the stack; by default its text."""
        piece = self._text[start:end]
        if not piece.strip():
            return
        end = start + len(piece.rstrip())
        start += len(piece) - len(piece.lstrip())
        above = self._stack.titles
        if kind == "heading":
            self._stack.enter(max(1, level), title or " ".join(piece.split()))
            above = self._stack.titles[:-1]
        self.segments.append(Segment(kind, start, end, level, above, speaker, part, table))

    @property
    def titles(self) -> tuple[str, ...]:
        """The headings above what comes next."""
        return self._stack.titles

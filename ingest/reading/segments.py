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

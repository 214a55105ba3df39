"""Plain text, whole or page by page: kept as it is, with headings by their words and furniture set aside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..document import Line, Page
from ..reading.block import PrintedLine
from ..reading.cleaning import (
    is_contents_page,
    is_cover_boilerplate,
    is_disclaimer,
    is_disclaimer_title,
    is_raw_contents_page,
    is_symbol_line,
    page_numbers,
    running_lines,
)
from ..reading.headings.announced import Titles, titles_of_contents
from ..reading.headings.numbering import numbered_heading
from ..reading.segments import SegmentBuilder
from .content import Content

_LINE = re.compile(r"[^\r\n\f\v\x85\u2028\u2029]+")
_BLANK = re.compile(r"\n[ \t\r\u00a0\u3000]*\n")
_EMPTY = re.compile(r"\n\r?\n")
"""In text taken from PDF pages a line with a blank is an empty cell; only an empty line parts paragraphs."""
_VALUE = re.compile(r"^[$€£¥(（\[—–-]*[\d.,]*[)）%％\]]*\s*$")
_SENTENCE_END = re.compile(r"[.!?:;。！？：；)）\]”\"]$")
_WIDE = 60
_FIRST_CONTENTS_PAGES = 12
_COVER_PAGES = 3
_LONGEST_DISCLAIMER = 3_000
"""Characters; a longer stretch without a blank line is a page with other things on it."""


def read_plain(text: str | Sequence[str], joint: str = "\n\n") -> Content:
    """Read one text, or pages (joined by ``joint``; each gets a Page and a Line a printed line).

    The text is not changed. Running headers, page numbers and symbol lines stand in no segment; they are counted.
    """
    pages = [text] if isinstance(text, str) else list(text)
    whole = joint.join(pages)
    starts = _starts(pages, len(joint))
    lines = [_lines(page, start, number) for number, (page, start) in enumerate(zip(pages, starts, strict=True), 1)]
    reader = _Reader(whole, lines)
    reader.read()
    if isinstance(text, str):
        return Content(whole, tuple(reader.builder.segments), dropped=reader.dropped)
    spans = tuple(
        Page(number, start, start + len(page))
        for number, (page, start) in enumerate(zip(pages, starts, strict=True), 1)
    )
    failed = {page.number: "no text" for page in spans if not whole[page.start : page.end].strip()}
    printed = tuple(line for page in lines for line in page)
    return Content(whole, tuple(reader.builder.segments), spans, printed, (), reader.dropped, failed)


def _starts(pages: Sequence[str], gap: int) -> list[int]:
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page) + gap
    return starts


def _lines(page: str, start: int, number: int) -> list[Line]:
    lines = []
    for match in _LINE.finditer(page):
        stripped = match.group().strip()
        if stripped:
            first = start + match.start() + match.group().index(stripped)
            lines.append(Line(first, first + len(stripped), number))
    return lines


class _Reader:
    """Walks the lines of all pages and fills the builder."""

    def __init__(self, text: str, pages: Sequence[Sequence[Line]]) -> None:
        self.text = text
        self.pages = pages
        self.builder = SegmentBuilder(text)
        self.dropped: Counter[str] = Counter()
        self._gap = _BLANK if len(pages) == 1 else _EMPTY
        self._gone = self._furniture()
        self._contents = self._contents_pages()
        self._titles = self._announced()
        self._disclaimer = False

    def read(self) -> None:
        for index, lines in enumerate(self.pages):
            kept = [line for at, line in enumerate(lines) if (index, at) not in self._gone]
            if index in self._contents:
                self.dropped["contents page"] += len(kept)
                self.builder.add("contents", kept[0].start, kept[-1].end)
            else:
                self._read_page(kept)

    def _read_page(self, lines: Sequence[Line]) -> None:
        at = first = 0
        while at < len(lines):
            length, level = self._heading(lines, at)
            if length:
                self._body(lines[first:at])
                self._add_heading(lines[at : at + length], level)
                first = at + length
            at += max(1, length)
        self._body(lines[first:])

    def _add_heading(self, lines: Sequence[Line], level: int) -> None:
        start, end = lines[0].start, lines[-1].end
        self.builder.add("heading", start, end, level=level)
        self._disclaimer = is_disclaimer_title(self.text[start:end])

    def _body(self, lines: Sequence[Line]) -> None:
        """Paragraphs between two headings, apart where a blank line or a dropped one stands between."""
        for group in self._paragraphs(lines):
            start, end = group[0].start, group[-1].end
            rule = self._disclaimer_rule(self.text[start:end], group[0].page)
            if rule:
                self.dropped[rule] += len(group)
            self.builder.add("disclaimer" if rule else "paragraph", start, end)
            self._disclaimer = False

    def _paragraphs(self, lines: Sequence[Line]) -> Iterator[list[Line]]:
        group: list[Line] = []
        for line in lines:
            if group and self._starts_anew(group[-1], line):
                yield group
                group = []
            group.append(line)
        if group:
            yield group

    def _starts_anew(self, before: Line, line: Line) -> bool:
        between = self.text[before.end : line.start]
        if self._gap.search(between) or between.strip():
            return True
        return line.page <= _COVER_PAGES and is_cover_boilerplate(self._of(line))

    def _disclaimer_rule(self, text: str, page: int) -> str:
        flat = " ".join(text.split())
        if page <= _COVER_PAGES and is_cover_boilerplate(flat):
            return "cover boilerplate"
        if len(flat) > _LONGEST_DISCLAIMER:
            return ""
        return "disclaimer" if self._disclaimer or is_disclaimer(flat) else ""

    def _heading(self, lines: Sequence[Line], at: int) -> tuple[int, int]:
        """Lines that the heading at ``at`` takes up (0: none) and its level."""
        text = self._of(lines[at])
        if len(text) > 200 or not self._may_start(lines, at):
            return 0, 0
        numbered = numbered_heading(text)
        if numbered and numbered.open:
            follower = self._of(lines[at + 1]) if at + 1 < len(lines) else ""
            is_title = bool(follower) and len(follower) < 160 and not _VALUE.match(follower)
            return (2 if is_title and not numbered_heading(follower) else 1), numbered.level
        if numbered:
            return 1, numbered.level
        announced = self._titles.level(text, lines[at].page) if len(text) >= 8 else None
        if announced is not None and not self._is_cell(lines, at):
            return 1, announced
        return (1, 2) if is_disclaimer_title(text) and not self._is_cell(lines, at) else (0, 0)

    def _may_start(self, lines: Sequence[Line], at: int) -> bool:
        """False where the line before is wide and unfinished: then this one goes on with its sentence."""
        if at == 0 or self.text.count("\n", lines[at - 1].end, lines[at].start) > 1:
            return True
        before = self._of(lines[at - 1])
        return len(before) < _WIDE or bool(_SENTENCE_END.search(before))

    def _is_cell(self, lines: Sequence[Line], at: int) -> bool:
        """True where a value stands on the next line: then this one is a row's name."""
        return at + 1 < len(lines) and bool(_VALUE.match(self._of(lines[at + 1])))

    def _of(self, line: Line) -> str:
        return self.text[line.start : line.end]

    def _furniture(self) -> set[tuple[int, int]]:
        printed = [[PrintedLine(self._of(line), line.page) for line in lines] for lines in self.pages]
        marks = {}
        if len(self.pages) > 1:
            heights = [0.0] * len(self.pages)
            marks = running_lines(printed, heights) | page_numbers(printed, heights)
        for index, lines in enumerate(printed):
            for at, line in enumerate(lines):
                if (index, at) not in marks and len(line.text) > 1 and is_symbol_line(line.text):
                    marks[index, at] = "symbol line"
        self.dropped.update(marks.values())
        return set(marks)

    def _contents_pages(self) -> set[int]:
        if len(self.pages) == 1:
            return set()
        found = set()
        for index, lines in enumerate(self.pages[:_FIRST_CONTENTS_PAGES]):
            texts = [self._of(line) for at, line in enumerate(lines) if (index, at) not in self._gone]
            if is_contents_page(texts) or is_raw_contents_page(texts):
                found.add(index)
        return found

    def _announced(self) -> Titles:
        return titles_of_contents([self._of(line) for index in sorted(self._contents) for line in self.pages[index]])

"""Plain text, whole or page by page: kept as it is but for tables; headings by their words, furniture set aside."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import methodcaller

from ...core.chinese import closed_up
from ...core.records import dataclass
from ...core.sequences import runs
from ..document import Line, Page, Table
from ..reading.assemble import SegmentBuilder, markdown_lines
from ..reading.block import PrintedLine
from ..reading.clean_pages import is_contents_page, is_raw_contents_page
from ..reading.furniture import page_numbers, running_lines
from ..reading.line_rules import is_cover_boilerplate, is_disclaimer, is_disclaimer_title, is_symbol_line
from ..reading.titles import Titles, numbered_heading, titles_of_contents
from ..tables.monospaced import TextTable, tables_in_text
from .registry import Content, FileContent, Reader
from .text_columns import in_reading_order

_LINE = re.compile(r"[^\r\n\f\v\x85\u2028\u2029]+")
_BLANK = re.compile(r"\n[ \t\r\u00a0\u3000]*\n")
_EMPTY = re.compile(r"\n\r?\n")
"""In text taken from PDF pages a line with a blank is an empty cell; only an empty line parts paragraphs."""
_VALUE = re.compile(r"^[$€£¥(（\[—–-]*[\d.,]*[)）%％\]]*\s*$")
_SENTENCE_END = re.compile(r"[.!?:;。！？：；)）\]”\"]$")
_WIDE = 60
"""Characters from which a line that ends without a full stop goes on in the next one."""
_LONGEST_HEADING = 200
_LONGEST_TITLE = 160
_SHORTEST_ANNOUNCED = 8
"""Characters; shorter entries of a table of contents are found in running text by chance."""
_FIRST_CONTENTS_PAGES = 12
_COVER_PAGES = 3
_LONGEST_DISCLAIMER = 3_000
"""Characters; a longer stretch without a blank line is a page with other things on it."""
_LOOKED_AT = 20_000
"""Characters of a paragraph in which boilerplate is looked for: a file may be one line of 50 MB."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """How many lines a heading takes up, and its level."""

    lines: int
    level: int


def read_plain(text: str | Sequence[str], joint: str = "\n\n", *, tables: bool = False) -> Content:
    """Read one text, or pages (joined by ``joint``; each gets a Page and a Line a printed line).

    With ``tables`` those whose columns stand apart by blanks become Markdown, and prose in two columns is put in order;
    nothing else of the text is changed. Running headers, page numbers and symbol lines stand in no segment; they are
    counted.
    """
    given = [text] if isinstance(text, str) else list(text)
    written = [_with_tables(page) if tables else _Page(page) for page in given]
    spans = _page_spans([page.text for page in written], len(joint))
    whole = joint.join(page.text for page in written)
    lines = [_printed_lines(whole, page) for page in spans]
    reader = _Reader(whole, lines, _placed(written, spans))
    reader.read()
    segments = tuple(reader.builder.segments)
    content = Content(whole, segments, tables=tuple(reader.tables), dropped=reader.dropped)
    if isinstance(text, str):
        return content
    failed: dict[int, str] = {}
    for number, page_lines in enumerate(lines, 1):
        if not page_lines:
            failed[number] = "no text"
    all_lines = tuple(itertools.chain.from_iterable(lines))
    return replace(content, pages=tuple(spans), lines=all_lines, failed=failed)


@dataclass(frozen=True, slots=True)
class _Page:
    """The text of a page, and the tables in it with their places."""

    text: str
    tables: tuple[Table, ...] = ()


def _with_tables(page: str) -> _Page:
    """The page with its tables as Markdown, a blank line around each, two columns of prose one after the other, and
    titles whose characters are set apart without blanks."""
    printed = list(map(closed_up, map(methodcaller("rstrip", "\r"), page.split("\n"))))
    lines = in_reading_order(printed)
    found = tables_in_text(lines)
    if not found:
        return _Page("\n".join(lines))
    parts: list[str] = []
    tables: list[Table] = []
    length = 0
    after = 0
    for table in found:
        above = [*lines[after : table.first], *(lines[number] for number in table.kept), ""]
        length += sum(len(line) + 1 for line in above)
        markdown = _markdown(table)
        tables.append(replace(table.table, start=length, end=length + len(markdown)))
        parts += [*above, markdown, ""]
        length += len(markdown) + 2
        after = table.last + 1
    return _Page("\n".join([*parts, *lines[after:]]), tuple(tables))


def _markdown(found: TextTable) -> str:
    above, rows = markdown_lines(found.table)
    return "\n".join([*above, *rows])


def _placed(pages: Sequence[_Page], spans: Sequence[Page]) -> list[Table]:
    """The tables of all pages with their places in the whole text."""
    tables: list[Table] = []
    for page, span in zip(pages, spans, strict=True):
        for table in page.tables:
            tables.append(replace(table, start=table.start + span.start, end=table.end + span.start))
    return tables


def _page_spans(pages: Sequence[str], gap: int) -> list[Page]:
    """Where each page stands in the whole text, with ``gap`` characters between two."""
    spans: list[Page] = []
    start = 0
    for number, page in enumerate(pages, 1):
        spans.append(Page(number, start, start + len(page)))
        start += len(page) + gap
    return spans


def _printed_lines(text: str, page: Page) -> list[Line]:
    lines: list[Line] = []
    for match in _LINE.finditer(text, page.start, page.end):
        printed = match.group()
        words = printed.strip()
        if words:
            start = match.start() + printed.index(words)
            lines.append(Line(start, start + len(words), page.number))
    return lines


class _Reader:
    """Walks the lines of all pages and fills the builder."""

    def __init__(self, text: str, pages: Sequence[Sequence[Line]], tables: Sequence[Table]) -> None:
        self.text = text
        self.pages = pages
        self.tables = list(tables)
        self._table_starts = [table.start for table in tables]
        self.builder = SegmentBuilder(text)
        self.dropped: Counter[str] = Counter()
        self._gap = _BLANK if len(pages) == 1 else _EMPTY
        self._furniture = self._find_furniture()
        self._contents = self._contents_pages()
        self._titles = self._announced_titles()
        self._after_disclaimer_title = False

    def read(self) -> None:
        for index in range(len(self.pages)):
            lines = self._kept_lines(index)
            if index in self._contents:
                self.dropped["contents page"] += len(lines)
                self.builder.add("contents", lines[0].start, lines[-1].end)
            else:
                self._read_page(lines)

    def _kept_lines(self, index: int) -> list[Line]:
        """The lines of a page without its furniture."""
        return [line for at, line in enumerate(self.pages[index]) if (index, at) not in self._furniture]

    def _read_page(self, page: Sequence[Line]) -> None:
        for ordinal, lines in itertools.groupby(page, self._table_at):
            if ordinal is None:
                self._read_words(list(lines))
            else:
                self._add_table(ordinal)

    def _table_at(self, line: Line) -> int | None:
        """The ordinal of the table that a line stands in."""
        before = bisect_right(self._table_starts, line.start) - 1
        is_inside = before >= 0 and line.start < self.tables[before].end
        return before if is_inside else None

    def _add_table(self, ordinal: int) -> None:
        table = self.tables[ordinal]
        self.tables[ordinal] = replace(table, headings=self.builder.titles)
        self.builder.add("table", table.start, table.end, table=ordinal)

    def _read_words(self, lines: Sequence[Line]) -> None:
        at = 0
        body = 0
        while at < len(lines):
            heading = self._heading(lines, at)
            if heading is None:
                at += 1
                continue
            self._add_body(lines[body:at])
            at += heading.lines
            self._add_heading(lines[at - heading.lines : at], heading.level)
            body = at
        self._add_body(lines[body:])

    def _add_heading(self, lines: Sequence[Line], level: int) -> None:
        start, end = lines[0].start, lines[-1].end
        self.builder.add("heading", start, end, level=level)
        self._after_disclaimer_title = is_disclaimer_title(self.text[start:end])

    def _add_body(self, lines: Sequence[Line]) -> None:
        """Paragraphs between two headings, apart where a blank line or a dropped one stands between."""
        for paragraph in runs(lines, self._goes_on):
            start, end = paragraph[0].start, paragraph[-1].end
            rule = self._disclaimer_rule(self.text[start:end], paragraph[0].page)
            if rule:
                self.dropped[rule] += len(paragraph)
            self.builder.add("disclaimer" if rule else "paragraph", start, end)
            self._after_disclaimer_title = False

    def _goes_on(self, paragraph: Sequence[Line], line: Line) -> bool:
        """True for a line right behind a paragraph, unless it begins what covers of all reports say."""
        between = self.text[paragraph[-1].end : line.start]
        if self._gap.search(between) or between.strip():
            return False
        return not self._is_cover_boilerplate(self._words(line), line.page)

    def _disclaimer_rule(self, text: str, page: int) -> str:
        """The rule by which a paragraph is a disclaimer, or ""."""
        flat = " ".join(text[:_LOOKED_AT].split())
        if self._is_cover_boilerplate(flat, page):
            return "cover boilerplate"
        if len(flat) > _LONGEST_DISCLAIMER:
            return ""
        if self._after_disclaimer_title or is_disclaimer(flat):
            return "disclaimer"
        return ""

    def _is_cover_boilerplate(self, text: str, page: int) -> bool:
        return page <= _COVER_PAGES and is_cover_boilerplate(text)

    def _heading(self, lines: Sequence[Line], at: int) -> _Heading | None:
        """The heading that begins with a line: by its number, by the table of contents, or of a disclaimer."""
        text = self._words(lines[at])
        if len(text) > _LONGEST_HEADING or not self._may_start(lines, at):
            return None
        numbered = numbered_heading(text)
        if numbered:
            takes_next = numbered.open and self._is_title(lines, at + 1)
            return _Heading(2 if takes_next else 1, numbered.level)
        level = self._announced_level(text, lines[at].page)
        if level is None or self._is_row_name(lines, at):
            return None
        return _Heading(1, level)

    def _announced_level(self, text: str, page: int) -> int | None:
        """The level of a title by the table of contents, 2 of a disclaimer's, None of other lines."""
        if len(text) >= _SHORTEST_ANNOUNCED:
            level = self._titles.level(text, page)
            if level is not None:
                return level
        return 2 if is_disclaimer_title(text) else None

    def _is_title(self, lines: Sequence[Line], at: int) -> bool:
        """True for the title of a numbered heading, on the line below its number."""
        text = self._words_at(lines, at)
        if not text or len(text) >= _LONGEST_TITLE:
            return False
        return not _VALUE.match(text) and not numbered_heading(text)

    def _may_start(self, lines: Sequence[Line], at: int) -> bool:
        """False where the line before is wide and unfinished: then this one goes on with its sentence."""
        if at == 0:
            return True
        line, before = lines[at], lines[at - 1]
        if self.text.count("\n", before.end, line.start) > 1:
            return True
        words = self._words(before)
        return len(words) < _WIDE or bool(_SENTENCE_END.search(words))

    def _is_row_name(self, lines: Sequence[Line], at: int) -> bool:
        """True where a value stands on the next line: then this one is the name of a table's row."""
        below = self._words_at(lines, at + 1)
        return bool(below) and bool(_VALUE.match(below))

    def _words_at(self, lines: Sequence[Line], at: int) -> str:
        """The words of that line, "" after the last."""
        if at >= len(lines):
            return ""
        return self._words(lines[at])

    def _words(self, line: Line) -> str:
        return self.text[line.start : line.end]

    def _as_printed(self, lines: Sequence[Line]) -> list[PrintedLine]:
        return [PrintedLine(self._words(line), line.page) for line in lines]

    def _find_furniture(self) -> set[tuple[int, int]]:
        """Page and place of the lines that are no part of the text: running headers, page numbers, symbols."""
        printed = list(map(self._as_printed, self.pages))
        rules = {}
        if len(self.pages) > 1:
            no_heights = [0.0] * len(self.pages)
            rules = running_lines(printed, no_heights) | page_numbers(printed, no_heights)
        for index, lines in enumerate(printed):
            for at, line in enumerate(lines):
                if len(line.text) > 1 and is_symbol_line(line.text):
                    rules.setdefault((index, at), "symbol line")
        found = {place: rule for place, rule in rules.items() if self._is_outside_tables(*place)}
        self.dropped.update(found.values())
        return set(found)

    def _is_outside_tables(self, index: int, at: int) -> bool:
        """True for a line, by its page and its place there, that no table holds."""
        return self._table_at(self.pages[index][at]) is None

    def _contents_pages(self) -> set[int]:
        """Indices of the pages that hold the table of contents."""
        if len(self.pages) == 1:
            return set()
        found: set[int] = set()
        for index in range(min(_FIRST_CONTENTS_PAGES, len(self.pages))):
            texts = list(map(self._words, self._kept_lines(index)))
            if is_contents_page(texts) or is_raw_contents_page(texts):
                found.add(index)
        return found

    def _announced_titles(self) -> Titles:
        """The titles that the table of contents lists."""
        lines = itertools.chain.from_iterable(self.pages[index] for index in sorted(self._contents))
        return titles_of_contents(list(map(self._words, lines)))


_PAGE_BREAKS = ("\f", "<PAGE>")
"""The second in EDGAR's text filings."""


def paged(text: str) -> tuple[list[str], str]:
    """The pages of a text and the break between them; one page where it has no breaks."""
    for page_break in _PAGE_BREAKS:
        pages = text.split(page_break)
        while len(pages) > 1 and not pages[-1].strip():  # a break may end the last page, too
            pages.pop()
        if len(pages) > 1:
            return pages, page_break
    return [text], ""


def _has_pages(file: FileContent) -> bool:
    return len(paged(file.text)[0]) > 1


def _read(file: FileContent, text: str | Sequence[str], joint: str = "\n\n") -> Content:
    """Read with tables, but a text given by a program: its offsets have to hold there."""
    return read_plain(text, joint, tables=file.given_text is None)


_SUFFIXES = (".txt", ".text")
PAGED_TEXT = Reader("text with pages", _SUFFIXES, _has_pages, lambda file: _read(file, *paged(file.text)), rank=45)
TEXT = Reader("text", _SUFFIXES, lambda file: True, lambda file: _read(file, file.text), rank=99)
"""Whatever no other reader knows; bytes that are no text are refused when they are decoded."""

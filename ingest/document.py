"""What a reader yields: one cleaned text, where every part of it stands, its tables, and the values that it tags
itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from ..core.anchor import Anchor, Box, joined_places
from ..core.patterns import on_demand
from ..core.period import Period
from ..core.records import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of printed cells; every row has the same length, an empty cell is "".

    The first ``header_rows`` rows are column heads. ``unit`` is the unit line as printed ("in millions", "单位:元").
    ``start`` and ``end`` are its Markdown in the document's text. ``indents`` gives each row's depth, 0 for the
    outermost.
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    title: str = ""
    unit: str = ""
    notes: str = ""
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    indents: tuple[int, ...] = ()
    headings: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int, int], ...] = ()
    """Cells that cover several, as (row, column, last row, last column); the text stands in the first, the rest is
    ""."""
    places: Mapping[tuple[int, int], Anchor] = field(default_factory=dict, compare=False, repr=False)
    """Where each filled cell is printed, by (row, column); empty for sources without boxes, and not stored."""

    @property
    def heads(self) -> tuple[tuple[str, ...], ...]:
        """The rows of column heads."""
        return self.rows[: self.header_rows]

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """The rows below the heads."""
        return self.rows[self.header_rows :]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0


_ROW = on_demand(r"\s*\|(?![\s:|]*-[\s:|-]*$)")
"""The begin of a row's line: the rule under the heads has nothing but dashes, colons and pipes."""
_PIPE = on_demand(r"(?<!\\)\|")

Span = tuple[int, int]


def cell_spans(text: str, start: int, end: int) -> list[list[Span]]:
    """For each row of the pipe table in ``text[start:end]``, without the rule under the heads, the spans of its cells.

    >>> spans = cell_spans("| a | b |\\n| --- | --- |\\n| c | 12 |", 0, 34)
    >>> spans[1][1]
    (30, 32)
    """
    rows = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        if _ROW.match(line):
            rows.append(_cells(line, at))
        at += len(line)
    return rows


def _cells(line: str, offset: int) -> list[Span]:
    """Where the text of each cell stands, without the blanks around it."""
    bars = [bar.start() for bar in _PIPE.finditer(line)]
    spans = []
    for left, right in pairwise(bars):
        cell = line[left + 1 : right]
        first = left + 1 + len(cell) - len(cell.lstrip())
        last = left + 1 + len(cell.rstrip())
        spans.append((offset + first, offset + max(first, last)))
    return spans


@dataclass(frozen=True, slots=True)
class TaggedValue:
    """``text[start:end]`` of the document states ``concept``; ``value`` is None for words.

    ``value`` is the printed number with its sign; ``power`` of ten is what it is to be multiplied by.
    """

    concept: str
    """With its prefix: "us-gaap:Revenues"."""
    start: int
    end: int
    text: str
    value: Decimal | None = None
    power: int = 0
    unit: str = ""
    """Without prefixes: "USD", "shares", "USD/shares", "pure"."""
    first_day: date | None = None
    """None where the value stands at ``last_day``."""
    last_day: date | None = None
    dimensions: tuple[tuple[str, str], ...] = ()
    """Axes and members with their prefixes."""


SegmentKind = Literal["heading", "paragraph", "table", "figure", "list", "disclaimer", "contents"]
Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line: offsets in the document's text, its page (from 1) and its box."""

    start: int
    end: int
    page: int
    box: Box | None = None
    place: str = ""
    """As of an ``Anchor``: cell, slide or time where no page number says it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page's share of the text, ``text[start:end]``, and what kind of page it is.

    ``classes`` scores 0..1 what the page holds: "balance sheet", "income statement", "cash flow", "equity", "legal" ...
    """

    number: int
    start: int
    end: int
    width: float = 0.0
    height: float = 0.0
    classes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text in reading order that belongs together: nothing is chunked across a heading, table or speaker.

    ``headings`` are the titles above it, outermost first; for a heading, without itself. A table's text is its
    Markdown. ``speaker`` is "name, role, firm" in a call, and ``part`` its half: "remarks", "question" or "answer".
    """

    kind: SegmentKind
    start: int
    end: int
    level: int = 0
    """Depth of a heading from 1; 0 for all else."""
    headings: tuple[str, ...] = ()
    speaker: str = ""
    part: str = ""
    table: int | None = None
    """Ordinal in ``Document.tables`` of a segment that is a table."""


GUESSED = "guess from the text"
ALSO_FILE_NAME = "cover page, file name"
"""How the companies are known where a file goes by another name of the firm than its cover page."""
"""Where a value comes from that the text does not say of itself."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """Whom and when a document is about. ``how`` tells for each field where the value comes from."""

    title: str = ""
    companies: tuple[str, ...] = ()
    tickers: tuple[str, ...] = ()
    """Trading symbols; of Chinese shares the code and the short name they trade under ("603339", "四方科技")."""
    kind: str = ""
    """One of ``ingest.metadata.KINDS``: "10-K", "10-Q", "8-K", "annual report", "earnings call", ... or a user's
    own."""
    period: Period | None = None
    published: date | None = None
    language: Language = "en"
    how: Mapping[str, str] = field(default_factory=dict)
    """Field -> where its value comes from; also "confidence" of the company, "candidates" where it is unsure, and
    "currency"."""

    @property
    def filer(self) -> str:
        """The one firm that the document is from: of a cover page and a file that goes by another of its names
        ("BLOCK_2016_10K" of Square) the one of the cover; "" where there are several firms, or none."""
        is_one = len(self.companies) == 1 or self.how.get("companies") == ALSO_FILE_NAME
        return self.companies[0] if self.companies and is_one else ""

    @property
    def unsure(self) -> bool:
        """True for a report whose company is not certain; ``how["candidates"]`` names those that it may be."""
        return "companies" in self.how.get("unsure", "")

    @property
    def guessed_period(self) -> bool:
        """True where the period is only what a call's text names: it may be another that it compares with."""
        return self.how.get("period") == GUESSED

    @property
    def doubtful(self) -> bool:
        """True where the company or the period is not certain, or no company is known at all."""
        return self.unsure or self.guessed_period or not self.companies

    @property
    def currency(self) -> str:
        """The code of the currency it reports in ("AUD"); "" where nothing tells."""
        return self.how.get("currency", "").partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was read and what was left out, and why: closes every ingest."""

    pages: int = 0
    pages_failed: Mapping[int, str] = field(default_factory=dict)
    """Page number -> what was wrong ("no text: an image")."""
    characters: int = 0
    segments: int = 0
    tables: int = 0
    figures: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Rule -> lines dropped or marked by it."""
    reader: str = ""
    """The format it was read as: "PDF", "Excel workbook"."""
    notes: tuple[str, ...] = ()
    """What the file holds that a reader of it should know: hidden rows, macros, links that were not followed."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source after reading. Every offset anywhere in CliqueRAG points into ``text``.

    ``source`` is the key: the path relative to the workspace or the URL, never only the base name.
    """

    source: str
    text: str
    segments: tuple[Segment, ...]
    metadata: Metadata = Metadata()
    pages: tuple[Page, ...] = ()
    lines: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    coverage: Coverage = Coverage()
    content_hash: str = ""
    """SHA-256 of the source's bytes."""
    tagged: tuple[TaggedValue, ...] = ()
    """Values that the document itself tags (inline XBRL), in the order of the text; not stored."""

    def anchors(self, start: int, end: int) -> tuple[Anchor, ...]:
        """Pages and boxes of ``text[start:end]``; empty for a source without pages."""
        first = max(0, bisect_right(self.lines, start, key=lambda line: line.start) - 1)
        boxes: dict[int, list[Box]] = {}
        places: dict[int, str] = {}
        for at in range(first, len(self.lines)):  # no copy of what follows: it would grow with the document
            line = self.lines[at]
            if line.start >= end:
                break
            if line.end > start:
                on_page = boxes.setdefault(line.page, [])
                if line.box:
                    on_page.append(line.box)
                if line.place:
                    before = places.get(line.page, line.place)
                    places[line.page] = joined_places(before, line.place)
        return tuple(Anchor(page, tuple(on_page), places.get(page, "")) for page, on_page in boxes.items())

"""PowerPoint decks: every slide a page, with its tables, the data behind its charts and the speaker's notes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import chain
from typing import Any

from ...core.errors import DocumentError
from ...core.records import dataclass
from ..document import Table
from ..reading.block import Block, Piece
from ..reading.html.grid import Grid
from .office import content_of, damaged, has_part, is_old_office, open_office, paragraph, stored_evidence, table_block
from .registry import Content, FileContent, Reader, missing_library

_SUFFIXES = (".pptx", ".pptm")
_MAIN_TYPE = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
_DEEPEST = 20
"""Groups of shapes inside groups."""
_MOST_POINTS = 5_000
"""Values of one chart."""
_FURNITURE = ("SLIDE_NUMBER", "DATE", "FOOTER", "HEADER")
"""Placeholders that say nothing of a slide's own."""


def _recognises(file: FileContent) -> bool:
    return has_part(file, "ppt/presentation.xml") or is_old_office(file, (".ppt", *_SUFFIXES))


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    office = open_office(file, _MAIN_TYPE)
    try:
        import pptx
    except ImportError as error:
        raise missing_library("python-pptx", "office", file.path) from error
    blocks: list[Block] = []
    notes = list(office.notes)
    failed: dict[int, str] = {}
    try:
        deck = pptx.Presentation(io.BytesIO(office.data))
        slides = list(deck.slides)
        for number, slide in enumerate(slides, 1):
            file.deadline.check()
            reader = _Slide(number)
            own = list(reader.blocks(slide))
            blocks += own
            notes += reader.notes
            if not own:
                failed[number] = "no text: the slide is a picture" if reader.pictures else "no text"
        properties = deck.core_properties
        evidence = stored_evidence(
            properties.title, properties.author, properties.subject, unless="PowerPoint Presentation"
        )
    except DocumentError:
        raise
    except Exception as error:  # the library raises whatever its parsers do
        raise damaged(file, "PowerPoint", error) from error
    return content_of(blocks, len(slides), evidence, notes, failed)


@dataclass(slots=True)
class _Slide:
    """Reads one slide; ``number`` is its page."""

    number: int
    notes: list[str] = field(default_factory=list)
    pictures: int = 0
    _tables: int = 0
    _charts: int = 0

    def blocks(self, slide: Any) -> Iterator[Block]:
        """Its title, its shapes from top to bottom, its notes."""
        if slide._element.get("show") == "0":
            self.notes.append(f"slide {self.number} is hidden, and read")
        title = slide.shapes.title
        name = " ".join(title.text_frame.text.split()) if title is not None else ""
        if name:
            yield paragraph(name, self.number, self._place(), level=1)
        for shape in _in_order(slide.shapes):
            is_title = title is not None and shape.shape_id == title.shape_id
            if not is_title:
                yield from self._shape(shape, name, 0)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            place = f"{self._place()}, notes"
            for line in _lines(slide.notes_slide.notes_text_frame):
                yield paragraph(line, self.number, place)

    def _place(self) -> str:
        return f"slide {self.number}"

    def _shape(self, shape: Any, title: str, depth: int) -> Iterator[Block]:
        if depth > _DEEPEST or _is_furniture(shape):
            return
        if hasattr(shape, "shapes"):
            for inner in _in_order(shape.shapes):
                yield from self._shape(inner, title, depth + 1)
        elif getattr(shape, "has_table", False):
            yield from self._table(shape.table, title)
        elif getattr(shape, "has_chart", False):
            yield from self._chart(shape.chart, title)
        elif shape.has_text_frame:
            yield from self._text(shape.text_frame)
        elif hasattr(shape, "image"):
            self.pictures += 1
        elif _is_diagram(shape):
            self.notes.append(f"slide {self.number}: a diagram is not read")

    def _text(self, frame: Any) -> Iterator[Block]:
        lines = _lines(frame)
        pieces = tuple(Piece(line, self.number, place=self._place()) for line in lines)
        if pieces:
            yield Block("list" if len(pieces) > 1 else "paragraph", pieces)

    def _table(self, table: Any, title: str) -> Iterator[Block]:
        self._tables += 1
        number = self._tables
        rows = tuple(tuple(map(_cell_text, row.cells)) for row in table.rows)
        if not any(map(any, rows)):
            return
        heads = max(Grid(rows).header_rows, 1 if table.first_row else 0)

        def place(row: int, _column: int) -> str:
            return f"{self._place()}, table {number}, row {row + 1}"

        made = Table(rows, min(heads, len(rows)), title=title, spans=tuple(_merged_cells(table)))
        yield table_block(made, self.number, place)

    def _chart(self, chart: Any, title: str) -> Iterator[Block]:
        """The values that a chart is drawn from, as a table: categories by series."""
        self._charts += 1
        where = f"{self._place()}, chart {self._charts}"
        own_title = chart.chart_title.text_frame.text.strip() if _has_title(chart) else ""
        rows = _chart_rows(chart)
        if len(rows) < 2:
            self.notes.append(f"{where}: its values are not stored in the deck")
            return
        if own_title:
            yield paragraph(own_title, self.number, where)
        made = Table(rows, 1, title=own_title or title)
        yield table_block(made, self.number, lambda row, column: where)


def _cell_text(cell: Any) -> str:
    """What a cell says; "" for one that a merged cell covers."""
    return "" if cell.is_spanned else " ".join(cell.text_frame.text.split())


def _merged_cells(table: Any) -> Iterator[tuple[int, int, int, int]]:
    """First row and column and last row and column of each cell that covers others."""
    for r, row in enumerate(table.rows):
        for c, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                yield r, c, r + cell.span_height - 1, c + cell.span_width - 1


def _has_title(chart: Any) -> bool:
    return bool(chart.has_title and chart.chart_title.has_text_frame)


def _chart_rows(chart: Any) -> tuple[tuple[str, ...], ...]:
    """Heads and a row for each category; of a scatter chart its points have no names and are numbered."""
    series = list(chain.from_iterable(plot.series for plot in chart.plots))
    if not series:
        return ()
    categories = [" ".join(str(category).split()) for category in chart.plots[0].categories]
    columns = list(map(_column, series))
    count = max(map(len, columns), default=0)
    numbers = list(map(str, range(len(categories) + 1, count + 1)))
    heads = ("", *(" ".join(str(one.name or "").split()) for one in series))
    names = [*categories, *numbers][:count]
    rows = zip(names, *(column + [""] * (count - len(column)) for column in columns), strict=True)
    return (heads, *rows)


def _column(series: Any) -> list[str]:
    """The values of one series as texts."""
    return [_value(value, series) for value in list(series.values)[:_MOST_POINTS]]


def _value(value: float | None, series: Any) -> str:
    """A value of a chart as its labels show it, with all its digits."""
    if value is None:
        return ""
    codes = series._element.xpath(".//c:val//c:formatCode")
    from .xlsx import number_text

    return number_text(value, codes[0].text or "" if codes else "")


def _in_order(shapes: Any) -> list[Any]:
    """Shapes as they are read: from top to bottom, then from left to right; those without a place come first."""
    return sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0))


def _lines(frame: Any) -> Sequence[str]:
    texts = ("".join(run.text for run in line.runs) for line in frame.paragraphs)
    return [" ".join(text.split()) for text in texts if text.strip()]


def _is_furniture(shape: Any) -> bool:
    return bool(shape.is_placeholder and shape.placeholder_format.type.name in _FURNITURE)


def _is_diagram(shape: Any) -> bool:
    return bool(shape._element.xpath(".//*[local-name()='relIds']"))


POWERPOINT = Reader("PowerPoint deck", _SUFFIXES, _recognises, _read, rank=22)

"""Excel workbooks: every sheet a page, every block of cells a table, every cell with its address."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from ...core.anchor import Anchor
from ...core.records import dataclass
from ...core.sequences import runs
from ..document import Table
from ..reading.block import Block
from ..reading.html.grid import Grid
from .office import (
    OfficeFile,
    content_of,
    damaged,
    has_part,
    is_old_office,
    open_office,
    paragraph,
    stored_evidence,
    table_block,
)
from .registry import Content, FileContent, Reader, missing_library

_SUFFIXES = (".xlsx", ".xlsm")
_MAIN_TYPE = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_MOST_CELLS = 2_000_000
"""Filled cells of a workbook that are read: an hour of facts, and more than anybody cites."""
_ROWS_A_TABLE = 100
"""Rows after which a long list goes on in a table of its own, under the same heads: a table is never cut later."""
_PERCENT = re.compile(r"%")
_QUOTED = re.compile(r'"([^"]{0,20})"|\[\$([^\-\]]{1,5})[^\]]{0,20}\]')
_CURRENCIES = ("$", "€", "£", "¥", "￥", "US$", "HK$", "RMB", "CHF", "USD", "EUR", "GBP", "CNY", "HKD", "JPY")
_PLAIN_SHEET = re.compile(r"^[^\W\d]\w*$")

Cells = Mapping[tuple[int, int], str]
"""Filled cells of a sheet as text, by row and column from 1."""
Rows = Mapping[int, Sequence[int]]
"""The filled columns of each row that has any."""


def _recognises(file: FileContent) -> bool:
    return has_part(file, "xl/workbook.xml") or is_old_office(file, (".xls", *_SUFFIXES))


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    office = open_office(file, _MAIN_TYPE)
    try:
        import openpyxl
    except ImportError as error:
        raise missing_library("openpyxl", "office", file.path) from error
    try:
        workbook = openpyxl.load_workbook(io.BytesIO(office.data), data_only=True, keep_links=False)
    except Exception as error:  # openpyxl raises whatever its parsers do
        raise damaged(file, "Excel", error) from error
    blocks: list[Block] = []
    notes = [*office.notes, *_uncalculated(office)]
    failed: dict[int, str] = {}
    left = _MOST_CELLS
    for number, sheet in enumerate(workbook.worksheets, 1):
        file.deadline.check()
        reader = _Sheet(sheet, number, left)
        blocks += reader.blocks()
        notes += reader.notes
        left -= len(reader.cells)
        if not reader.cells:
            failed[number] = f"no cells: sheet {sheet.title!r}"
    charts = len(workbook.chartsheets)
    if charts:
        notes.append(f"{charts} sheets are charts alone and are not read")
    stored = workbook.properties
    evidence = stored_evidence(stored.title, stored.creator, stored.subject, unless="openpyxl")
    return content_of(blocks, len(workbook.worksheets), evidence, notes, failed)


def _uncalculated(office: OfficeFile) -> Iterator[str]:
    """A word on formulas without a stored value: programs that write workbooks without calculating leave them so."""
    from lxml import etree

    missing = 0
    with zipfile.ZipFile(io.BytesIO(office.data)) as archive:
        for part in archive.infolist():
            if not part.filename.startswith("xl/worksheets/sheet"):
                continue
            try:
                for _, cell in etree.iterparse(archive.open(part), tag="{*}c", resolve_entities=False):
                    missing += cell.find("{*}f") is not None and not cell.findtext("{*}v")
                    cell.clear()
            except etree.XMLSyntaxError:
                continue
    if missing:
        yield f"{missing} formulas have no stored value: open it in Excel and save it, so that they are calculated"


@dataclass(slots=True)
class _Sheet:
    """Reads one sheet. ``number`` is its page, ``left`` how many cells of the workbook may still be read."""

    sheet: Any
    number: int
    left: int
    notes: list[str] = field(default_factory=list)
    cells: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for (row, column), cell in sorted(self.sheet._cells.items()):  # sparse: a cell at XFD1048576 costs one
            text = _printed(cell)
            if text:
                self.cells[row, column] = text
            if len(self.cells) >= self.left:
                self.notes.append(f"only the first {_MOST_CELLS:,} cells are read; sheet {self.sheet.title!r} is cut")
                break
        self._note_hidden()

    def blocks(self) -> Iterator[Block]:
        """The sheet's name as a heading, then its lines and tables from top to bottom."""
        if not self.cells:
            return
        yield paragraph(self.sheet.title, self.number, self._address(1, 1).partition("!")[0], level=1)
        filled = _by_row(self.cells)
        title = self.sheet.title
        for rows in _stretches(self.cells, filled):
            columns = _columns(filled, rows)
            above = 0
            while above < len(rows) and filled[rows[above]] == columns[:1]:  # a title, a unit, a note
                title = self.cells[rows[above], columns[0]]
                yield paragraph(title, self.number, self._address(rows[above], columns[0]))
                above += 1
            if above < len(rows):
                yield from self._tables(rows[above:], columns, title)

    def _tables(self, body: Sequence[int], columns: Sequence[int], title: str) -> Iterator[Block]:
        """A table, a long one in several, or lines where it only lays out text."""
        texts = self._texts(body, columns)
        grid = Grid(texts)
        if not grid.is_data:
            for row, cells in zip(body, texts, strict=True):
                yield paragraph(" ".join(filter(None, cells)), self.number, self._address(row, columns[0]))
            return
        heads = min(grid.header_rows, len(body) - 1)
        for start in range(heads, len(body), _ROWS_A_TABLE):
            yield self._table([*body[:heads], *body[start : start + _ROWS_A_TABLE]], columns, heads, title)

    def _texts(self, rows: Sequence[int], columns: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """The texts of these cells; "" for one that is not filled."""
        return tuple(tuple(self.cells.get((row, column), "") for column in columns) for row in rows)

    def _table(self, rows: Sequence[int], columns: Sequence[int], heads: int, title: str) -> Block:
        texts = self._texts(rows, columns)

        def place(row: int, column: int) -> str:
            return self._address(rows[row], columns[column])

        places: dict[tuple[int, int], Anchor] = {}
        for row, column in itertools.product(range(len(rows)), range(len(columns))):
            if texts[row][column]:
                places[row, column] = Anchor(self.number, (), place(row, column))
        indents = tuple(_indent(self.sheet, row, columns[0]) for row in rows)
        last = place(len(rows) - 1, len(columns) - 1).rpartition("!")[2]
        whole = Anchor(self.number, (), f"{place(0, 0)}:{last}")
        table = Table(
            texts,
            heads,
            title=title,
            anchors=(whole,),
            indents=indents,
            spans=self._spans(rows, columns),
            places=places,
        )
        return table_block(table, self.number, place)

    def _spans(self, rows: Sequence[int], columns: Sequence[int]) -> tuple[tuple[int, int, int, int], ...]:
        """Merged cells, by their place in the table."""
        spans = []
        for merged in self.sheet.merged_cells.ranges:
            own_rows = _places_within(rows, merged.min_row, merged.max_row)
            own_columns = _places_within(columns, merged.min_col, merged.max_col)
            if own_rows and len(own_rows) * len(own_columns) > 1:
                spans.append((own_rows[0], own_columns[0], own_rows[-1], own_columns[-1]))
        return tuple(sorted(spans))

    def _address(self, row: int, column: int) -> str:
        """ "Income!B4", or "'Q1 2023'!B4" as formulas write it."""
        from openpyxl.utils import get_column_letter

        name = self.sheet.title
        shown = name if _PLAIN_SHEET.match(name) else "'" + name.replace("'", "''") + "'"
        return f"{shown}!{get_column_letter(column)}{row}"

    def _note_hidden(self) -> None:
        """Hidden sheets, rows and columns are read, for they are part of the file, and said."""
        from openpyxl.utils import get_column_letter

        name = self.sheet.title
        if self.sheet.sheet_state != "visible" and self.cells:
            self.notes.append(f"sheet {name!r} is hidden, and read")
        rows = sorted({row for row, _ in self.cells if self._is_hidden_row(row)})
        if rows:
            self.notes.append(f"hidden rows of {name!r} are read: {_ranges(rows)}")
        columns = sorted({column for _, column in self.cells} & set(self._hidden_column_numbers()))
        if columns:
            letters = ", ".join(map(get_column_letter, columns))
            self.notes.append(f"hidden columns of {name!r} are read: {letters}")

    def _is_hidden_row(self, row: int) -> bool:
        return row in self.sheet.row_dimensions and bool(self.sheet.row_dimensions[row].hidden)

    def _hidden_column_numbers(self) -> Iterator[int]:
        for dimension in self.sheet.column_dimensions.values():
            if dimension.hidden and dimension.min and dimension.max:
                yield from range(dimension.min, dimension.max + 1)


def _places_within(numbers: Sequence[int], least: int, most: int) -> list[int]:
    """Where in a list of numbers those from ``least`` to ``most`` stand."""
    return [at for at, number in enumerate(numbers) if least <= number <= most]


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in order as ranges.

    >>> _ranges([3, 4, 5, 9])
    '3-5, 9'
    """
    parts: list[str] = []
    for _, run in itertools.groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        parts.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(parts)


def _stretches(cells: Cells, filled: Rows) -> list[list[int]]:
    """Rows that belong together: blank rows part them, but a part without heads of its own goes on with the last."""
    parts = runs(filled, lambda part, row: row == part[-1] + 1)
    joined: list[list[int]] = []
    for part in parts:
        if joined and _goes_on(cells, filled, joined[-1], part):
            joined[-1].extend(part)
        else:
            joined.append(part)
    return joined


def _goes_on(cells: Cells, filled: Rows, before: Sequence[int], part: Sequence[int]) -> bool:
    """True for rows of the same columns as those before that have no heads: sections of one statement."""
    above = _columns(filled, before)
    if len(above) < 2 or not set(_columns(filled, part)) <= set(above):
        return False
    with_values = next((row for row in part if len(filled[row]) > 1), None)
    if with_values is None:  # lines of one cell: notes below the table
        return False
    first = tuple(cells.get((with_values, column), "") for column in above)
    return bool(first[0]) and Grid((first,)).header_rows == 0


def _by_row(cells: Cells) -> Rows:
    rows: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        rows.setdefault(row, []).append(column)
    return rows


def _columns(rows: Rows, numbers: Iterable[int]) -> list[int]:
    """The columns that any of these rows fills, from the left."""
    return sorted(set(itertools.chain.from_iterable(rows[number] for number in numbers)))


def _indent(sheet: Any, row: int, column: int) -> int:
    cell = sheet._cells.get((row, column))
    alignment = cell.alignment if cell is not None else None
    return int(alignment.indent or 0) if alignment is not None else 0


def _printed(cell: Any) -> str:
    """The value of a cell with all its digits, in the way its format shows it: per cent, currency, date."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float, Decimal)):
        return number_text(value, str(cell.number_format or ""))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return " ".join(str(value).split())


def number_text(value: float | Decimal, form: str) -> str:
    """A number as text, exact to the 15 digits that Excel keeps.

    >>> number_text(0.1 + 0.2, "General"), number_text(-1234.5, '"$"#,##0'), number_text(0.253, "0.0%")
    ('0.3', '-$1,234.5', '25.3%')
    """
    exact = Decimal(f"{value:.15g}")
    if not exact.is_finite():
        return str(value)
    percent = "%" if _PERCENT.search(_QUOTED.sub("", form)) else ""
    if percent:
        exact *= 100
    plain = format(abs(exact).normalize(), ",f" if "," in form else "f")
    sign = "-" if exact < 0 else ""
    return f"{sign}{_currency(form)}{plain}{percent}"


def _currency(form: str) -> str:
    """The sign of money in a number format, "" without one."""
    first = form.partition(";")[0]
    for match in _QUOTED.finditer(first):
        sign = (match[1] or match[2] or "").strip()
        if sign in _CURRENCIES:
            return sign if len(sign) < 3 or sign.endswith("$") else f"{sign} "
    rest = _QUOTED.sub("", first)
    return next((sign for sign in ("$", "€", "£", "¥") if sign in rest), "")


EXCEL = Reader("Excel workbook", _SUFFIXES, _recognises, _read, rank=21)

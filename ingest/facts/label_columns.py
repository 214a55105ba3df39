"""Labels that are printed in several columns or stand for several rows, put together in the label column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..table import Table
from ..tables.values import is_value
from .column_heads import Column

_TEXTUAL = 0.35
"""Share of values up to which a column holds words: parts of the labels."""
_LAST = 2
"""The last column that may hold parts of the labels."""

Row = list[str]


def with_whole_labels(table: Table, columns: Sequence[Column]) -> Table:
    """The table with the words of further columns of words in its label column, labels over several rows repeated.

    >>> table = Table((("", "Segment", "2022"), ("Net sales", "Cloud", "7")))
    >>> with_whole_labels(table, [Column(), Column(), Column()]).body
    (('Net sales Cloud', '', '7'),)
    """
    rows = list(map(list, table.rows))
    _repeat_labels(table, rows)
    body = rows[table.header_rows :]
    for column in _word_columns(body, columns):
        for row in body:
            _join_label(row, column)
    return replace(table, rows=tuple(map(tuple, rows)))


def _repeat_labels(table: Table, rows: Sequence[Row]) -> None:
    """Give the label of a cell that covers several rows to each of them."""
    for first, column, last, _ in table.spans:
        if column == 0 and first >= table.header_rows:
            for row in rows[first + 1 : last + 1]:
                row[0] = row[0] or rows[first][0]


def _word_columns(body: Sequence[Row], columns: Sequence[Column]) -> Iterator[int]:
    """The columns of words next to the labels: left of values, or anywhere in a table without values."""
    by_column = list(zip(*body, strict=True))
    has_values = [any(map(is_value, cells)) for cells in by_column]
    for column in range(1, min(_LAST + 1, len(by_column) - 1)):
        cells = list(filter(None, by_column[column]))
        if not cells or sum(map(is_value, cells)) > _TEXTUAL * len(cells):
            return
        stands_left = any(has_values[column + 1 :]) or not any(has_values[1:])
        if stands_left and not columns[column].skipped:
            yield column


def _join_label(row: Row, column: int) -> None:
    if any(map(str.isalpha, row[column])):
        row[0] = f"{row[0]} {row[column]}".strip()
        row[column] = ""

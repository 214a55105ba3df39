"""Drivers that a table states: a row's figure, its change, and a remark that says why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from ....core.names import is_chinese
from ....core.quantity import Quantity, parse_quantity
from ....core.sequences import last
from ....ingest.document import Document, Span, Table, cell_spans
from ....ingest.facts.metrics import default_metrics
from ...drivers import Direction
from .chinese import is_measure, read_remark
from .readings import Effect, Reading

_REMARK = re.compile(r"(?:系|由于|所致|原因|影响|因(?!此|素)).{2,}")
_CHANGE_HEAD = re.compile(r"变动|增减|同比|幅度")
_NOW = re.compile(r"\A\s*(?:本期|期末|本年|报告期|\d{4}年)")
_BEFORE = re.compile(r"上期|上年|期初|年初|去年|同期")
_SHARE_HEAD = re.compile(r"占|比例|变动|增减")
_LEAST_REMARK = 5


def table_readings(document: Document) -> Iterator[tuple[int, int, Reading]]:
    """(start, end, reading) of each row with a remark; offsets of the row in the text, the reading's relative to it."""
    if document.metadata.language != "zh":
        return
    for table in document.tables:
        if not any(_is_remark(row[-1]) for row in table.body if row):
            continue
        spans = cell_spans(document.text, table.start, table.end)
        for number, row in enumerate(table.rows):
            if number >= table.header_rows and number < len(spans) and len(spans[number]) == len(row):
                yield from _of_row(document, table, row, spans[number])


def _is_remark(cell: str) -> bool:
    return len(cell) >= _LEAST_REMARK and is_chinese(cell) and _REMARK.search(cell) is not None


def _of_row(
    document: Document, table: Table, row: Sequence[str], spans: Sequence[Span]
) -> Iterator[tuple[int, int, Reading]]:
    label, remark = row[0].strip(), row[-1]
    metric = default_metrics().find(label)
    is_figure = metric is not None or is_measure(label)
    has_number = any(map(parse_quantity, row[1:-1]))
    if not (is_figure and has_number and _is_remark(remark)):
        return
    change = _change(table, row)
    start, end = spans[0][0], spans[-1][1]
    direction = _way(table, row, change)
    effect = Effect(label, 0, len(label), direction, metric.name if metric else "", percent=change)
    low = spans[-1][0] - start
    causes = read_remark(document.text[start:end].replace("\n", " "), low, end - start, effect)
    if causes:
        yield start, end, Reading(effect, tuple(causes), 0.85)


def _way(table: Table, row: Sequence[str], change: Quantity | None) -> Direction:
    """How the figure went: by its amounts now and before where the heads tell them apart, else by its change.

    The change in percent of an amount that was negative has the wrong sign.
    """
    now, before = _under(table, row, _NOW), _under(table, row, _BEFORE)
    moved = now.value - before.value if now and before else change.value if change else Decimal(0)
    if not moved:
        return ""
    return "up" if moved > 0 else "down"


def _under(table: Table, row: Sequence[str], head: re.Pattern[str]) -> Quantity | None:
    """The first amount of the row under a head of that kind."""
    for words, number in _numbers(table, row):
        if head.search(words) and not _SHARE_HEAD.search(words):
            return number
    return None


def _numbers(table: Table, row: Sequence[str]) -> Iterator[tuple[str, Quantity]]:
    """The numbers between the label of a row and its remark, each with the head of its column."""
    for column, cell in enumerate(row[1:-1], 1):
        number = parse_quantity(cell)
        if number is not None:
            yield " ".join(line[column] for line in table.heads), number


def _change(table: Table, row: Sequence[str]) -> Quantity | None:
    """The change that the row states in percent: under a head that says so, else the last number before the remark."""
    stated = list(_numbers(table, row))
    named = [(head, number) for head, number in stated if _CHANGE_HEAD.search(head)]
    _, found = last(named or stated, ("", None))
    if found is None or found.unit:
        return found
    return replace(found, unit="%", scale=Decimal(1))

"""Tables inside raw page text, where the cells of a row stand on lines of their own: a label, then its values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from ...core.period_text import find_periods
from ..table import Table
from .raw_rows import Printed, RawRow, is_open_date, printed_lines, raw_rows
from .units import is_unit_line
from .values import is_number

_LOOK_BACK = 16
"""Printed lines above the first row among which the column heads are looked for."""
_MAX_APART = 5
"""Lines of words between two rows of one table."""
_LONGEST_SECTION = 60
_MIN_ROWS = 2
_ENDED = re.compile(
    r"(?:years?|quarters?|(?:three|six|nine|twelve|\d\d?)\s+(?:months?|weeks?))\s+end(?:ed|ing)\b.*", re.I
)
_OPENING = re.compile(
    r"\bend(?:ed|ing)\b|\bas of\b|\bat\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_NO_SECTION = re.compile(r"\bend(?:ed|ing)\b|(?:19|20)\d\d|unaudited|\.$", re.IGNORECASE)
_TITLE = re.compile(r"(?i:\b(?:statements?|balance sheets?|schedule)\b)|^[A-Z][A-Z ,&'’-]{12,}$|表$")


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table read from ``lines[first : last + 1]``; ``row_lines`` gives the first line of each row after the heads."""

    table: Table
    first: int
    last: int
    row_lines: tuple[int, ...]
    row_ends: tuple[int, ...]
    """Last line of each of these rows."""


def from_text_lines(lines: Sequence[str]) -> list[RawTable]:
    """Tables in the lines of one page, in order. Rows whose number of values differs from the others' are left out.

    >>> page = ["(in millions)", "2022", "2021", "Net sales", "$", "120", "$", "110", "Costs", "(80)", "(70)"]
    >>> from_text_lines(page)[0].table.rows
    (('(in millions)', '2022', '2021'), ('Net sales', '$ 120', '$ 110'), ('Costs', '(80)', '(70)'))
    """
    printed = printed_lines(lines)
    tables = (_table(printed, group) for group in _groups(list(raw_rows(printed))))
    return [table for table in tables if table is not None]


def _groups(rows: list[RawRow]) -> Iterator[list[RawRow]]:
    """Rows of one table: close together; a run of years starts the next."""
    group: list[RawRow] = []
    for row in rows:
        apart = bool(group) and row.at - group[-1].to > _MAX_APART + 1
        if group and (apart or (row.is_years and any(not r.is_years for r in group))):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _table(printed: Sequence[Printed], group: list[RawRow]) -> RawTable | None:
    rows = [row for row in group if not row.is_years]
    if len(rows) < _MIN_ROWS:
        return None
    width = Counter(len(row.values) for row in rows).most_common(1)[0][0]
    body = [part for row in rows for part in _without_total(row, width) if len(part.values) == width]
    numbers = any(is_number(value) for row in body for value in row.values)
    if len(body) < _MIN_ROWS or not numbers or _is_contents(body) or not any(row.label for row in body):
        return None
    above = [line.text for line in printed[max(0, body[0].at - _LOOK_BACK) : body[0].at]]
    unit = next((text for text in reversed(above) if is_unit_line(text)), "")
    heads = _heads(group, above, width)
    body = _with_sections(body, width)
    cells = (*(((unit, *heads),) if heads else ()), *((row.label, *row.values) for row in body))
    table = Table(cells, 1 if heads else 0, _title(above), unit)
    firsts, lasts = tuple(row.first for row in body), tuple(row.last for row in body)
    return RawTable(table, group[0].first, body[-1].last, firsts, lasts)


def _without_total(row: RawRow, width: int) -> list[RawRow]:
    """A row with twice the values is followed by a total without a label."""
    if len(row.values) != 2 * width or not row.label:
        return [row]
    first, total = row.values[:width], row.values[width:]
    return [replace(row, values=first), RawRow("", total, row.first, row.last, row.to, row.to)]


def _with_sections(body: list[RawRow], width: int) -> list[RawRow]:
    """The line before a row's label as a row of its own where it names a section: "Earnings per share:"."""
    rows = []
    for row in body:
        section = row.labels[-1] if row.labels else ""
        if (
            section
            and len(section) < _LONGEST_SECTION
            and not _NO_SECTION.search(section)
            and not is_unit_line(section)
        ):
            rows.append(RawRow(section, [""] * width, row.first, row.last, row.at, row.at))
        rows.append(row)
    return rows


def _is_contents(body: list[RawRow]) -> bool:
    """Page numbers: one small rising number a row."""
    pages = [int(row.values[0]) for row in body if len(row.values) == 1 and row.values[0].isdecimal()]
    return len(pages) == len(body) > 2 and pages == sorted(pages) and pages[-1] < 1000


def _heads(group: list[RawRow], above: list[str], width: int) -> tuple[str, ...]:
    """One head a column: a run of years, else of dates, each under the words that say what ended or stood then."""
    spans = _spans(above)
    years = next((row.values for row in reversed(group) if row.is_years and len(row.values) == width), None)
    if years is None:
        dates = [text for text in above if _is_period(text)][-width:]
        if len(dates) < width:
            return ()
        return _under(spans, dates, " ")
    if len(spans) < 2:
        opening = [text.rstrip(",") for text in above if _OPENING.search(text) and len(text) < _LONGEST_SECTION]
        spans = opening[-1:] if not (spans and opening and spans[-1].endswith(opening[-1])) else spans
    return _under(spans, years, ", ")


def _spans(above: Sequence[str]) -> list[str]:
    """What ended: "Three Months Ended", with the day that the line below it gives."""
    spans = []
    for text, below in zip_longest(above, above[1:], fillvalue=""):
        if _ENDED.fullmatch(text):
            day = f" {below}" if is_open_date(below) else ""
            spans.append(f"{text}{day}".rstrip(","))
    return spans


def _under(spans: list[str], parts: Sequence[str], joint: str) -> tuple[str, ...]:
    """Parts with the span that each stands under, where they share out evenly."""
    if not spans or len(parts) % len(spans):
        return tuple(parts)
    share = len(parts) // len(spans)
    return tuple(f"{spans[n // share]}{joint}{part}" for n, part in enumerate(parts))


def _is_period(text: str) -> bool:
    mentions = find_periods(text)
    return len(mentions) == 1 and len(text) - (mentions[0].end - mentions[0].start) < 8


def _title(above: list[str]) -> str:
    """The last line in capitals or with a statement's name."""
    return next((text for text in reversed(above) if len(text) < 100 and _TITLE.search(text)), "")

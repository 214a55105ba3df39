"""Tables inside raw page text, where the cells of a row stand on lines of their own: a label, then its values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...core.period_text import find_periods
from ..table import Table
from .units import is_unit_line
from .values import is_number, is_value, is_year

_SIGN = re.compile(r"(?:US|HK)?[$€£¥]|\(")
_TAIL = re.compile(r"\)|%|\)\s?%")
_INLINE = re.compile(r"(?P<label>.*?\S)(?P<values>(?:\s{2,}\S+(?: \S{1,3})?)+)")
_LOOK_BACK = 14
"""Lines above the first row among which the column heads are looked for."""
_MAX_LABELS = 4
_LONGEST_SECTION = 60
_MIN_ROWS = 2


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table read from ``lines[first : last + 1]``; ``row_lines`` gives the first line of each row after the heads."""

    table: Table
    first: int
    last: int
    row_lines: tuple[int, ...]
    row_ends: tuple[int, ...]
    """Last line of each of these rows."""


@dataclass(slots=True)
class _Row:
    label: str
    values: list[str]
    first: int
    last: int
    labels: list[str] = field(default_factory=list)


def from_text_lines(lines: Sequence[str]) -> list[RawTable]:
    """Tables in the lines of one page, in order. Rows whose number of values differs from the others' are left out.

    >>> page = ["(in millions)", "2022", "2021", "Net sales", "$", "120", "$", "110", "Costs", "(80)", "(70)"]
    >>> from_text_lines(page)[0].table.rows
    (('(in millions)', '2022', '2021'), ('Net sales', '$ 120', '$ 110'), ('Costs', '(80)', '(70)'))
    """
    tables = []
    for group in _groups(list(_rows(lines))):
        table = _table(lines, group)
        if table is not None:
            tables.append(table)
    return tables


def _rows(lines: Sequence[str]) -> Iterator[_Row]:
    """Labels and the values after them, in order; a run of years is a row without a label."""
    labels: list[tuple[int, str]] = []
    i = 0
    while i < len(lines):
        text = lines[i].strip()
        inline = _INLINE.fullmatch(text)
        if inline and all(is_value(v) for v in re.split(r"\s{2,}", inline["values"].strip())):
            yield _row(labels, inline["label"], re.split(r"\s{2,}", inline["values"].strip()), i, i)
            labels, i = [], i + 1
            continue
        if not text or not (_SIGN.fullmatch(text) or is_value(text)):
            labels = [*labels[-_MAX_LABELS:], (i, text)] if text else []
            i += 1
            continue
        values, last = _values(lines, i)
        if values and all(is_year(value) for value in values):
            yield _Row("", values, i, last)
            labels = []
        elif values and labels:
            yield _row(labels, "", values, labels[-1][0], last)
            labels = []
        i = last + 1


def _row(labels: list[tuple[int, str]], own: str, values: list[str], first: int, last: int) -> _Row:
    """The label is the last line, with those before it that it goes on from."""
    texts = [text for _, text in labels] + ([own] if own else [])
    start = len(texts) - 1
    while start and texts[start][:1].islower() and len(texts[start - 1]) > 12:
        start -= 1
    return _Row(" ".join(texts[start:]), values, first, last, texts[:start])


def _values(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """The values from line ``at`` on, signs joined to their numbers, and the last line used."""
    values: list[str] = []
    sign = ""
    last = at
    while at < len(lines):
        text = lines[at].strip()
        if _SIGN.fullmatch(text):
            sign += text if text == "(" else f"{text} "
        elif _TAIL.fullmatch(text) and values:
            values[-1] += text if text.startswith(")") else f" {text}"
        elif is_value(text):
            values.append(" ".join(f"{sign}{text}".split()))
            sign = ""
        else:
            break
        last = at
        at += 1
    return values, last


def _groups(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Rows of one table: close together, with as many values; a run of years starts the next."""
    group: list[_Row] = []
    for row in rows:
        years = not row.label
        apart = bool(group) and row.first - group[-1].last > _MAX_LABELS + 1
        if group and (apart or (years and any(r.label for r in group))):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _table(lines: Sequence[str], group: list[_Row]) -> RawTable | None:
    labelled = [row for row in group if row.label]
    if len(labelled) < _MIN_ROWS:
        return None
    width = Counter(len(row.values) for row in labelled).most_common(1)[0][0]
    body = [row for row in labelled if len(row.values) == width]
    if _is_contents(body) or len(body) < _MIN_ROWS or not any(is_number(value) for row in body for value in row.values):
        return None
    above = [line.strip() for line in lines[max(0, body[0].first - _LOOK_BACK) : body[0].first]]
    unit = next((text for text in reversed(above) if is_unit_line(text)), "")
    heads = _heads(group, above, width)
    head_rows = ((unit, *heads),) if heads else ()
    body = _with_sections(body, width)
    rows = (*head_rows, *((row.label, *row.values) for row in body))
    table = Table(rows, len(head_rows), _title(above), unit)
    return RawTable(
        table, group[0].first, body[-1].last, tuple(row.first for row in body), tuple(row.last for row in body)
    )


def _with_sections(body: list[_Row], width: int) -> list[_Row]:
    """The line before a row's label as a row of its own where it names a section: "Earnings per share:"."""
    rows = []
    for row in body:
        section = row.labels[-1] if row.labels else ""
        if section and len(section) < _LONGEST_SECTION and not section.endswith(".") and not is_unit_line(section):
            rows.append(_Row(section, [""] * width, row.first, row.last))
        rows.append(row)
    return rows


def _is_contents(body: list[_Row]) -> bool:
    """Page numbers: one small rising number a row."""
    pages = [int(row.values[0]) for row in body if len(row.values) == 1 and row.values[0].isdecimal()]
    return len(pages) == len(body) > 2 and pages == sorted(pages) and pages[-1] < 1000


def _heads(group: list[_Row], above: list[str], width: int) -> tuple[str, ...]:
    """One head a column: a run of years under the line that says of what, else the nearest periods above."""
    years = next((row.values for row in reversed(group) if not row.label and len(row.values) == width), None)
    if years is None:
        mentions = [m.period.label for text in above for m in find_periods(text)]
        return tuple(mentions[-width:]) if len(mentions) >= width else ()
    opening = [text for text in above if re.search(r"\bend|\bas of|\bat\b|december|june|march|september", text, re.I)]
    head = opening[-1].rstrip(",") if opening and len(opening[-1]) < 60 else ""
    return tuple(f"{head}, {year}" if head else year for year in years)


def _title(above: list[str]) -> str:
    """The last line in capitals or with a statement's name."""
    pattern = re.compile(r"(?i:\b(?:statements?|balance sheets?|schedule)\b)|^[A-Z][A-Z ,&'’-]{12,}$|表$")
    return next((text for text in reversed(above) if len(text) < 100 and pattern.search(text)), "")

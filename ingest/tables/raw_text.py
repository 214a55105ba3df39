"""Tables inside raw page text, where the cells of a row stand on lines of their own: a label, then its values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from operator import attrgetter
from statistics import mode

from ...core.names import is_chinese
from ...core.patterns import on_demand
from ...core.period_text import find_periods
from ...core.quantity import parse_quantity
from ...core.records import dataclass
from ...core.sequences import runs
from ..document import Table
from .raw_rows import Printed, RawRow, is_open_date, printed_lines, raw_rows
from .values import is_number, is_unit_line

_LOOK_BACK, _MOST_LINES_OF_HEADS = 16, 32
"""Printed lines above the first row among which dates are looked for, and words in cells of several lines."""
_MAX_APART = 5
"""Lines of words between two rows of one table."""
_LONGEST_SECTION = 60
_LONGEST_TITLE = 99
_LONGEST_HEAD = 40
_MIN_ROWS = 2
_FEWEST_LINES = 3
_PROVEN = 0.7
"""Share of the rows whose values have to prove that a column is a change."""
_CHANGE = "Change"
_MOST_PAGES = 1000
"""Pages that no document has."""
_LINE_OF_FIGURES = on_demand(r"(?m)^[^\d\n]{0,200}\d.*$")
_WITH_COMMA = on_demand(r"\d,\d{3}(?!\d)")
_OF_AMOUNTS = on_demand(r"^[金額](?:\s|額|$)|^[%％]$")
_HEAD_OF_AMOUNTS = on_demand(r"金|額|金\s{0,9}額|[%％]")
"""Lines that stand over each column alike."""
_PERCENT = on_demand("[%％]")
_SHARE = on_demand(r"\D{0,3}\d{0,3}(?:\.\d{1,2})?\D{0,3}")
"""A share in per cent, without its sign, or a mark for none."""
_MOST_BESIDE_PERIOD = 12
"""Characters beside a period in a line that gives nothing else."""
_ENDED = re.compile(
    r"(?:(?:fiscal\s+)?(?:years?|quarters?)|(?:three|six|nine|twelve|\d\d?)\s+(?:months?|weeks?))\s+end(?:ed|ing)\b.*",
    re.I,
)
_OPENING = re.compile(
    r"\bend(?:ed|ing)\b|\bas of\b|\bat\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_CHANGE_HEAD = re.compile(r"\bchange|\bvariance|\bgrowth|\b(?:in|de)crease|增减|变动|增长|同比", re.IGNORECASE)
"""A column of its own beside those of periods."""
_NO_HEAD = re.compile(
    r"[.;。；]$|[a-z]{3}, |\b(?:statements?|balance sheets?|schedule|notes?)\b"
    r"|^[(（].*[)）]$|\(in [a-z]{1,12}\):?$|表$",
    re.IGNORECASE,
)
"""A line of text, a title, or a remark: the heads begin after it."""
_UNIT_AT_END = re.compile(r"\([^()\n]{0,30}\bin (?:thousands|millions|billions)\b[^()\n]{0,40}\)(?=:?$)", re.I | re.M)
_NO_SECTION = re.compile(r"\bend(?:ed|ing)\b|(?:19|20)\d\d|unaudited|\d\d vs\.? |\.$", re.IGNORECASE)
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
    groups = runs(raw_rows(printed), _belongs)
    tables = [_table(printed, group) for group in groups]
    return [table for table in tables if table is not None]


def _belongs(group: Sequence[RawRow], row: RawRow) -> bool:
    """True for the next row of one table: it is near, and no run of years, which starts the next."""
    if row.at - group[-1].to > _MAX_APART + 1:
        return False
    has_values = not all(other.is_years for other in group)
    return not (row.is_years and has_values)


def _table(printed: Sequence[Printed], group: Sequence[RawRow]) -> RawTable | None:
    """The table of these rows; None where they are too few, or a list of contents."""
    rows = [row for row in group if not row.is_years]
    if len(rows) < _MIN_ROWS:
        return None
    rows = _amounts(_without_rules(rows), _texts_above(printed, rows[0]))
    width = mode(len(row.values) for row in rows)
    body = _rows_of_width(rows, width)
    if not _is_table(body):
        return None
    above = _texts_above(printed, body[0])
    unit = next(filter(is_unit_line, reversed(above)), "") or "".join(_UNIT_AT_END.findall("\n".join(above))[-1:])
    heads = _heads(group, above, width) or _heads_beside_changes(group, above, body, width)
    if not heads and width > 1:
        heads, body = _assembled(printed[: body[0].at][-_MOST_LINES_OF_HEADS:], body, width)
    body = _with_sections(body, heads, width)
    cells = [(row.label, *row.values) for row in body]
    if heads:
        cells.insert(0, (unit, *heads))
    return RawTable(
        table=Table(tuple(cells), header_rows=min(1, len(heads)), title=_title(above), unit=unit),
        first=group[0].first,
        last=body[-1].last,
        row_lines=tuple(map(attrgetter("first"), body)),
        row_ends=tuple(map(attrgetter("last"), body)),
    )


def _without_rules(rows: Sequence[RawRow]) -> list[RawRow]:
    """The rows without the number that ends several of them alike: a line drawn under totals with characters."""
    ends = chain.from_iterable(row.values[2:][-1:] for row in rows)
    times = Counter(filter(_WITH_COMMA.search, ends))
    return [replace(row, values=row.values[: -(times[row.values[-1]] >= _FEWEST_LINES) or None]) for row in rows]


def _amounts(rows: Sequence[RawRow], above: Sequence[str]) -> list[RawRow]:
    """The rows without the share of a total beside each amount, where each period of a Chinese page has a head "%"."""
    printed = "\n".join(above)
    periods = len(_PERCENT.findall(_LINE_OF_FIGURES.sub("", printed)))
    if is_chinese(printed) and 0 < periods <= len(_dates(above)):
        return [_of_amounts(row, periods) for row in rows]
    return list(rows)


def _of_amounts(row: RawRow, periods: int) -> RawRow:
    is_paired = len(row.values) == 2 * periods and all(map(_SHARE.fullmatch, row.values[1::2]))
    return replace(row, values=row.values[::2]) if is_paired else row


def _rows_of_width(rows: Sequence[RawRow], width: int) -> list[RawRow]:
    """The rows with so many values; a row with twice as many is followed by a total without a label."""
    fitting = []
    for row in rows:
        if row.label and len(row.values) == 2 * width:
            own, total = row.values[:width], row.values[width:]
            fitting.append(replace(row, values=own))
            fitting.append(RawRow("", total, row.first, row.last, row.to, row.to))
        elif len(row.values) == width:
            fitting.append(row)
    return fitting


def _is_table(body: Sequence[RawRow]) -> bool:
    """True for enough rows with labels and numbers that are not a list of contents."""
    if len(body) < _MIN_ROWS or _is_contents(body):
        return False
    if not any(row.label for row in body):
        return False
    values = chain.from_iterable(row.values for row in body)
    return any(map(is_number, values))


def _texts_above(printed: Sequence[Printed], row: RawRow) -> list[str]:
    """The lines above a row among which its heads, unit and title are looked for."""
    above = list(map(attrgetter("text"), printed[: row.at]))
    heads = sum(map(bool, map(_HEAD_OF_AMOUNTS.fullmatch, above[-_MOST_LINES_OF_HEADS:])))
    return above[-_LOOK_BACK - heads :]


def _with_sections(body: Sequence[RawRow], heads: Sequence[str], width: int) -> list[RawRow]:
    """The line before a row's label as a row of its own where it names a section: "Earnings per share:", a period."""
    rows = []
    for row in body:
        section = "".join(row.labels[-1:])
        if section not in heads and (_is_section(section) or _dates_in_line(section) == [section]):
            rows.append(RawRow(section, [""] * width, row.first, row.last, row.at, row.at))
        rows.append(row)
    return rows


def _is_section(text: str) -> bool:
    if not 0 < len(text) < _LONGEST_SECTION:
        return False
    return not (_NO_SECTION.search(text) or _OF_AMOUNTS.search(text) or is_unit_line(text))


def _is_contents(body: Sequence[RawRow]) -> bool:
    """True for one page number a row: small, and rising from row to row."""
    if len(body) < 3 or max(len(row.values) for row in body) > 1:
        return False
    texts = [row.values[0] for row in body]
    if not all(map(str.isdecimal, texts)):
        return False
    pages = list(map(int, texts))
    return pages == sorted(pages) and pages[-1] < _MOST_PAGES


def _heads(group: Sequence[RawRow], above: Sequence[str], width: int) -> tuple[str, ...]:
    """One head a column: a run of years, else of dates, each under the words that say what ended or stood then.

    ``above`` are the lines over the first row; nothing is returned where they hold no heads for all columns.
    """
    spans = _spans(above)
    runs = [row.values for row in group if row.is_years]
    fitting = [years for years in runs if len(years) == width]
    if fitting:
        return _under(_opened(spans, above), fitting[-1], ", ")
    dates = _dates(above)[-width:]
    if len(dates) < width:
        return ()
    return _under(spans, dates, " ")


def _heads_beside_changes(
    group: Sequence[RawRow], above: Sequence[str], body: Sequence[RawRow], width: int
) -> tuple[str, ...]:
    """Another period for each column but those of changes: in percent under such a head, or proven by their values."""
    columns = list(zip(*(row.values for row in body if row.label), strict=True))
    is_told = any(map(_CHANGE_HEAD.search, above))
    changes = [n for n in range(width) if (is_told and _is_in_percent(columns[n])) or _is_proven(columns, n)]
    periods = _heads(group, above, width - len(changes))
    if not changes or len(set(periods)) < max(1, len(periods)):
        return ()
    rest = iter(periods)
    return tuple(_CHANGE if n in changes else next(rest) for n in range(width))


def _is_in_percent(column: Sequence[str]) -> bool:
    """True where most values that are no dashes have a per cent sign."""
    numbers = list(filter(is_number, column))
    return sum("%" in number for number in numbers) > _PROVEN * len(numbers)


def _is_proven(columns: Sequence[Sequence[str]], n: int) -> bool:
    """True where most values of a column are the difference of the first two, or the percentage of it."""
    if n < 2:
        return False
    proven = [_tells_change(values) for values in zip(columns[0], columns[1], columns[n], strict=True)]
    return sum(proven) >= max(_MIN_ROWS, _PROVEN * len(proven))


def _assembled(above: Sequence[Printed], body: list[RawRow], width: int) -> tuple[tuple[str, ...], list[RawRow]]:
    """Heads put together from the lines right above the first row, and the rows without them in their sections.

    A head of several lines is known by the blank behind its last one. No heads where the lines do not give one for each
    column in exactly one way: a column must not be guessed.
    """
    for cells in ([[line.text] for line in above], _cells_of(above)):
        printed = _lines_of_heads(cells)
        heads = _shared_out([" ".join(cell) for cell in printed], width)
        if heads:
            told = " ".join(heads)
            first = replace(body[0], labels=[text for text in body[0].labels if text not in told])
            return heads, [first, *body[1:]]
    return (), body


def _cells_of(lines: Sequence[Printed]) -> list[list[str]]:
    """The lines of each cell: it goes on until a line that ends one."""
    cells = runs(lines, lambda cell, _: not (cell[-1].closes or _is_no_head([cell[-1].text])))
    return [[line.text for line in cell] for cell in cells]


def _lines_of_heads(cells: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The last cells that may be heads: short ones after the title, the unit or the text; sections are left out."""
    found: list[Sequence[str]] = []
    for lines in reversed(cells):
        text = " ".join(lines)
        if _is_no_head(lines):
            break
        is_section_of_first = not found and text.endswith((":", "："))
        if not is_section_of_first:
            found.insert(0, lines)
    return found


def _is_no_head(lines: Sequence[str]) -> bool:
    text = " ".join(lines)
    return max(map(len, lines)) > _LONGEST_HEAD or is_unit_line(text) or _NO_HEAD.search(text) is not None


def _shared_out(printed: Sequence[str], width: int) -> tuple[str, ...]:
    """One head a column from lines of one head each, of periods over other heads, of heads over a section's period, or
    of periods with words under them; each under the words that say what ended then.

    >>> _shared_out(["Fiscal 2023", "Fiscal 2022", "Sales", "Share", "Sales", "Share"], 4)
    ('Fiscal 2023 Sales', 'Fiscal 2023 Share', 'Fiscal 2022 Sales', 'Fiscal 2022 Share')
    >>> _shared_out(["Item", "2023", "2022", "before", "2022", "restated", "Change"], 4)
    ('2023', '2022 before', '2022 restated', 'Change')
    >>> _shared_out(["Cloud", "Devices", "Year ended June 30, 2022"], 2)
    ('Cloud', 'Devices')
    """
    periods = [bool(_dates_in_line(text)) for text in printed]
    if not any(periods):
        return tuple(printed) if len(printed) == width else ()
    start = periods.index(True)
    if start == width == len(printed) - 1:
        return tuple(printed[:-1])
    lines, periods = printed[start:], periods[start:]
    spans = list(filter(_ENDED.fullmatch, printed[:start]))
    if any(map(find_periods, printed[:start])) or width % max(1, len(spans)):
        return ()
    return _under(spans, _under_periods(lines, periods, width), " ")


def _under_periods(lines: Sequence[str], periods: Sequence[bool], width: int) -> tuple[str, ...]:
    """The same of lines of which the first is a period; ``periods`` says which of them are."""
    if len(lines) == width:
        return tuple(lines)
    over = periods.index(False) if False in periods else len(periods)
    under = lines[over:]
    if not any(periods[over:]) and not width % over:
        if len(under) * over == width:
            under = [*under] * over
        if len(under) == width:
            return _under(lines[:over], under, " ")
    heads: list[str] = []
    for text, is_period in zip(lines, periods, strict=True):
        if is_period or _CHANGE_HEAD.search(text):
            heads.append(text)
        else:
            heads[-1] = f"{heads[-1]} {text}"
    return tuple(heads) if len(heads) == width else ()


def _tells_change(values: Sequence[str]) -> bool:
    """True where the third value is the difference of the other two or the percentage of it."""
    read = list(filter(None, (parse_quantity(" ".join(value.replace("*", "").split())) for value in values)))
    if len(read) < len(values):
        return False
    first, second, told = read
    change = first.value - second.value
    if told.unit != "%":
        return abs(told.value) == abs(change)
    return bool(second.value) and abs(abs(change / second.value) * 100 - abs(told.value)) <= 1


def _spans(above: Sequence[str]) -> list[str]:
    """What ended: "Three Months Ended", with the day that the line below it gives."""
    spans = []
    for text, below in pairwise((*above, "")):
        if not _ENDED.fullmatch(text):
            continue
        if is_open_date(below):
            text = f"{text} {below}"
        spans.append(text.rstrip(","))
    return spans


def _opened(spans: list[str], above: Sequence[str]) -> list[str]:
    """One span with the words that say when it ended: "Years ended June 30"; several spans as they are."""
    if len(spans) > 1:
        return spans
    short = [text for text in above if len(text) < _LONGEST_SECTION]
    openings = [text.rstrip(",") for text in filter(_OPENING.search, short)]
    if not spans or not openings:
        return openings[-1:]
    if spans[0].endswith(openings[-1]):
        return spans
    return openings[-1:]


def _under(spans: Sequence[str], parts: Sequence[str], joint: str) -> tuple[str, ...]:
    """Parts with the span that each stands under, where they share out evenly."""
    if not spans or len(parts) % len(spans):
        return tuple(parts)
    share = len(parts) // len(spans)
    return tuple(f"{spans[number // share]}{joint}{part}" for number, part in enumerate(parts))


def _dates(above: Sequence[str]) -> list[str]:
    """The periods of the lines that give nothing else; of one line several: "December 28, 2019 December 29, 2018"."""
    return list(chain.from_iterable(map(_dates_in_line, above)))


def _dates_in_line(text: str) -> list[str]:
    """The periods of a text that is little more than these; the whole text where it is one."""
    mentions = find_periods(text)
    dates = [text[mention.start : mention.end] for mention in mentions]
    if len(dates) == 1 and len(text) - len(dates[0]) < _MOST_BESIDE_PERIOD:
        return [text]
    return dates if " ".join(dates).split() == text.split() else []


def _title(above: Sequence[str]) -> str:
    """The last line in capitals or with a statement's name."""
    short = [text for text in above if len(text) <= _LONGEST_TITLE]
    return next(filter(_TITLE.search, reversed(short)), "")

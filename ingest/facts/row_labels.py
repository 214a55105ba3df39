"""The labels of a table's rows: with the sections above them, subtotals without a name, rows that are periods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...core.period import Period
from ...core.period_text import find_periods
from ...core.quantity_text import parse_quantity
from ..table import Table
from .metrics import MetricList

_NOTE_MARK = re.compile(r"\s*[(（]\s*(?:\d{1,2}|[a-z]{1,2})\s*[)）](?=\s|$|[,:])|[*†‡]+")
_DOTS = re.compile(r"\s*\.{3,}\s*$|\s*…+\s*$")
_TOTAL = re.compile(r"^\s*(?:total|net|sub-?total)\b|合计$|总计$|小计$", re.IGNORECASE)
_MAX_SECTION = 90
_MANY_BLANKS = 0.3
"""Share of rows without values from which they are items without an amount, not sections."""


@dataclass(frozen=True, slots=True)
class RowLabel:
    """``name`` is the row's own label, ``path`` with its sections, outermost first."""

    row: int
    name: str
    path: tuple[str, ...]
    period: Period | None = None
    """Of a row, or of the section it stands in, that is named by a period."""
    period_row: bool = False
    """True where the label is nothing but a period: the column heads then name the metrics."""

    @property
    def full(self) -> str:
        return " > ".join(self.path)


def row_labels(table: Table) -> Iterator[RowLabel]:
    """Labels of the rows that have values."""
    sections: list[tuple[int, str]] = []
    period: Period | None = None
    rows = table.rows[table.header_rows :]
    blanks = sum(not any(row[1:]) for row in rows)
    for r, row in enumerate(rows, table.header_rows):
        depth = table.indents[r] if r < len(table.indents) else 0
        name = clean_label(row[0])
        has_values = any(row[1:])
        own = _only_period(name) if name else None
        if not has_values:
            if not name.endswith((":", "：")) and not own and blanks > _MANY_BLANKS * len(rows):
                continue
            sections = [s for s in sections if s[0] < depth]
            if own is not None:
                period = own
            elif name and len(name) <= _MAX_SECTION:
                sections.append((depth, name.rstrip(":：")))
            continue
        if not name:
            if sections:
                _, section = sections.pop()
                yield RowLabel(r, f"Total {section}", (*(text for _, text in sections), f"Total {section}"), period)
            elif _adds_up(rows[: r - table.header_rows], row):
                yield RowLabel(r, "Total", ("Total",), period)
            continue
        if _ends_section(sections, depth, name, table):
            sections = [s for s in sections if s[0] < depth]
        path = (*(text for _, text in sections), name)
        yield RowLabel(r, name, path, own or period, own is not None)
        if _TOTAL.search(name) and sections:
            sections = sections[:-1]


def _adds_up(above: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """True for a row without a name whose values are the sums of all rows above: a total."""
    shown = [(c, value) for c, text in enumerate(row) if c and (value := _value(text)) is not None]
    columns = [[value for line in above if (value := _value(line[c])) is not None] for c, _ in shown]
    return bool(shown) and all(
        len(values) > 1 and sum(values) == total for values, (_, total) in zip(columns, shown, strict=True)
    )


def _value(text: str) -> Decimal | None:
    quantity = parse_quantity(" ".join(text.split())) if text else None
    return quantity.value if quantity else None


def clean_label(text: str) -> str:
    """Without note marks and leader dots.

    >>> clean_label("Restricted cash (1) ......")
    'Restricted cash'
    """
    return _NOTE_MARK.sub("", _DOTS.sub("", text)).strip()


def metric_name(label: RowLabel, metrics: MetricList) -> str:
    """The canonical metric by the row's name, else with its section: "Basic" under "Earnings per share"."""
    tried = [label.name]
    if len(label.path) > 1:
        section = label.path[-2]
        tried += [f"{section} {label.name}", f"{label.name} {section}"]
    return next((found.name for text in tried if (found := metrics.find(text))), "")


def _ends_section(sections: list[tuple[int, str]], depth: int, name: str, table: Table) -> bool:
    """True where a row stands further out than the rows of the section, by its indent."""
    return bool(
        sections and table.indents and any(table.indents) and depth <= sections[-1][0] and not _TOTAL.search(name)
    )


def _only_period(name: str) -> Period | None:
    mentions = find_periods(name)
    if len(mentions) != 1:
        return None
    rest = name[: mentions[0].start] + name[mentions[0].end :]
    plain = re.sub(
        r"[\s,.:;()]|\b(?:as|at|of|the|balances?|year|fiscal|ended|in|for)\b|余额", "", rest, flags=re.IGNORECASE
    )
    return mentions[0].period if not plain else None

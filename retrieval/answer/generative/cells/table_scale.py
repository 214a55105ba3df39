"""In what scale and currency the figures of a table are printed: said in its head, above it, or in a line of units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from .....core.quantity import find_quantities
from .....core.units import currency_in, read_scale
from ..reply_text import is_table_row

_SHARES_ONLY = re.compile(r"\(shares? in (?:thousand|million)", re.IGNORECASE)
"""Says the scale of numbers of shares, not that of amounts."""
_SHARES_TOO = re.compile(r"shares? in (?:thousand|million)", re.IGNORECASE)
_IN_UNITS = re.compile(r"\bin (?:US |NT )?[$€£]?\s?(?:thousand|million|billion|000)", re.IGNORECASE)
_UNIT_LINE = re.compile(
    r"\b(?:in|dollars|amounts|expressed)\b.{0,30}(?:thousand|million|billion|000)|^\W?(?:millions|thousands)\W|单位",
    re.IGNORECASE,
)
_LINES_ABOVE = 3
_LONGEST = 300


def scale_of_lines(heads: Sequence[str], before: str, text: str) -> tuple[Decimal | None, str]:
    """Scale and currency: of the first head, else of the lines before the table, else of any unit line of the text."""
    near = [line for line in before.splitlines() if line.strip() and not _SHARES_ONLY.search(line)]
    lines = [*heads[:1], *reversed(near[-_LINES_ABOVE:]), *_unit_lines(text), *heads[1:]]
    factor: Decimal | None = None
    currency = ""
    for line in filter(_says_unit, lines):
        told = read_scale(line[-_LONGEST:])
        factor = told.factor if factor is None else factor
        currency = currency or told.currency
    return factor, currency or currency_in(" ".join(heads))


def lines_above(before: str) -> list[str]:
    """The last lines before a table, back to the table above it: its title and what leads to it."""
    lines: list[str] = []
    for line in reversed([line for line in before.splitlines() if line.strip()]):
        if is_table_row(line) or len(lines) == _LINES_ABOVE:
            break
        lines.append(line)
    return lines[::-1]


def scale_counts_too(heads: Sequence[str], before: str, text: str) -> bool:
    """True where numbers of shares are in the scale of the table, too."""
    return _SHARES_TOO.search(" ".join((*heads[:1], before, *_unit_lines(text)))) is not None


def _says_unit(line: str) -> bool:
    """True where a line tells in what amounts are given; a sentence about "$1.1 million" does not."""
    return not find_quantities(line) or _IN_UNITS.search(line) is not None


def _unit_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        bare = line.strip()
        if bare and not is_table_row(bare) and _UNIT_LINE.search(bare):
            yield bare

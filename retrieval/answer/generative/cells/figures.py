"""The amounts of a sentence, with bare whole numbers, and ranges whose ends share one unit and one scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from .....core.period_text import find_periods
from .....core.quantity import Quantity, find_quantities, scale_power

_BARE = re.compile(r"(?<![\w.,/-])\d{2,4}(?![\w/-]|[.,]\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = re.compile(rf"\b{_MONTH}\s$|^\s{_MONTH}\b", re.IGNORECASE)
"""Before or behind the day of a date without a year: "June 30 and December 31, 2019"."""
_LONGEST_MONTH = 11
_SCALE_BEHIND = re.compile(r"\s?(thousand|million|billion)\b", re.IGNORECASE)
_RANGE = re.compile(r"\s{0,3}(?:to|[-–—至到~])\s{0,3}", re.IGNORECASE)


def figures_of(text: str) -> list[Quantity]:
    """The amounts of a sentence, with bare whole numbers ("914") that are no year and no date."""
    found = [_with_scale_behind(figure, text) for figure in find_quantities(text)]
    taken = [(figure.start, figure.end) for figure in found]
    taken += [(mention.start, mention.end) for mention in find_periods(text)]
    for match in _BARE.finditer(text):
        is_inside = any(start <= match.start() < end for start, end in taken)
        if not is_inside and not _YEAR.fullmatch(match[0]) and not _is_day(match):
            found.append(_bare(match))
    return _with_range_units(sorted(found, key=lambda figure: figure.start), text)


def _with_range_units(figures: Sequence[Quantity], text: str) -> list[Quantity]:
    """ "15 to 20 percent", "$60 million - 61 million": the ends of a range have one unit and one scale."""
    whole = list(figures)
    for place, (first, last) in enumerate(pairwise(figures)):
        if not is_range(first, last, text):
            continue
        scale = last.scale if first.scale == 1 else first.scale
        whole[place] = replace(first, unit=first.unit or last.unit, scale=scale)
        value = abs(last.value) if last.text.startswith(("-", "−", "–")) else last.value
        whole[place + 1] = replace(
            last, value=value, unit=last.unit or first.unit, scale=first.scale if last.scale == 1 else last.scale
        )
    return whole


def is_range(first: Quantity, last: Quantity, text: str) -> bool:
    """True where nothing but "to" or a dash stands between two figures of no other unit."""
    if first.unit and last.unit and first.unit != last.unit:
        return False
    end = first.start + len(first.text)
    return _RANGE.fullmatch(text[end : last.start]) is not None or _is_dashed(text[end : last.start], last)


def _is_dashed(between: str, last: Quantity) -> bool:
    return not between.strip() and last.text.startswith(("-", "−", "–"))


def _is_day(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _LONGEST_MONTH) : match.start()]
    behind = match.string[match.end() : match.end() + _LONGEST_MONTH]
    return len(match[0]) <= 2 and (_DAY.search(before) is not None or _DAY.search(behind) is not None)


def _bare(match: re.Match[str]) -> Quantity:
    """A whole number without a sign of its own; "(168) million" is negative and has its scale behind the brackets."""
    text, value = match.string, Decimal(match[0])
    enclosed = text[match.start() - 1 : match.start()] == "(" and text[match.end() : match.end() + 1] == ")"
    behind = _SCALE_BEHIND.match(text, match.end() + 1) if enclosed else None
    if behind is None:
        return Quantity(match[0], value, start=match.start())
    scale = Decimal(10) ** scale_power(behind[1])
    return Quantity(f"({match[0]})", -value, scale=scale, start=match.start() - 1)


def _with_scale_behind(figure: Quantity, text: str) -> Quantity:
    """ "(45.6) million": the scale stands behind the brackets of a negative figure."""
    behind = _SCALE_BEHIND.match(text, figure.end)
    if behind is None or figure.scale != 1 or not figure.text.endswith(")"):
        return figure
    return replace(figure, scale=Decimal(10) ** scale_power(behind[1]))

"""May two figures be of one time? By the periods that are said of them."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.period import Period


def same_time(claimed: Sequence[Period], printed: Sequence[Period]) -> bool:
    """True where a claimed period may be one of the printed ones, or nothing is known of either.

    >>> same_time([Period.parse("2019")], [Period.parse("December 31, 2019")])
    True
    >>> same_time([Period.parse("Q2 2019")], [Period.parse("2019")])
    False
    """
    if not claimed or not printed:
        return True
    return any(_agree(one, other) for one in claimed for other in printed)


def _agree(one: Period, other: Period) -> bool:
    if not years_of(one) & years_of(other):
        return False
    if one.is_instant and other.is_instant and one.end and other.end:
        return one.end.month == other.end.month and one.end.year == other.end.year
    if one.is_instant or other.is_instant or "span" in (one.unit, other.unit):
        return True
    return (one.unit, one.number) == (other.unit, other.number)


def years_of(period: Period) -> set[int]:
    """Years by which it may be called: one that ends in the first weeks of a year is of the year before, too."""
    if period.unit == "span" and period.end:
        return set(range(period.year, period.end.year + 1))
    years = {period.year}
    if period.end is not None:
        years.add(period.end.year)
        if period.end.month == 1:
            years.add(period.end.year - 1)
    return years

"""Plain text that is set in two columns: the left one is put before the right one, as it is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ...core.records import dataclass

_GAP = re.compile(r"(?<=\S)(?: {2,400}(?=\S))")
_LEAST_LINES = 3
"""Lines of a paragraph from which two columns are believed."""
_LEAST_WIDTH = 20
"""Letters of a column of prose."""
_WRAPPED = 0.3
"""Share of lines of each column that go on with a small letter: sentences that are broken over lines, no cells."""
_LONGEST_LINE = 1_000
_HYPHEN = re.compile(r"(?<=[a-z]-) (?=[a-z])")
"""Between the halves of "same-store", which keep their hyphen: a word that was cut is rare in plain text."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """Lines ``first`` to ``last`` stand in two columns; the right one begins at letter ``start``."""

    first: int
    last: int
    start: int


def in_reading_order(lines: Sequence[str]) -> list[str]:
    """The lines with text that is set in two columns unfolded, its paragraphs on one line each, and all others as they
    are.

    >>> for line in in_reading_order([
    ...     "We own forty homes in the     We expect that the rents of",
    ...     "north of the country, most    next year will rise again,",
    ...     "of them in small towns.       but by less than this year.",
    ... ]):
    ...     print(line)
    We own forty homes in the north of the country, most of them in small towns.
    <BLANKLINE>
    We expect that the rents of next year will rise again, but by less than this year.
    <BLANKLINE>
    """
    shown: list[str] = []
    after = 0
    for columns in _stretches(lines):
        shown += lines[after : columns.first]
        stretch = lines[columns.first : columns.last + 1]
        for column in (_left(stretch, columns.start), _right(stretch, columns.start)):
            shown += _joined(column)
        after = columns.last + 1
    return [*shown, *lines[after:]] if after else list(lines)


def _joined(column: Sequence[str]) -> Iterator[str]:
    """The lines of a column, those of a paragraph as one."""
    for first, last in _paragraphs(column):
        paragraph = [line.strip() for line in column[first : last + 1]]
        if _is_prose(paragraph):
            yield _HYPHEN.sub("", " ".join(paragraph))
        else:
            yield from paragraph
        yield ""


def _left(stretch: Sequence[str], start: int) -> list[str]:
    return [line[:start].rstrip() for line in stretch]


def _right(stretch: Sequence[str], start: int) -> list[str]:
    return [line[start:].strip() for line in stretch]


def _stretches(lines: Sequence[str]) -> Iterator[_Columns]:
    """The stretches of two columns: paragraphs of them, with what stands beside each other above and below."""
    free = 0
    for first, last in _paragraphs(lines):
        start = _right_start(lines[first : last + 1])
        if not start or first < free:
            continue
        while first > free and _goes_on(lines, first - 1, -1, start):
            first -= 1
        while last + 1 < len(lines) and _goes_on(lines, last + 1, 1, start):
            last += 1
        yield _Columns(first, last, start)
        free = last + 1


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last line of each run of lines that are not blank."""
    begun = None
    for number, line in enumerate([*lines, ""]):
        if line.strip() and begun is None:
            begun = number
        elif not line.strip() and begun is not None:
            yield begun, number - 1
            begun = None


def _right_start(paragraph: Sequence[str]) -> int:
    """Where the right column begins; 0 for a paragraph that is none of two columns of sentences."""
    if any(len(line) > _LONGEST_LINE or "\t" in line for line in paragraph):
        return 0
    starts = Counter(gap.end() for line in paragraph for gap in _GAP.finditer(line))
    start, count = next(iter(starts.most_common(1)), (0, 0))
    is_usual = count >= _LEAST_LINES and 2 * count > len(paragraph)
    if start < _LEAST_WIDTH or not is_usual or any(_crosses(line, start) for line in paragraph):
        return 0
    sides = (_left(paragraph, start), _right(paragraph, start))
    return start if all(map(_is_prose, sides)) else 0


def _crosses(line: str, start: int) -> bool:
    """True for a line with a word where the columns are parted."""
    return bool(line[start - 2 : start].strip())


def _is_prose(column: Sequence[str]) -> bool:
    """True for sentences that are broken over lines, with no gap in any."""
    printed = list(filter(None, map(str.strip, column)))
    wrapped = sum(line[0].islower() for line in printed[1:])
    widest = max(map(len, printed), default=0)
    return widest >= _LEAST_WIDTH and wrapped > _WRAPPED * len(printed) and not any(map(_GAP.search, printed))


def _goes_on(lines: Sequence[str], number: int, step: int, start: int) -> bool:
    """True for a line that belongs to the columns: words on both sides of the gap, beyond blank lines or not."""
    line = lines[number]
    if not line.strip():
        beyond = number + step
        return 0 <= beyond < len(lines) and _stands_on_both_sides(lines[beyond], start)
    return _stands_on_both_sides(line, start)


def _stands_on_both_sides(line: str, start: int) -> bool:
    is_begun_there = bool(line[:start].strip()) and bool(line[start : start + 1].strip())
    return is_begun_there and not _crosses(line, start) and not _GAP.search(line[start:])

"""What is usual on a page: where its lines end, and how far below each other they stand."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..block import PrintedLine

_ALMOST = 2.0
"""A line that ends so many times its type size before the right end of its column still counts as full."""
_PITCH_REACH = 2.2
"""Heights of a line; base lines farther apart belong to different paragraphs."""
_OUTLIERS = 12
"""One line in so many may stick out to the right of its column."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The right ends of a page's columns and the pitch of its lines, in points."""

    rights: dict[tuple[int, int], float]
    """Page and column -> where full lines end."""
    pitches: dict[int, float]
    """Type size -> the usual distance of two base lines in it."""

    @classmethod
    def of(cls, lines: Sequence[PrintedLine]) -> Geometry:
        """Learn what is usual from the page's lines, in reading order."""
        return cls(_right_ends(lines), _pitches(lines))

    def is_full(self, line: PrintedLine) -> bool:
        """True where the line reaches the right end of its column."""
        return line.right > self.rights[line.place] - _ALMOST * line.size

    def has_no_room(self, line: PrintedLine, following: str) -> bool:
        """True where the first word of the ``following`` line would not have fitted at the end of the line."""
        first_word, *_ = following.split(maxsplit=1)
        return line.right + line.character_width * (1 + len(first_word)) > self.rights[line.place]


def _right_ends(lines: Sequence[PrintedLine]) -> dict[tuple[int, int], float]:
    ends: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        ends[line.place].append(line.right)
    rights = {}
    for place, values in ends.items():
        sticking_out = len(values) // _OUTLIERS
        rights[place] = sorted(values)[-1 - sticking_out]
    return rights


def _pitches(lines: Sequence[PrintedLine]) -> dict[int, float]:
    steps: defaultdict[int, list[float]] = defaultdict(list)
    for before, line in itertools.pairwise(lines):
        step = line.bottom - before.bottom
        is_near = 0 < step < _PITCH_REACH * line.height
        if is_near and before.place == line.place:
            steps[round(line.size)].append(step)
    return {size: _commonest(values) for size, values in steps.items()}


def _commonest(steps: Sequence[float]) -> float:
    """The commonest step, to half a point: paragraphs' gaps are rarer than lines'."""
    halves = Counter(round(step * 2) / 2 for step in steps)
    return halves.most_common(1)[0][0]

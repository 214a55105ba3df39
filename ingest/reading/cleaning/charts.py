"""What charts leave in the text: captions and the labels of their axes."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

from .patterns import CLEANING

_LONGEST_CAPTION = 180
_FEWEST_LABELS = 4
_LABEL = re.compile(r"^[($€£¥-]*\d[\d,.]*\s*[%xX倍)]*$")
_NOT_DIGIT = re.compile(r"[^\d.]")
_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)\d+(?:\.\d+)?")
"""Any but a year: years stand in equal steps in every table."""


def is_caption(text: str) -> bool:
    """True for a chart's caption or source line."""
    return len(text) < _LONGEST_CAPTION and CLEANING.any("caption", text)


def axis_labels(texts: Sequence[str]) -> list[int]:
    """Positions of a chart's axis labels: four and more lines of single numbers in equal steps; years are none.

    >>> axis_labels(["Sales", "0%", "5%", "10%", "15%", "2021", "2020", "2019", "2018"])
    [1, 2, 3, 4]
    """
    values = list(map(_label_value, texts))
    steps = [after - before for before, after in itertools.pairwise(values)]
    labels: list[int] = []
    start = 0
    while start < len(values):
        end = _end_of_equal_steps(steps, start)
        if end - start >= _FEWEST_LABELS:
            labels += range(start, end)
        start = end
    return labels


def _label_value(text: str) -> float:
    """The number of a line that may be an axis label, one in brackets is negative; nan for any other line."""
    stripped = text.strip()
    if not _LABEL.match(stripped):
        return math.nan
    digits = _NOT_DIGIT.sub("", stripped).strip(".")
    if not _NUMBER.fullmatch(digits):
        return math.nan
    value = float(digits)
    return -value if stripped[0] in "(-" else value


def _end_of_equal_steps(steps: Sequence[float], start: int) -> int:
    """The end of the run of lines from ``start`` that are as far apart from each other: after ``start`` at least."""
    end = start
    while end < len(steps) and _is_same_step(steps[end], steps[start]):
        end += 1
    return end + 1


def _is_same_step(step: float, first: float) -> bool:
    """False also for no step at all, and next to a line without a number: nan is equal to nothing."""
    return step != 0 and abs(step - first) <= 1e-6 * max(1.0, abs(first))

"""What charts leave in the text: captions and the labels of their axes."""

from __future__ import annotations

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
    values = [_label_value(text) for text in texts]
    labels: list[int] = []
    start = 0
    while start < len(values):
        end = _end_of_steps(values, start)
        if end - start >= _FEWEST_LABELS:
            labels += range(start, end)
        start = end
    return labels


def _label_value(text: str) -> float | None:
    """The number of a line that may be an axis label; one in brackets is negative."""
    stripped = text.strip()
    if not _LABEL.match(stripped):
        return None
    digits = _NOT_DIGIT.sub("", stripped).strip(".")
    if not _NUMBER.fullmatch(digits):
        return None
    value = float(digits)
    return -value if stripped[0] in "(-" else value


def _end_of_steps(values: Sequence[float | None], start: int) -> int:
    """The end of the run of numbers in equal steps from ``start``: after it at least, also where no number stands."""
    step: float | None = None
    for at in range(start + 1, len(values)):
        before, value = values[at - 1], values[at]
        if before is None or value is None:
            return at
        if value == before:
            return at
        if step is None:
            step = value - before
        elif abs(value - before - step) > 1e-6 * max(1.0, abs(step)):
            return at
    return len(values)

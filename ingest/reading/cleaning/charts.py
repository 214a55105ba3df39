"""What charts leave in the text: captions and the labels of their axes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .patterns import pattern

_STEPS = re.compile(r"^[($€£¥-]*\d[\d,.]*\s*[%xX倍)]*$")


def is_caption(text: str) -> bool:
    """True for a chart's caption or source line."""
    return len(text) < 180 and bool(pattern("caption").match(text))


def axis_labels(texts: Sequence[str]) -> list[int]:
    """Positions of a chart's axis labels: four and more lines of single numbers in equal steps; years are none.

    >>> axis_labels(["Sales", "0%", "5%", "10%", "15%", "2021", "2020", "2019", "2018"])
    [1, 2, 3, 4]
    """
    values = [_axis_value(text) for text in texts]
    found: list[int] = []
    start = 0
    for at in range(1, len(values) + 1):
        if at < len(values) and _continues(values, start, at):
            continue
        if at - start >= 4:
            found += range(start, at)
        start = at
    return found


def _axis_value(text: str) -> float | None:
    stripped = text.strip()
    if not _STEPS.match(stripped):
        return None
    digits = re.sub(r"[^\d.]", "", stripped).strip(".")
    if not digits or digits.count(".") > 1 or re.fullmatch(r"(19|20)\d\d", digits):
        return None
    return -float(digits) if stripped[0] in "(-" else float(digits)


def _continues(values: Sequence[float | None], start: int, at: int) -> bool:
    here, before, first = values[at], values[at - 1], values[start]
    if here is None or before is None or first is None or here == before:
        return False
    if at - start < 2:
        return True
    second = values[start + 1]
    step = (second if second is not None else first) - first
    return abs((here - before) - step) <= 1e-6 * max(1.0, abs(step))

"""Pictures of a comparison as inline SVG: bars with intervals, and recall over a budget of tokens.

Colours are the classes ``m0`` to ``m5`` of the page's style sheet, one a mode, so that pictures follow light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log2

from .benchmark import Row
from .tables import number

_BAR, _GAP, _LABEL, _WIDTH = 18, 7, 74, 300
_LINE_WIDTH, _LINE_HEIGHT = 620, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 90, 14, 40


def bars(metric: str, rows: Sequence[Row], modes: Sequence[str]) -> str:
    """One measure: a bar a mode from 0 to 1 (or to the largest end), with its interval as a whisker."""
    top = max(1.0, *((row.high if row.high is not None else row.value) for row in rows))
    height = len(rows) * (_BAR + _GAP) + 6
    body = [_bar(row, modes.index(row.system), place, top) for place, row in enumerate(rows)]
    axis = f'<line class="axis" x1="{_LABEL}" y1="0" x2="{_LABEL}" y2="{height - 4}"/>'
    name = escape(metric)
    return (
        f'<figure><figcaption>{name}</figcaption><svg viewBox="0 0 {_LABEL + _WIDTH} {height}" role="img" '
        f'aria-label="{name}">{axis}{"".join(body)}</svg></figure>'
    )


def recall_over_budget(curves: Mapping[str, Mapping[int, float]], modes: Sequence[str]) -> str:
    """Mean recall of the gold pages over the tokens of context, a line a mode; "" without curves."""
    budgets = sorted({budget for curve in curves.values() for budget in curve})
    if not budgets:
        return ""
    grid = "".join(_grid_line(share) for share in (0, 0.25, 0.5, 0.75, 1))
    ticks = "".join(_tick(budget, budgets) for budget in budgets)
    ends = _spread({mode: _y(curve[max(curve)]) for mode, curve in curves.items() if curve})
    lines = "".join(
        _line(mode, curve, budgets, modes.index(mode), ends[mode]) for mode, curve in curves.items() if curve
    )
    title = "Recall of the evidence over the tokens of context"
    return (
        f'<figure class="wide"><figcaption>{title}</figcaption><svg viewBox="0 0 {_LINE_WIDTH} {_LINE_HEIGHT}" '
        f'role="img" aria-label="{title}">{grid}{ticks}{lines}</svg></figure>'
    )


def _bar(row: Row, color: int, place: int, top: float) -> str:
    y = place * (_BAR + _GAP) + 2
    middle = y + _BAR / 2
    room = _WIDTH - 60
    length = max(1.0, room * row.value / top)
    parts = [
        f'<text class="name" x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{escape(row.system)}</text>',
        f'<rect class="m{color}" x="{_LABEL}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="3"/>',
    ]
    end = length
    if row.low is not None and row.high is not None:
        low, high = _LABEL + room * max(row.low, 0) / top, _LABEL + room * row.high / top
        parts.append(f'<path class="whisker" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8'
                     f'M{high:.1f} {middle - 4}v8"/>')  # fmt: skip
        end = max(length, high - _LABEL)
    parts.append(f'<text class="value" x="{_LABEL + end + 8:.1f}" y="{middle + 4}">{number(row.value)}</text>')
    return "".join(parts)


def _line(mode: str, curve: Mapping[int, float], budgets: Sequence[int], color: int, label_y: float) -> str:
    points = [(_x(budget, budgets), _y(curve[budget])) for budget in sorted(curve)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle class="m{color}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in points)
    label = f'<text class="value" x="{points[-1][0] + 12:.1f}" y="{label_y + 4:.1f}">{escape(mode)}</text>'
    return f'<polyline class="s{color}" points="{path}"/>{dots}{label}'


def _spread(ends: Mapping[str, float], least: float = 16) -> dict[str, float]:
    """Label positions pushed apart so that none covers another."""
    placed: dict[str, float] = {}
    last = -least
    for mode, y in sorted(ends.items(), key=lambda item: item[1]):
        last = max(y, last + least)
        placed[mode] = last
    return placed


def _grid_line(share: float) -> str:
    y = _y(share)
    text = f'<text class="tick" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.0%}</text>'
    return f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{_LINE_WIDTH - _RIGHT}" y2="{y}"/>{text}'


def _tick(budget: int, budgets: Sequence[int]) -> str:
    x = _x(budget, budgets)
    return f'<text class="tick" x="{x:.1f}" y="{_LINE_HEIGHT - 14}" text-anchor="middle">{budget:,}</text>'


def _x(budget: int, budgets: Sequence[int]) -> float:
    """Budgets double from tick to tick, so the axis is logarithmic."""
    span = log2(budgets[-1] / budgets[0]) or 1.0
    return _LEFT + 12 + (_LINE_WIDTH - _LEFT - _RIGHT - 24) * log2(budget / budgets[0]) / span


def _y(share: float) -> float:
    return _TOP + (_LINE_HEIGHT - _TOP - _BOTTOM) * (1 - share)

"""A trend picture as SVG: a figure over periods, a line for each company, axes with units, the sources below."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from html import escape
from math import ceil, floor, log10
from pathlib import PurePosixPath

from ..core.period import Period
from ..retrieval.calculation.arithmetic.series import Series

_WIDTH, _HEIGHT = 860, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 170, 62, 76
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
"""Okabe and Ito 2008: told apart by everybody."""
_SCALES = ((Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"), (Decimal(10) ** 3, "thousand"))
_FONT = "font-family=\"system-ui, 'Segoe UI', 'Noto Sans CJK SC', 'PingFang SC', sans-serif\""
_MARGIN = 16
_TICKS = 5
_FAR = 0.6
"""Share of the highest value above which the lowest makes an axis from zero waste the page."""
_MOST_LABELS = 12
_LEGEND_STEP = 16
_LONGEST_NAME = 22
_MOST_SOURCES = 4


def trend_svg(series: Sequence[Series], title: str) -> str:
    """The picture of series of one unit, at least one figure each."""
    periods = _periods(series)
    factor, unit = _unit(series)
    values = [[(f.period, float((f.value or 0) / factor)) for f in one.figures] for one in series]
    ticks = _ticks([value for line in values for _, value in line])
    frame = _Frame(periods, ticks[0], ticks[-1])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        f' role="img" {_FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 28, title, size=17, weight="600"),
        _text(_LEFT, 46, unit, size=12, colour="#666666"),
        *_grid(frame, ticks, periods),
        *(_line(frame, line, _COLOURS[n % len(_COLOURS)]) for n, line in enumerate(values)),
        *_legend(frame, series, values),
        _text(_LEFT, _HEIGHT - 16, _sources(series), size=11, colour="#666666"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Frame:
    """Places periods and values on the page."""

    def __init__(self, periods: Sequence[Period], low: float, high: float) -> None:
        self._first, self._last = periods[0].last_day.toordinal(), periods[-1].last_day.toordinal()
        self._low, self._high = low, high

    def x(self, period: Period) -> float:
        inner = _WIDTH - _LEFT - _RIGHT - 2 * _MARGIN
        days = self._last - self._first
        share = (period.last_day.toordinal() - self._first) / days if days else 0.5
        return _LEFT + _MARGIN + inner * share

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - self._low) / (self._high - self._low)


def _grid(frame: _Frame, ticks: Sequence[float], periods: Sequence[Period]) -> list[str]:
    parts = []
    step = ticks[1] - ticks[0]
    places = _places(step)
    for tick in ticks:
        y = frame.y(tick)
        dark = tick == 0 or tick == ticks[0]
        parts.append(_rule(_LEFT, y, _WIDTH - _RIGHT, y, "#999999" if dark else "#e4e4e4"))
        parts.append(_text(_LEFT - 8, y + 4, f"{tick:,.{places}f}", size=12, anchor="end", colour="#444444"))
    every = ceil(len(periods) / _MOST_LABELS)
    for period in periods[::every]:
        x = frame.x(period)
        parts.append(_text(x, _HEIGHT - _BOTTOM + 20, period.label, size=12, anchor="middle", colour="#444444"))
    return parts


def _line(frame: _Frame, points: Sequence[tuple[Period | None, float]], colour: str) -> str:
    places = [(frame.x(period), frame.y(value), period, value) for period, value in points if period]
    path = " ".join(f"{'M' if n == 0 else 'L'}{x:.1f} {y:.1f}" for n, (x, y, _, _) in enumerate(places))
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}"><title>{period}: {value:,.4g}</title></circle>'
        for x, y, period, value in places
    )
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>{dots}'


def _legend(
    frame: _Frame, series: Sequence[Series], values: Sequence[Sequence[tuple[Period | None, float]]]
) -> list[str]:
    """Each name at the end of its line, moved down where names would lie on each other."""
    order = sorted(range(len(series)), key=lambda n: frame.y(values[n][-1][1]))
    parts, free = [], float(_TOP)
    for n in order:
        y = max(frame.y(values[n][-1][1]) + 4, free)
        free = y + _LEGEND_STEP
        name = series[n].company
        shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        parts.append(_text(_WIDTH - _RIGHT + 12, y, shown, size=12, colour=_COLOURS[n % len(_COLOURS)], weight="600"))
    return parts


def _text(
    x: float, y: float, text: str, *, size: int, colour: str = "#222222", weight: str = "400", anchor: str = "start"
) -> str:
    style = f'font-size="{size}" fill="{colour}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def _rule(x: float, y: float, right: float, bottom: float, colour: str) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{bottom:.1f}" stroke="{colour}"/>'


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers around the values, zero among them unless all are far from it.

    >>> _ticks([12.0, 47.0])
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
    """
    low, high = min(values), max(values)
    if low > 0 and (low == high or low < _FAR * high):
        low = 0.0
    if high < 0 and (low == high or high > _FAR * low):
        high = 0.0
    raw = (high - low or abs(high) or 1.0) / _TICKS
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, max(last, first + 1) + 1)]


def _places(step: float) -> int:
    """Decimals that steps between ticks need.

    >>> _places(2.5), _places(20.0), _places(0.05)
    (1, 0, 2)
    """
    return next((places for places in range(10) if abs(round(step, places) - step) < step / 1000), 10)


def _unit(series: Sequence[Series]) -> tuple[Decimal, str]:
    """What values are divided by, and the words for it."""
    unit = series[0].unit
    if unit in ("%", "pp"):
        return Decimal("0.01"), "per cent"
    most = max(abs(figure.value or Decimal(0)) for one in series for figure in one.figures)
    factor, word = next(((f, w) for f, w in _SCALES if most >= f and "/" not in unit), (Decimal(1), ""))
    return factor, " ".join(part for part in (unit if unit != "x" else "times", word) if part)


def _periods(series: Sequence[Series]) -> list[Period]:
    found = {f.period.label: f.period for one in series for f in one.figures if f.period}
    return sorted(found.values(), key=lambda period: period.sort_key)


def _sources(series: Sequence[Series]) -> str:
    names = list(dict.fromkeys(PurePosixPath(source).name for one in series for source in one.sources))
    more = f" and {len(names) - _MOST_SOURCES} more" if len(names) > _MOST_SOURCES else ""
    return f"Sources: {', '.join(names[:_MOST_SOURCES])}{more}"

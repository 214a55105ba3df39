"""Charts as SVG, without a library or a script: lines with their names at the end, bars with intervals.

Places on a chart are shares of it, 0..1 from left to right and from bottom to top. A chart within a page takes its
colours from the page's style sheet, so that it follows light and dark; a chart in a file of its own carries them, since
other programs know no style sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from html import escape
from math import ceil, floor, log10
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ..core.plain import shortened
from ..core.records import dataclass
from .page import element

if TYPE_CHECKING:
    from ..core.period import Period
    from ..retrieval.calculation.aggregates import Series
    from ..retrieval.calculation.result import Figure

Look = Callable[[str, int], Mapping[str, str]]
"""Attributes of a part of a chart ("line", "dot", "tick" ...) that belongs to the n-th series, or to none."""

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
"""Okabe and Ito 2008: told apart by everybody."""
_PAGE_COLOURS = 6
"""Series that the page's style sheet has a colour for."""
_FONT = "system-ui, 'Segoe UI', 'Noto Sans CJK SC', 'PingFang SC', sans-serif"
_PRINTED: Mapping[str, Mapping[str, str]] = {
    "title": {"font-size": "17", "font-weight": "600", "fill": "#222222"},
    "unit": {"font-size": "12", "fill": "#666666"},
    "note": {"font-size": "11", "fill": "#666666"},
    "tick": {"font-size": "12", "fill": "#444444"},
    "grid": {"stroke": "#e4e4e4"},
    "axis": {"stroke": "#999999"},
    "line": {"fill": "none", "stroke-width": "2.2", "stroke-linejoin": "round"},
    "dot": {},
    "name": {"font-size": "12", "font-weight": "600"},
}
_NAME_STEP = 16
"""Pixels between the names of two lines that end at the same height."""
_BAR, _BAR_STEP = 18, 25
"""Pixels of a bar, and from one to the next."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The sides of a chart in pixels: the whole, the borders around the lines, and a margin at both ends of them."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    margin: int

    def x(self, share: float) -> float:
        """Pixels from the left."""
        return self.left + self.margin + (self.width - self.left - self.right - 2 * self.margin) * share

    def y(self, share: float) -> float:
        """Pixels from the top."""
        return self.height - self.bottom - (self.height - self.top - self.bottom) * share


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a line, and what is told of it where the pointer rests."""

    x: float
    y: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """The n-th series, by its points from left to right, at least one."""

    name: str
    series: int
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Tick:
    """A label beside the chart or below it; ``strong`` draws its line as the axis."""

    at: float
    label: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A value of the n-th series with its interval; lengths are shares of the longest bar that there may be."""

    name: str
    series: int
    length: float
    label: str
    interval: tuple[float, float] | None = None


def printed(part: str, series: int = 0) -> Mapping[str, str]:
    """Colours in the chart itself."""
    colour = _COLOURS[series % len(_COLOURS)]
    paint = {"line": {"stroke": colour}, "dot": {"fill": colour}, "name": {"fill": colour}}
    return {**_PRINTED[part], **paint.get(part, {})}


def styled(part: str, series: int = 0) -> Mapping[str, str]:
    """Classes of the page's style sheet: ``s0`` ... for lines, ``m0`` ... for what is filled."""
    number = series % _PAGE_COLOURS
    classes = {"line": f"s{number}", "dot": f"m{number}", "bar": f"m{number}", "name": f"name m{number}"}
    return {"class": classes.get(part, part)}


def line_chart(frame: Frame, lines: Sequence[Line], across: Sequence[Tick], up: Sequence[Tick], look: Look) -> str:
    """Lines over a grid, each with its name at its end; ``across`` are the ticks below, ``up`` those at the left."""
    left, right, below = frame.left, frame.width - frame.right, frame.height - frame.bottom + 20
    parts = []
    for tick in up:
        y = frame.y(tick.at)
        rule = look("axis" if tick.strong else "grid", 0)
        parts.append(element("line", x1=left, y1=y, x2=right, y2=y, **rule))
        parts.append(_text(left - 8, y + 4, tick.label, look("tick", 0), "end"))
    for tick in across:
        parts.append(_text(frame.x(tick.at), below, tick.label, look("tick", 0), "middle"))
    for line in lines:
        places = [f"{frame.x(point.x):.1f} {frame.y(point.y):.1f}" for point in line.points]
        parts.append(element("path", d="M" + " L".join(places), **look("line", line.series)))
        parts.extend(_dot(frame, point, look("dot", line.series)) for point in line.points)
    heights = _spread([frame.y(line.points[-1].y) for line in lines])
    for line, y in zip(lines, heights, strict=True):
        parts.append(_text(right + 12, y + 4, line.name, look("name", line.series)))
    return "\n".join(parts)


def bar_chart(bars: Sequence[Bar], width: int, label_width: int) -> str:
    """Bars one below the other for a page: the name at the left, the value at the end, the interval as a whisker."""
    height = len(bars) * _BAR_STEP + 6
    parts = [element("line", x1=label_width, y1=0, x2=label_width, y2=height - 4, **styled("axis"))]
    for place, bar in enumerate(bars):
        parts.append(_bar(bar, label_width, width - label_width - 60, place * _BAR_STEP + 2))
    return svg(width, height, *parts)


@dataclass(frozen=True, slots=True)
class Step:
    """One bar of a waterfall, from ``low`` to ``high`` as shares of its width; ``kind`` is its class."""

    name: str
    low: float
    high: float
    label: str
    kind: str


def waterfall_chart(steps: Sequence[Step], width: int, label_width: int, title: str) -> str:
    """Bars one below the other, each beginning where the one before ends; thin lines lead from one to the next."""
    room, height = width - label_width - 90, len(steps) * _BAR_STEP + 6
    parts = []
    for place, step in enumerate(steps):
        top = place * _BAR_STEP + 2
        left, right = (label_width + room * share for share in (step.low, step.high))
        told = element("title", escape(f"{step.name}: {step.label}"))
        parts.append(_text(label_width - 8, top + _BAR / 2 + 4, step.name, styled("value"), "end"))
        parts.append(
            element("rect", told, x=left, y=top, width=max(1.5, right - left), height=_BAR, rx=2, class_=step.kind)
        )
        parts.append(_text(right + 8, top + _BAR / 2 + 4, step.label, styled("value")))
    return svg(width, height, *parts, title=title)


def svg(width: int, height: int, *content: str, title: str | None = None) -> str:
    """A drawing within a page, as wide as its place."""
    return element("svg", *content, role="img", viewBox=f"0 0 {width} {height}", aria_label=title)


def _dot(frame: Frame, point: Point, look: Mapping[str, str]) -> str:
    title = element("title", escape(point.told))
    return element("circle", title, cx=frame.x(point.x), cy=frame.y(point.y), r=3.6, **look)


def _bar(bar: Bar, left: int, room: int, top: int) -> str:
    middle = top + _BAR / 2
    end = max(1.0, room * bar.length)
    parts = [
        _text(left - 8, middle + 4, bar.name, styled("value"), "end"),
        element("rect", x=left, y=top, width=end, height=_BAR, rx=3, **styled("bar", bar.series)),
    ]
    if bar.interval:
        low, high = (room * max(0.0, side) for side in bar.interval)
        parts.append(_whisker(left + low, left + high, middle))
        end = max(end, high)
    parts.append(_text(left + end + 8, middle + 4, bar.label, styled("value")))
    return "".join(parts)


def _whisker(low: float, high: float, y: float) -> str:
    path = f"M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 4}v8M{high:.1f} {y - 4}v8"
    return element("path", d=path, **styled("whisker"))


def ticks(values: Sequence[float], count: int = 5, far: float = 0.6) -> list[float]:
    """Round numbers around the values, about ``count`` steps, zero among them unless all are far from it.

    ``far`` is the share of the highest value above which the lowest makes an axis from zero waste the page.

    >>> ticks([12.0, 47.0])
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
    """
    low, high = min(values), max(values)
    near, farthest = sorted((low, high), key=abs)
    same_side = near * farthest > 0
    if same_side and (low == high or abs(near) < far * abs(farthest)):
        low, high = min(0.0, low), max(0.0, high)
    step = _round_step((high - low or 1.0) / count)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, max(last, first + 1) + 1)]


def _round_step(least: float) -> float:
    """1, 2, 2.5 or 5 times a power of ten, not below ``least``."""
    power = 10.0 ** floor(log10(least))
    for factor in (1, 2, 2.5, 5):
        if factor * power >= least * 0.999:
            return factor * power
    return 10 * power


def decimals(step: float) -> int:
    """Decimals that steps between ticks need.

    >>> decimals(2.5), decimals(20.0), decimals(0.05)
    (1, 0, 2)
    """
    for places in range(10):
        if abs(round(step, places) - step) < step / 1000:
            return places
    return 10


def _spread(heights: Sequence[float]) -> list[float]:
    """The heights of names, moved down where one would lie on another."""
    placed = list(heights)
    free = 0.0
    for number in sorted(range(len(placed)), key=lambda n: heights[n]):
        placed[number] = max(placed[number], free)
        free = placed[number] + _NAME_STEP
    return placed


def _text(x: float, y: float, text: str, look: Mapping[str, str], anchor: str | None = None) -> str:
    return element("text", escape(text), x=x, y=y, text_anchor=anchor, **look)


# --- a figure over periods, as a file of its own

_TREND = Frame(width=860, height=460, left=74, right=170, top=62, bottom=76, margin=16)
_SCALES = ((Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"), (Decimal(10) ** 3, "thousand"))
_MOST_LABELS = 12
_LONGEST_NAME = 22
_MOST_SOURCES = 4


def trend_svg(series: Sequence[Series], title: str) -> str:
    """A figure over periods, a line for each company, the sources below: series of one unit, at least a figure each."""
    frame, figures = _TREND, [figure for one in series for figure in one.figures]
    factor, unit = _unit(series[0].unit, figures)
    marks = ticks([_drawn(figure, factor) for figure in figures])
    axis = _Axes(_periods(figures), marks[0], marks[-1])
    lines = [
        Line(shortened(one.company, _LONGEST_NAME), n, axis.points(one.figures, factor)) for n, one in enumerate(series)
    ]
    places = decimals(marks[1] - marks[0])
    up = [Tick(axis.up(mark), f"{mark:,.{places}f}", strong=mark in (0, marks[0])) for mark in marks]
    every = ceil(len(axis.periods) / _MOST_LABELS)
    across = [Tick(axis.across(period), period.label) for period in axis.periods[::every]]
    parts = (
        element("title", escape(title)),
        element("rect", width=frame.width, height=frame.height, fill="#ffffff"),
        _text(frame.left, 28, title, printed("title")),
        _text(frame.left, 46, unit, printed("unit")),
        line_chart(frame, lines, across, up, printed),
        _text(frame.left, frame.height - 16, _sources(series), printed("note")),
    )
    drawing = element(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {frame.width} {frame.height}",
        width=frame.width,
        height=frame.height,
        role="img",
        font_family=_FONT,
    )
    return drawing + "\n"


@dataclass(frozen=True, slots=True)
class _Axes:
    """Periods by their last day from left to right, values from ``low`` to ``high``."""

    periods: Sequence[Period]
    low: float
    high: float

    def across(self, period: Period) -> float:
        first, last = self.periods[0].last_day, self.periods[-1].last_day
        days = (last - first).days
        return (period.last_day - first).days / days if days else 0.5

    def up(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def points(self, figures: Sequence[Figure], factor: Decimal) -> list[Point]:
        points = []
        for figure in figures:
            if figure.period:
                value = _drawn(figure, factor)
                points.append(Point(self.across(figure.period), self.up(value), f"{figure.period}: {value:,.4g}"))
        return points


def _drawn(figure: Figure, factor: Decimal) -> float:
    return float((figure.value or Decimal(0)) / factor)


def _unit(unit: str, figures: Sequence[Figure]) -> tuple[Decimal, str]:
    """What values are divided by, and the words for it."""
    if unit in ("%", "pp"):
        return Decimal("0.01"), "per cent"
    name = "times" if unit == "x" else unit
    most = max(abs(figure.value or Decimal(0)) for figure in figures)
    for factor, word in _SCALES:
        if most >= factor and "/" not in unit:
            return factor, f"{name} {word}".strip()
    return Decimal(1), name


def _periods(figures: Sequence[Figure]) -> list[Period]:
    found = {figure.period.label: figure.period for figure in figures if figure.period}
    return sorted(found.values(), key=lambda period: period.sort_key)


def _sources(series: Sequence[Series]) -> str:
    found: dict[str, None] = {}
    for one in series:
        found.update(dict.fromkeys(PurePosixPath(source).name for source in one.sources))
    names = list(found)
    more = f" and {len(names) - _MOST_SOURCES} more" if len(names) > _MOST_SOURCES else ""
    return f"Sources: {', '.join(names[:_MOST_SOURCES])}{more}"

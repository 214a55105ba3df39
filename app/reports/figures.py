"""Tables of figures: a row a metric, a column a period or a company, each cell with the places it comes from.

A figure is shown only where the calculator, asked for it alone, finds the same: a filing also holds balance sheets of
joint ventures, and figures of a segment in place of one that is not stated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from .parts import Cell, Grid, metric_name, word

if TYPE_CHECKING:
    from datetime import date

    from ..core.language import Language
    from ..core.period import Period
    from ..retrieval.calculation.aggregates import Series
    from ..retrieval.calculation.result import Component, Figure
    from ..workspace import Workspace
    from .parts import Numbering

_MILLION, _WAN = 10**6, 10**4
_Known = Mapping[str, Sequence["Series"]]
"""Name of a metric as it is asked for -> its figures, a series a company."""


@dataclass(slots=True)
class FigureTables:
    """Makes the tables and charts of one report. ``companies`` are names as the documents print them."""

    workspace: Workspace
    companies: tuple[str, ...]
    periods: tuple[Period, ...]
    language: Language
    numbering: Numbering

    def grid(self, names: Sequence[str], years: int) -> Grid | None:
        """A row a metric: of one company its periods side by side, of several the last of each; None without any."""
        known: dict[str, Sequence[Series]] = {}
        for name in names:
            series = self._series(name)
            if series:
                known[name] = series
        if not known:
            return None
        return self._side_by_side(known) if len(self.companies) > 1 else self._by_period(known, years)

    def chart(self, metric: str) -> str:
        """The metric over its years as SVG; "" where fewer than two years are known."""
        from ..views.charts import trend_svg

        found = self.workspace.series(metric, self.companies)
        series = [one for one in found if len(one.figures) > 1]
        drawn = [one for one in series if one.unit == series[0].unit]
        return trend_svg(drawn, self._metric(drawn[0].name)) if drawn else ""

    def _series(self, name: str) -> list[Series]:
        """The figures of a metric; none that the calculator found in place of one that is not stated."""
        own: list[Series] = []
        for one in self.workspace.series(name, self.companies, self.periods or None):
            figures = tuple(figure for figure in one.figures if _is_of_metric(figure, one.name))
            if figures:
                own.append(replace(one, figures=figures))
        return own

    def _by_period(self, known: _Known, years: int) -> Grid:
        """A column a period, the latest first."""
        periods = _latest_periods(known, years)
        rows: list[tuple[Cell, ...]] = []
        for name, series in known.items():
            by_period = {figure.period: figure for figure in series[0].figures}
            cells: list[Cell] = []
            for period in periods:
                figure = by_period.get(period)
                is_sure = figure is not None and _is_of_day(figure, _usual_day(known, period))
                cells.append(self._cell(name, figure) if is_sure else Cell(""))
            rows.append((Cell(self._metric(name)), *cells))
        head = (word("figure", self.language), *(period.label for period in periods))
        return Grid("", head, tuple(_with_a_figure(rows)))

    def _side_by_side(self, known: _Known) -> Grid:
        """A column a company: its last figure, with the period."""
        companies = list(dict.fromkeys(one.company for series in known.values() for one in series))
        rows: list[tuple[Cell, ...]] = []
        for name, series in known.items():
            last = {one.company: one.figures[-1] for one in series}
            cells: list[Cell] = []
            for company in companies:
                figure = last.get(company)
                cell = self._cell(name, figure)
                if cell.text and figure is not None and figure.period is not None:
                    cell = replace(cell, text=f"{cell.text} ({figure.period.label})")
                cells.append(cell)
            rows.append((Cell(self._metric(name)), *cells))
        return Grid("", (word("figure", self.language), *companies), tuple(_with_a_figure(rows)))

    def _cell(self, name: str, figure: Figure | None) -> Cell:
        """The figure with what it rests on; empty where the calculator does not find the same."""
        if figure is None or figure.value is None or not self._is_certain(name, figure):
            return Cell("")
        numbers = [self._place(component) for component in figure.components]
        return Cell(shown(figure, self.language), tuple(dict.fromkeys(numbers)))

    def _place(self, component: Component) -> int:
        fact = component.fact
        said = f"{fact.label}: {fact.text}"
        return self.numbering.place(fact.source, said, fact.start, fact.end, fact.anchors, fact.page)

    def _is_certain(self, name: str, figure: Figure) -> bool:
        if figure.period is None:
            return False
        answer = self.workspace.calc(name, figure.company or None, figure.period).answer
        return answer is not None and any(one.value == figure.value for one in answer.figures)

    def _metric(self, name: str) -> str:
        named = metric_name(name, self.language)
        if named:
            return named
        if self.language == "zh":
            from ..retrieval.calculation.formatting import in_chinese

            return in_chinese(name, self.workspace.vocabulary.formulas)
        return f"{name[:1].upper()}{name[1:]}"


def _with_a_figure(rows: Iterable[tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
    for row in rows:
        if any(cell.text for cell in row[1:]):
            yield row


def _latest_periods(known: _Known, count: int) -> list[Period]:
    periods = {figure.period for figure in _figures_of(known) if figure.period is not None}
    return sorted(periods, key=_last_day, reverse=True)[:count]


def _last_day(period: Period) -> date:
    return period.last_day


def _figures_of(known: _Known) -> Iterator[Figure]:
    """The figures of the one company that the table is of."""
    for series in known.values():
        yield from series[0].figures


def _is_of_metric(figure: Figure, metric: str) -> bool:
    """False for operating income where operating cash flow was asked; what is calculated is of several metrics."""
    if len(figure.components) != 1:
        return True
    return figure.components[0].fact.metric in ("", metric)


def _days_of(figure: Figure) -> list[date]:
    """The days on which what a figure is made of ends, the year before it left aside."""
    periods = [component.fact.period for component in figure.components if not component.back]
    return [period.last_day for period in periods if period is not None]


def _is_of_day(figure: Figure, day: date | None) -> bool:
    """True for a balance of the column's day: a joint venture's is of the end of its own year."""
    return day is None or set(_days_of(figure)) == {day}


def _usual_day(known: _Known, period: Period) -> date | None:
    """The day on which most figures of a period end."""
    days: Counter[date] = Counter()
    for figure in _figures_of(known):
        if figure.period == period:
            days.update(_days_of(figure))
    return days.most_common(1)[0][0] if days else None


def shown(figure: Figure, language: Language) -> str:
    """A figure for a table: "34.6 %", "USD 81,288 million", "3.91 USD/share"."""
    value = figure.value or Decimal(0)
    if figure.unit in ("%", "pp"):
        return f"{value * 100:.1f} {figure.unit}"
    is_money = len(figure.unit) == 3 and figure.unit.isupper()
    if not is_money:
        places = 2 if value % 1 else 0
        return f"{value:,.{places}f} {figure.unit}".strip()
    if language == "zh":
        return f"{value / _WAN:,.2f}万 {figure.unit}"
    if abs(value) < _MILLION:
        return f"{figure.unit} {value:,.0f}"
    return f"{figure.unit} {value / _MILLION:,.0f} million"

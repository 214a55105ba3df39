"""Tables of figures (a row a metric, a column a period or a company), and of what documents state: what moved a
figure, and relations; each cell or row with the places and sentences it comes from.

A figure is shown only where the calculator, asked for it alone, finds the same: a filing also holds balance
sheets of joint ventures, and figures of a segment in place of one that is not stated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.patterns import PatternTable
from ..core.period import label_of
from ..core.plain import first_words
from ..core.quantity import is_currency
from ..core.records import dataclass
from .parts import Cell, Grid, metric_name, word

if TYPE_CHECKING:
    from datetime import date

    from ..core.language import Language
    from ..core.period import Period
    from ..kg.drivers import Driver
    from ..kg.graph import Relation, Statement
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
    if not is_currency(figure.unit):
        places = 2 if value % 1 else 0
        return f"{value:,.{places}f} {figure.unit}".strip()
    if language == "zh":
        return f"{value / _WAN:,.2f}万 {figure.unit}"
    if abs(value) < _MILLION:
        return f"{figure.unit} {value:,.0f}"
    return f"{figure.unit} {value / _MILLION:,.0f} million"


_MOST_DRIVERS, _MOST_RELATIONS = 12, 15
_SUBGRAPH = 400
_ARROWS: Mapping[str, str] = {"up": "▲", "down": "▼", "flat": "▬", "": "·"}
_LONGEST = 300
"""Characters of a sentence in a table; its citation has all of it."""
_LONGEST_NAME = 9
"""Words of the name of a figure; what has more is a clause."""
_SURE = PatternTable(__package__, "stated.toml", "sure")
_WORD = re.compile(r"\w+")


# --- what moved a figure


def driver_grid(drivers: Sequence[Driver], numbering: Numbering, language: Language) -> Grid | None:
    """What moved figures, the latest and the largest first; None where there is nothing to show."""
    rows = [_driver_row(driver, numbering, language) for driver in telling_drivers(drivers)[:_MOST_DRIVERS]]
    head = tuple(word(name, language) for name in ("figure", "period", "moved", "causes", "sentence"))
    return Grid("", head, tuple(rows)) if rows else None


def telling_drivers(drivers: Iterable[Driver]) -> list[Driver]:
    """Those that name a figure and a cause, each once, the latest and the largest first."""
    kept = [driver for driver in drivers if driver.causes and names_a_figure(driver)]
    kept.sort(key=_importance)
    return _once(kept)


def _once(drivers: Sequence[Driver]) -> list[Driver]:
    """Without those that say again what one before them says: management repeats itself segment by segment."""
    chosen: list[Driver] = []
    said: set[tuple[str, ...]] = set()
    for driver in drivers:
        period = label_of(driver.period)
        causes = "; ".join(cause.text for cause in driver.causes)
        amount = driver.change or driver.percent
        keys: set[tuple[str, ...]] = {("causes", period, causes)}
        if amount is not None:
            keys.add(("amount", period, driver.label.lower(), amount.text))
        if said.isdisjoint(keys):
            chosen.append(driver)
        said |= keys
    return chosen


def names_a_figure(driver: Driver) -> bool:
    """True where what is said to have moved is a figure that the sentence names before it says why.

    "... was driven by revenues from Comirnaty" is no movement of these revenues, and "higher net income adjusted for
    non-cash items, a" is a piece of a list.
    """
    label = driver.label
    if not label or len(label.split()) > _LONGEST_NAME or _SURE.any("no_figure", label):
        return False
    at = driver.text.find(label)
    because = _SURE.first("because", driver.text)
    is_named_late = at >= 0 and because is not None and because.end() <= at
    return not is_named_late and not _SURE.any("unfinished", driver.causes[0].text)


def _importance(driver: Driver) -> tuple[int, bool, bool, int, int]:
    """The latest period first, then known metrics and what has an amount, then the whole before its parts."""
    day = driver.period.last_day.toordinal() if driver.period else 0
    has_amount = driver.change is not None or driver.percent is not None
    return -day, not driver.metric, not has_amount, len(_WORD.findall(driver.label)), driver.start


def _driver_row(driver: Driver, numbering: Numbering, language: Language) -> tuple[Cell, ...]:
    number = numbering.place(driver.document, driver.text, driver.start, driver.end, driver.anchors, driver.page)
    causes = "; ".join(" ".join(cause.text.split()) for cause in driver.causes)
    period = label_of(driver.period)
    sentence = Cell(shortened(driver.text), (number,))
    return Cell(figure_name(driver)), Cell(period), Cell(moved(driver, language)), Cell(shortened(causes)), sentence


def figure_name(driver: Driver) -> str:
    """The moved figure as the sentence names it, with what it leaves out: "revenues, excluding Comirnaty"."""
    without = _SURE.first("without", driver.text)
    return f"{driver.label}, {without[0][:1].lower()}{without[0][1:]}" if without else driver.label


def moved(driver: Driver, language: Language) -> str:
    """ "▲ $785 million", "▼ to 36.2%": by how much, else to what it moved."""
    arrow = _ARROWS[driver.direction]
    amount = driver.change or driver.percent
    if amount is not None:
        is_bare = driver.change is None and amount.text[-1:].isdigit()
        said = f"{amount.text}%" if is_bare else amount.text
        if f" to {said}" in driver.text:
            return f"{arrow} {word('level', language)} {said}"
        if _is_level(driver, said):
            return arrow
        # A cash outflow that fell by a quarter is printed as -24.60: the sign of the print stands alone.
        return said if said.startswith("-") and driver.direction == "up" else f"{arrow} {said}"
    if driver.level is not None and driver.direction:
        return f"{arrow} {word('level', language)} {driver.level.text}"
    return arrow


def _is_level(driver: Driver, amount: str) -> bool:
    """True for "the loss of $3,544 million decreased": so much it was, and not by so much it moved."""
    begin = driver.text.find(driver.label) + len(driver.label)
    end = driver.text.find(f" of {amount}", begin)
    return end >= begin and not _SURE.any("moved", driver.text[begin:end])


# --- relations


def relation_grid(
    workspace: Workspace,
    companies: Sequence[str],
    names: Sequence[str],
    sources: Collection[str],
    numbering: Numbering,
    language: Language,
) -> Grid | None:
    """The relations of companies that a document asserts; None where there are none."""
    rows: list[tuple[Cell, ...]] = []
    for company in companies:
        own = [relation for relation in _own_relations(workspace, company) if relation.relation in names]
        own.sort(key=lambda relation: (names.index(relation.relation), -relation.support))
        for relation in own[:_MOST_RELATIONS]:
            best = _best_statement(relation, sources)
            if best is not None:
                rows.append(_relation_row(workspace, relation, best, numbering, language))
    head = tuple(word(name, language) for name in ("relation", "sentence"))
    return Grid("", head, tuple(rows)) if rows else None


def _own_relations(workspace: Workspace, company: str) -> Sequence[Relation]:
    from ..kg.entity_names import look_up

    try:
        entity = look_up(workspace.store, company)
    except UsageError:  # nothing is said of it but in its documents' heads
        return ()
    found = workspace.store.subgraph([entity.id], _SUBGRAPH).relations
    return [relation for relation in found if entity.id in (relation.head.id, relation.tail.id)]


def _best_statement(relation: Relation, sources: Collection[str]) -> Statement | None:
    """The surest sentence that asserts the relation: none that only fears or plans it, or tells it of a part."""
    said = [statement for statement in relation.statements if statement.modality == "asserted"]
    if sources:
        said = [statement for statement in said if statement.document in sources]
    sure = [statement for statement in said if not _SURE.any("hedged", statement.text)]
    if relation.relation == "leads":
        sure = [statement for statement in sure if not _SURE.any("office_of_part", statement.text)]
    return max(sure, key=lambda statement: statement.confidence, default=None)


def _relation_row(
    workspace: Workspace, relation: Relation, best: Statement, numbering: Numbering, language: Language
) -> tuple[Cell, ...]:
    number = numbering.place(best.document, best.text, best.start, best.end, best.anchors, best.page)
    verb = workspace.vocabulary.schema.relations[relation.relation].label(language)
    return Cell(f"{relation.head.name} {verb} {relation.tail.name}"), Cell(shortened(best.text), (number,))


def shortened(text: str) -> str:
    """A sentence for a cell of a table."""
    plain = " ".join(text.split())
    boxes = _SURE.first("boxes", plain)
    return first_words(plain[boxes.end() :] if boxes else plain, _LONGEST)

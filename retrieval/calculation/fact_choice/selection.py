"""Picks rows and periods: the row with the highest value, the years above a mark, how many there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ....core.patterns import PatternTable
from ....core.period import Period
from ...question.figures.asked import Asked
from ...question.figures.operands import Operand, content_words
from ...question.figures.selection_request import Bound, Pick
from ..arithmetic.calculator import Calculator, MissingError, UnclearError
from ..arithmetic.operations import combine
from ..result import Component, Figure
from .choosing import choose
from .row_matching import Row

_FILE = ("cliquerag.retrieval.question.figures", "selection_request.toml")
_RULES, _KINDS = PatternTable(*_FILE), PatternTable(*_FILE, "kinds")
_NO_ROW = re.compile(
    r"(?:sub-?)?totals?\b|consolidated\b|(?:net|grand) total\b|.*\beliminations?\b|合计|总计|小计|其中|分部间|抵[消销]",
    re.IGNORECASE,
)
"""Rows that sum up the others, or correct them: none of what is compared."""
_FEWEST = 2
_PLACES = 0.3
"""What a table of places loses where segments or products are asked: segments may be named for places, too."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows that compare: of one table, under one head, with the figures of one period, or their change."""

    figures: tuple[Figure, ...]
    weight: float

    @property
    def rank(self) -> tuple[float, int]:
        """Of like tables the longer one is no excerpt."""
        return self.weight, len(self.figures)


def pick_periods(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """The figures of the periods that meet the bound, or how many there are. Raises MissingError, UnclearError."""
    pick = asked.pick
    if pick is None or pick.bound is None or not periods:
        raise MissingError("a period")
    operand = asked.operands[0]
    figures = [calculator.figure(operand, period) for period in periods]
    met = [
        figure
        for figure, period in zip(figures, periods, strict=True)
        if _meets(pick.bound, figure, _mark(calculator, pick.bound, figure, period))
    ]
    if len(figures) < _FEWEST:
        raise MissingError("a second value to compare with")
    if pick.counts:
        return [_counted(met, figures, chinese=asked.chinese)]
    if not met:
        raise MissingError("a period that meets the condition")
    return met


def _meets(bound: Bound, figure: Figure, mark: Decimal) -> bool:
    return figure.value is not None and bound.holds(figure.value, mark)


def pick_rows(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """The row with the highest or lowest value, or how many meet the bound; components are all cells compared."""
    pick = asked.pick
    if pick is None or not periods:
        raise MissingError("a period")
    groups = list(_groups(calculator, asked, pick, periods))
    if not groups:
        raise MissingError(f"{asked.operands[0].text if asked.operands else ''} by {pick.group or 'row'}".strip())
    best = max(group.rank for group in groups)
    found = [_picked(group.figures, pick, chinese=asked.chinese) for group in groups if group.rank == best]
    if len({(figure.name, figure.value) for figure in found}) > 1:
        raise UnclearError("several tables compare it")
    return found[:1]


def _mark(calculator: Calculator, bound: Bound, figure: Figure, period: Period) -> Decimal:
    if bound.amount is not None:
        return bound.amount
    words = content_words(bound.other)
    name = bound.other if bound.other in calculator.formulas.known.metrics else ""
    other = calculator.figure(Operand(bound.other, name, () if name else words, bound.other), period)
    if other.value is None or other.unit != figure.unit:
        raise MissingError(bound.other)
    return other.value


def _picked(figures: Sequence[Figure], pick: Pick, *, chinese: bool) -> Figure:
    valued = [figure for figure in figures if figure.value is not None]
    bound, mark = pick.bound, pick.bound.amount if pick.bound else None
    if pick.counts and bound is not None and mark is not None:
        return _counted([figure for figure in valued if _meets(bound, figure, mark)], valued, chinese=chinese)
    ranked = sorted(valued, key=lambda figure: figure.value or Decimal(0), reverse=not pick.lowest)
    if len(ranked) < pick.rank or [figure.value for figure in ranked].count(ranked[pick.rank - 1].value) > 1:
        raise UnclearError("no single row has it")
    best = ranked[pick.rank - 1]
    others = (part for figure in ranked for part in figure.components)
    return replace(best, components=tuple(dict.fromkeys((*best.components, *others))))


def _counted(met: Sequence[Figure], figures: Sequence[Figure], *, chinese: bool) -> Figure:
    """How many; the name lists them: "Net income, 1 of 3 (FY2019)"."""
    first = figures[0]
    of_one = len({figure.name for figure in figures}) == 1
    listed = ("、" if chinese else ", ").join(str(f.period) if of_one else f.name for f in met)
    share = f"{len(figures)}项中{len(met)}项" if chinese else f"{len(met)} of {len(figures)}"
    listed = (f"（{listed}）" if chinese else f" ({listed})") if listed else ""
    return Figure(
        name=f"{first.name}, {share}{listed}" if of_one else f"{share}{listed}",
        period=None if of_one else first.period,
        value=Decimal(len(met)),
        unit="x",
        components=tuple(dict.fromkeys(part for figure in figures for part in figure.components)),
        company=first.company,
    )


def _groups(calculator: Calculator, asked: Asked, pick: Pick, periods: Sequence[Period]) -> Iterator[_Group]:
    operand = asked.operands[0] if asked.operands else Operand("")
    for rows in _rows_by_place(calculator.book.rows.rows, operand, pick).values():
        meant = sum(_is_meant(row, name, pick) for name, row in rows.items())
        if 2 * meant < len(rows):
            continue
        figures = [_figure(calculator, name, row, pick, periods) for name, row in rows.items()]
        whole = tuple(filter(None, figures))
        units = {figure.unit for figure in whole}
        if len(whole) >= _FEWEST and len(units) == 1:
            yield _Group(whole, _weight_of_rows(rows, operand, pick))


def _rows_by_place(rows: Iterable[Row], operand: Operand, pick: Pick) -> dict[tuple[object, ...], dict[str, Row]]:
    """The rows that stand beside others of their kind, by place and name."""
    found: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        for place, name in _places(row, operand, pick):
            if not _NO_ROW.match(name):
                found.setdefault(place, {}).setdefault(name, row)
    return found


def _weight_of_rows(rows: Mapping[str, Row], operand: Operand, pick: Pick) -> float:
    weight = max(_weight(row, operand, pick) for row in rows.values())
    places = sum(_RULES.any("places", name) for name in rows)
    asks_for_places = _KINDS.any("region", pick.group)
    return weight if asks_for_places or 2 * places < len(rows) else weight - _PLACES


def _places(row: Row, operand: Operand, pick: Pick) -> Iterator[tuple[tuple[object, ...], str]]:
    """Where the row's own name, and the member of its column, stand beside others of their kind."""
    fact = row.facts[0]
    words = set(content_words(operand.text)) - set(content_words(pick.group))
    told = set(content_words(operand.written)) if any(f.metric == operand.name for f in row.facts) else set()
    label = fact.label.rpartition(" > ")[2]
    parents = fact.label[: -len(label)]
    members = [member for kind, member in fact.dimensions if member != label]
    if row.own and not row.own <= words | told and words <= row.around | told:
        yield ("rows", fact.source, fact.table, parents, *members), label
    if len(members) == 1 and words <= row.own | told | row.around - _stems(members[0]):
        yield ("columns", fact.source, fact.table, fact.label), members[0]


def _is_meant(row: Row, name: str, pick: Pick) -> bool:
    """True where a row of this name is what the question calls it, as far as the table tells."""
    kinds = {kind for fact in row.facts for kind, _ in fact.dimensions}
    named = {kind for kind in _KINDS if _KINDS.any(kind, pick.group)}
    if "region" in named:
        return "region" in kinds or _RULES.any("places", name)
    return not named or bool(kinds & named) or bool(_stems(pick.group) & row.around)


def _weight(row: Row, operand: Operand, pick: Pick) -> float:
    """Tables that state the metric itself go before those whose words are near, columns named before others."""
    stated = bool(operand.name) and any(fact.metric == operand.name for fact in row.facts)
    words = _stems(operand.text)
    columns = 0.2 * len(words & row.parents) - 0.1 * bool(row.parents - words - _stems(pick.group))
    return round(stated + 0.5 * bool(_stems(pick.group) & row.around) + columns, 3)


def _figure(calculator: Calculator, name: str, row: Row, pick: Pick, periods: Sequence[Period]) -> Figure | None:
    wanted = (periods[0], periods[-1]) if pick.change else periods[-1:]
    figures = [_stated(calculator, name, row, period) for period in wanted]
    whole = [figure for figure in figures if figure is not None]
    if len(whole) < len(wanted):
        return None
    if not pick.change:
        return whole[0]
    try:
        return replace(combine(pick.change, whole), name=name)
    except ArithmeticError:
        return None


def _stated(calculator: Calculator, name: str, row: Row, period: Period) -> Figure | None:
    book = calculator.book
    choice = choose(row.facts, period, book.closes, book.preference, parts=True)
    if choice is None or not choice.sure or choice.fact.value is None:
        return None
    fact = choice.fact
    part = Component(name, fact, choice.amount, others=choice.others)
    return Figure(name, fact.period, choice.amount, fact.unit, (part,), company=fact.company)


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_words(text))

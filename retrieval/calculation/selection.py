"""Picks rows and periods: the row with the highest value, every row that makes up a figure, the years above a mark, how
many there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from operator import attrgetter

from ...core.fact import Fact
from ...core.language import Language
from ...core.patterns import PatternTable, on_demand
from ...core.period import Period
from ...core.records import dataclass
from ...core.sequences import first
from ...prompts.messages import message
from ..question.figures.asked import Asked
from ..question.figures.operands import Operand, content_words
from ..question.figures.selection_request import Bound, Pick
from .calculator import Calculator, MissingError, UnclearError
from .fact_choice.choosing import choose, last_digit
from .fact_choice.row_matching import Row, members_of_one_row
from .operations import combine
from .result import Component, Figure, components_of

_FILE = ("cliquerag.retrieval.question.figures", "selection_request.toml")
_RULES, _KINDS = PatternTable(*_FILE), PatternTable(*_FILE, "kinds")
_NO_ROW = on_demand(
    r"(?:sub-?)?totals?\b|(?:reportable|operating|business|all) segments?\b"
    r"|reconcil\w* items?\b|consolidated\b|(?:net|grand) total\b|.*\beliminations?\b"
    r"|合计|总计|小计|其中|分部间|抵[消销]",
    re.IGNORECASE,
)
"""Rows that sum up the others, or correct them: none of what is compared."""
_FEWEST = 2
_SEGMENT = "segment"
"""Asked for by this word: the parts of a consolidated statement are kinds of revenue and no segments."""
_ADDS_UP = 1.0
"""What rows gain that add up to the figure of the company: as much as where the metric itself is stated."""
_STATED_ALONE = ("operating income",)
_KNOWN_PARTS = 0.6
"""What rows gain that all bear names of parts that some table tells: more than a table whose words speak of parts."""
_LEAST_OF_TOTAL = Decimal("0.5")
"""Of the figure of the company: what rows make below it, or above its reverse, is another figure's parts."""
_RATES = ("%", "x", "days")
"""Units of what does not add up."""
_PLACES, _PLACES_OF_ALL = 0.3, 1.3
"""What a table of places loses where segments or products are asked, one of them or all: segments may be named for
places, too."""


_Place = tuple[object, ...]
"""Where rows or columns stand side by side: a table and a head in it."""


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
    met: list[Figure] = []
    for figure, period in zip(figures, periods, strict=True):
        if _meets(pick.bound, figure, _mark(calculator, pick.bound, figure, period)):
            met.append(figure)
    if len(figures) < _FEWEST:
        raise MissingError("a second value to compare with")
    if pick.counts:
        return [_counted(met, figures, asked.language)]
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
    operand = first(asked.operands, Operand(""))
    comparison = _Comparison.of(operand, pick, calculator.book.rows.rows)
    if pick.every and not pick.change:
        return list(chain.from_iterable(_all_rows(comparison, calculator, [period]) for period in periods))
    if pick.every:
        return _all_rows(comparison, calculator, periods)
    groups = _groups(comparison, calculator, periods)
    best = max(map(attrgetter("rank"), groups))
    found = [_picked(group.figures, pick, asked.language) for group in groups if group.rank == best]
    different = {(figure.name, figure.value) for figure in found}
    if len(different) > 1:
        raise UnclearError("several tables compare it")
    return found[:1]


def _groups(comparison: _Comparison, calculator: Calculator, periods: Sequence[Period]) -> Sequence[_Group]:
    """The rows that compare. Raises MissingError where there are none."""
    operand, pick = comparison.operand, comparison.pick
    groups = list(comparison.groups(calculator, periods)) or _of_formula(calculator, operand, pick, periods)
    if not groups:
        raise MissingError(f"{operand.text} by {pick.group or 'row'}".strip())
    return groups


def _of_formula(calculator: Calculator, operand: Operand, pick: Pick, periods: Sequence[Period]) -> list[_Group]:
    """What a formula gives for each part of the company whose rows state all that it takes: margins of segments."""
    formula = calculator.formulas.formulas.get(operand.name)
    if formula is None or pick.change:
        return []
    rows = calculator.book.rows.rows
    found: dict[str, Mapping[str, Figure]] = {}

    def parts(component: str) -> Mapping[str, Figure]:
        if component not in found:
            text = operand.text.replace(operand.written, component)
            named = replace(operand, name=component, written=component, text=text)
            groups = _Comparison.of(named, pick, rows).groups(calculator, periods)
            best = max(groups, key=attrgetter("rank"), default=None)
            found[component] = {figure.name: figure for figure in best.figures} if best else {}
        return found[component]

    figures: list[Figure] = []
    for name in dict.fromkeys(chain.from_iterable(map(parts, calculator.formulas.metrics(formula)))):
        try:
            figures.append(replace(calculator.of_part(formula, periods[-1], name, parts), name=name))
        except LookupError:
            continue
    return [_Group(tuple(figures), 0.0)] if len(figures) >= _FEWEST else []


def _all_rows(comparison: _Comparison, calculator: Calculator, periods: Sequence[Period]) -> list[Figure]:
    """The figures of the rows that fit best, called by the figure asked for and its part: "Revenue, Europe"."""
    named: list[Figure] = []
    for figure in max(_groups(comparison, calculator, periods), key=attrgetter("rank")).figures:
        head = comparison.operand.written or _printed_head(figure)
        named.append(replace(figure, name=f"{head}, {figure.name}" if head else figure.name))
    return named


def _printed_head(figure: Figure) -> str:
    """What the table calls the figure of a part: the row, where the part heads the column, else what stands above."""
    *above, own = figure.components[0].fact.label.split(" > ")
    if figure.name not in own:
        return own
    return above[-1] if above and above[-1] != figure.name else ""


def _mark(calculator: Calculator, bound: Bound, figure: Figure, period: Period) -> Decimal:
    if bound.amount is not None:
        return bound.amount
    if bound.other in calculator.formulas.known.metrics:
        operand = Operand(bound.other, name=bound.other, written=bound.other)
    else:
        operand = Operand(bound.other, words=content_words(bound.other), written=bound.other)
    other = calculator.figure(operand, period)
    if other.value is None or other.unit != figure.unit:
        raise MissingError(bound.other)
    return other.value


def _picked(figures: Sequence[Figure], pick: Pick, language: Language) -> Figure:
    """The figure of the place asked for, or how many meet the bound."""
    valued = [figure for figure in figures if figure.value is not None]
    bound = pick.bound
    if pick.counts and bound is not None and bound.amount is not None:
        met = [figure for figure in valued if _meets(bound, figure, bound.amount)]
        return _counted(met, valued, language)
    ranked = sorted(valued, key=lambda figure: figure.number, reverse=not pick.lowest)
    if len(ranked) < pick.rank:
        raise UnclearError("no single row has it")
    best = ranked[pick.rank - 1]
    if [figure.value for figure in ranked].count(best.value) > 1:
        raise UnclearError("no single row has it")
    return replace(best, components=components_of((best, *ranked)))


def _counted(met: Sequence[Figure], figures: Sequence[Figure], language: Language) -> Figure:
    """How many; the name lists them: "Net income, 1 of 3 (FY2019)"."""
    first = figures[0]
    is_one_figure = len(set(map(attrgetter("name"), figures))) == 1
    members = [str(figure.period) if is_one_figure else figure.name for figure in met]
    counted = _share(members, len(figures), language)
    return Figure(
        name=f"{first.name}, {counted}" if is_one_figure else counted,
        period=None if is_one_figure else first.period,
        value=Decimal(len(met)),
        unit="x",
        components=components_of(figures),
        company=first.company,
    )


def _share(members: Sequence[str], of: int, language: Language) -> str:
    """ "1 of 3 (FY2019)", "3项中1项（2019年）"."""
    if not members:
        return message("counted", language, met=0, all=of)
    names = message("between_names", language).join(members)
    return message("counted_names", language, met=len(members), all=of, names=names)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Which rows a question compares, by the stems of its words."""

    operand: Operand
    pick: Pick
    words: frozenset[str]
    """Of the figure."""
    group: frozenset[str]
    """Of what the rows are called: "segment", where a question asks which Acme segment it is."""
    kinds: frozenset[str]
    """The dimensions of facts that the rows are called by: segments, regions."""
    parts: frozenset[str]
    """The names of such segments or regions, as some table tells them: a row that bears one is of that part."""

    @classmethod
    def of(cls, operand: Operand, pick: Pick, rows: Iterable[Row]) -> _Comparison:
        kinds = frozenset(kind for kind in _KINDS if _KINDS.any(kind, pick.group))
        naming = " ".join(word for word in pick.group.split() if any(_KINDS.any(kind, word) for kind in kinds))
        group = _stems(naming or pick.group)
        return cls(operand, pick, _stems(operand.text), group, kinds, _parts_of(kinds, group, rows))

    def groups(self, calculator: Calculator, periods: Sequence[Period]) -> Iterator[_Group]:
        """The rows that compare, with their figures."""
        total = self._total(calculator, periods[-1])
        for beside in self._rows_by_place(calculator.book.rows.rows).values():
            rows = self._stating(beside)
            meant = [name for name, row in rows.items() if self._is_meant(name, row)]
            if 2 * len(meant) < len(rows):
                continue
            found = (_figure(calculator, name, self._facts(row), self.pick, periods) for name, row in rows.items())
            figures = tuple(filter(None, found))
            units = set(map(attrgetter("unit"), figures))
            if len(figures) >= _FEWEST and len(units) == 1:
                group = self._group(figures, self._levels(calculator, figures, rows, periods[-1]), rows, total)
                if group is not None:
                    yield group

    def _stating(self, rows: Mapping[str, Row]) -> Mapping[str, Row]:
        """Of a profit the rows that state it: what is sold, what it costs or its page stands beside the same names."""
        if self.operand.name not in _STATED_ALONE:
            return rows
        names = {name: set(map(attrgetter("metric"), row.facts)) for name, row in rows.items()}
        return {name: row for name, row in rows.items() if self.operand.name in names[name]}

    def _facts(self, row: Row) -> Sequence[Fact]:
        """Those of the row that state the metric asked for, where some do: each column may state another."""
        return [fact for fact in row.facts if fact.metric and fact.metric == self.operand.name] or row.facts

    def _levels(
        self, calculator: Calculator, figures: tuple[Figure, ...], rows: Mapping[str, Row], period: Period
    ) -> tuple[Figure, ...]:
        """What the parts amounted to at last, of figures that tell how they moved: this adds up to the company's."""
        if not self.pick.change:
            return figures
        stated = (_stated(calculator, one.name, self._facts(rows[one.name]), period) for one in figures)
        return tuple(filter(None, stated))

    def _group(
        self, figures: tuple[Figure, ...], levels: tuple[Figure, ...], rows: Mapping[str, Row], total: Decimal | None
    ) -> _Group | None:
        """The figures, without what stands below their sum; None where all parts are asked, and these cannot be all."""
        are_other = self._are_other_places(rows)
        lost = _PLACES_OF_ALL if self.pick.every else _PLACES
        weight = max(map(self._weight, rows.values())) - lost * are_other
        weight += _KNOWN_PARTS * self.parts.issuperset(rows)
        adding = [figure.name for figure in _adding_up(levels, total)] if total is not None else []
        if adding:
            parts = tuple(figure for figure in figures if figure.name in adding)
            return _Group(parts, weight if are_other else weight + _ADDS_UP)
        if self.pick.change and total:
            return _Group(figures, weight) if _is_near(levels, total) else None
        if self.pick.every and not self._may_be_all(figures, total):
            return None
        return _Group(self._without_sum(figures), weight)

    def _without_sum(self, figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
        """The figures without their sum below them."""
        above = figures[:-1]
        sums_up = len(above) >= _FEWEST and not self.pick.change and _adding_up(above, figures[-1].number) == above
        return above if sums_up else figures

    def _may_be_all(self, figures: Sequence[Figure], total: Decimal | None) -> bool:
        """True for rows that are near the total, where it is known, or whose heads name what is asked and little else.

        Rows of segments leave out what belongs to none, and what they sell to each other.
        """
        if total:
            return _is_near(figures, total)
        fact = figures[0].components[0].fact
        others = [member for _, member in fact.dimensions if member != figures[0].name]
        heads = _stems(" ".join((_printed_head(figures[0]), *others)))
        return bool(self.operand.name) or 0 < len(heads) <= 2 * len(heads & self.words)

    def _total(self, calculator: Calculator, period: Period) -> Decimal | None:
        """The figure of the whole company that its parts may add up to; None where it is not known for certain."""
        if self.operand.words or not self.operand.name:
            return None
        whole = calculator.sure_figure(Operand(self.operand.name, name=self.operand.name), period)
        return None if whole is None or whole.unit in _RATES else whole.value

    def _rows_by_place(self, rows: Iterable[Row]) -> dict[_Place, dict[str, Row]]:
        """The rows that stand beside others of their kind, by place and name."""
        found: dict[_Place, dict[str, Row]] = {}
        of_segments = _totals_of_sections(rows) if _SEGMENT in self.group else {}
        of_one_row = members_of_one_row(rows)
        for row in rows:
            for place, label in self._places(row, of_one_row):
                name = of_segments.get((row.facts[0].source, row.facts[0].table, label), label)
                if not _NO_ROW.match(name):
                    found.setdefault(place, {}).setdefault(name, row)
        return found

    def _places(self, row: Row, of_one_row: Collection[_Place]) -> Iterator[tuple[_Place, str]]:
        """Where the row's own name, and the member of its column, stand beside others of their kind. ``of_one_row`` are
        members that tag the row itself: "CN" of "China"."""
        fact = row.facts[0]
        wanted = self.words - self.group
        told = self._told_by(row)
        label = fact.own_label
        parents = fact.label[: -len(label)]
        members = [member for _, member in fact.dimensions if member != label]
        members = [member for member in members if (fact.source, fact.table, member) not in of_one_row]
        says_more = not (row.own <= wanted | told) or not (row.own or row.is_total)
        if says_more and wanted <= row.around | told:
            yield ("rows", fact.source, fact.table, parents, *members), label
        are_parts = bool(self.kinds) or not self.pick.every  # "by type": the kinds of amounts in columns are no parts
        if are_parts and len(members) == 1 and wanted <= row.own | told | row.around - _stems(members[0]):
            yield ("columns", fact.source, fact.table, fact.label), members[0]

    def _told_by(self, row: Row) -> frozenset[str]:
        """The words that name the figure, where the row states it, however the row itself is labelled."""
        if any(fact.metric == self.operand.name for fact in row.facts):
            return _stems(self.operand.written)
        return frozenset()

    def _is_meant(self, name: str, row: Row) -> bool:
        """True where a row of this name is what the question calls it, as far as the table tells."""
        if not self.kinds or name in self.parts:
            return True
        if "region" in self.kinds:
            return "region" in row.kinds_of_parts or _RULES.any("places", name)
        is_of_statement = _SEGMENT in self.group and row.facts[0].consolidation == "consolidated"
        is_part = not (is_of_statement or self.kinds.isdisjoint(row.kinds_of_parts))
        return is_part or not self.group.isdisjoint(row.around)

    def _are_other_places(self, names: Collection[str]) -> bool:
        """True where all names are places, and something else is asked for."""
        return "region" not in self.kinds and all(map(_is_place, names))

    def _weight(self, row: Row) -> float:
        """Tables that state the metric itself go before those whose words are near, columns named before others."""
        weight = 1.0 * row.states(self.operand.name) + 0.5 * (not self.group.isdisjoint(row.around))
        columns = 0.2 * len(self.words & row.parents) - 0.1 * (not row.parents <= self.words | self.group)
        return round(weight + columns, 3)


def _is_near(figures: Iterable[Figure], total: Decimal) -> bool:
    """True for rows that make at least half of the company's figure, and at most twice as much."""
    return _LEAST_OF_TOTAL <= sum(figure.number for figure in figures) / total <= 1 / _LEAST_OF_TOTAL


def _is_place(name: str) -> bool:
    """True for "All other countries", not for "Domestic Streaming"."""
    return _RULES.any("places", name) and not content_words(_RULES.without("places", name))


def _adding_up(figures: Sequence[Figure], total: Decimal) -> tuple[Figure, ...]:
    """The first of the figures, which together make the total; () where none do: they are not all parts."""
    steps = [last_digit(part.fact) for part in components_of(figures)]
    rounding = max(steps, default=Decimal(0)) / 2
    added = Decimal(0)
    for count, figure in enumerate(figures, 1):
        added += figure.number
        if count >= _FEWEST and abs(added - total) <= count * rounding:
            return tuple(figures[:count])
    return ()


def _parts_of(kinds: Collection[str], group: frozenset[str], rows: Iterable[Row]) -> frozenset[str]:
    """The names of the parts of these kinds, as they are tagged and as rows print them in fewer words.

    What a consolidated statement breaks down are kinds of revenue, unless words of the ``group`` stand around it.
    """
    told = (row for row in rows if row.facts[0].consolidation != "consolidated" or not group.isdisjoint(row.around))
    tags = [
        (row.facts[0].own_label, member) for row in told for kind, member in row.facts[0].dimensions if kind in kinds
    ]
    shortened = {own for own, member in tags if _stems(own) <= _stems(member)}
    return frozenset(shortened.union(member for _, member in tags))


def _totals_of_sections(rows: Iterable[Row]) -> dict[_Place, str]:
    """Table and label of a row that sums up a section -> the section: segments that are each broken down."""
    facts = [row.facts[0] for row in rows]
    sections = {(fact.source, fact.table, name) for fact in facts for name in fact.label.split(" > ")[:-1]}
    return {(source, table, f"Total {name}"): name for source, table, name in sections}


def _figure(
    calculator: Calculator, name: str, facts: Sequence[Fact], pick: Pick, periods: Sequence[Period]
) -> Figure | None:
    """The row's figure of the last period, or its change from the first to the last; None where one is not stated."""
    last = _stated(calculator, name, facts, periods[-1])
    if not pick.change or last is None:
        return last
    first = _stated(calculator, name, facts, periods[0])
    if first is None:
        return None
    try:
        return replace(combine(pick.change, [first, last]), name=name)
    except ArithmeticError:
        return None


def _stated(calculator: Calculator, name: str, facts: Sequence[Fact], period: Period) -> Figure | None:
    book = calculator.book
    choice = choose(facts, period, book.closes, book.preference, parts=True)
    if choice is None or not choice.sure or choice.fact.value is None:
        return None
    fact = choice.fact
    part = Component(name, fact, choice.amount, others=choice.others)
    return Figure(name, fact.period, choice.amount, fact.unit, (part,), company=fact.company)


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_words(text))

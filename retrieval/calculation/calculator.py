"""Figures of operands: a fact that states one, or a formula over facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field, replace
from decimal import Decimal
from itertools import chain

from ...core.anchor import at_place
from ...core.fact import Fact
from ...core.period import Period
from ...core.quantity import is_currency
from ...core.records import dataclass
from ...core.sequences import first, without
from ..question.figures.defined_formula import DefinedFormula
from ..question.figures.operands import Operand, content_words
from ..question.vocabulary.expression import IncomputableError, Node, evaluate, render
from ..question.vocabulary.vocabulary import Formula, FormulaList
from .fact_choice.book import FactBook
from .fact_choice.choosing import Choice, lacks_scale
from .result import Component, Figure, components_of

_DEEPEST = 5
_SURE = 0.5
"""How near a row's name has to be to the words asked."""
_COUNTED = ("people", "shares")
_RATIOS = ("%", "x", "days")
_PARTS = (frozenset(("segment", "region")), frozenset(("segment", "region", "column")))
"""Dimensions of what is no figure of the whole company; of a row called "Total" its column says what it is."""
_UNSCALED = ("%", *_COUNTED)
"""Units of amounts that are shown as they are, whatever scale the money is printed in."""
_NO_MONEY = ("", *_UNSCALED)


class MissingError(LookupError):
    """No fact states these components; ``stated_for`` are longer spans to the same day for which one does."""

    def __init__(self, *names: str, stated_for: str = "") -> None:
        told = f"; what is stated is {stated_for}" if stated_for else ""
        super().__init__(f"{', '.join(names)}{told}")
        self.names = names


class UnclearError(LookupError):
    """Facts contradict each other, or are in different currencies."""


@dataclass
class Calculator:
    """Works out figures from a book of facts."""

    book: FactBook
    formulas: FormulaList
    _open: list[str] = field(default_factory=list)

    def figure(self, operand: Operand, period: Period) -> Figure:
        """The figure of one operand. Raises MissingError, UnclearError, IncomputableError."""
        if operand.words or not operand.name:
            return self._of_part(operand, period)
        try:
            return self._named(operand, period)
        except (MissingError, UnclearError):
            if not self._is_name_of_row(operand, period):
                raise
            return self._of_row(operand, period)

    def beside(self, whole: Figure, operand: Operand, period: Period) -> Figure:
        """The figure of a part of what a cell states: of its table where that has it, else as :meth:`figure`."""
        try:
            return self._of_row(operand, period, beside=whole.components[0].fact)
        except LookupError:
            return self.figure(operand, period)

    def sure_figure(self, operand: Operand, period: Period) -> Figure | None:
        """The figure as a number in a known scale; None where the facts do not give it beyond doubt."""
        try:
            figure = self.figure(operand, period)
        except (MissingError, UnclearError, IncomputableError):
            return None
        if figure.value is None or any(lacks_scale(part.fact) for part in figure.components):
            return None
        return figure

    def known_periods(self, operand: Operand) -> list[Period]:
        """The periods for which the figure is stated, or can be calculated, ascending."""
        formula = self.formulas.formulas.get(operand.name)
        if formula is not None:
            return self._computable_periods(operand, self.formulas.metrics(formula))
        stated = self.book.of(operand.name) if operand.name and not operand.words else ()
        if stated:
            return self.book.periods_of(stated)
        matches = self.book.rows.find(operand)
        return self.book.periods_of(matches[0].row.facts, parts=True) if matches else []

    def _computable_periods(self, operand: Operand, metrics: Collection[str]) -> list[Period]:
        """The periods for which a formula over these metrics, or its figure as it is printed, gives a value."""
        self.book.load(metrics)
        periods = self.book.periods_of(chain.from_iterable(map(self.book.of, metrics)))
        return [period for period in periods if self.sure_figure(operand, period) is not None]

    def _is_name_of_row(self, operand: Operand, period: Period) -> bool:
        """True where a row bears the very name that the question writes."""
        found = self.book.row(operand, period) if operand.written else None
        if found is None:
            return False
        choice, likeness = found
        formula = self.formulas.formulas.get(operand.name)
        if formula is not None and formula.unit in _RATIOS and is_currency(choice.fact.unit):
            return False
        if not _PARTS[choice.fact.own_label == "Total"].isdisjoint(kind for kind, _ in choice.fact.dimensions):
            return False
        if self.book.metrics.counts_shares(operand.name) and is_currency(choice.fact.unit):
            return False
        return likeness >= 1 and choice.sure

    def defined(self, formula: DefinedFormula, period: Period) -> Figure:
        """The value of a formula that the question defines. Raises as :meth:`figure` does."""

        def part(name: str, back: int) -> Figure:
            return _stepped_back(self.figure(formula.operands[name], _earlier(period, back)), back)

        return self._evaluated(formula.node, formula.name, formula.unit, period, part)

    def _named(self, operand: Operand, period: Period) -> Figure:
        formula = self.formulas.formulas.get(operand.name)
        if formula is None:
            return self._stated(operand.name, period, operand.written)
        if formula.stated:
            try:
                return self._stated(operand.name, period, operand.written)
            except MissingError:
                return self._calculated(formula, period)
        printed = self._printed(operand, formula, period)
        if printed is not None:
            return _figure(operand.name, period, _as_component(operand.name, printed))
        try:
            return self._calculated(formula, period)
        except MissingError as missing:
            if operand.name not in self.formulas.known.metrics:
                raise
            try:
                return self._stated(operand.name, period, operand.written)
            except LookupError:
                raise missing from None

    def _printed(self, operand: Operand, formula: Formula, period: Period) -> Choice | None:
        """What the report itself prints under the name asked; one word ("FCF") stands for the whole name, too."""
        if not operand.written:
            return None
        own = self.book.named(operand.written, period, formula.unit)
        if own is not None or " " in operand.written.strip():
            return own
        return self.book.named(operand.name, period, formula.unit)

    def _of_part(self, operand: Operand, period: Period) -> Figure:
        """A row by its words; a formula of a part of the company is calculated from the rows of that part."""
        formula = self.formulas.formulas.get(operand.name)
        try:
            return self._of_row(operand, period)
        except MissingError:
            if formula is None or not operand.written:
                raise

        def part(name: str, back: int) -> Figure:
            text = operand.text.replace(operand.written, name)
            row = self._of_row(replace(operand, text=text, name=name, written=name), _earlier(period, back))
            return _stepped_back(row, back)

        return self._first_way(formula, period, part)

    def of_part(
        self, formula: Formula, period: Period, name: str, parts: Callable[[str], Mapping[str, Figure]]
    ) -> Figure:
        """The formula of one part of the company; ``parts`` gives the figures of each by the name of a component.

        Raises as :meth:`figure` does.
        """

        def part(component: str, back: int) -> Figure:
            if back or name not in parts(component):
                raise MissingError(component)
            return parts(component)[name]

        return self._first_way(formula, period, part)

    def _of_row(self, operand: Operand, period: Period, beside: Fact | None = None) -> Figure:
        found = self.book.row(operand, period, beside)
        if found is None:
            raise MissingError(operand.text or operand.name)
        choice, score = found
        if score < _SURE or not choice.sure:
            raise UnclearError(operand.text)
        component = _as_component(self._row_name(choice.fact, operand), choice, score=score)
        return _figure(component.name, period, component)

    def _row_name(self, fact: Fact, operand: Operand) -> str:
        """What a row is called, with the metric that it states or the part of the company that it is of."""
        *parents, own = fact.label.split(" > ")
        if not operand.name or fact.metric != operand.name:
            asked = set(operand.words).difference(content_words(own))
            is_of_section = bool(parents) and not asked.isdisjoint(content_words(parents[-1]))
            return f"{parents[-1]}, {own}" if is_of_section else own
        if self.book.metrics.get(own).name != fact.metric:
            return f"{own}, {fact.metric}"
        members = [member for _, member in fact.dimensions]
        for part in (*members, *reversed(parents)):
            if not set(operand.words).isdisjoint(content_words(part)):
                return f"{own}, {part}"
        return own

    def _stated(self, name: str, period: Period, written: str = "") -> Figure:
        component = self._component(name, period, 0, written)
        return _figure(component.name, period, component)

    def _component(self, name: str, period: Period, back: int, written: str = "") -> Component:
        """The fact that states a metric; where several rows do, under the name of the row that was taken."""
        choice = self.book.metric(name, _earlier(period, back), written)
        if choice is None:
            earlier = _earlier(period, back)
            raise MissingError(_when(name, earlier), stated_for=", ".join(self.book.longer_spans(name, earlier)))
        if not choice.sure:
            raise UnclearError(f"{name}: {_values(choice)}")
        return _as_component(choice.fact.own_label if choice.settled else name, choice, back)

    def _calculated(self, formula: Formula, period: Period) -> Figure:
        if formula.annual and period.unit not in ("year", "day"):
            raise MissingError(f"{formula.name} for a whole year")
        if formula.name in self._open or len(self._open) > _DEEPEST:
            raise MissingError(formula.name)
        self._open.append(formula.name)
        try:
            self.book.load(name for name in self.formulas.metrics(formula))
            return self._first_way(formula, period, lambda name, back: self._part(name, period, back))
        finally:
            self._open.pop()

    def _first_way(self, formula: Formula, period: Period, part_of: Callable[[str, int], Figure]) -> Figure:
        """The formula by the first of its ways whose components are all there; see :meth:`_evaluated`."""
        missing: list[str] = []
        for way in formula.ways:
            try:
                return self._evaluated(way, formula.name, formula.unit, period, part_of)
            except MissingError as lack:
                missing += lack.names
        raise MissingError(*dict.fromkeys(missing))

    def _evaluated(
        self, way: Node, name: str, unit: str, period: Period, part_of: Callable[[str, int], Figure]
    ) -> Figure:
        """``part_of`` gives a component by its name and the periods to go back."""
        parts: dict[tuple[str, int], Figure] = {}
        missing: list[str] = []

        def value_of(component: str, back: int) -> Decimal:
            if (component, back) not in parts:
                try:
                    parts[component, back] = _with_value(part_of(component, back), component)
                except MissingError as lack:
                    missing.extend(lack.names)
                    return Decimal(1)  # go on, so that all that is missing is named
            return parts[component, back].number

        try:
            value = evaluate(way, value_of)
        except IncomputableError:
            if missing:
                raise MissingError(*missing) from None
            raise
        if missing:
            raise MissingError(*missing)
        used = components_of(parts.values())
        _check_units(used)
        scale = common_scale(used)
        return Figure(
            name=name,
            period=period,
            value=value,
            unit=_unit(used, unit),
            components=used,
            formula=render(way, lambda part, back: _label(part, period, back)),
            with_values=render(way, lambda part, back: _shown_part(parts[part, back], scale)),
        )

    def _part(self, name: str, period: Period, back: int) -> Figure:
        """A component: as stated, else calculated itself."""
        earlier = _earlier(period, back)
        formula = self.formulas.formulas.get(name)
        if formula is None:
            return _figure(name, earlier, self._component(name, period, back))
        return _stepped_back(self.figure(Operand(name, name), earlier), back)


def _stepped_back(figure: Figure, back: int) -> Figure:
    """The figure as one of so many periods before the one asked."""
    return replace(figure, components=tuple(replace(part, back=part.back + back) for part in figure.components))


def _with_value(figure: Figure, name: str) -> Figure:
    if figure.value is None:
        raise MissingError(_when(name, figure.period) if figure.period else name)
    return figure


def _as_component(name: str, choice: Choice, back: int = 0, *, score: float = 1.0) -> Component:
    return Component(name, choice.fact, choice.amount, back, score, choice.others, choice.anew)


def _figure(name: str, period: Period, component: Component) -> Figure:
    fact = component.fact
    when = fact.period or period
    if fact.value is None:
        return Figure(name, when, None, fact.unit, (component,), text=fact.text, company=fact.company)
    return Figure(name, when, component.amount, fact.unit, (component,), company=fact.company)


def _earlier(period: Period, back: int) -> Period:
    return period.shifted(-back) if back else period


def _label(name: str, period: Period, back: int) -> str:
    return _when(name, _earlier(period, back)) if back else name


def _when(name: str, period: Period) -> str:
    return f"{name} ({period.label})"


def _values(choice: Choice) -> str:
    facts = (choice.fact, *choice.others)
    return " or ".join(f"{fact.text} ({at_place(fact.source, fact)})" for fact in facts[:3])


def _check_units(parts: tuple[Component, ...]) -> None:
    currencies = {part.fact.unit for part in parts if is_currency(part.fact.unit)}
    if len(currencies) > 1:
        raise UnclearError("different currencies: " + ", ".join(sorted(currencies)))


def _unit(parts: tuple[Component, ...], kind: str) -> str:
    """The unit of a formula's value; "money" and "per share" are in the currency of its components."""
    if kind not in ("money", "per share"):
        return kind
    units = (part.fact.unit for part in parts)
    currency = first(without(units, _NO_MONEY), "").partition("/")[0]
    return f"{currency}/share" if kind == "per share" else currency


def common_scale(parts: Iterable[Component]) -> Decimal:
    """The smallest scale in which the money among the components is printed: so no digit is lost.

    Amounts per share are given in full: 12.4 pence are 0.124 pounds.
    """
    money = [part.fact for part in parts if part.fact.unit not in _UNSCALED]
    return min((max(fact.scale, Decimal(1)) for fact in money), default=Decimal(1))


def _shown_part(figure: Figure, scale: Decimal) -> str:
    """A component within a calculation, money in the scale that all of it is shown in."""
    if figure.with_values:
        inner = figure.with_values
        return f"({inner})" if " " in inner else inner
    return bracketed_if_negative(_shown_value(figure.components[0], scale))


def _shown_value(part: Component, scale: Decimal) -> str:
    if part.fact.unit == "%":
        return f"{plain_number(part.amount * 100)} %"
    if part.fact.unit in _COUNTED:
        return plain_number(part.amount)
    return plain_number(part.amount / scale)


def bracketed_if_negative(text: str) -> str:
    """A number as it stands within a calculation: "(-5)"."""
    return f"({text})" if text.startswith("-") else text


def plain_number(value: Decimal) -> str:
    """With thousands separators, without exponent and idle zeros.

    >>> plain_number(Decimal("1234.50")), plain_number(Decimal("1E+3"))
    ('1,234.5', '1,000')
    """
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

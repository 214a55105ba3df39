"""What questions do with figures: changes, growth, shares, averages, sums, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from operator import attrgetter

from ...core.period import Period
from ...ingest.facts.metrics import default_metrics
from ..question.vocabulary.expression import IncomputableError
from .calculator import MissingError, UnclearError, bracketed_if_negative, common_scale, plain_number
from .result import Figure, components_of

_LARGEST_SHARE = 10
"""A larger "share" compares what is printed in different scales."""
_PERCENT = ("percent change", "share", "cagr")
_DIFFERENCES = ("change", "difference")
_COUNTED = ("people", "shares")
"""Units that a ratio may set beside money: revenue per employee."""
_UNSCALED = (*_COUNTED, "x", "days")
"""Units whose values are shown as they are, whatever scale the money is printed in."""
_TITLES = {"percent change": "growth", "cagr": "compound annual growth rate"}
_JOINED = {"share": " / ", "ratio": " / ", "difference": " - "}
"""Operations on two sides, and what stands between their names."""


def combine(operation: str, figures: Sequence[Figure]) -> Figure:
    """One figure out of several, with the calculation in names and in values. Raises UnclearError, IncomputableError.

    "change", "percent change" and "cagr" take the earlier figure first; "share", "ratio" and "difference" take the two
    sides in order.
    """
    values = _values(figures)
    if len(values) < len(figures):
        raise MissingError("a second value to compare with")
    _check(figures, operation)
    if operation in _JOINED and figures[0].components == figures[1].components:
        raise UnclearError(figures[0].name)
    value, pattern = _RULES[operation](values, figures)
    names = [_name(figure, figures) for figure in figures]
    if operation == "share" and abs(value) > _LARGEST_SHARE:
        raise UnclearError(f"{names[0]} would be {value:.0f} times {names[1]}")
    return Figure(
        name=_title(operation, figures),
        period=figures[-1].period,
        value=value,
        unit=_unit(operation, figures[0].unit),
        components=components_of(figures),
        formula=_fill(pattern, names),
        with_values=_fill(pattern, _shown(figures)),
        company=figures[0].company,
    )


def _values(figures: Sequence[Figure]) -> list[Decimal]:
    """Their values. Raises MissingError where there are not two to compare."""
    values = [figure.value for figure in figures if figure.value is not None]
    if len(values) < 2:
        raise MissingError("a second value to compare with")
    return values


def _unit(operation: str, unit: str) -> str:
    """The unit of what an operation makes of figures in one unit: shares differ by percentage points."""
    if operation in _PERCENT:
        return "%"
    if operation == "ratio":
        return "x"
    if unit == "%" and operation in _DIFFERENCES:
        return "pp"
    return unit


Rule = Callable[[Sequence[Decimal], Sequence[Figure]], tuple[Decimal, str]]


def _change(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return values[-1] - values[0], "{1} - {0}"


def _difference(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return values[0] - values[1], "{0} - {1}"


def _percent_change(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    """By the size of the first value where that is a loss: from -310 to -520 is a fall.

    A cost that is printed negative all along grows as it moves from zero.
    """
    if values[0] < 0 and figures[0].name in default_metrics().results:
        return _divided(values[-1] - values[0], abs(values[0])), "({1} - {0}) / |{0}|"
    return _divided(values[-1] - values[0], values[0]), "({1} - {0}) / {0}"


def _ratio(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return _divided(values[0], values[1]), "{0} / {1}"


def _average(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    joined = " + ".join(f"{{{n}}}" for n in range(len(values)))
    return sum(values, Decimal(0)) / len(values), f"({joined}) / {len(values)}"


def _sum(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return sum(values, Decimal(0)), " + ".join(f"{{{n}}}" for n in range(len(values)))


def _cagr(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    first, last = figures[0].period, figures[-1].period
    years = _year(last) - _year(first)
    if years < 1 or values[0] <= 0 or values[-1] <= 0:
        raise IncomputableError("growth between values of this sign")
    return (values[-1] / values[0]) ** (Decimal(1) / years) - 1, f"({{1}} / {{0}}) ^ (1 / {years}) - 1"


_RULES: dict[str, Rule] = {
    "change": _change,
    "percent change": _percent_change,
    "difference": _difference,
    "share": _ratio,
    "ratio": _ratio,
    "average": _average,
    "sum": _sum,
    "cagr": _cagr,
}


def extreme(figures: Sequence[Figure], *, lowest: bool) -> Figure:
    """The figure of the highest, or lowest, value. Raises UnclearError where two share it."""
    values = _values(figures)
    best = min(values) if lowest else max(values)
    found = [figure for figure in figures if figure.value == best]
    if len(found) > 1:
        raise UnclearError("the same value in several periods")
    return replace(found[0], components=components_of(figures))


def _divided(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise IncomputableError("a division by zero")
    return one / other


def _check(figures: Sequence[Figure], operation: str) -> None:
    units = {figure.unit for figure in figures if figure.unit}
    if len(units) < 2:
        return
    if operation == "ratio" and all(map(_has_ratios, units)):
        return
    raise UnclearError("different units: " + ", ".join(sorted(units)))


def _has_ratios(unit: str) -> bool:
    """True for money and for what is counted: one may be divided by the other."""
    return len(unit) == 3 or unit in _COUNTED


def _title(operation: str, figures: Sequence[Figure]) -> str:
    names = list(dict.fromkeys(map(attrgetter("name"), figures)))
    several = len(names) > 1
    if several and operation in _JOINED:
        return _JOINED[operation].join(names[:2])
    if several and operation in ("sum", "average"):
        return f"{operation} of {', '.join(names)}"
    return f"{_TITLES.get(operation, operation)} of {names[0]}"


def _name(figure: Figure, figures: Sequence[Figure]) -> str:
    """With its period where the same figure is taken of several."""
    namesakes = [other for other in figures if other.name == figure.name]
    if len(namesakes) < 2 or not figure.period:
        return figure.name
    return f"{figure.name} ({figure.period})"


def _shown(figures: Sequence[Figure]) -> list[str]:
    scale = common_scale(components_of(figures))
    return [_value(figure, scale) for figure in figures]


def _value(figure: Figure, scale: Decimal) -> str:
    value = figure.number
    if figure.unit == "%":
        text = f"{plain_number(round(value * 100, 4))} %"
    elif figure.unit not in _UNSCALED:
        text = plain_number(value / scale)
    elif figure.formula and figure.unit != "shares":
        text = plain_number(round(value, 4))
    else:
        text = plain_number(value)
    return bracketed_if_negative(text)


def _fill(pattern: str, words: Sequence[str]) -> str:
    """The pattern with all words where it has a place for each, else with the first and the last."""
    return pattern.format(*words) if "{2}" in pattern else pattern.format(words[0], words[-1])


def _year(period: Period | None) -> int:
    if period is None:
        raise MissingError("a period")
    return period.year

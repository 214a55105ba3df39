"""What questions do with figures: changes, growth, shares, averages, sums, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from ....core.period import Period
from ...question.vocabulary.expression import IncomputableError
from ..result import Component, Figure
from .calculator import MissingError, UnclearError, common_scale, plain_number

_LARGEST_SHARE = 10
"""A larger "share" compares what is printed in different scales."""
_PERCENT = ("percent change", "share", "cagr")


def combine(operation: str, figures: Sequence[Figure]) -> Figure:
    """One figure out of several, with the calculation in names and in values. Raises UnclearError, IncomputableError.

    "change", "percent change" and "cagr" take the earlier figure first; "share", "ratio" and "difference" take the two
    sides in order.
    """
    values = [figure.value for figure in figures if figure.value is not None]
    if len(values) < len(figures) or len(figures) < 2:
        raise MissingError("a second value to compare with")
    _check(figures, operation)
    names = [_name(figure, figures) for figure in figures]
    shown = _shown(figures)
    value, pattern = _RULES[operation](values, figures)
    unit = "%" if operation in _PERCENT else "x" if operation == "ratio" else figures[0].unit
    if operation == "share" and abs(value) > _LARGEST_SHARE:
        raise UnclearError(f"{names[0]} would be {value:.0f} times {names[1]}")
    return Figure(
        name=_title(operation, figures),
        period=figures[-1].period,
        value=value,
        unit="pp" if unit == "%" and operation in ("change", "difference") else unit,
        components=tuple(dict.fromkeys(part for figure in figures for part in figure.components)),
        formula=_fill(pattern, names),
        with_values=_fill(pattern, shown),
        company=figures[0].company,
    )


Rule = Callable[[Sequence[Decimal], Sequence[Figure]], tuple[Decimal, str]]


def _change(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return values[-1] - values[0], "{1} - {0}"


def _difference(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
    return values[0] - values[1], "{0} - {1}"


def _percent_change(values: Sequence[Decimal], figures: Sequence[Figure]) -> tuple[Decimal, str]:
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
    values = [figure.value for figure in figures if figure.value is not None]
    if len(values) < 2:
        raise MissingError("a second value to compare with")
    best = min(values) if lowest else max(values)
    found = [figure for figure in figures if figure.value == best]
    if len(found) > 1:
        raise UnclearError("the same value in several periods")
    parts = tuple(dict.fromkeys(part for figure in figures for part in figure.components))
    return replace(found[0], components=parts)


def _divided(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise IncomputableError("a division by zero")
    return one / other


def _check(figures: Sequence[Figure], operation: str) -> None:
    units = {figure.unit for figure in figures if figure.unit}
    if len(units) > 1 and not (operation == "ratio" and all(len(u) == 3 or u in ("people", "shares") for u in units)):
        raise UnclearError("different units: " + ", ".join(sorted(units)))


def _title(operation: str, figures: Sequence[Figure]) -> str:
    names = list(dict.fromkeys(figure.name for figure in figures))
    first, *rest = names
    if operation in ("share", "ratio") and rest:
        return f"{first} / {rest[0]}"
    if operation == "difference" and rest:
        return f"{first} - {rest[0]}"
    if operation in ("sum", "average") and rest:
        return f"{operation} of {', '.join(names)}"
    words = {"percent change": "growth", "cagr": "compound annual growth rate"}
    return f"{words.get(operation, operation)} of {first}"


def _name(figure: Figure, figures: Sequence[Figure]) -> str:
    """With its period where the same figure is taken of several."""
    same = sum(other.name == figure.name for other in figures) > 1
    return f"{figure.name} ({figure.period})" if same and figure.period else figure.name


def _shown(figures: Sequence[Figure]) -> list[str]:
    parts: tuple[Component, ...] = tuple(part for figure in figures for part in figure.components)
    scale = common_scale(parts)
    return [_value(figure, scale) for figure in figures]


def _value(figure: Figure, scale: Decimal) -> str:
    value = figure.value or Decimal(0)
    if figure.unit == "%":
        text = f"{plain_number(round(value * 100, 4))} %"
    elif figure.formula and figure.unit in ("x", "days", "people"):
        text = plain_number(round(value, 4))
    else:
        text = plain_number(value / (scale if figure.unit not in ("people", "shares", "x", "days") else 1))
    return f"({text})" if text.startswith("-") else text


def _fill(pattern: str, words: Sequence[str]) -> str:
    ends = [words[0], words[-1]] if "{2}" not in pattern and len(words) > 2 else words
    return pattern.format(*ends)


def _year(period: Period | None) -> int:
    if period is None:
        raise MissingError("a period")
    return period.last_day.year if period.is_instant else period.year

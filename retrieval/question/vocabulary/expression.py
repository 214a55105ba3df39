"""The arithmetic of formulas: "[revenue] - before([revenue])" as a tree, evaluated in Decimal, never as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from operator import add, mul, sub, truediv
from typing import Literal

FunctionName = Literal["abs", "average", "before", "most", "least"]
FUNCTIONS: tuple[FunctionName, ...] = ("abs", "average", "before", "most", "least")
_NEGATIVE = re.compile(r"^\(-([\d,.]+)\)$")


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Name:
    """A component: a metric, or another formula."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two sides joined by + - * / ^; a leading minus is ``0 -``."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """abs(x); before(x): of the period before; average(x): mean of now and before; most(x, ..) and least(x, ..)."""

    function: FunctionName
    arguments: tuple[Node, ...]


Node = Number | Name | Operation | Call
ValueOf = Callable[[str, int], Decimal]
"""Name of a component and periods to go back (0: the period asked) -> its amount."""


class IncomputableError(ArithmeticError):
    """The values are there, but not this: a division by zero, a root of a negative number."""


def evaluate(node: Node, value_of: ValueOf, back: int = 0) -> Decimal:
    """The value in Decimal, components given by ``value_of``. Raises IncomputableError, and what ``value_of`` raises.

    >>> evaluate(Operation("-", Name("a"), Call("before", (Name("a"),))), lambda name, back: Decimal(9 - 4 * back))
    Decimal('4')
    """
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return value_of(node.name, back)
    if isinstance(node, Call):
        return _call(node, value_of, back)
    left, right = evaluate(node.left, value_of, back), evaluate(node.right, value_of, back)
    try:
        value = _OPERATE[node.sign](left, right)
    except (DecimalException, OverflowError) as error:
        raise IncomputableError(f"{left} {node.sign} {right}") from error
    if not value.is_finite():
        raise IncomputableError(f"{left} {node.sign} {right}")
    return value


def components(node: Node, back: int = 0) -> Iterator[tuple[str, int]]:
    """The components with how many periods back each is taken, in order, repeated as used."""
    if isinstance(node, Name):
        yield node.name, back
    elif isinstance(node, Operation):
        yield from components(node.left, back)
        yield from components(node.right, back)
    elif isinstance(node, Call):
        for shift in {"before": (1,), "average": (0, 1)}.get(node.function, (0,)):
            for argument in node.arguments:
                yield from components(argument, back + shift)


def render(node: Node, word: Callable[[str, int], str], back: int = 0) -> str:
    """The formula for people, each component written by ``word``.

    >>> render(Operation("/", Name("a"), Call("average", (Name("b"),))), lambda name, back: name + "'" * back)
    "a / ((b + b') / 2)"
    """
    return _render(node, word, back, 0)


_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_SHOWN = {"*": "×"}


def _render(node: Node, word: Callable[[str, int], str], back: int, within: int) -> str:
    if isinstance(node, Number):
        return f"{node.value:f}"
    if isinstance(node, Name):
        return word(node.name, back)
    if isinstance(node, Call):
        return _render_call(node, word, back)
    strength = _STRENGTH[node.sign]
    left = _render(node.left, word, back, strength)
    right = _render(node.right, word, back, strength + (node.sign in "-/^"))
    text = f"{left} {_SHOWN.get(node.sign, node.sign)} {right}"
    return f"({text})" if strength < within else text


def _render_call(node: Call, word: Callable[[str, int], str], back: int) -> str:
    if node.function == "before":
        return _render(node.arguments[0], word, back + 1, 3)
    if node.function == "average":
        now, before = (_render(node.arguments[0], word, back + shift, 1) for shift in (0, 1))
        return f"(({now} + {before}) / 2)"
    if node.function == "abs":
        return _NEGATIVE.sub(r"\1", _render(node.arguments[0], word, back, 2))
    inner = ", ".join(_render(argument, word, back, 0) for argument in node.arguments)
    return f"{'max' if node.function == 'most' else 'min'}({inner})"


def _call(node: Call, value_of: ValueOf, back: int) -> Decimal:
    first = node.arguments[0]
    if node.function == "before":
        return evaluate(first, value_of, back + 1)
    if node.function == "average":
        return (evaluate(first, value_of, back) + evaluate(first, value_of, back + 1)) / 2
    return _SUMMED_UP[node.function]([evaluate(argument, value_of, back) for argument in node.arguments])


_SUMMED_UP: Mapping[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "abs": lambda values: abs(values[0]),
    "most": max,
    "least": min,
}
_OPERATE: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {"+": add, "-": sub, "*": mul, "/": truediv, "^": pow}

"""The arithmetic of formulas: "[revenue] - before([revenue])" as a tree, evaluated in Decimal, never as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import Literal

FunctionName = Literal["abs", "average", "before", "most", "least"]
FUNCTIONS: tuple[FunctionName, ...] = ("abs", "average", "before", "most", "least")
_TOKEN = re.compile(r"\s*(?:(?P<name>\[[^\[\]]+\])|(?P<number>\d+(?:\.\d+)?)|(?P<word>[a-z]+)|(?P<sign>[-+*/^(),]))")
_NEGATIVE = re.compile(r"^\(-([\d,.]+)\)$")
_MOST_DEPTH = 40


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


def parse_expression(text: str) -> Node:
    """Read a formula. Raises ValueError where it is not one.

    >>> parse_expression("[a] / 2")
    Operation(sign='/', left=Name(name='a'), right=Number(value=Decimal('2')))
    """
    tokens = list(_tokens(text))
    node, at = _sum(tokens, 0, 0)
    if at != len(tokens):
        raise ValueError(f"unexpected {tokens[at]!r} in {text!r}")
    return node


def evaluate(node: Node, value_of: ValueOf, back: int = 0) -> Decimal:
    """The value in Decimal, components given by ``value_of``. Raises IncomputableError, and what ``value_of`` raises.

    >>> evaluate(parse_expression("([a] - before([a])) / 2 ^ 2"), lambda name, back: Decimal(9 - 4 * back))
    Decimal('1')
    """
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return value_of(node.name, back)
    if isinstance(node, Call):
        return _call(node, value_of, back)
    left, right = evaluate(node.left, value_of, back), evaluate(node.right, value_of, back)
    try:
        value = _operate(node.sign, left, right)
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

    >>> render(parse_expression("([a] - before([a])) / average([b])"), lambda name, back: name + "'" * back)
    "(a - a') / ((b + b') / 2)"
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
    if node.function == "before":
        return evaluate(node.arguments[0], value_of, back + 1)
    if node.function == "average":
        return (evaluate(node.arguments[0], value_of, back) + evaluate(node.arguments[0], value_of, back + 1)) / 2
    values = [evaluate(argument, value_of, back) for argument in node.arguments]
    return abs(values[0]) if node.function == "abs" else max(values) if node.function == "most" else min(values)


def _operate(sign: str, left: Decimal, right: Decimal) -> Decimal:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    if sign == "/":
        return left / right
    return left**right


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"cannot read {text[at:].strip()!r}")
        yield match[0].strip()
        at = match.end()


def _sum(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    return _chain(tokens, at, depth, "+-", _product)


def _product(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    return _chain(tokens, at, depth, "*/", _power)


_Reader = Callable[[list[str], int, int], tuple[Node, int]]


def _chain(tokens: list[str], at: int, depth: int, signs: str, reader: _Reader) -> tuple[Node, int]:
    node, at = reader(tokens, at, depth)
    while at < len(tokens) and tokens[at] in signs:
        right, after = reader(tokens, at + 1, depth)
        node, at = Operation(tokens[at], node, right), after
    return node, at


def _power(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    node, at = _factor(tokens, at, depth)
    if at < len(tokens) and tokens[at] == "^":
        right, at = _power(tokens, at + 1, depth + 1)
        return Operation("^", node, right), at
    return node, at


def _factor(tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    if at >= len(tokens) or depth > _MOST_DEPTH:
        raise ValueError("the formula breaks off" if at >= len(tokens) else "the formula is nested too deep")
    token = tokens[at]
    if token == "-":
        node, at = _factor(tokens, at + 1, depth + 1)
        return Operation("-", Number(Decimal(0)), node), at
    if token == "(":
        node, at = _sum(tokens, at + 1, depth + 1)
        return node, _closed(tokens, at)
    if token[0] == "[":
        return Name(" ".join(token[1:-1].split())), at + 1
    if token[0].isdigit():
        return Number(Decimal(token)), at + 1
    if token in FUNCTIONS and tokens[at + 1 : at + 2] == ["("]:
        return _arguments(token, tokens, at + 2, depth + 1)
    raise ValueError(f"unexpected {token!r}")


def _arguments(function: FunctionName, tokens: list[str], at: int, depth: int) -> tuple[Node, int]:
    node, at = _sum(tokens, at, depth)
    arguments = [node]
    while function in ("most", "least") and tokens[at : at + 1] == [","]:
        node, at = _sum(tokens, at + 1, depth)
        arguments.append(node)
    return Call(function, tuple(arguments)), _closed(tokens, at)


def _closed(tokens: list[str], at: int) -> int:
    if tokens[at : at + 1] != [")"]:
        raise ValueError("unbalanced parentheses")
    return at + 1

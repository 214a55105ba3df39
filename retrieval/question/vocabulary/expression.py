"""The arithmetic of formulas, questions and answers: "[revenue] - before([revenue])" is read as a tree and evaluated in
Decimal, never as code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, DecimalException
from operator import add, mul, sub, truediv
from typing import Literal

from ....core.patterns import on_demand
from ....core.records import dataclass

FunctionName = Literal["abs", "average", "before", "most", "least"]
FUNCTIONS: tuple[FunctionName, ...] = ("abs", "average", "before", "most", "least")
_NEGATIVE = on_demand(r"^\(-([\d,.]+)\)$")
ValueOf = Callable[[str, int], Decimal]
"""Name of a component and periods to go back (0: the period asked) -> its amount."""
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_SHOWN = {"*": "×"}
_SUMMED_UP: Mapping[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "abs": lambda values: abs(values[0]),
    "most": max,
    "least": min,
}
_OPERATE: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {"+": add, "-": sub, "*": mul, "/": truediv, "^": pow}
_TOKEN = on_demand(r"\s*(?:(?P<name>\[[^\[\]]+\])|(?P<number>\d+(?:\.\d+)?)|(?P<word>[a-z]+)|(?P<sign>[-+*/^(),]))")
_MOST_CHARACTERS = 4000
_MOST_TOKENS = 400
_MOST_DEPTH = 40
_MOST_PERIODS = 3
"""How deep before() and average() may stand in each other: each doubles the work."""
_OVER_PERIODS = ("before", "average")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/", "（": "(", "）": ")", "[": "(", "]": ")"})
_IGNORED = on_demand(r"[,，$€£¥%]")


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


_Reader = Callable[[int], tuple[Node, int]]


def parse_expression(text: str) -> Node:
    """Read a formula. Raises ValueError where it is not one, or too long or deep to be meant.

    >>> parse_expression("[a] / 2")
    Operation(sign='/', left=Name(name='a'), right=Number(value=Decimal('2')))
    """
    return _Parser(_tokens(text)).whole()


def calculate(expression: str) -> Decimal | None:
    """Value of numbers joined by + - * / and parentheses; None where the text is not that or divides by zero.

    Currency signs, percent signs and thousands separators are passed over.

    >>> calculate("(3,412 - 2,987) / $2,987 × 100").quantize(Decimal("0.1"))
    Decimal('14.2')
    >>> calculate("2 +"), calculate("1 / 0"), calculate("import os")
    (None, None, None)
    """
    if len(expression) > _MOST_CHARACTERS:
        return None
    try:
        return evaluate(parse_expression(_IGNORED.sub("", expression.translate(_SIGNS))), _no_name)
    except (ValueError, IncomputableError):
        return None


def _no_name(name: str, back: int) -> Decimal:
    raise ValueError(f"{name} has no value")


def _tokens(text: str) -> list[str]:
    text = text.rstrip()
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"cannot read {text[at:].strip()[:80]!r}")
        tokens.append(match[0].strip())
        at = match.end()
        if len(tokens) > _MOST_TOKENS:
            raise ValueError("the formula is too long")
    return tokens


class _Parser:
    """Reads tokens from a position on; every reader gives the tree read and the position after it."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._depth = 0
        self._periods = 0

    def whole(self) -> Node:
        node, at = self._sum(0)
        if at != len(self._tokens):
            raise ValueError(f"unexpected {self._tokens[at]!r}")
        return node

    def _token(self, at: int) -> str:
        return self._tokens[at] if at < len(self._tokens) else ""

    def _sum(self, at: int) -> tuple[Node, int]:
        return self._chain(at, ("+", "-"), self._product)

    def _product(self, at: int) -> tuple[Node, int]:
        return self._chain(at, ("*", "/"), self._power)

    def _chain(self, at: int, signs: tuple[str, ...], reader: _Reader) -> tuple[Node, int]:
        node, at = reader(at)
        while self._token(at) in signs:
            right, after = reader(at + 1)
            node, at = Operation(self._tokens[at], node, right), after
        return node, at

    def _power(self, at: int) -> tuple[Node, int]:
        node, at = self._factor(at)
        if self._token(at) != "^":
            return node, at
        right, at = self._deeper(self._power, at + 1)
        return Operation("^", node, right), at

    def _deeper(self, reader: _Reader, at: int) -> tuple[Node, int]:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise ValueError("the formula is nested too deep")
        read = reader(at)
        self._depth -= 1
        return read

    def _factor(self, at: int) -> tuple[Node, int]:
        token = self._token(at)
        if not token:
            raise ValueError("the formula breaks off")
        if token == "-":
            node, at = self._deeper(self._factor, at + 1)
            return Operation("-", Number(Decimal(0)), node), at
        if token == "(":
            node, at = self._deeper(self._sum, at + 1)
            return node, self._closed(at)
        if token[0] == "[":
            return Name(" ".join(token[1:-1].split())), at + 1
        if token[0].isdigit():
            return Number(Decimal(token)), at + 1
        if token in FUNCTIONS and self._token(at + 1) == "(":
            return self._call(token, at + 2)
        raise ValueError(f"unexpected {token!r}")

    def _call(self, function: FunctionName, at: int) -> tuple[Node, int]:
        looks_back = function in _OVER_PERIODS
        self._periods += looks_back
        if self._periods > _MOST_PERIODS:
            raise ValueError("the formula goes back too many periods")
        node, at = self._deeper(self._sum, at)
        arguments = [node]
        while function in ("most", "least") and self._token(at) == ",":
            node, at = self._deeper(self._sum, at + 1)
            arguments.append(node)
        self._periods -= looks_back
        return Call(function, tuple(arguments)), self._closed(at)

    def _closed(self, at: int) -> int:
        if self._token(at) != ")":
            raise ValueError("unbalanced parentheses")
        return at + 1

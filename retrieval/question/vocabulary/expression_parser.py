"""Reads the arithmetic of formulas, of questions and of answers; nothing is ever evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from .expression import FUNCTIONS, Call, FunctionName, IncomputableError, Name, Node, Number, Operation, evaluate

_TOKEN = re.compile(r"\s*(?:(?P<name>\[[^\[\]]+\])|(?P<number>\d+(?:\.\d+)?)|(?P<word>[a-z]+)|(?P<sign>[-+*/^(),]))")
_MOST_CHARACTERS = 4000
_MOST_TOKENS = 400
_MOST_DEPTH = 40
_MOST_PERIODS = 3
"""How deep before() and average() may stand in each other: each doubles the work."""
_OVER_PERIODS = ("before", "average")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/", "（": "(", "）": ")", "[": "(", "]": ")"})
_IGNORED = re.compile(r"[,，$€£¥%]")
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

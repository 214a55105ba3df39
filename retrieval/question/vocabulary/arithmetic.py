"""Plain arithmetic as it stands in answers, parsed, never evaluated as code."""

from __future__ import annotations

import re
from decimal import Decimal

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[-+*/()]")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/", "（": "(", "）": ")", "[": "(", "]": ")"})
_IGNORED = re.compile(r"[,，$€£¥%]")


def calculate(expression: str) -> Decimal | None:
    """Value of numbers joined by + - * / and parentheses; None where the text is not that or divides by zero.

    Currency signs, percent signs and thousands separators are passed over.

    >>> calculate("(3,412 - 2,987) / $2,987 × 100").quantize(Decimal("0.1"))
    Decimal('14.2')
    >>> calculate("2 +"), calculate("1 / 0"), calculate("import os")
    (None, None, None)
    """
    text = _IGNORED.sub("", expression.translate(_SIGNS))
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        return None
    try:
        value, rest = _sum(tokens)
    except (IndexError, ArithmeticError, ValueError, RecursionError):
        return None
    return value if not rest else None


def _sum(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, rest = _product(tokens)
    while rest and rest[0] in "+-":
        term, after = _product(rest[1:])
        value, rest = (value + term if rest[0] == "+" else value - term), after
    return value, rest


def _product(tokens: list[str]) -> tuple[Decimal, list[str]]:
    value, rest = _factor(tokens)
    while rest and rest[0] in "*/":
        factor, after = _factor(rest[1:])
        value, rest = (value * factor if rest[0] == "*" else value / factor), after
    return value, rest


def _factor(tokens: list[str]) -> tuple[Decimal, list[str]]:
    head, rest = tokens[0], tokens[1:]
    if head == "-":
        value, rest = _factor(rest)
        return -value, rest
    if head != "(":
        return Decimal(head), rest
    value, rest = _sum(rest)
    if rest[0] != ")":
        raise ValueError("unbalanced parentheses")
    return value, rest[1:]

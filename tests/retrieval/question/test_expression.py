"""The arithmetic of formulas: what parses, what it gives, how it is shown, and that nothing else gets through."""

from decimal import Decimal

import pytest
from cliquerag.retrieval.question.vocabulary.expression import (
    IncomputableError,
    calculate,
    components,
    evaluate,
    parse_expression,
    render,
)
from hypothesis import given
from hypothesis import strategies as st

VALUES = {("a", 0): Decimal(12), ("a", 1): Decimal(10), ("b", 0): Decimal(-4), ("b", 1): Decimal(8)}


def value(text):
    return evaluate(parse_expression(text), lambda name, back: VALUES[name, back])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a] - before([a])", 2),
        ("([a] - before([a])) / before([a])", "0.2"),
        ("average([a])", 11),
        ("abs([b]) * 2", 8),
        ("-[b] + 1", 5),
        ("2 ^ 3 ^ 0", 2),
        ("8 - 4 - 2", 2),
        ("8 / 4 / 2", 1),
        ("2 + 3 * 4", 14),
        ("most([a], [b], 3)", 12),
        ("least([a], [b])", -4),
        ("365 * average([a]) / [a]", "334.5833333333333333333333333"),
        ("before(average([a]) - 1)", None),
    ],
)
def test_values_by_hand(text, expected):
    if expected is None:  # two periods back is not there
        with pytest.raises(KeyError):
            value(text)
    else:
        assert value(text) == Decimal(expected)


@pytest.mark.parametrize("text", ["[a] / ([a] - 12)", "(0 - 8) ^ (1 / 2)", "0 ^ (0 - 1)", "(10 ^ 999999) ^ 9999"])
def test_what_cannot_be_calculated_is_said(text):
    with pytest.raises(IncomputableError):
        value(text)


@pytest.mark.parametrize(
    "text",
    ["", "[a", "a]", "(1", "1)", "1 +", "* 1", "open('x')", "__import__('os')", "[a].real", "abs [a]", "abs()", "1 1",
     "average([a], [b])", "lambda: 1", "[a] if 1 else 2", "(" * 100 + "1" + ")" * 100, "-" * 100 + "1"],
)  # fmt: skip
def test_nothing_else_is_a_formula(text):
    with pytest.raises(ValueError, match=r"."):
        parse_expression(text)


def test_components_with_their_periods():
    node = parse_expression("average([a]) / before([b] + [a])")
    assert list(components(node)) == [("a", 0), ("a", 1), ("b", 1), ("a", 1)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a] - ([b] - 1)", "a - (b - 1)"),
        ("[a] - [b] - 1", "a - b - 1"),
        ("([a] + [b]) * 2", "(a + b) × 2"),
        ("[a] / ([b] / 2)", "a / (b / 2)"),
        ("abs([b]) / before([a] + [b])", "b / (a' + b')"),
        ("average([a])", "((a + a') / 2)"),
    ],
)
def test_shown_as_people_write(text, shown):
    assert render(parse_expression(text), lambda name, back: name + "'" * back) == shown


def test_payments_are_shown_by_their_size():
    node = parse_expression("[a] - abs([b])")
    assert render(node, lambda name, back: {"a": "7,230", "b": "(-348)"}[name]) == "7,230 - 348"


numbers = st.decimals(min_value=-1000, max_value=1000, places=2)


@given(numbers, numbers, numbers)
def test_what_is_shown_is_what_was_calculated(a, b, c):
    """The shown line, read again, gives the same value."""
    node = parse_expression("([x] - [y] - [z]) * 2 - ([x] + [y] * [z])")
    given_values = {"x": a, "y": b, "z": c}
    shown = render(node, lambda name, back: f"(0 - {-given_values[name]})" if given_values[name] < 0 else
                   f"{given_values[name]}")  # fmt: skip
    again = evaluate(parse_expression(shown.replace("×", "*")), lambda name, back: Decimal(0))
    assert again == evaluate(node, lambda name, back: given_values[name])


def test_what_is_too_long_or_too_deep_is_refused_at_once():
    assert calculate("1+" * 50_000 + "1") is None
    assert calculate("1+" * 100 + "1") == 101
    with pytest.raises(ValueError, match="too many periods"):
        parse_expression("average(" * 30 + "[a]" + ")" * 30)
    with pytest.raises(ValueError, match="too long"):
        parse_expression("[a] + " * 1000 + "[a]")

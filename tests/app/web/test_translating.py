"""What search and ingest say of themselves is there in every language of the desk."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.core.rules import load_rules
from cliquerag.retrieval.question.figures.request import _ROUTES
from cliquerag.web.desk import in_words

ROOT = Path(__file__).parents[3]
REASONS = (
    "retrieval/question/scope/document_filter.py",
    "retrieval/search/modes.py",
    "retrieval/calculation/answer.py",
    "retrieval/calculation/assisted.py",
    "retrieval/calculation/aggregates.py",
    "retrieval/calculation/operations.py",
    "retrieval/calculation/asked_figures.py",
    "retrieval/calculation/calculator.py",
    "retrieval/calculation/selection.py",
)
"""Files that write reasons into the trace."""
CALLS = ("append", "Outcome", "replace", "MissingError", "UnclearError", "IncomputableError", "_DeclinedError")
"""What a reason is given to, as an argument."""


def reasons() -> Iterator[str]:
    """Every reason in the sources, "Acme" where it names something."""
    for path in REASONS:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in CALLS:
                given = [*node.args, *(word.value for word in node.keywords if word.arg in ("declined", "notes"))]
                yield from (text for one in given for text in _texts(one))
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                yield from (text for one in node.value.elts for text in _texts(one))
    yield from (reason.format(operation="share") for _, _, reason in _ROUTES)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "Acme" for part in node.values)
    elif isinstance(node, ast.BinOp):
        text = "".join(_texts(node.left)) + "Acme"
    else:
        return
    is_formula = not re.search("[a-z]{2}", text.replace("Acme", ""))
    if " " in text and not is_formula:
        yield text


def test_every_reason_is_there_in_chinese() -> None:
    found = set(reasons())
    assert len(found) > 40
    assert [text for text in sorted(found) if in_words(text, "zh") == text] == []


@pytest.mark.parametrize("file", ["metadata.toml", "issuer.toml"])
def test_every_kind_and_source_of_metadata_is_there_in_chinese(file: str) -> None:
    names = set(_values(load_rules("cliquerag.ingest.about", file), "how" if file == "issuer.toml" else "kind"))
    plain = {name for name in names if not re.fullmatch(r"[\d-]+-?[A-Z]", name)}
    assert len(plain) > 5
    assert [name for name in sorted(plain) if in_words(name, "zh") == name] == []


def _values(rules: object, key: str) -> Iterator[str]:
    if isinstance(rules, dict):
        for name, value in rules.items():
            if name == key and isinstance(value, str):
                yield value
            yield from _values(value, key)
    elif isinstance(rules, list):
        for one in rules:
            yield from _values(one, key)


def test_what_has_no_translation_stays_as_it_was_written() -> None:
    assert in_words("Acme Tools Inc.", "zh") == "Acme Tools Inc."
    assert in_words("cover page, something new", "zh") == "cover page, something new"

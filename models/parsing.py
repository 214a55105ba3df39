"""Reads the JSON in a model's answer: fenced, wrapped in prose, with trailing commas; never half of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_THOUGHTS = re.compile(r"^\s*<think>.*?</think>\s*", re.DOTALL)
_STRING = r'"(?:\\.|[^"\\])*"'
_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
}


class NoJSONError(ValueError):
    """An answer in prose only: the endpoint ignores how JSON is asked for."""


def without_thoughts(text: str) -> str:
    """The answer without the reasoning that some open models put in front of it.

    >>> without_thoughts("<think>Is it 4? Yes.</think> 4")
    '4'
    """
    return _THOUGHTS.sub("", text)


def parse_json(text: str) -> Any:
    """The first JSON object or array in ``text``.

    Raises:
        ValueError: there is none, or it is cut off. The whole parts of a cut-off answer are not it.

    >>> parse_json('Here it is: ```json {"names": ["Acme", "Beta",],} ```')
    {'names': ['Acme', 'Beta']}
    >>> parse_json('{"names": [{"id": 1}, {"id": 2')
    Traceback (most recent call last):
    ValueError: the JSON is cut off
    """
    text = without_thoughts(text)
    position = 0
    while (start := _opening(text, position)) >= 0:
        end = _closing(text, start)
        try:
            return json.loads(_TRAILING_COMMA.sub(r"\1", text[start:end]), strict=False)
        except ValueError:
            position = end
    raise NoJSONError("there is no JSON in it")


def _opening(text: str, position: int) -> int:
    match = re.compile(r"[{\[]").search(text, position)
    return match.start() if match else -1


def _closing(text: str, start: int) -> int:
    """The end of the bracket that opens at ``start``."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    raise ValueError("the JSON is cut off")


def check_shape(value: Any, schema: Mapping[str, Any]) -> None:
    """Raises ValueError where ``value`` is not of the schema's outer shape: its type and its required keys.

    The parts inside are the caller's to judge: one odd item must not cost the whole answer.
    """
    expected = schema.get("type")
    if isinstance(expected, str) and expected in _TYPES and not isinstance(value, _TYPES[expected]):
        raise ValueError(f"it is not of the type {expected}")
    missing = [key for key in schema.get("required", ()) if isinstance(value, dict) and key not in value]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")

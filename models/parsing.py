"""Reads the JSON in a model's answer: fenced, wrapped in prose, with trailing commas; never half of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_STRING = r'"(?:\\.|[^"\\])*(?:"|\\?\Z)'
"""Up to its end; of an answer that is cut off in a string, all the rest."""
_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
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


def load_json(text: str | bytes) -> Any:
    r"""The value of a JSON text, with line breaks in strings, and with halves of characters (surrogates) replaced.

    Raises:
        ValueError: it is no JSON, or nested deeper than Python reads.

    >>> load_json(r'"half a smile: \ud83d"')
    'half a smile: �'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    try:
        value = json.loads(text, strict=False)
        if not _HALF.search(text):
            return value
        return json.loads(whole_text(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def whole_text(text: str) -> str:
    """The text with � for each half of a character, which no file and no request can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


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
    position = 0
    while opening := _OPENING.search(text, position):
        start = opening.start()
        end = _closing(text, start)
        try:
            return load_json(_TRAILING_COMMA.sub(r"\1", text[start:end]))
        except ValueError:
            position = end
    raise NoJSONError("there is no JSON in it")


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
    expected = str(schema.get("type"))
    if not isinstance(value, _TYPES.get(expected, object)):
        raise ValueError(f"it is not of the type {expected}")
    if isinstance(value, dict):
        missing = [key for key in schema.get("required", ()) if key not in value]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}")

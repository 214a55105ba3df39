"""What an endpoint understands: structured output and sampling differ between "OpenAI-compatible" servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .language import Message

Structured = Literal["schema", "object", "words"]

_PLAINER: dict[Structured, Structured] = {"schema": "object", "object": "words"}
_IN_WORDS = "Answer with one JSON value that fits this JSON schema, and with nothing else:\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to put a request. ``structured`` is how JSON is asked for; the rest says which parameters are understood."""

    structured: Structured = "schema"
    temperature: bool = True
    completion_tokens: bool = False
    """The limit is called ``max_completion_tokens``, as reasoning models want it."""

    def parameters(
        self, schema: Mapping[str, Any] | None, temperature: float | None, max_tokens: int | None
    ) -> dict[str, Any]:
        """The parameters of ``POST /chat/completions`` besides model and messages."""
        result: dict[str, Any] = {}
        if temperature is not None and self.temperature:
            result["temperature"] = temperature
        if max_tokens is not None:
            result["max_completion_tokens" if self.completion_tokens else "max_tokens"] = max_tokens
        if schema is not None and self.structured == "schema":
            named = {"name": "answer", "schema": dict(schema), "strict": is_strict(schema)}
            result["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema is not None and self.structured == "object":
            result["response_format"] = {"type": "json_object"}
        return result

    def messages(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, str]]:
        """The messages, with the schema in words where the endpoint does not take it otherwise."""
        turns = [{"role": message.role, "content": message.content} for message in messages]
        if schema is None or self.structured == "schema":
            return turns
        words = _IN_WORDS + json.dumps(schema, ensure_ascii=False)
        if turns and turns[0]["role"] == "system":
            return [{"role": "system", "content": f"{turns[0]['content']}\n\n{words}"}, *turns[1:]]
        return [{"role": "system", "content": words}, *turns]

    def plainer(self, refusal: str, *, structured: bool) -> Dialect | None:
        """What to try after the endpoint refused a request with these words; None when nothing is left to leave out."""
        if "temperature" in refusal and self.temperature:
            return replace(self, temperature=False)
        if "max_completion_tokens" in refusal and not self.completion_tokens:
            return replace(self, completion_tokens=True)
        if structured and self.structured in _PLAINER:
            return replace(self, structured=_PLAINER[self.structured])
        return None


def is_strict(schema: Any) -> bool:
    """Whether every object of the schema is closed and complete, as strict structured output demands.

    >>> is_strict({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
    False
    """
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            closed = schema.get("additionalProperties") is False
            if not closed or set(schema.get("required", ())) != set(schema.get("properties", {})):
                return False
        return all(is_strict(value) for value in schema.values())
    return all(is_strict(value) for value in schema) if isinstance(schema, list) else True

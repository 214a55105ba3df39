"""What an endpoint understands: structured output and sampling differ between "OpenAI-compatible" servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .language import Message
from .parsing import whole_text

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
    stream_usage: bool = True
    """A stream ends with the tokens that it cost, where that is asked for."""

    def request(
        self,
        model: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        temperature: float | None,
        max_tokens: int | None,
    ) -> dict[str, Any]:
        """The body of ``POST /chat/completions``."""
        result: dict[str, Any] = {"model": model, "messages": self.messages(messages, schema)}
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

    def streamed(self, request: dict[str, Any]) -> dict[str, Any]:
        """The body of the same request for a stream."""
        if self.stream_usage:
            return {**request, "stream": True, "stream_options": {"include_usage": True}}
        return {**request, "stream": True}

    def messages(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, str]]:
        """The messages, with the schema in words where the endpoint does not take it otherwise."""
        turns = [{"role": message.role, "content": whole_text(message.content)} for message in messages]
        if schema is None or self.structured == "schema":
            return turns
        words = _IN_WORDS + json.dumps(schema, ensure_ascii=False)
        if turns and turns[0]["role"] == "system":
            return [{"role": "system", "content": f"{turns[0]['content']}\n\n{words}"}, *turns[1:]]
        return [{"role": "system", "content": words}, *turns]

    def plainer(self, refusal: str, *, structured: bool, streamed: bool) -> Dialect | None:
        """What to try after the endpoint refused a request with these words; None when nothing is left to leave out."""
        if "temperature" in refusal and self.temperature:
            return replace(self, temperature=False)
        if "max_completion_tokens" in refusal and not self.completion_tokens:
            return replace(self, completion_tokens=True)
        if streamed and self.stream_usage:
            return replace(self, stream_usage=False)
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

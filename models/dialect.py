"""What an endpoint understands: structured output and sampling differ between "OpenAI-compatible" servers."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from .language import Message
from .parsing import whole_text

Structured = Literal["schema", "object", "words"]

_PLAINER: dict[Structured, Structured] = {"schema": "object", "object": "words"}
_COMPLAINTS = (("temperature", "temperature", False), ("max_completion_tokens", "completion_tokens", True))
"""Word of a refusal -> what is put otherwise, and how."""
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
        limit = "max_completion_tokens" if self.completion_tokens else "max_tokens"
        wishes = {
            "temperature": temperature if self.temperature else None,
            limit: max_tokens,
            "response_format": self._response_format(schema),
        }
        understood = {name: wish for name, wish in wishes.items() if wish is not None}
        return {"model": model, "messages": self.messages(messages, schema), **understood}

    def _response_format(self, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """How JSON is asked for by a parameter; None where it is not, or is asked for in words."""
        if schema is None or self.structured == "words":
            return None
        if self.structured == "object":
            return {"type": "json_object"}
        named = {
            "name": "answer",
            "schema": dict(schema),
            "strict": is_strict(schema),
        }
        return {"type": "json_schema", "json_schema": named}

    def streamed(self, request: dict[str, Any]) -> dict[str, Any]:
        """The body of the same request for a stream."""
        if self.stream_usage:
            return {**request, "stream": True, "stream_options": {"include_usage": True}}
        return {**request, "stream": True}

    def messages(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """The messages, with the schema in words where the endpoint does not take it otherwise."""
        turns = [{"role": message.role, "content": _content(message)} for message in messages]
        if schema is None or self.structured == "schema":
            return turns
        words = _IN_WORDS + json.dumps(schema, ensure_ascii=False)
        if turns[0]["role"] != "system":
            return [{"role": "system", "content": words}, *turns]
        system, *others = turns
        instructed = {"role": "system", "content": f"{system['content']}\n\n{words}"}
        return [instructed, *others]

    def plainer(self, refusal: str, *, structured: bool, streamed: bool) -> Dialect | None:
        """What to try after the endpoint refused a request with these words; None when nothing is left to leave out."""
        for word, field, value in _COMPLAINTS:
            if word in refusal and getattr(self, field) != value:
                otherwise: dict[str, Any] = {field: value}
                return replace(self, **otherwise)
        if streamed and self.stream_usage:
            return replace(self, stream_usage=False)
        if structured and self.structured in _PLAINER:
            return replace(self, structured=_PLAINER[self.structured])
        return None


def _content(message: Message) -> str | list[dict[str, Any]]:
    """The text, and after it the pictures as parts of their own, as multimodal endpoints take them."""
    text = whole_text(message.content)
    if not message.pictures:
        return text
    parts: list[dict[str, Any]] = [{"type": "text", "text": text}]
    for png in message.pictures:
        address = f"data:image/png;base64,{b64encode(png).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": address}})
    return parts


def is_strict(schema: Any) -> bool:
    """Whether every object of the schema is closed and complete, as strict structured output demands.

    >>> is_strict({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
    False
    """
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and not _is_closed(schema):
        return False
    return all(is_strict(part) for part in schema.values())


def _is_closed(schema: Mapping[str, Any]) -> bool:
    """Nothing but the named properties may be there, and all of them have to be."""
    if schema.get("additionalProperties") is not False:
        return False
    required = set(schema.get("required", ()))
    return required == set(schema.get("properties", {}))

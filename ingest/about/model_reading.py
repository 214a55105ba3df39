"""Whom a document is about, asked of a language model: one call, where the rules are unsure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.ids import stable_id
from ...models.language import Message
from ...prompts import load_prompt
from ..document import Document, Metadata
from .names_in_print import is_company
from .vote import letters

if TYPE_CHECKING:
    from ...models.language import LanguageModel

_HEAD = 3_000
"""Characters of the beginning that the model sees."""
_AROUND, _PLACES = 150, 3
"""Characters on either side of a candidate, and places of each."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"company": {"type": "string"}},
    "required": ["company"],
    "additionalProperties": False,
}
_DOUBTS = ("unsure", "candidates", "confidence")
_MARKUP = re.compile(r"<[^<>\n]{0,60}>|^[^\S\n]*(?:system|assistant|user)\s*:", re.IGNORECASE | re.MULTILINE)
"""What could pass for the end of the excerpts or for another speaker."""


def ask_company(document: Document, model: LanguageModel) -> Document:
    """The document with the company that the model names, where the rules are unsure and the text holds the name.

    The name is certain where the rules had it among theirs, alone or with a word too much; else it is the first
    candidate. Raises ModelError.
    """
    if not document.metadata.unsure:
        return document
    reply = model.reply(_messages(document), schema=_SCHEMA)
    said = dict(reply.data) if isinstance(reply.data, dict) else {}
    name = _as_printed(str(said.get("company", "")), document.text)
    return replace(document, metadata=_told(document.metadata, name)) if name else document


def _told(metadata: Metadata, name: str) -> Metadata:
    candidates = _candidates(metadata)
    if not any(letters(name) in letters(candidate) for candidate in candidates):
        return replace(metadata, how={**metadata.how, "candidates": "; ".join((name, *candidates))})
    kept = {field: origin for field, origin in metadata.how.items() if field not in _DOUBTS}
    return replace(metadata, companies=(name,), how={**kept, "companies": "language model"})


def _messages(document: Document) -> list[Message]:
    language = document.metadata.language
    excerpts = "\n...\n".join(_MARKUP.sub(" ", excerpt) for excerpt in _excerpts(document))
    tag = f"excerpts-{stable_id(excerpts)[:10]}"
    names = "; ".join(_candidates(document.metadata)) or "-"
    asked = f"{names}\n\n<{tag}>\n{excerpts}\n</{tag}>"
    return [Message("system", load_prompt("company", language)), Message("user", asked)]


def _excerpts(document: Document) -> Iterator[str]:
    """The beginning, and what stands around the candidates."""
    text = document.text
    yield text[:_HEAD]
    for name in _candidates(document.metadata):
        places = re.finditer(re.escape(name), text[_HEAD:])
        for place, _ in zip(places, range(_PLACES), strict=False):
            yield text[_HEAD + max(0, place.start() - _AROUND) : _HEAD + place.end() + _AROUND]


def _candidates(metadata: Metadata) -> list[str]:
    return list(filter(None, metadata.how.get("candidates", "").split("; ")))


def _as_printed(name: str, text: str) -> str:
    """The name as the text has it; "" where it has not, or where it is no name of a company."""
    words = name.split()
    if not words or not is_company(name):
        return ""
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return " ".join(found.group().split()) if found else ""

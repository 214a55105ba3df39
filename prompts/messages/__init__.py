"""What people read in answers: a file a language, a line a message; a new language is a new file."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from ...core.rules import load_rules


def message(key: str, language: str, /, **values: object) -> str:
    """A message with ``$name`` replaced, once: what stands in the values is not looked at again.

    >>> message("taken_for", "en", written="Microsfot", name="Microsoft")
    '“Microsfot” was taken for Microsoft.'
    """
    return Template(_messages(language)[key]).substitute({name: str(value) for name, value in values.items()})


def _messages(language: str) -> Mapping[str, str]:
    return load_rules(__package__, f"{language}.toml")

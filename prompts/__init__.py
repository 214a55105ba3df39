"""Prompt texts, one file a task and language: ``prompts/en/answer.txt``."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from ..core.errors import UsageError

LANGUAGES = ("en", "zh")


@cache
def load_prompt(task: str, language: str = "en") -> str:
    """The text of a prompt, without the line break at its end.

    Raises:
        UsageError: there is no such task, or none in this language.
    """
    file = files(__package__) / language / f"{task}.txt"
    if language not in LANGUAGES or not task.isidentifier() or not file.is_file():
        raise UsageError(f"no prompt {task!r} in the language {language!r}", where="prompts")
    return file.read_text(encoding="utf-8").rstrip("\n")


@cache
def load_shots(task: str, language: str = "en") -> tuple[tuple[str, str], ...]:
    """Examples as (role, text) turns of a chat, from a file in which "### user" and "### assistant" head each turn.

    >>> [role for role, _ in load_shots("extract_shots")][:2]
    ['user', 'assistant']
    """
    parts = re.split(r"^### (user|assistant)\n", load_prompt(task, language), flags=re.MULTILINE)[1:]
    return tuple(zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True))


def prompt_version(task: str, language: str = "en") -> str:
    """Changes with the prompt's text: part of the version of what was made with it."""
    return blake2b(load_prompt(task, language).encode(), digest_size=6).hexdigest()

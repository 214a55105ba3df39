"""Prompt texts, one file a task and language: ``prompts/en/answer.txt``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template
from typing import Literal


@cache
def load_prompt(task: str, language: Literal["en", "zh"] = "en") -> str:
    """The text of a task in a language, English where there is none in that language.

    >>> "evidence" in load_prompt("answer")
    True
    """
    folder = files(__name__)
    for name in dict.fromkeys((language, "en")):
        file = folder / name / f"{task}.txt"
        if file.is_file():
            return file.read_text(encoding="utf-8").strip()
    raise KeyError(f"no prompt {task!r}")


def fill_prompt(task: str, language: Literal["en", "zh"] = "en", **values: str) -> str:
    """The text with ``$name`` replaced, once: what stands in the values is not looked at again."""
    return Template(load_prompt(task, language)).substitute(values)

"""What a short text without pages is named by: the line above it, or what its first sentence defines."""

from __future__ import annotations

import re
from functools import cache

from ...core.rules import load_rules

_LONGEST = 10_000
"""Characters of a text that its first words name."""
_LONGEST_LINE, _MOST_WORDS = 100, 12
_SENTENCE_ENDS = (".", "!", "?", ",", ";", ":", "。", "！", "？", "，", "；", "：")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_BRACKETS = re.compile(r"\([^()]{0,200}(?:\([^()]{0,80}\)[^()]{0,200})?\)")
_HEAD = 600
"""Characters in which the first sentence says what something is."""


def title_line(text: str) -> str:
    """The first line of a text, where it is no sentence and more stands below it; else "".

    >>> title_line("Jeff Porcaro\\nHe was an American drummer."), title_line("He was a drummer.\\nHe played.")
    ('Jeff Porcaro', '')
    """
    if len(text) > _LONGEST:
        return ""
    line, _, rest = text.lstrip().partition("\n")
    line = line.strip()
    is_short = len(line) <= _LONGEST_LINE and len(line.split()) <= _MOST_WORDS
    is_sentence = line.endswith(_SENTENCE_ENDS) or line[:1].islower()
    if not is_short or is_sentence or "|" in line or not _LETTERS.search(line):
        return ""
    return line if len(rest.strip()) > len(line) else ""


def defined_name(text: str) -> str:
    """The name of which the first sentence says what it is; "" where it begins otherwise.

    >>> defined_name("The Battle of Hastings (14 October 1066) was a battle between two armies.")
    'The Battle of Hastings'
    >>> defined_name("Net sales rose by 3%."), defined_name("Revenue of 2022 was higher.")
    ('', '')
    """
    if len(text) > _LONGEST:
        return ""
    words = _BRACKETS.sub(" ", text[:_HEAD]).split()[: _MOST_WORDS + 2]
    name: list[str] = []
    for at, word in enumerate(words):
        if word.lower() in _words("is"):
            said = words[at + 1 : at + 2]
            defines = bool(said) and said[0].lower() in _words("what")
            return " ".join(name) if name and defines else ""
        if not (_is_capitalised(word) or (name and word.lower() in _words("between"))):
            return ""
        name.append(word.strip(',"“”'))
    return ""


def _is_capitalised(word: str) -> bool:
    first = word.lstrip("\"'“‘")[:1]
    return first.isupper() or first.isdigit()


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "metadata.toml")["definition"][name].split())

"""Sentences that take up the event of the one before: the two ends of a relation, which no cut should part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from ...core.rules import load_rules
from ..chunk import Break, Sentence

_AHEAD = 80
"""Characters within which a sentence says what it is about."""


def links(text: str, sentences: Sequence[Sentence]) -> list[int]:
    """Indices of the sentences that take up the event told in the sentence before them.

    >>> text = "Acme acquired Beta in May. The acquisition adds a plant."
    >>> links(text, [Sentence(0, 26, 7), Sentence(27, 56, 6)])
    [1]
    """
    return [
        i
        for i in range(1, len(sentences))
        if sentences[i].before < Break.HARD and _takes_up(text, sentences[i - 1], sentences[i])
    ]


def _takes_up(text: str, before: Sentence, sentence: Sentence) -> bool:
    opening = text[sentence.start : min(sentence.end, sentence.start + _AHEAD)].lower()
    found = _openings().match(opening)
    if not found:
        return False
    told = text[before.start : before.end].lower()
    return any(verbs.search(told) for verbs in _verbs()[found[found.lastgroup or 0]])


@cache
def _openings() -> re.Pattern[str]:
    """A sentence's first words with the noun of an event, in its group by language; two words may stand before it."""
    english, chinese = _rules("english"), _rules("chinese")
    return re.compile(
        rf"(?:{_either(english['openers'])})\s+(?:[\w.&’'-]+\s+){{0,2}}?(?P<english>{_either(_nouns(english))})\b"
        rf"|(?:{_either(chinese['openers'])})(?P<chinese>{_either(_nouns(chinese))})"
    )


@cache
def _verbs() -> dict[str, list[re.Pattern[str]]]:
    """Noun -> what tells of the event it names."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for language, border in (("english", r"\b"), ("chinese", "")):
        for event in _rules(language)["events"]:
            pattern = re.compile(rf"{border}(?:{_either(event['verbs'])})")
            for noun in event["nouns"]:
                found.setdefault(noun, []).append(pattern)
    return found


def _rules(language: str) -> dict[str, Any]:
    rules: dict[str, Any] = load_rules(__package__, "links.toml")[language]
    return rules


def _nouns(rules: dict[str, Any]) -> set[str]:
    return {noun for event in rules["events"] for noun in event["nouns"]}


def _either(words: Iterable[str]) -> str:
    """Alternatives, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))

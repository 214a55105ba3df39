"""Sentences that take up the event of the one before: the two ends of a relation, which no cut should part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
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
    linked: list[int] = []
    for i, (before, sentence) in enumerate(pairwise(sentences), 1):
        if sentence.before < Break.HARD and _takes_up(text, before, sentence):
            linked.append(i)
    return linked


def _takes_up(text: str, before: Sentence, sentence: Sentence) -> bool:
    """True where a sentence opens with the noun of an event ("The acquisition") that the one before tells of."""
    end = min(sentence.end, sentence.start + _AHEAD)
    opening = _openings().match(text[sentence.start : end].lower())
    if not opening:
        return False
    noun = opening["english"] or opening["chinese"]
    told = text[before.start : before.end].lower()
    return any(verbs.search(told) for verbs in _verbs()[noun])


@cache
def _openings() -> re.Pattern[str]:
    """A sentence's first words with the noun of an event, in its group by language; two words may stand before it."""
    openers, nouns = _openers_and_nouns("english")
    chinese_openers, chinese_nouns = _openers_and_nouns("chinese")
    return re.compile(
        rf"(?:{openers})\s+(?:[\w.&’'-]+\s+){{0,2}}?(?P<english>{nouns})\b"
        rf"|(?:{chinese_openers})(?P<chinese>{chinese_nouns})"
    )


def _openers_and_nouns(language: str) -> tuple[str, str]:
    """Both as alternatives of a regular expression."""
    rules = _rules(language)
    nouns: set[str] = set()
    for event in rules["events"]:
        nouns.update(event["nouns"])
    return _either(rules["openers"]), _either(nouns)


@cache
def _verbs() -> dict[str, list[re.Pattern[str]]]:
    """Noun -> what tells of the event it names."""
    verbs: dict[str, list[re.Pattern[str]]] = {}
    for language, border in (("english", r"\b"), ("chinese", "")):
        for event in _rules(language)["events"]:
            pattern = re.compile(rf"{border}(?:{_either(event['verbs'])})")
            for noun in event["nouns"]:
                verbs.setdefault(noun, []).append(pattern)
    return verbs


def _rules(language: str) -> dict[str, Any]:
    rules: dict[str, Any] = load_rules(__package__, "links.toml")[language]
    return rules


def _either(words: Iterable[str]) -> str:
    """Alternatives, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))

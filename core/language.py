"""The languages that questions are asked and answered in."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Literal

from .names import is_chinese
from .patterns import on_demand
from .rules import load_rules

Language = Literal["en", "zh"]


def language_of(text: str) -> Language:
    """The language to answer in.

    >>> language_of("营业收入是多少?"), language_of("How much revenue?")
    ('zh', 'en')
    """
    return "zh" if is_chinese(text) else "en"


_SAMPLE = 20_000
"""Characters of a long text that are looked at, from a third of it on: covers are often in two languages."""
_OTHER_SCRIPT = 0.1
"""Share of letters outside the Latin script from which a text is not English: who writes both is read by a model of
many languages, which reads English too."""
_FEWEST = 2
"""Different small words of a language that speak for it: "per share" stands twice in many an English line."""
_CLEARLY = 2
"""Times as often as English ones: tables have few small words, and "del" and "le" stand in English names."""
_SPOKEN = 0.03
"""Share of a text's words that small words of its language have at least, tables and all. In a PDF whose fonts do not
say which letters they print, English words come out as others, and single letters among them as "e", "o" and "de"."""
_TOKEN = on_demand(r"[^\W\d_]+")


def is_english(text: str) -> bool:
    """True where a model that knows English alone reads the text; a text without letters and short words counts so.

    >>> is_english("How much revenue?"), is_english("营业收入是多少?"), is_english("Wie hoch ist der Umsatz?")
    (True, False, False)
    """
    start = len(text) // 3 if len(text) > _SAMPLE else 0
    sample = text[start : start + _SAMPLE]
    letters = Counter(char < "\u0250" for char in sample if char.isalpha())
    if letters[False] > _OTHER_SCRIPT * letters.total():
        return False
    words = Counter(_TOKEN.findall(sample.lower()))
    counts: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for word, times in words.items():
        for language in _languages_of().get(word, ()):
            counts[language] += times
            different[language] += 1
    spoken = [counts[language] for language in counts if different[language] >= _FEWEST]
    most = max(spoken, default=0)
    return most <= max(_CLEARLY * counts["en"], _SPOKEN * words.total())


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    """Small word -> the languages that it is one of."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in load_rules(__package__, "language.toml")["words"].items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found

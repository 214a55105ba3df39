"""Content value: what explains, foresees or judges is high; boilerplate, repetition and bare numbers are low."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ...core.rules import load_rules
from ..chunk import Chunk
from ..document import Document
from ..lines import is_values

HIGH = ("cause", "forecast", "judgement", "change")
"""Reasons for a high value; "change" is a number with a word of change."""

_DIGITS = re.compile(r"\d+")
_SHORTEST_REPEAT = 40
"""Characters from which an equal sentence is a repetition and not just a common phrase."""
_LONGEST_CONTACT = 100
"""A longer sentence that names an address says something besides."""
_SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class Value:
    """0 to 1, and why: one of :data:`HIGH`, "boilerplate", "contact", "numbers", "repeated", "aside" or ""."""

    value: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Valued:
    """Chunks with their values, and how many are low by which reason."""

    chunks: tuple[Chunk, ...]
    low: Mapping[str, int] = field(default_factory=dict)


def sentence_value(text: str) -> Value:
    """The value of one sentence by its words, English or Chinese.

    >>> sentence_value("Margins fell because freight was dearer.")
    Value(value=1.0, reason='cause')
    >>> sentence_value("This report contains forward-looking statements.")
    Value(value=0.3, reason='boilerplate')
    >>> sentence_value("1,234 1,100 (98)")
    Value(value=0.5, reason='numbers')
    """
    lower = text.lower()
    weights = _weights()
    for reason, pattern in _patterns("low").items():
        if (reason != "contact" or len(text) <= _LONGEST_CONTACT) and pattern.search(lower):
            return Value(weights[reason], reason)
    if _is_bare_numbers(text):
        return Value(weights["numbers"], "numbers")
    for reason in HIGH:
        if _patterns("high")[reason].search(lower) and (reason != "change" or _DIGITS.search(lower)):
            return Value(weights["high"], reason)
    return Value(weights["plain"])


def with_values(chunks: Sequence[Chunk], document: Document) -> Valued:
    """The chunks with ``value`` set: the mean of their sentences', each weighted by its length.

    The second and later of equal sentences (but for their digits) count as repeated; disclaimers and contents pages as
    marked by the reader are low as a whole; tables keep their value, since their numbers have names.
    """
    aside = [(s.start, s.end) for s in document.segments if s.kind in ("disclaimer", "contents")]
    seen: set[str] = set()
    valued: list[Chunk] = []
    low: Counter[str] = Counter()
    least = _weights()["low_below"]
    for chunk in chunks:
        if any(start <= chunk.start < end for start, end in aside):
            value = Value(_weights()["aside"], "aside")
        elif chunk.kind == "table":
            value = Value(1.0)
        else:
            value = _mean([document.text[start:end] for start, end in chunk.sentences], seen)
        low.update([value.reason] if value.value < least else [])
        valued.append(replace(chunk, value=value.value))
    return Valued(tuple(valued), dict(low))


def _mean(sentences: Sequence[str], seen: set[str]) -> Value:
    """Mean by length; the reason is that of the most text among the low sentences."""
    total, lengths = 0.0, 0
    reasons: Counter[str] = Counter()
    for sentence in sentences:
        value = sentence_value(sentence)
        if _is_repeated(sentence, seen):
            value = min(value, Value(_weights()["repeated"], "repeated"), key=lambda v: v.value)
        total += value.value * len(sentence)
        lengths += len(sentence)
        if value.reason and value.reason not in HIGH:
            reasons[value.reason] += len(sentence)
    return Value(round(total / max(1, lengths), 3), reasons.most_common(1)[0][0] if reasons else "")


def _is_repeated(sentence: str, seen: set[str]) -> bool:
    """True where the same words stood before; remembers them."""
    if len(sentence) < _SHORTEST_REPEAT:
        return False
    key = _DIGITS.sub("0", "".join(sentence.lower().split()))
    repeated = key in seen
    seen.add(key)
    return repeated


def _is_bare_numbers(text: str) -> bool:
    """Numbers without a name: the rows of a statement have one."""
    letters = sum(map(str.isalpha, "".join(word for word in text.split() if not is_values(word))))
    return letters < _SHORTEST_NAME


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = load_rules(__package__, "value.toml")["weight"]
    return weights


@cache
def _patterns(level: str) -> dict[str, re.Pattern[str]]:
    rules = load_rules(__package__, "value.toml")[level]
    return {reason: _either(words["english"], words["chinese"]) for reason, words in rules.items()}


def _either(english: Sequence[str], chinese: Sequence[str]) -> re.Pattern[str]:
    words = "|".join(english)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|{'|'.join(chinese)}")

"""Content value: what explains, foresees or judges is high; boilerplate, repetition and bare numbers are low."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import filterfalse

from ...core.patterns import on_demand
from ...core.records import dataclass, replace
from ...core.rules import load_rules
from ..chunk import Chunk
from ..document import Document
from ..lines import is_values
from ..sentences import WHOLE

HIGH = ("cause", "forecast", "judgement", "change")
"""Reasons for a high value; "change" is a number with a word of change."""

_DIGITS = on_demand(r"\d+")
_SHORTEST_REPEAT = 40
"""Characters from which an equal sentence is a repetition and not just a common phrase."""
_LONGEST_CONTACT = 100
"""A longer sentence that names an address says something besides."""
_SHORTEST_NAME = 2
_LONGEST_RUNNING = 100
"""Characters of a chunk up to which it may be a header or footer: "Acme Inc. 2023 Form 10-K 45"."""
_MOST_RUNNING = 4
"""Times from which such a chunk is one: what is printed thrice may be a row of three statements."""


@dataclass(frozen=True, slots=True)
class Value:
    """0 to 1, and why: one of :data:`HIGH`, or what makes it low ("contact", "numbers", "repeated" ...)."""

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
    Value(value=0.25, reason='disclaimer')
    >>> sentence_value("1,234 1,100 (98)")
    Value(value=0.5, reason='numbers')
    """
    weights = _weights()
    lower = text.lower()
    low = _low_reason(text, lower)
    if low:
        return Value(weights[low], low)
    high = _high_reason(lower)
    if high:
        return Value(weights["high"], high)
    return Value(weights["plain"])


def _low_reason(text: str, lower: str) -> str:
    """Why a sentence is worth little, or ""."""
    for reason, pattern in _patterns("low", lower.isascii()).items():
        if reason == "contact" and len(text) > _LONGEST_CONTACT:
            continue
        if pattern.search(lower):
            return reason
    return "numbers" if _is_bare_numbers(text) else ""


def _high_reason(lower: str) -> str:
    """Why a sentence is worth much, or ""."""
    patterns = _patterns("high", lower.isascii())
    for reason in HIGH:
        lacks_number = reason == "change" and not _DIGITS.search(lower)
        if not lacks_number and patterns[reason].search(lower):
            return reason
    return ""


def with_values(chunks: Sequence[Chunk], document: Document) -> Valued:
    """The chunks with ``value`` set: the mean of their sentences', each weighted by its length.

    The second and later of equal sentences (but for their digits) count as repeated; disclaimers and contents pages as
    marked by the reader are low as a whole; tables keep their value, since their numbers have names.
    """
    valuation = _Valuation(document, _running(chunks))
    valued: list[Chunk] = []
    low: Counter[str] = Counter()
    low_below = _weights()["low_below"]
    for chunk in chunks:
        value = valuation.of(chunk)
        if value.value < low_below:
            low[value.reason] += 1
        valued.append(replace(chunk, value=value.value))
    return Valued(tuple(valued), dict(low))


class _Valuation:
    """Values chunk after chunk and remembers which sentences there were."""

    def __init__(self, document: Document, running: Collection[str]) -> None:
        self._text = document.text
        self._running = running
        self._aside = [s for s in document.segments if s.kind in ("disclaimer", "contents")]
        self._seen: set[str] = set()

    def of(self, chunk: Chunk) -> Value:
        if self._is_aside(chunk):
            return self._spoken_aside(chunk) if chunk.speaker else Value(_weights()["aside"], "aside")
        if chunk.kind in WHOLE:
            return Value(1.0)
        if _without_digits(chunk.text) in self._running:
            return Value(_weights()["running"], "running")
        return self._mean([self._text[start:end] for start, end in chunk.sentences])

    def _is_aside(self, chunk: Chunk) -> bool:
        return any(segment.start <= chunk.start < segment.end for segment in self._aside)

    def _spoken_aside(self, chunk: Chunk) -> Value:
        """In a call, who reads out the disclaimer may go on with the results: only what is nothing else is aside."""
        own = self._mean([self._text[start:end] for start, end in chunk.sentences])
        return own if own.value <= left_out_below() else Value(_weights()["boilerplate"], "aside")

    def _mean(self, sentences: Sequence[str]) -> Value:
        """Mean by length; the reason is that of the most text among the low sentences."""
        total = 0.0
        low_text: Counter[str] = Counter()
        for sentence in sentences:
            value = self._of_sentence(sentence)
            total += value.value * len(sentence)
            if value.reason not in ("", *HIGH):
                low_text[value.reason] += len(sentence)
        length = sum(map(len, sentences))
        mean = round(total / max(1, length), 3)
        if not low_text:
            return Value(mean)
        reason, _ = low_text.most_common(1)[0]
        return Value(mean, reason)

    def _of_sentence(self, sentence: str) -> Value:
        value = sentence_value(sentence)
        repeated = Value(_weights()["repeated"], "repeated")
        if self._is_repeated(sentence) and repeated.value < value.value:
            return repeated
        return value

    def _is_repeated(self, sentence: str) -> bool:
        """True where the same words stood before; remembers them."""
        if len(sentence) < _SHORTEST_REPEAT:
            return False
        key = _without_digits(sentence)
        repeated = key in self._seen
        self._seen.add(key)
        return repeated


def left_out_below() -> float:
    """The value up to which a chunk is left out of a search, unless it is asked for."""
    return _weights()["left_out"]


def _running(chunks: Sequence[Chunk]) -> frozenset[str]:
    """What is printed on page after page, but for its digits: headers and footers that were read as text.

    What somebody says again ("Yes, that is right.") is an answer each time.
    """
    printed = (chunk for chunk in chunks if chunk.kind not in WHOLE and not chunk.speaker)
    short = [chunk for chunk in printed if len(chunk.text) <= _LONGEST_RUNNING]
    times = Counter(_without_digits(chunk.text) for chunk in short)
    return frozenset(text for text, count in times.items() if count >= _MOST_RUNNING)


def _without_digits(text: str) -> str:
    return _DIGITS.sub("0", "".join(text.lower().split()))


def _is_bare_numbers(text: str) -> bool:
    """Numbers without a name: the rows of a statement have one. Of most texts the first word tells."""
    letters = 0
    for word in filterfalse(is_values, text.split()):
        letters += sum(map(str.isalpha, word))
        if letters >= _SHORTEST_NAME:
            return False
    return True


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = load_rules(__package__, "value.toml")["weight"]
    return weights


@cache
def _patterns(level: str, ascii_only: bool) -> dict[str, re.Pattern[str]]:
    """Reason -> pattern of the words that give it, of "high" or "low"; in ASCII letters no Chinese one is looked for,
    which takes 16 µs a sentence instead of 28."""
    rules = load_rules(__package__, "value.toml")[level]
    return {
        reason: _either(words["english"], () if ascii_only else words["chinese"]) for reason, words in rules.items()
    }


def _either(english: Sequence[str], chinese: Sequence[str]) -> re.Pattern[str]:
    """English words stand between borders of words, Chinese ones anywhere."""
    return re.compile("|".join((rf"(?<!\w)(?:{'|'.join(english)})(?!\w)", *chinese)))

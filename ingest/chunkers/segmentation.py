"""Cuts a row of sentences into consecutive groups, section by section; no cut parts the two ends of a relation.

By dynamic programming: the best cut there is, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...core.rules import load_rules
from ..chunk import Break, Sentence, Span

if TYPE_CHECKING:
    import numpy as np


def cut_by_length(
    costs: Sequence[float], tokens: Sequence[int], target: int, shortest: int, longest: int, length_weight: float = 1.0
) -> list[Span]:
    """Groups with the lowest sum of ``costs`` at the cuts and of their distance from the wished length.

    ``costs[g]`` is the price of a cut before sentence g, high where the text holds together (``costs[0]`` is not used).
    A group of t tokens costs ``length_weight`` times ((t - target) / target)^2 plus twice the share by which it misses
    ``shortest``; it has at most ``longest`` tokens unless it is one sentence.

    >>> cut_by_length([0, 1, 0, 1], [50, 50, 50, 50], target=100, shortest=20, longest=200)
    [Span(first=0, last=2), Span(first=2, last=4)]
    """
    price = [_length_price(length, target, shortest) * length_weight for length in range(longest + 1)]
    cheapest_before: list[float] = []  # [i]: the cheapest cut of the sentences before i, and the price of the cut at i
    begins: list[int] = []
    lowest = 0.0
    for last, length in enumerate(tokens):
        cheapest_before.append(lowest + costs[last] if last else 0.0)
        alone = _length_price(length, target, shortest) * length_weight
        lowest, begin = cheapest_before[last] + alone, last
        for first in range(last - 1, -1, -1):
            length += tokens[first]
            if length > longest:
                break
            candidate = cheapest_before[first] + price[length]
            if candidate < lowest:
                lowest, begin = candidate, first
        begins.append(begin)
    return _spans(begins)


def cut_by_similarity(
    similarities: np.ndarray, tokens: Sequence[int], longest: int, offset: float, segment_price: float
) -> list[Span]:
    """Groups with the highest sum of similarity inside, for topics of unknown length.

    ``similarities`` (n, reach) are those of :func:`similarity.band_similarities`, standardised, 0 beyond the end. A
    pair inside a group gains its similarity less ``offset``; a group costs ``segment_price`` and has at most
    ``longest`` tokens, unless it is one sentence.
    """
    import numpy as np

    n, reach = similarities.shape
    gains = np.zeros((n, reach + 1))  # gains[j, m]: what sentence j adds to a group of the m before it
    for k in range(1, min(reach, n - 1) + 1):
        gains[k:, k] = similarities[: n - k, k - 1] - offset
    np.cumsum(gains, axis=1, out=gains)
    ends = np.concatenate([[0], np.cumsum(tokens)])
    earliest = np.searchsorted(ends, ends[1:] - longest, side="left")
    total, inside = np.zeros(n + 1), np.zeros(n)  # inside[i]: gain of the group from i to the current sentence
    begins = []
    for j in range(n):
        low = min(int(earliest[j]), j)
        sizes = np.minimum(np.arange(j - low, -1, -1), reach)
        inside[low : j + 1] += gains[j, sizes]
        candidates = total[low : j + 1] + inside[low : j + 1]
        best = int(np.argmax(candidates))
        total[j + 1] = candidates[best] - segment_price
        begins.append(low + best)
    return _spans(begins)


def _length_price(tokens: int, target: int, shortest: int) -> float:
    missing = max(0, shortest - tokens) / shortest if shortest else 0.0
    return ((tokens - target) / target) ** 2 + 2 * missing


def _spans(begins: list[int]) -> list[Span]:
    """The groups, from the start of the best last group of every prefix."""
    spans: list[Span] = []
    last = len(begins)
    while last:
        spans.append(Span(begins[last - 1], last))
        last = spans[-1].first
    return spans[::-1]


def section_numbers(sentences: Sequence[Sentence]) -> np.ndarray:
    """Int64 (n,): which section each sentence is of, ascending."""
    import numpy as np

    return np.cumsum([s.before >= Break.HARD for s in sentences], dtype=np.int64)


def by_section(sentences: Sequence[Sentence], cut: Callable[[int, int], list[Span]]) -> list[Span]:
    """Apply ``cut(first, last)``, whose spans count from 0, to every section; the spans of all sentences."""
    starts = [i for i, s in enumerate(sentences) if s.before >= Break.HARD]
    borders = sorted({0, *starts, len(sentences)})
    spans: list[Span] = []
    for first, last in pairwise(borders):
        for span in cut(first, last):
            spans.append(Span(first + span.first, first + span.last))
    return spans


def break_prices(sentences: Sequence[Sentence], weight: float) -> list[float]:
    """The price of a cut before each sentence: ``weight`` less at a line end, twice that less at a paragraph."""
    return [-weight * min(s.before, Break.PARAGRAPH) for s in sentences]


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

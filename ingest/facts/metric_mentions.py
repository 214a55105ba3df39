"""Finds names of metrics in running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ...core.rules import load_rules
from .metrics import Metric, MetricList, default_metrics

_WORD = re.compile(r"[A-Za-z]+|&")
_WITHIN = re.compile(r"\b(?:in|within|through)\s+(?:our\s+|the\s+|its\s+)?(?:consolidated\s+)?$", re.IGNORECASE)
"""Before a name that only says where something is booked: "recorded in cost of revenue"."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class MetricMention:
    """``text[start:end]`` names the metric; ``narrowed`` are the words before it that name a part of the company."""

    start: int
    end: int
    metric: Metric
    narrowed: str = ""


def find_metrics(text: str, metrics: MetricList | None = None) -> list[MetricMention]:
    """Names of metrics, the shipped ones by default, in a sentence: longest first, without overlaps, in order.

    >>> [(m.metric.name, m.narrowed) for m in find_metrics("Cloud revenue rose while net income fell")]
    [('revenue', 'Cloud'), ('net income', '')]
    """
    known = metrics or default_metrics()
    return list(_chinese(text, known) if _HAN.search(text) else _english(text, known))


def _english(text: str, metrics: MetricList) -> Iterator[MetricMention]:
    words = [("and" if m.group() == "&" else m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]
    index = _index(metrics)
    at = 0
    while at < len(words):
        for name in index.get(words[at][0], ()):
            if tuple(word for word, _, _ in words[at : at + len(name)]) == name:
                start, end = words[at][1], words[at + len(name) - 1][2]
                following = words[at + len(name)][0] if at + len(name) < len(words) else ""
                if following not in _words("not_before") and not _WITHIN.search(text, max(0, start - 24), start):
                    yield MetricMention(start, end, _metric(" ".join(name), metrics), _narrowed(text, words, at))
                at += len(name) - 1
                break
        at += 1


def _narrowed(text: str, words: list[tuple[str, int, int]], at: int) -> str:
    """Words right before the name, back to one that is neutral or to punctuation."""
    first = at
    while first and at - first < 4 and words[first - 1][0] not in _words("neutral"):
        if text[words[first - 1][2] : words[first][1]].strip(" -&’'"):
            break
        first -= 1
    return text[words[first][1] : words[at][1]].strip() if first < at else ""


def _chinese(text: str, metrics: MetricList) -> Iterator[MetricMention]:
    for match in _chinese_names(metrics).finditer(text):
        yield MetricMention(match.start(), match.end(), _metric(match.group().lower(), metrics))


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "prose.toml")[kind])


def _usable(plain: str, metrics: MetricList) -> bool:
    """True for a name that states a metric in a sentence."""
    name = metrics.names[plain]
    return metrics.metrics[name].kind != "text" and name not in _words("never")


def _is_clear(plain: str) -> bool:
    """False for shipped names of one word that mean other things as well."""
    return " " in plain or plain in _words("single") or plain not in default_metrics().names


def _metric(plain: str, metrics: MetricList) -> Metric:
    return metrics.metrics[metrics.names[plain]]


@cache
def _index(metrics: MetricList) -> Mapping[str, list[tuple[str, ...]]]:
    """First word -> names that begin with it, longest first."""
    index: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for plain in metrics.names:
        words = tuple(plain.split())
        if plain.isascii() and words and _is_clear(plain) and _usable(plain, metrics):
            index[words[0]].append(words)
    return {first: sorted(names, key=len, reverse=True) for first, names in index.items()}


@cache
def _chinese_names(metrics: MetricList) -> re.Pattern[str]:
    names = [
        plain
        for plain in metrics.names
        if _HAN.search(plain) and plain not in _words("vague") and _usable(plain, metrics)
    ]
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))), re.IGNORECASE)

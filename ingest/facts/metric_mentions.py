"""Finds names of metrics in running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ...core.rules import load_rules
from .metrics import Metric, MetricList, default_metrics

_WORD = re.compile(r"[A-Za-z]+|&")
_SPELLED = {"&": "and"}
_JOINING = " -&’'"
"""What may stand between the words of one name."""
_MOST_NARROWING = 4
"""Words before a name that may name a part of the company."""
_WITHIN = re.compile(r"\b(?:in|within|through)\s+(?:our\s+|the\s+|its\s+)?(?:consolidated\s+)?$", re.IGNORECASE)
"""Before a name that only says where something is booked: "recorded in cost of revenue"."""
_WITHIN_REACH = 24
"""Characters that are looked at for it."""
_PARTY = re.compile(r" (?P<how>from|to) (?:the )?(?P<name>[A-Z][\w&.-]{1,30}(?: [A-Z][\w&.-]{1,30}){0,3})")
"""Behind a name: "revenue from Boeing", "sales to Apple" are no totals of the company."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class MetricMention:
    """``text[start:end]`` names the metric; ``narrowed`` are the words before it that name a part of the company
    ("Cloud revenue"), ``party`` those behind it that say whom it is from or to ("from Boeing")."""

    start: int
    end: int
    metric: Metric
    narrowed: str = ""
    party: str = ""

    @property
    def part(self) -> str:
        """The part of the whole that is meant; "" for all."""
        return self.narrowed or self.party.partition(" ")[2]


def find_metrics(text: str, metrics: MetricList | None = None) -> list[MetricMention]:
    """Names of metrics, the shipped ones by default, in a sentence: longest first, without overlaps, in order.

    >>> [(m.metric.name, m.narrowed) for m in find_metrics("Cloud revenue rose while net income fell")]
    [('revenue', 'Cloud'), ('net income', '')]
    """
    known = metrics or default_metrics()
    if _HAN.search(text):
        return _chinese(text, known)
    return list(_English(text, known).mentions())


def _chinese(text: str, metrics: MetricList) -> list[MetricMention]:
    found = []
    for match in _chinese_names(metrics).finditer(text):
        metric = metrics.metrics[metrics.names[match.group().lower()]]
        found.append(MetricMention(match.start(), match.end(), metric))
    return found


class _English:
    """A sentence as words: ``words`` in lower case, ``places`` where each stands."""

    def __init__(self, text: str, metrics: MetricList) -> None:
        self.text = text
        self.metrics = metrics
        self.places = list(map(re.Match.span, _WORD.finditer(text)))
        self.words = tuple(_SPELLED.get(word, word.lower()) for word in _WORD.findall(text))

    def mentions(self) -> Iterator[MetricMention]:
        """Word by word; a name that is something else where it stands is passed over as a whole."""
        names = _names_by_first_word(self.metrics)
        at = 0
        for first, word in enumerate(self.words):
            if first < at or word not in names:
                continue
            name = self._longest(names[word], first)
            at = first + len(name)
            if name and not self._means_another(first, at):
                metric = self.metrics.metrics[self.metrics.names[" ".join(name)]]
                start, end = self.places[first][0], self.places[at - 1][1]
                yield MetricMention(start, end, metric, self._narrowed(first), self._party(end))

    def _longest(self, names: Sequence[tuple[str, ...]], first: int) -> tuple[str, ...]:
        """The longest of the names that stands at a word; () for none."""
        for name in names:
            if self.words[first : first + len(name)] == name:
                return name
        return ()

    def _means_another(self, first: int, end: int) -> bool:
        """True for "revenue growth", and for a name that only says where something is booked."""
        start = self.places[first][0]
        is_booked_in = _WITHIN.search(self.text, max(0, start - _WITHIN_REACH), start)
        return bool(is_booked_in) or not _words("not_before").isdisjoint(self.words[end : end + 1])

    def _narrowed(self, at: int) -> str:
        """Words right before the name, back to one that is neutral or to punctuation."""
        first = at
        for before in reversed(range(max(0, at - _MOST_NARROWING), at)):
            between = self.text[self.places[before][1] : self.places[first][0]]
            if self.words[before] in _words("neutral") or between.strip(_JOINING):
                break
            first = before
        return self.text[self.places[first][0] : self.places[at][0]].strip()

    def _party(self, end: int) -> str:
        """Whom a metric is from or to: "from Boeing"; "" where a month or no name stands right behind it."""
        found = _PARTY.match(self.text, end)
        if found is None or found["name"].split()[0].lower() in _words("times"):
            return ""
        return f"{found['how']} {found['name'].rstrip('.')}"


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "prose.toml")[kind])


def _states_metric(plain: str, metrics: MetricList) -> bool:
    """True for a name that states a metric in a sentence."""
    name = metrics.names[plain]
    return metrics.metrics[name].kind != "text" and name not in _words("never")


def _is_clear(plain: str) -> bool:
    """False for shipped names of one word that mean other things as well."""
    return " " in plain or plain in _words("single") or plain not in default_metrics().names


@cache
def _names_by_first_word(metrics: MetricList) -> Mapping[str, list[tuple[str, ...]]]:
    """First word -> names that begin with it, longest first."""
    by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for plain in sorted(metrics.names, key=_word_count, reverse=True):
        if plain.isascii() and _is_clear(plain) and _states_metric(plain, metrics):
            by_first[plain.partition(" ")[0]].append(tuple(plain.split()))
    return by_first


def _word_count(plain: str) -> int:
    return plain.count(" ") + 1


@cache
def _chinese_names(metrics: MetricList) -> re.Pattern[str]:
    """Any Chinese name that is clear in a sentence, the longest first."""
    chinese = filter(_HAN.search, metrics.names.keys() - _words("vague"))
    names = sorted(plain for plain in chinese if _states_metric(plain, metrics))
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))), re.IGNORECASE)

"""Whom a Chinese question is about, told by place: what stands before the year, the figure, the office or 的.

And which of its words stand in no document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from .....core.chinese import simplified
from .....core.names import legal_form
from .....core.rules import load_rules
from .....core.words import question_words, search_words
from .....ingest.facts.metrics import MetricList

if TYPE_CHECKING:
    from .....kg.store import Store


_SHORTEST, _LONGEST = 2, 14
_LOOKED_THROUGH = 40
"""Chunks with the characters of a Chinese name among which the name itself is looked for."""
_CHINESE_RUN = re.compile(r"[\u4e00-\u9fff]+")
_BEFORE_NAMES = frozenset("在对与向从给由和跟")
"""Characters after which a name may stand; an unknown word elsewhere may be put otherwise in the documents."""
_CHINESE_FUNCTION = frozenset("的在是有了和与及对为于将被把从到由其该这那哪些个吗呢中上下里以所等")
_SHORTEST_METRIC = 2


def chinese_subjects(text: str, metrics: MetricList) -> tuple[str, ...]:
    """The names that a Chinese question begins with, but for terms of business (研发人员, 本公司).

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> chinese_subjects("请问光华电子和东山精密2021年的净利润哪个高？", default_metrics())
    ('光华电子', '东山精密')
    >>> chinese_subjects("研发人员的数量是多少？", default_metrics())
    ()
    """
    rules = _patterns(metrics)
    text = rules.lead.sub("", "".join(text.split()))
    boundary = rules.end.search(text)
    if boundary is None:
        return ()
    found: list[str] = []
    for name in rules.joint.split(text[: boundary.start()]):
        bare = name[: len(name) - len(legal_form(name))]
        if not name.isalnum() or rules.term.search(bare):
            continue
        if _SHORTEST <= len(bare) <= _LONGEST:
            found.append(bare)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What comes before a name, what ends it, what joins two, and what is no name."""

    lead: re.Pattern[str]
    end: re.Pattern[str]
    joint: re.Pattern[str]
    term: re.Pattern[str]


@cache
def _patterns(metrics: MetricList) -> _Patterns:
    rules: Mapping[str, Any] = load_rules(__package__, "chinese_subject.toml")
    names = [name for name in metrics.names if len(name) >= _SHORTEST_METRIC and "\u4e00" <= name[0] <= "\u9fff"]
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return _Patterns(
        lead=re.compile(rules["lead"]),
        end=re.compile(f"{rules['end']}|{known}"),
        joint=re.compile(rules["joint"]),
        term=re.compile(f"{rules['term']}|{known}"),
    )


def is_written_chinese(store: Store, name: str, known: Collection[str]) -> bool:
    """True where a document has the Chinese name, in either script: pairs of characters may come from other words."""
    words = set(search_words(name))
    if words <= set(known):
        return True
    ids = [hit.id for hit in store.matching(words, _LOOKED_THROUGH)]
    plain = simplified(name)
    return any(plain in simplified("".join(chunk.text.split())) for chunk in store.chunks(ids))


def absent_chinese(store: Store, text: str, own: Collection[str]) -> list[str]:
    """Runs of two characters and more that no known pair of characters touches."""
    pairs = set(question_words(text))
    frequency = store.document_frequency(pairs)
    known = {pair for pair in pairs if frequency.get(pair) or pair in own}
    absent: list[str] = []
    for run in _CHINESE_RUN.findall(text):
        absent += _untouched(run, known, pairs)
    return absent


def _untouched(run: str, known: set[str], asked: set[str]) -> list[str]:
    left = "".join(" " if character in _CHINESE_FUNCTION else character for character in run)
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        is_of_asking = pair not in asked and left[at : at + 2] == pair  # words of asking are not looked for
        if pair in known or is_of_asking:
            left = f"{left[:at]}  {left[at + 2 :]}"
    parts = re.finditer(r"\S{2,}", left)
    return [part[0] for part in parts if part.start() == 0 or run[part.start() - 1] in _BEFORE_NAMES]

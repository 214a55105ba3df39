"""Which names a text writes, and whether a name stands in a text: as such, not as a part of other words or names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from ....core.names import is_chinese, name_key
from ....kg.extraction.rules.runs import find_runs


@lru_cache(maxsize=1 << 13)
def written_names(sentence: str) -> frozenset[str]:
    """Keys of what a sentence writes as names."""
    return frozenset(filter(None, (name_key(run.text) for run in find_runs(sentence))))


def keys_of(names: Iterable[str]) -> list[str]:
    """Their keys, each once, in order."""
    return list(dict.fromkeys(filter(None, map(name_key, names))))


def says(text: str, name: str, besides: Collection[str] = ()) -> bool:
    """True where a text has the words of a name one after the other, in whatever case, and not only within one of the
    longer names ``besides``.

    >>> says("the bbc sports personality award", "bbc sports personality"), says("Tirana", "iran")
    (True, False)
    >>> says("New York grew.", "york", besides=["new york"]), says("York, New York", "york", besides=["new york"])
    (False, True)
    >>> says("博尔特收购了苹果公司。", "苹果")
    True
    """
    sought = _as_words(name)
    folded = f" {_folded(text)} "
    if sought not in folded:
        return False
    for longer in besides:
        if len(longer) > len(name) and sought in _as_words(longer):
            folded = folded.replace(_as_words(longer), "  ")
    return sought in folded


def _as_words(name: str) -> str:
    """A name with a blank on both sides, in Chinese as it is: it is written without blanks."""
    return name if is_chinese(name) else f" {name} "


@lru_cache(maxsize=1 << 11)
def _folded(text: str) -> str:
    return name_key(text)

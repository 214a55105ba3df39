"""Does a source say that a thing rose of which a sentence says that it fell: "higher office rent" of "lower rent"?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ......core.words import search_words
from ...wording import WORDING, small_words, weightless_words
from .source_sentences import parts_of, statements_of

_MOST_WORDS = 3
"""Words behind "higher" or "an increase in" that say what is higher."""
_LEAST_SHARED = 2
"""Of these, in a sentence and in its source, to be of one thing: "costs" alone are of many."""
_ENDS_THING = re.compile(
    r"[,;:.()\d%$€£]|\b(?:and|but|while|as|since|because|than|compared|versus|from|to|by)\b", re.IGNORECASE
)
_REACH = 60
"""Characters behind the word of movement in which the thing is named."""

_Moved = tuple[int, frozenset[str]]
"""1 or -1, and the words of what rose or fell."""


def moves_otherwise(sentence: str, texts: Sequence[str]) -> bool:
    """True where the sources say of a thing only that it moved the other way.

    >>> source = "The decrease was due to lower office rent expense."
    >>> moves_otherwise("Costs fell because of higher office rent.", [source])
    True
    >>> moves_otherwise("Costs fell because of lower office rent.", [source])
    False
    """
    claimed = moved_in(sentence)
    if not claimed:
        return False
    told = list(chain.from_iterable(map(moved_in, chain.from_iterable(map(statements_of, texts)))))
    return any(_is_told_otherwise(one, told) for one in claimed)


def _is_told_otherwise(claimed: _Moved, told: Sequence[_Moved]) -> bool:
    signs = {sign for sign, thing in told if len(thing & claimed[1]) >= _LEAST_SHARED}
    return signs == {-claimed[0]}


@lru_cache(maxsize=4096)
def moved_in(text: str) -> tuple[_Moved, ...]:
    """What a text says to be higher or lower, by the words behind that: "fewer costs were capitalized"."""
    return tuple(_moved(text))


def _moved(text: str) -> Iterator[_Moved]:
    for sign, name in ((1, "up"), (-1, "down")):
        for pattern in WORDING.all(name):
            for match in pattern.finditer(text):
                thing = frozenset(_thing_behind(text[match.end() : match.end() + _REACH]))
                if len(thing) >= _LEAST_SHARED:
                    yield sign, thing


def _thing_behind(behind: str) -> list[str]:
    named = _ENDS_THING.split(parts_of(behind, "cause")[0])[0]
    words = [word for word in search_words(named) if word not in small_words() and word not in weightless_words()]
    return words[:_MOST_WORDS]

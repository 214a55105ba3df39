"""What a Chinese sentence says otherwise than its source: an opposite word, or somebody whom the source does not name.

Chinese has no spaces and no capitals, so that neither is seen by words or by names as they are found in English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from ......core.chinese import simplified
from ......core.names import is_chinese
from ......core.sequences import share
from ...wording import WORDING, is_denied, opposites_in_chinese, terms
from .source_sentences import parts_of

_SPACE = re.compile(r"\s+")
_LEAST_SHARED = 0.4
"""Share of the words of a clause that a clause of the source must hold to speak of the same thing."""


def says_opposite(sentence: str, texts: Sequence[str]) -> bool:
    """True where the clause of the sources that is nearest to one of the sentence has the opposite word in its place.

    >>> says_opposite("甲公司于8月出售丙公司股权。", ["甲公司于8月购入丙公司股权。"])
    True
    >>> says_opposite("甲公司于8月購入丙公司股權。", ["甲公司于8月购入丙公司股权。"])
    False
    """
    if not is_chinese(sentence):
        return False
    said = list(chain.from_iterable(map(_clauses, texts)))
    return any(_is_turned(clause, said) for clause in _clauses(sentence))


def _clauses(text: str) -> list[str]:
    """The clauses of a text in one script; lines of a page end within words."""
    return parts_of(_SPACE.sub("", simplified(text)), "clause_zh")


def _is_turned(clause: str, said: Sequence[str]) -> bool:
    against = [(one, other) for one, other in opposites_in_chinese() if one in clause and other not in clause]
    if not against:
        return False
    words = terms(clause)
    nearest = max(said, key=lambda other: len(words & terms(other)), default="")
    if share(words & terms(nearest), words) < _LEAST_SHARED or is_denied(clause) != is_denied(nearest):
        return False
    return any(other in nearest and one not in nearest for one, other in against)


def names_stranger(sentence: str, allowed: str) -> bool:
    """True where something is done with somebody, or a firm named, of whose name no two characters stand in a text.

    >>> source = "国产车均系向国瑞购入。"
    >>> names_stranger("国产车向和泰购入。", source), names_stranger("国产车向國瑞购入。", source)
    (True, False)
    """
    if not is_chinese(sentence):
        return False
    known = terms(allowed)
    names = (match["name"] for pattern in WORDING.all("party_zh") for match in pattern.finditer(simplified(sentence)))
    return any(terms(name).isdisjoint(known) for name in names if not WORDING.any("anybody_zh", name))

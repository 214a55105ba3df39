"""Evidence of several questions as one list: dealt out in turns, so that none crowds out another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from .evidence import Evidence


def dealt_in_turns(rankings: Iterable[Sequence[Evidence]]) -> list[Evidence]:
    """The best of each ranking, then the second of each, and so on; each piece once, at its first place.

    >>> from cliquerag.retrieval.search.evidence import Evidence
    >>> a, b, c = (Evidence("chunk", name, 1.0, "x.txt", id=name) for name in "abc")
    >>> [item.id for item in dealt_in_turns([[a, b], [b, c]])]
    ['a', 'b', 'c']
    """
    dealt: dict[tuple[str, str, str], Evidence] = {}
    for item in _rounds(rankings):
        dealt.setdefault((item.kind, item.source, item.id or item.text), item)
    return list(dealt.values())


def _rounds(rankings: Iterable[Sequence[Evidence]]) -> Iterator[Evidence]:
    rounds = chain.from_iterable(zip_longest(*rankings))
    return (item for item in rounds if item is not None)

"""Figures that a question quotes: the index holds words and years only, so the first hits are read for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..kg.store import Store
from .found import Found
from .question import Question

_NUMBER = re.compile(r"(?<![A-Za-z0-9.,-])\d[\d,]*(?:\.\d+)?(?![A-Za-z0-9-])")
_YEAR = re.compile(r"(?:19|20)\d\d")


def figures_in(text: str) -> frozenset[str]:
    """Numbers as written, without separators of thousands; years and single digits say too little.

    >>> sorted(figures_in("Net sales rose 12.5% to $1,234 million in 2023, the 3rd year"))
    ['12.5', '1234']
    >>> figures_in("In the 10-K, a 10K of 3M and its 12-month view")
    frozenset()
    """
    plain = (match.group().replace(",", "") for match in _NUMBER.finditer(text))
    return frozenset(number for number in plain if len(number) > 1 and not _YEAR.fullmatch(number))


def with_figures(store: Store, question: Question, found: Sequence[Found], weight: float) -> list[Found]:
    """The ranking with places that print the figures asked further in front; as it was where none is asked."""
    asked = figures_in(question.trimmed)
    if not asked or not weight:
        return list(found)
    chunks = {chunk.id: chunk for chunk in store.chunks([item.id for item in found])}
    places: dict[tuple[str, int], list[Found]] = {}
    for item in found:
        places.setdefault(item.place, []).append(replace(item, chunk=chunks.get(item.id)))
    raised = [_raised(own, asked, weight) for own in places.values()]
    return [item for own in sorted(raised, key=lambda own: -own[0].score) for item in own]


def _raised(own: Sequence[Found], asked: Iterable[str], weight: float) -> list[Found]:
    """The hits of one place, their score raised by the share of the figures that they print."""
    wanted = frozenset(asked)
    printed = figures_in(" ".join(item.chunk.text for item in own if item.chunk))
    share = weight * len(wanted & printed) / len(wanted)
    return [replace(item, score=item.score + share, parts={**item.parts, "figures": round(share, 4)}) for item in own]

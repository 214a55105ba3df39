"""Places kept for the statements that a question needs: a ratio of two statements is answered by a page of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...question.vocabulary.synonyms import METRIC
from ..index.corpus import ScopeIndex

_FIRST = 5
"""Places among which each statement has a page; the last ones of them are kept."""
_SURELY = 0.5
"""Class score of a page that is one."""
_STEP = 1e-3
"""By so much a raised page lies before the one that it displaces."""


def reserved_share(
    index: ScopeIndex, total: np.ndarray, homes: Mapping[str, float], groups: Sequence[Sequence[str]]
) -> np.ndarray | None:
    """What raises the best page of each home of a figure asked into the first places; float32 (places,).

    None where all have one. ``groups`` of documents are each shown first places of their own.
    """
    pages = [index.places.classes[n] for n, s in homes.items() if s >= METRIC and n in index.places.classes]
    if not pages:
        return None
    share = np.zeros(len(total), np.float32)
    for group in groups:
        inside = _places_of(index, group)
        first = _best(inside, total)
        missing = _missing(pages, total, inside, first)
        for place, steps in zip(missing, range(len(missing), 0, -1), strict=True):
            displaced = first[len(first) - len(missing)]
            share[place] = total[displaced] + _STEP * steps - total[place]
    return share if share.any() else None


def _places_of(index: ScopeIndex, group: Sequence[str]) -> np.ndarray:
    if len(group) >= len(index.sources):
        return np.arange(len(index.places))
    wanted = set(group)
    documents = [at for at, source in enumerate(index.sources) if source in wanted]
    return np.flatnonzero(np.isin(index.places.document, documents))


def _best(inside: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The first places, best first."""
    if len(inside) > _FIRST:
        inside = inside[np.argpartition(-total[inside], _FIRST)[:_FIRST]]
    best: np.ndarray = inside[np.argsort(-total[inside], kind="stable")]
    return best


def _missing(pages: Sequence[np.ndarray], total: np.ndarray, inside: np.ndarray, first: np.ndarray) -> list[int]:
    """The best page of each class that the first places lack, best first."""
    found: list[int] = []
    for scores in pages:
        surely = inside[scores[inside] >= _SURELY]
        if len(surely) and scores[first].max() < _SURELY:
            found.append(int(surely[np.argmax(total[surely])]))
    return sorted(set(found), key=lambda place: -total[place])[: _FIRST - 1]

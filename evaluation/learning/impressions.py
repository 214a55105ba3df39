"""What was shown and opened, as arrays, and how likely a place is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

USUAL_BIAS = 1.0
"""A place is looked at with a chance of 1 / rank ** bias; 1 is what eye tracking finds (Joachims et al. 2005)."""
_SURE = 200.0
"""Pairs that changed places from which what they tell counts as much as what is usual."""
_MOST = 2.0
_RAREST = 0.1
"""The chance below which a place is not believed to be looked at: one click there would outweigh all others."""


@dataclass(frozen=True, slots=True)
class Impressions:
    """Answers with the evidence that each showed, padded to the longest. ``names`` are the shares (features)."""

    names: tuple[str, ...]
    shares: np.ndarray
    """Float (answers, places, features), in the order of the ranking before neighbours changed places."""
    opened: np.ndarray
    """Float (answers, places): what opening it was worth, 0 where it was not opened."""
    rank: np.ndarray
    """Int (answers, places): the place from 1 where it was shown; 0 pads."""
    documents: np.ndarray
    """Int (answers, places): the same number for places of the same document."""
    sessions: np.ndarray
    """The session of each answer, str."""
    questions: np.ndarray
    """The question of each answer, str: the same one twice tells less than two."""

    def __len__(self) -> int:
        return len(self.sessions)

    @property
    def there(self) -> np.ndarray:
        """Bool (answers, places): False where a list is shorter than the longest."""
        return self.rank > 0

    def where(self, chosen: np.ndarray) -> Impressions:
        """Those answers that are True in ``chosen``."""
        rows = (self.shares, self.opened, self.rank, self.documents, self.sessions, self.questions)
        return Impressions(self.names, *(array[chosen] for array in rows))


@dataclass(frozen=True, slots=True)
class Shown:
    """One answer's evidence; arrays as in :class:`Impressions`, of its own length."""

    shares: np.ndarray
    opened: np.ndarray
    rank: np.ndarray
    documents: np.ndarray


def stack(
    names: Sequence[str],
    lists: Sequence[Shown],
    sessions: Sequence[str],
    questions: Sequence[str],
) -> Impressions:
    """Impressions of lists of different lengths.

    >>> one = Shown(np.ones((2, 1)), np.array([0.0, 1.0]), np.array([1, 2]), np.array([0, 0]))
    >>> stack(["words"], [one], ["ann"], ["q"]).shares.shape
    (1, 2, 1)
    """
    longest = max((len(one.opened) for one in lists), default=0)
    shares, opened = np.zeros((len(lists), longest, len(names))), np.zeros((len(lists), longest))
    rank, documents = np.zeros((len(lists), longest), int), np.zeros((len(lists), longest), int)
    for at, one in enumerate(lists):
        count = len(one.opened)
        shares[at, :count], opened[at, :count] = one.shares, one.opened
        rank[at, :count], documents[at, :count] = one.rank, one.documents
    asked = np.asarray(sessions, str), np.asarray(questions, str)
    return Impressions(tuple(names), shares, opened, rank, documents, *asked)


def seen(rank: np.ndarray, bias: float) -> np.ndarray:
    """How likely a place is looked at, by its rank from 1; 1 at the first, never less than a tenth."""
    return np.asarray(np.maximum(1.0 / np.maximum(rank, 1) ** bias, _RAREST))


def position_bias(shown: Impressions, usual: float = USUAL_BIAS) -> float:
    """The exponent of ``seen``, from neighbours that changed places; near the usual one where few did.

    The upper of two neighbours is opened less often where it stands below, the lower more often where it stands above:
    what of it the place alone explains is the bias. Source: Radlinski & Joachims 2006; Craswell et al. 2008.
    """
    places = shown.rank.shape[1]
    native = np.arange(1, places + 1)
    evidence, weight = 0.0, 0.0
    for at in range(places - 1):
        above, below = shown.rank[:, at], shown.rank[:, at + 1]
        as_ranked = (above == native[at]) & (below == native[at + 1])
        swapped = (above == native[at + 1]) & (below == native[at])
        if swapped.sum() < 2 or as_ranked.sum() < 2:
            continue
        up, down = shown.opened[:, at] > 0, shown.opened[:, at + 1] > 0
        high = _rate(up, as_ranked) * _rate(down, swapped)
        low = _rate(up, swapped) * _rate(down, as_ranked)
        step = np.log(native[at + 1] / native[at])
        own = float(swapped.sum()) * step**2
        evidence += own * (np.log(high / low) / 2) / step
        weight += own
    known = _SURE * np.log(2) ** 2
    return float(np.clip((evidence + known * usual) / (weight + known), 0.0, _MOST))


def _rate(opened: np.ndarray, among: np.ndarray) -> float:
    """How often it was opened, half an event added on either side."""
    return float((opened[among].sum() + 0.5) / (among.sum() + 1.0))


def ranks_by(scores: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The place from 1 that each piece takes when sorted by score, int (answers, places); equal ones as they stood."""
    kept = np.where(there, scores, -np.inf)
    order = np.argsort(-kept, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1, kept.shape[1] + 1), kept.shape), axis=1)
    return ranks


def worth(shown: Impressions, ranks: np.ndarray, bias: float) -> np.ndarray:
    """What an order would have been worth, 0 to 1 an answer: the discounted gain of what was opened, each counted by
    how unlikely it was looked at where it stood. NaN where nothing was opened.

    The estimate of Joachims, Swaminathan & Schnabel 2017, normalised by itself.
    """
    weights = shown.opened / seen(shown.rank, bias)
    total = weights.sum(axis=1)
    gained = (weights / np.log2(ranks + 1.0)).sum(axis=1)
    return np.asarray(np.divide(gained, total, out=np.full(len(total), np.nan), where=total > 0))

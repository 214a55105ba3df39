"""Simulated analysts: they look at places less the further down they stand, and open what answers, mostly.

The click model of Craswell et al. 2008 (examination by rank), with slips, and some who open whatever comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .impressions import Impressions, Shown, seen, stack

_SHOWN = 10
_A_SESSION = 5


@dataclass(frozen=True, slots=True)
class Analysts:
    """How they behave. Chances are shares of 1."""

    bias: float = 1.0
    """A place is looked at with a chance of 1 / rank ** bias."""
    opens_right: float = 0.8
    opens_wrong: float = 0.1
    """Noise: what does not answer is opened all the same."""
    spam: float = 0.05
    """Sessions that open whatever comes, wherever it stands."""
    swapped: float = 0.05


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the shares of its candidates, best first, and which of them answer."""

    text: str
    shares: np.ndarray
    """Float (places, features)."""
    right: np.ndarray
    """Bool (places,)."""
    documents: np.ndarray
    """Int (places,): the same number for places of the same document."""


def simulate(
    asked: Sequence[Asked], names: Sequence[str], count: int, analysts: Analysts, random: np.random.Generator
) -> Impressions:
    """``count`` questions drawn from those ``asked``, five a session, and what was opened of the first ten places."""
    lists, sessions, questions = [], [], []
    spams = False
    for number in range(count):
        if number % _A_SESSION == 0:
            spams = random.random() < analysts.spam
        one = asked[int(random.integers(len(asked)))]
        right = one.right[:_SHOWN]
        rank = _shown_ranks(len(right), analysts.swapped, random)
        chance = np.where(right, analysts.opens_right, analysts.opens_wrong) * seen(rank, analysts.bias)
        opened = random.random(len(right)) < (0.5 if spams else chance)
        lists.append(Shown(one.shares[:_SHOWN], opened.astype(float), rank, one.documents[:_SHOWN]))
        sessions.append(f"session {number // _A_SESSION}")
        questions.append(one.text)
    return stack(names, lists, sessions, questions)


def _shown_ranks(count: int, swapped: float, random: np.random.Generator) -> np.ndarray:
    """Ranks from 1 with some neighbours changed."""
    rank = np.arange(1, count + 1)
    at = 0
    while at + 1 < count:
        if random.random() < swapped:
            rank[at], rank[at + 1] = rank[at + 1], rank[at]
            at += 1
        at += 1
    return rank


def quality(asked: Sequence[Asked], score: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """NDCG@10 and reciprocal rank of each question, under multipliers of the shares (None: as ranked)."""
    ndcg, first = np.zeros(len(asked)), np.zeros(len(asked))
    for number, one in enumerate(asked):
        order = np.arange(len(one.right))
        if score is not None:
            order = np.argsort(-(one.shares @ score), kind="stable")
        ndcg[number], first[number] = quality_of(one.right[order])
    return ndcg, first


def quality_of(right: np.ndarray) -> tuple[float, float]:
    """NDCG@10 and reciprocal rank of a list of right and wrong places.

    >>> quality_of(np.array([False, True]))[1]
    0.5
    """
    found = np.flatnonzero(right)
    if not len(found):
        return 0.0, 0.0
    discounts = 1.0 / np.log2(np.arange(2, _SHOWN + 2))
    gained = (right[:_SHOWN] * discounts[: len(right[:_SHOWN])]).sum()
    return float(gained / discounts[: min(len(found), _SHOWN)].sum()), 1.0 / float(found[0] + 1)

"""What was shown and opened, as arrays, how likely a place is looked at, and simulated analysts, who look at
places less the further down they stand, and open what answers, mostly.

The analysts' click model is that of Craswell et al. 2008 (examination by rank), with slips, and some who open
whatever comes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.records import dataclass

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

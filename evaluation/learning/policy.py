"""An experiment beside the weights: a policy that puts the first places in an order, learned by reinforcement.

State: the shares of a candidate, and whether its document stands above it already. Action: the whole order, drawn place
by place (Plackett-Luce). Reward: what was opened, read long and found good, discounted by its new place, with a bonus
for the first of each document. REINFORCE (Williams 1992) with a baseline, or PPO with clipped steps (Schulman et al.
2017); judged off-policy by clicks weighted by how likely their place was looked at, normalised by themselves (SNIPS,
Swaminathan & Joachims 2015).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...core.records import dataclass
from .impressions import Impressions, position_bias, seen
from .pairwise import ENOUGH_GROUPS, LEAST_GAIN, Scorer, judge, without_spam

Method = Literal["reinforce", "ppo"]
_DRAWN = 4
"""Orders drawn of each answer: their mean is the baseline."""
_BATCH = 256
_SHARPNESS = 6.0
"""By how much a difference in score counts in a draw: the ranked order is kept most of the time at the start."""
_CLIP = 0.2
_PPO_EPOCHS = 4
_RATE = 1.0
"""Of .05, .5, 1 and 2 the largest that does not lose on the learning half at 300 questions."""
_PASSES = 3
"""Times that every answer is learned from; once where there are many."""
_MANY = 10_000
_TO_SHIPPED = 0.005
"""Pull back to the order as ranked, at each step."""
_DIVERSITY = 0.1
"""Bonus for what was opened in a document that none of the places above is from."""


@dataclass(frozen=True, slots=True)
class PolicyLesson:
    """A policy's weights of the features (shares, then "repeat"), and how it was judged."""

    weights: tuple[float, ...]
    gain: float
    low: float
    high: float
    judged_on: int
    groups: int
    """Different questions, or sessions where they are fewer, that it was judged on."""

    @property
    def is_accepted(self) -> bool:
        """True where the interval leaves out harm and doing next to nothing, and there is enough to go by."""
        return self.low > LEAST_GAIN and self.groups >= ENOUGH_GROUPS


def features(shares: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """The state of each candidate, float (answers, places, features + 1): its shares, and whether a place above it in
    the ranking is of the same document."""
    repeats = np.stack([(documents[:, :at] == documents[:, [at]]).any(axis=1) for at in range(documents.shape[1])], 1)
    return np.concatenate([shares, repeats[:, :, None].astype(float)], axis=2)


def shipped(names: int) -> np.ndarray:
    """The weights that rank as it was ranked."""
    return np.concatenate([np.ones(names), np.zeros(1)])


def train(shown: Impressions, bias: float, method: Method, random: np.random.Generator) -> np.ndarray:
    """The weights of a policy, float (features + 1,), learned from what was opened."""
    state, reward = features(shown.shares, shown.documents), shown.opened / seen(shown.rank, bias)
    useful = np.flatnonzero(reward.sum(axis=1) > 0)
    start = shipped(shown.shares.shape[2])
    weights = start.copy()
    passes = _PASSES if len(useful) < _MANY else 1
    for _ in range(passes if len(useful) else 0):
        for rows in np.array_split(random.permutation(useful), max(1, len(useful) // _BATCH)):
            batch = _Batch(state[rows], reward[rows], shown.there[rows], shown.documents[rows])
            weights = _improved(weights, batch, method, random)
            weights -= _TO_SHIPPED * (weights - start)
    return np.asarray(weights)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Answers in the order of the ranking; arrays as in :class:`~.impressions.Impressions`."""

    state: np.ndarray
    reward: np.ndarray
    there: np.ndarray
    documents: np.ndarray


def _improved(weights: np.ndarray, batch: _Batch, method: Method, random: np.random.Generator) -> np.ndarray:
    """One step of REINFORCE, or several clipped ones of PPO, on orders drawn from the policy as it is."""
    orders = [draw_order(batch.state @ weights, batch.there, random) for _ in range(_DRAWN)]
    gains = np.stack([rewards_of(order, batch.reward, batch.documents) for order in orders])
    advantages = gains - gains.mean(axis=0)
    before = [log_chance(weights, batch, order) for order in orders]
    for _ in range(_PPO_EPOCHS if method == "ppo" else 1):
        step = np.zeros_like(weights)
        for order, advantage, (log_before, _) in zip(orders, advantages, before, strict=True):
            log_now, gradient = log_chance(weights, batch, order)
            ratio = np.exp(np.clip(log_now - log_before, -20, 20))
            is_clipped = np.where(advantage > 0, ratio > 1 + _CLIP, ratio < 1 - _CLIP)
            factor = advantage if method == "reinforce" else np.where(is_clipped, 0.0, advantage * ratio)
            step += (factor[:, None] * gradient).mean(axis=0)
        weights = weights + _RATE * step / len(orders)
    return weights


def draw_order(scores: np.ndarray, there: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """An order of each row drawn place by place in proportion to exp(score), int (answers, places).

    By Gumbel noise, which draws the same (Yellott 1977).
    """
    noise = random.gumbel(size=scores.shape)
    return np.argsort(-np.where(there, _SHARPNESS * scores + noise, -np.inf), axis=1, kind="stable")


def rewards_of(order: np.ndarray, reward: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """The reward of each order: what was opened, discounted by its place, as a share of what its row could bring; a
    tenth more for each that is the first of its document in the order.

    >>> order, opened = np.array([[0, 1]]), np.array([[1.0, 0.0]])
    >>> rewards_of(order, opened, np.array([[0, 0]])).round(2).tolist()
    [1.1]
    """
    ordered = np.take_along_axis(reward, order, axis=1)
    codes = np.take_along_axis(documents, order, axis=1)
    is_first = np.stack([(codes[:, :at] != codes[:, at : at + 1]).all(axis=1) for at in range(order.shape[1])], axis=1)
    discounts = (1.0 + _DIVERSITY * is_first) / np.log2(np.arange(2, order.shape[1] + 2))
    return np.asarray((ordered * discounts).sum(axis=1) / np.maximum(reward.sum(axis=1), 1e-12))


def log_chance(weights: np.ndarray, batch: _Batch, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of the chance of each order, (answers,), and its gradient, (answers, features + 1)."""
    state = np.take_along_axis(batch.state, order[:, :, None], axis=1)
    there = np.take_along_axis(batch.there, order, axis=1)
    scores = np.where(there, _SHARPNESS * (state @ weights), -1e9)
    total = np.zeros(len(order))
    gradient = np.zeros((len(order), len(weights)))
    for place in range(order.shape[1]):
        rest = scores[:, place:]
        peak = rest.max(axis=1, keepdims=True)
        chances = np.exp(rest - peak)
        mass = chances.sum(axis=1, keepdims=True)
        is_there = there[:, place]
        total += np.where(is_there, rest[:, 0] - peak[:, 0] - np.log(mass[:, 0]), 0.0)
        expected = np.einsum("np,npf->nf", chances / mass, state[:, place:])
        gradient += np.where(is_there[:, None], _SHARPNESS * (state[:, place] - expected), 0.0)
    return total, gradient


def order_by_policy(shares: np.ndarray, documents: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The order of the places of one answer, best first, int (places,); ``shares`` is (places, features)."""
    return np.argsort(-(features(shares[None], documents[None])[0] @ weights), kind="stable")


def learn_policy(shown: Impressions, method: Method, seed: int = 0) -> PolicyLesson:
    """Train on all, and judge what two thirds teach on the sessions and questions of the last third.

    Also as if every place were looked at alike: what stands further down repeats documents more often, so that this
    feature could be used to turn the order round.
    """
    shown = without_spam(shown)
    bias = position_bias(shown)

    def taught(part: Impressions) -> Scorer:
        weights = train(part, bias, method, np.random.default_rng(seed))
        return lambda own: features(own.shares, own.documents) @ weights

    judged_on, gain, low, high, groups = judge(shown, (bias, 0.0), taught)
    weights = train(shown, bias, method, np.random.default_rng(seed))
    return PolicyLesson(tuple(round(float(one), 4) for one in weights), gain, low, high, judged_on, groups)

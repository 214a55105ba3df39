"""Weights of the shares of a score, learned from what was opened: pairwise logistic regression about the shipped ones.

Joachims 2002 for the pairs, Joachims, Swaminathan & Schnabel 2017 for the weight of a click by how likely its place is
looked at. A weight is a multiplier of a share: 1 is as shipped.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...core.records import dataclass
from ..statistics import clustered_bootstrap
from .impressions import Impressions, position_bias, ranks_by, seen, worth

STRENGTH = 100.0
"""How fast the prior holds the shipped weights, in answers. Where they are right, 100 loses less than 30 (simulated
analysts on TAT-QA, 300 questions: at worst -.0007 of NDCG@10 against -.0026), and wins nearly as much where not."""
ENOUGH_GROUPS = 50
"""Different questions, or sessions, below which nothing is accepted: of 33 an interval left out harm that was there."""
LEAST_GAIN = 0.002
"""Gain that the whole interval has to lie above: random clicks gave one of .0005 whose interval began above 0."""
_SPAM = 0.35
"""Share of the places shown that a session opens from which it says nothing: an answer stands in one or two of ten."""
_ENOUGH_PLACES = 15
_STEPS = 30
_LOW, _HIGH = 0.0, 4.0
"""No share counts against what it stands for, or more than four times what was measured."""
_SCALES = np.geomspace(0.5, 50.0, 40)
FOLDS = 3
"""One session in three, and one question in three, are held back to judge by, in turn."""


def learn_weights(shown: Impressions, bias: float, strength: float = STRENGTH) -> np.ndarray:
    """A multiplier for each share, float (features,); all 1 where nothing was opened."""
    differences, weights = _pairs(shown, bias)
    count = differences.shape[1]
    start = np.ones(count)
    if not len(differences):
        return start
    scale = _best_scale(differences @ start, weights)
    learned = start.copy()
    for _ in range(_STEPS):  # Newton's method: convex, a dozen unknowns
        margin = scale * differences @ learned
        wrong = 1.0 / (1.0 + np.exp(np.clip(margin, -60, 60)))
        gradient = strength * (learned - start) - scale * differences.T @ (weights * wrong)
        bend = weights * wrong * (1 - wrong) * scale**2
        hessian = strength * np.eye(count) + (differences * bend[:, None]).T @ differences
        step = np.linalg.solve(hessian, gradient)
        learned -= step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(np.clip(learned, _LOW, _HIGH))


def _pairs(shown: Impressions, bias: float) -> tuple[np.ndarray, np.ndarray]:
    """Each piece opened less each that was not, (pairs, features), and the weight of each pair, 1 an answer on average.

    An answer counts once however many pairs it has: who opens everything says no more than others.
    """
    weights = shown.opened / seen(shown.rank, bias)
    left_alone = shown.there & (shown.opened == 0)
    answers, better = np.nonzero(weights)
    worse = left_alone[answers]
    rows, columns = np.nonzero(worse)
    differences = shown.shares[answers[rows], better[rows]] - shown.shares[answers[rows], columns]
    own = weights[answers[rows], better[rows]]
    total = np.bincount(answers[rows], weights=own, minlength=len(shown))[answers[rows]] if len(rows) else own
    return differences, own / np.maximum(total, 1e-12)


def _best_scale(margin: np.ndarray, weights: np.ndarray) -> float:
    """By how much a difference in score is to be multiplied so that the shipped weights explain the clicks best."""
    losses = [(weights * np.logaddexp(0.0, -scale * margin)).sum() for scale in _SCALES]
    return float(_SCALES[int(np.argmin(losses))])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned, and whether it stood on sessions and questions that it was not learned from.

    ``gain`` is the estimated gain of the new order over the old with its 95 % interval; it is accepted only where the
    interval leaves out harm.
    """

    multipliers: Mapping[str, float]
    bias: float
    learned_from: int
    judged_on: int
    gain: float
    low: float
    high: float
    groups: int
    """Different questions, or sessions where they are fewer, that it was judged on."""

    @property
    def is_accepted(self) -> bool:
        """True where the interval leaves out harm and doing next to nothing, and there is enough to go by."""
        return self.low > LEAST_GAIN and self.groups >= ENOUGH_GROUPS


def learn(shown: Impressions, strength: float = STRENGTH) -> Lesson:
    """Learn from all, and judge what is learned from two thirds on the sessions and questions of the last third."""
    shown = without_spam(shown)
    bias = position_bias(shown)
    judged = judge(shown, (bias, bias / 2), lambda part: lambda own: own.shares @ learn_weights(part, bias, strength))
    weights = learn_weights(shown, bias, strength)
    rounded = {name: round(float(weight), 3) for name, weight in zip(shown.names, weights, strict=True)}
    learned_from = int((shown.opened.sum(axis=1) > 0).sum())
    return Lesson(rounded, round(bias, 2), learned_from, *judged)


Judged = tuple[int, float, float, float, int]
"""Answers judged, the gain with its 95 % interval, and the questions or sessions that it is over."""
Scorer = Callable[[Impressions], np.ndarray]
"""Scores of all places, (answers, places)."""


def judge(shown: Impressions, biases: Sequence[float], taught: Callable[[Impressions], Scorer]) -> Judged:
    """What learning gains on what it did not see: each third is judged by what the other two teach.

    By each of the ``biases`` of places that there may be, the worst of which counts: clicks that come wherever a place
    stands (noise) look like a reason to turn the order round when each is weighted by how unlikely it was.
    """
    found: list[Judged] = []
    scorers = [taught(shown.where(folds(shown, fold)[0])) for fold in range(FOLDS)]
    for assumed in biases:
        gains: list[float] = []
        clusters: list[str] = []
        for fold, scorer in enumerate(scorers):
            held_back = shown.where(folds(shown, fold)[1])
            own, whose = gains_of(held_back, scorer(held_back), assumed)
            gains += own
            clusters += whose
        found.append((len(gains), *clustered_bootstrap(gains, clusters), len(set(clusters))))
    return min(found, key=lambda one: one[2])


def without_spam(shown: Impressions) -> Impressions:
    """Without the sessions that open whatever comes: they say nothing of what is right."""
    names, number = np.unique(shown.sessions, return_inverse=True)
    places = np.bincount(number, weights=shown.there.sum(axis=1), minlength=len(names))
    opened = np.bincount(number, weights=(shown.opened > 0).sum(axis=1), minlength=len(names))
    is_spam = (places >= _ENOUGH_PLACES) & (opened > _SPAM * places)
    return shown.where(~is_spam[number])


def folds(shown: Impressions, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """Bool (answers,) to learn from and to judge on: the sessions of a third are held back, and their questions.

    Where the same questions are asked again and again, those of a third are held back, whoever asks them.
    """
    if _are_repeated(shown):
        judging = _thirds(shown.questions) == fold
        return ~judging, judging
    judging = _thirds(shown.sessions) == fold
    return ~judging & ~np.isin(shown.questions, shown.questions[judging]), judging


def _are_repeated(shown: Impressions) -> bool:
    return len(set(shown.questions)) < len(set(shown.sessions))


def _thirds(names: np.ndarray) -> np.ndarray:
    return np.array([_third(name) for name in names], int)


def _third(name: str) -> int:
    """0, 1 or 2, the same for ever."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass")) % FOLDS


def gains_of(shown: Impressions, scores: np.ndarray, bias: float) -> tuple[list[float], list[str]]:
    """The estimated gain of an order by ``scores`` over the one that was ranked, of each answer with something opened,
    and what it is drawn again with: its question where questions come again and again, else its session."""
    ranked = ranks_by(shown.shares.sum(axis=2), shown.there)
    gains = worth(shown, ranks_by(scores, shown.there), bias) - worth(shown, ranked, bias)
    judged = ~np.isnan(gains)
    clusters = shown.questions if _are_repeated(shown) else shown.sessions
    return gains[judged].tolist(), clusters[judged].tolist()

"""Passages picked one after the other, each given those that are picked already.

The facts of one answer often stand in several passages, of which only the first shares words with the question. A pick
counts by its own match, by a name that it shares with an earlier pick, by the words of the question that no pick holds
yet, and less the more it is like one of them. Plain arithmetic on arrays: it knows no store. Weights were learnt on
MuSiQue, 2WikiMultihopQA and HotpotQA, rounded, and confirmed on questions kept apart: those of ``link`` and ``home`` on
every second question (MuSiQue all gold@5 of the others .396 -> .451).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....core.records import dataclass

FOLLOWED = 5
"""Picks whose links are followed: a chain of evidence is short, and every pick adds names that lead astray."""


@dataclass(frozen=True, slots=True)
class ChainWeights:
    """How much each part of a pick counts; the first five are its own match."""

    dense: float = 3.5
    """Cosine of the passage."""
    words: float = 1.0
    """BM25 as a share of the best one's."""
    sentence: float = 4.5
    """Cosine of its best sentence."""
    covered: float = 2.5
    """Share of the asked words that it holds, rare ones counting more."""
    title: float = 2.5
    """Its title is named in the question."""
    link: float = 4.0
    """A rare name shared with a pick, by the share of the pick's asked words that its sentence with the name holds: the
    name of what the question describes stands beside the words that describe it."""
    home: float = 5.0
    """Its title is a name in a sentence of a pick, by how well that sentence answers."""
    bridge: float = 0.0
    """What is left of the question, with the name, is like its sentence; needs a bridge query."""
    asked: float = -1.0
    """What it shares with a pick is a name of the question itself: another look at the same thing."""
    likeness: float = -1.25
    """Cosine to the pick that is most like it."""
    same_title: float = -0.5
    uncovered: float = 4.5
    """Share of the asked words that it holds and no pick does."""


LINKS_ONLY = ChainWeights()
WITH_BRIDGES = ChainWeights(bridge=2.0)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """How candidates match the question by themselves. One row or entry a candidate."""

    dense: np.ndarray
    words: np.ndarray
    sentence: np.ndarray
    holds: np.ndarray
    """Bool (candidates, words asked)."""
    worth: np.ndarray
    """Share of each word asked, float (words asked,), 1 in all."""
    title_asked: np.ndarray
    """Bool."""
    titles: Sequence[str]
    vectors: np.ndarray
    """Unit rows (candidates, dim)."""

    def first_hop(self, weights: ChainWeights) -> np.ndarray:
        """The score of each candidate before anything is picked, float (candidates,)."""
        return np.asarray(
            weights.dense * self.dense
            + weights.words * self.words
            + weights.sentence * self.sentence
            + weights.covered * (self.holds @ self.worth)
            + weights.title * self.title_asked
        )


@dataclass(frozen=True, slots=True, eq=False)
class LinksFrom:
    """What joins one pick to every candidate, float (candidates,); 0 where nothing does."""

    link: np.ndarray
    home: np.ndarray
    asked: np.ndarray
    bridge: np.ndarray

    @classmethod
    def none(cls, candidates: int) -> LinksFrom:
        """No candidate is joined."""
        return cls(*(np.zeros(candidates) for _ in range(4)))

    def best_of(self, other: LinksFrom) -> LinksFrom:
        """The stronger of both, part by part."""
        pairs = zip(self.parts, other.parts, strict=True)
        return LinksFrom(*(np.maximum(one, another) for one, another in pairs))

    @property
    def parts(self) -> tuple[np.ndarray, ...]:
        """All arrays in the order of the fields."""
        return self.link, self.home, self.asked, self.bridge


def pick_chain(
    matches: Matches, links_from: Callable[[int], LinksFrom], count: int, weights: ChainWeights = LINKS_ONLY
) -> list[tuple[int, float]]:
    """The first ``count`` picks with their scores, in the order in which they are picked."""
    first = matches.first_hop(weights)
    links = LinksFrom.none(len(first))
    likeness, same = np.zeros(len(first)), np.zeros(len(first))
    uncovered = matches.worth.copy()
    left = np.ones(len(first), bool)
    picks: list[tuple[int, float]] = []
    while left.any() and len(picks) < count:
        scores = first.copy()
        if picks:
            scores += _of_links(links, weights) + weights.likeness * likeness + weights.same_title * same
            scores += weights.uncovered * (matches.holds @ uncovered)
        pick = int(np.argmax(np.where(left, scores, -np.inf)))
        picks.append((pick, float(scores[pick])))
        left[pick] = False
        if len(picks) > FOLLOWED:
            continue
        links = links.best_of(links_from(pick))
        cosines = matches.vectors @ matches.vectors[pick]
        likeness = cosines if len(picks) == 1 else np.maximum(likeness, cosines)
        same = np.maximum(same, [title == matches.titles[pick] for title in matches.titles])
        uncovered[matches.holds[pick]] = 0.0
    return picks


def _of_links(links: LinksFrom, weights: ChainWeights) -> np.ndarray:
    return np.asarray(
        weights.link * links.link
        + weights.home * links.home
        + weights.asked * links.asked
        + weights.bridge * links.bridge
    )

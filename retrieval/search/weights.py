"""All weights of the ranking in one place, the parts of a search that are off until they are named, and how scores and
rankings are put together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from ...core.errors import UsageError
from ...core.records import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts. The best lexical score of a search is 1, so weights read as shares of it.

    Defaults were measured on 10-Ks, 10-Qs and calls; most are flat within a factor of two.
    """

    k1: float = 1.5
    b: float = 0.75
    heading: float = 0.5
    """BM25 of the headings beside that of the text."""
    synonym: float = 0.7
    """A word added by a synonym rule, where a word asked is 1."""
    dense: float = 0.25
    """The best vector hit, scaled from the mean of the candidates to their best."""
    dense_beside: float = 0.5
    """What is left of ``dense`` where question and texts are Chinese, which only the encoder beside the main one reads.

    Passages of Chinese news, MRR .733 at 1, .765 at .5, .775 at .25, .798 at 0; pages of an annual report .937, .943,
    .943, .960; headlines and bodies .721, .719, .717. Without any, a question in other words finds nothing.
    """
    sentence: float = 0.0
    """The best sentence of a place, where one document is searched: its cosine and its share of the words asked."""
    smoothing: float = 0.15
    """Share of the neighbours in a chunk's vector score; 0 is used for one document, where it hurts."""
    added_words: float = 0.5
    """Vector of the question with its synonyms beside that of the question."""
    other_language: float = 1.0
    """The text of another language that is most like the question, where the best one by words is 1.

    Ten documents of both languages, English questions on the Chinese one: hit@5 0 at 0, .643 at .8, .714 at 1, .786 at
    1.3; English questions on the English ones: MRR@10 .757, .757, .743, .722.
    """
    home: float = 0.6
    """A page of the class where the asked figure stands."""
    fact: float = 0.4
    """A page that states the metric asked, for the year asked, as a fact."""
    fact_in_statement: float = 0.1
    """What such a page counts more where it is a financial statement: notes and discussions repeat its figures."""
    figures: float = 0.3
    """Share of the figures that the question quotes that stand on the page."""
    row: float = 0.0
    """A row of a table whose name is what is asked: filings repeat the same names on many pages."""
    calculating: float = 1.0
    """A word that says what is to be done with figures ("percentage change"), where a word asked is 1."""
    characters: float = 0.5
    """A single Chinese character beside the pairs: short forms take one of each word."""
    years: float = 0.2
    """Share of the asked years that stand on the page."""
    exhibits: float = 0.3
    """What a page of the list of exhibits loses: it holds many names and titles, and no answer."""
    auditor: float = 0.3
    """What a page of the auditor's report loses: it names the company, all statements and their periods.

    Pages of a Chinese annual report MRR .937 at 0, .954 at .3; Taiwanese filings hit@1 .786, .857.
    """
    about: float = 0.6
    """A document of whose company, kind and period the question speaks, where the scope is not read from it."""
    preference: float = 0.6
    """How well the document fits the period and kind asked."""
    value: float = 0.0
    """The content value of the best chunk of a place; changed nothing on filings, calls and TAT-QA at .1 to .3."""
    summary: float = 0.0
    """The best summary above a chunk, by vector and by the words of its section; only where it is asked for."""
    asks: float = 2.0
    """What the question of a call loses where its answer is another turn: who finds the question wants the answer."""
    same_exchange: float = 0.3
    """What a further turn of an exchange loses for each before it: calls without their questions hit@5 .67 at 0, .73 at
    .3, .72 at 1."""
    pin: float = 3.0
    """A page that somebody pinned for this question: more than all else together, as it was said by hand."""


SUMMARY_WEIGHT = 0.3
"""What summaries count where they are asked for."""
VALUE_WEIGHT = 0.2
"""What the content value counts where it is asked for."""
FILING_WEIGHTS = Weights()
PASSAGE_WEIGHTS = Weights(
    synonym=0.3, dense=0.5, sentence=1.5, row=0.8, calculating=0.3, years=0.0, about=0.0, preference=0.2
)
"""Of short texts the questions reuse the words: synonyms are noise, and vectors tell more than of table rows.

In one known text the best sentence decides; over many it finds a sentence like the question in the wrong text.
A year is one more word of such a text, counted already, and what is known of its period is mostly a guess.
"""


ALL_TEXT = "all_text"
VALUE = "value"
TOKENS = "tokens"
SUMMARIES = "summaries"
HYDE = "hyde"
KEYWORDS = "keywords"

EXTRAS: Mapping[str, str] = {
    ALL_TEXT: "contents pages, disclaimers, contacts and covers are searched too",
    VALUE: "the content value of a chunk counts in the ranking",
    TOKENS: "the first 30 places are ranked anew by late interaction of tokens (MaxSim), a second a question",
    SUMMARIES: "sections and documents are found by their summaries too",
    HYDE: "an answer that a model imagines is searched for as well (HyDE): one call a question",
    KEYWORDS: "the graph starts from the names and themes that a model reads in the question: one call a question",
}
"""A new one is a row here, and a look at ``extras`` where it acts."""

Extras = frozenset[str]
NO_EXTRAS: Extras = frozenset()


def extras_named(text: str) -> Extras:
    """The parts of a list with commas. Raises UsageError for one that there is not.

    >>> sorted(extras_named("tokens, value"))
    ['tokens', 'value']
    """
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    unknown = sorted(names - EXTRAS.keys())
    if unknown:
        hint = "There are: " + "; ".join(f"{name} ({says})" for name, says in EXTRAS.items())
        raise UsageError(f"no part of a search is called {', '.join(unknown)}", where="extras", hint=hint)
    return names


T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


def to_best(scores: np.ndarray) -> np.ndarray:
    """Scores as shares of the best one; all 0 where none is above 0.

    >>> to_best(np.array([2.0, 1.0, 0.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.zeros_like(scores)


def best_first(scores: np.ndarray, count: int) -> np.ndarray:
    """Where the ``count`` highest scores are, the highest first, equal ones in their order.

    Sorting all 16,500 places of a scope for the first twenty took a millisecond of a search.

    >>> best_first(np.array([.2, .9, .5, .9]), 3).tolist()
    [1, 3, 2]
    """
    if count <= 0:
        return np.empty(0, np.int64)
    if count >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    among_first = np.flatnonzero(scores >= least)
    order: np.ndarray = among_first[np.argsort(-scores[among_first], kind="stable")][:count]
    return order


def above_mean(scores: np.ndarray) -> np.ndarray:
    """Scores from -1 to 1: 0 at the mean, 1 at the best.

    >>> above_mean(np.array([3.0, 1.0, 2.0, 0.0])).round(2).tolist()
    [1.0, -0.33, 0.33, -1.0]
    """
    if not len(scores):
        return scores
    mean = scores.mean()
    spread = float(scores.max() - mean)
    return np.clip((scores - mean) / spread, -1.0, 1.0) if spread > 1e-9 else np.zeros_like(scores)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[Key]], constant: float = 60.0, weights: Sequence[float] = ()
) -> list[tuple[Key, float]]:
    """Items of all rankings, best first, by the sum of weight / (constant + rank) (Cormack et al. 2009).

    ``weights`` has one for each ranking; without them all are 1.

    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def interleaved(ahead: Sequence[T], between: Sequence[T], *, first: int, every: int) -> list[T]:
    """``first`` items of ``ahead``, then at every ``every``-th place one of ``between``; what is left over follows.

    >>> interleaved(["a", "b", "c", "d"], ["X", "Y"], first=2, every=2)
    ['a', 'b', 'X', 'c', 'Y', 'd']
    """
    rest, others = list(ahead[first:]), list(between)
    merged = list(ahead[:first])
    while others:
        merged.append(others.pop(0))
        if others:
            merged.extend(rest[: every - 1])
            rest = rest[every - 1 :]
    return [*merged, *rest]

"""How high the right things stand in a ranking (Manning, Raghavan & Schuetze 2008, chapter 8); precision, recall
and F1 of extracted triples or names against gold (micro-averaged over documents).

A ranking is a sequence of hashable units, best first: passages, ``(source, page)`` pairs or documents. Repeats
count once, at their best place, so that a page of five chunks takes one place. ``gold`` is the set of right
units.

How much of an answer a context holds is an own definition, :func:`answer_recall`: the answer's words and figures
where they stand in the gold text. It stands in without a model for context recall (Es et al. 2023, RAGAS), which
asks a model of each claim.

The four measures of the HybridRAG paper (Sarmah et al. 2024, section 4; after RAGAS) take verdicts, so that it does not
matter who judged: a model, rules or a person.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from ...core.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    from ...retrieval.search.evidence import Evidence

Unit = TypeVar("Unit", bound=Hashable)


def distinct(ranked: Iterable[Unit], k: int | None = None) -> list[Unit]:
    """The first ``k`` different units, in order.

    >>> distinct([3, 3, 1, 3, 2], 2)
    [3, 1]
    """
    return list(dict.fromkeys(ranked))[:k]


def recall_at_k(ranked: Iterable[Unit], gold: Collection[Unit], k: int) -> float:
    """Share of the gold units among the first k: ``|top(k) & gold| / |gold|``; 0 without gold.

    >>> recall_at_k(["a", "b", "c"], {"a", "c"}, 2)
    0.5
    """
    return len(set(distinct(ranked, k)) & set(gold)) / len(gold) if gold else 0.0


def hit_at_k(ranked: Iterable[Unit], gold: Collection[Unit], k: int) -> float:
    """1 where any gold unit is among the first k, else 0."""
    return float(not set(distinct(ranked, k)).isdisjoint(gold))


def all_gold_at_k(ranked: Iterable[Unit], gold: Collection[Unit], k: int) -> float:
    """1 where every gold unit is among the first k: what a question that needs two passages asks for."""
    return float(bool(gold) and set(gold) <= set(distinct(ranked, k)))


def reciprocal_rank(ranked: Iterable[Unit], gold: Collection[Unit], k: int | None = None) -> float:
    """``1 / place of the first gold unit``, 0 where it is not among the first k; its mean is the MRR (Voorhees 1999).

    >>> reciprocal_rank(["x", "x", "a"], {"a"})
    0.5
    """
    wanted = set(gold)
    return next((1 / place for place, unit in enumerate(distinct(ranked, k), 1) if unit in wanted), 0.0)


def average_precision(ranked: Iterable[Unit], gold: Collection[Unit], k: int | None = None) -> float:
    """Mean over the gold units of the precision at the place of each, 0 for those not ranked; its mean is the MAP.

    With ``k`` only the first k places count, and no more than k gold units are expected there ("MAP@10").
    Source: Manning, Raghavan & Schuetze 2008, section 8.4.

    >>> average_precision(["a", "x", "b"], {"a", "b"}).__round__(3)
    0.833
    """
    found, total = 0, 0.0
    for place, unit in enumerate(distinct(ranked, k), 1):
        if unit in gold:
            found += 1
            total += found / place
    expected = len(set(gold)) if k is None else min(k, len(set(gold)))
    return total / expected if expected else 0.0


def ndcg_at_k(ranked: Iterable[Unit], gains: Mapping[Unit, float] | Collection[Unit], k: int) -> float:
    """Discounted gain over the best possible: ``sum(gain_i / log2(i + 1)) / ideal`` (Jaervelin & Kekaelaeinen 2002).

    A plain collection of gold units has gain 1 each.

    >>> ndcg_at_k(["a", "b"], {"a"}, 2)
    1.0
    """
    table = dict(gains) if isinstance(gains, Mapping) else dict.fromkeys(gains, 1.0)
    ideal = _discounted(sorted(table.values(), reverse=True)[:k])
    return _discounted([table.get(unit, 0.0) for unit in distinct(ranked, k)]) / ideal if ideal else 0.0


def page_ranking(evidence: Sequence[Evidence]) -> list[tuple[str, int]]:
    """Evidence as (source, page), best first; what runs over pages gives the page it answers on, then the others."""
    found: list[tuple[str, int]] = []
    for item in evidence:
        if item.page:
            found.append((item.source, item.page))
        found.extend((item.source, anchor.page) for anchor in item.anchors)
    return distinct(found)


def document_ranking(evidence: Sequence[Evidence]) -> list[str]:
    """Evidence as sources, best first."""
    return distinct(item.source for item in evidence)


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


_WORD = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_]+")
_COMMON = (
    "a an and are as at be been but by did do does for from had has have how if in into is it its many may much no not "
    "of on or such that the their then there these they this to was were what which will with would"
)
_STOP = frozenset(_COMMON.split())


@dataclass(frozen=True, slots=True)
class GoldText:
    """``text[start:end]`` of a document, and the words of the answer that stand in it."""

    source: str
    start: int
    end: int
    words: frozenset[str]


def answer_words(text: str) -> frozenset[str]:
    """Words and figures in lower case, the commonest words and single letters left out.

    >>> sorted(answer_words("Revenue of $3,412 million was the highest."))
    ['3,412', 'highest', 'million', 'revenue']
    """
    return frozenset(word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in _STOP)


def answer_recall(gold: Sequence[GoldText], context: Sequence[Evidence]) -> float:
    """``|words held| / |words|`` over all gold texts; a word counts where a piece has it from the gold text itself."""
    held = wanted = 0
    for text in gold:
        found = frozenset().union(*(answer_words(_overlap(text, piece)) for piece in context))
        held += len(text.words & found)
        wanted += len(text.words)
    return held / wanted if wanted else 0.0


def _overlap(gold: GoldText, piece: Evidence) -> str:
    """What a piece has of a gold text; "" where it stands elsewhere."""
    is_near = piece.start < gold.end and gold.start < piece.end
    if piece.source != gold.source or not is_near:
        return ""
    return piece.text[max(0, gold.start - piece.start) : gold.end - piece.start]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was right, found and wanted; adds up over documents to the micro average.

    >>> (Counts(2, 4, 2) + Counts(1, 1, 2)).precision
    0.6
    """

    right: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        """``right / found``, 0 where nothing was found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """``right / wanted``, 0 where nothing was wanted."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both: ``2 right / (found + wanted)`` (van Rijsbergen 1979)."""
        return 2 * self.right / (self.found + self.wanted) if self.found + self.wanted else 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.found + other.found, self.wanted + other.wanted)


def match(found: Iterable[Hashable], gold: Iterable[Hashable]) -> Counts:
    """Compare two bags of items; each gold item can be matched once.

    >>> match(["a", "a", "b"], ["a", "c"])
    Counts(right=1, found=3, wanted=2)
    """
    ours, theirs = Counter(found), Counter(gold)
    return Counts((ours & theirs).total(), ours.total(), theirs.total())


def faithfulness(supported: Sequence[bool]) -> float:
    """Share of the answer's statements that the context supports: ``|V| / |S|``; 0 without statements.

    >>> faithfulness([True, True, False, True])
    0.75
    """
    return _share(supported)


def answer_relevancy(question: np.ndarray, generated: np.ndarray) -> float:
    """Mean cosine of the question and the questions that the answer answers: ``1/n * sum(sim(q, q_i))``.

    ``question`` is a unit vector (dim,), ``generated`` unit rows (n, dim).
    """
    return float((generated @ question).mean()) if len(generated) else 0.0


def context_precision(relevant: Sequence[bool]) -> float:
    """Mean precision at the places of relevant contexts: ``sum(precision@k * v_k) / sum(v_k)``; 0 where none is.

    >>> round(context_precision([True, False, True]), 3)  # (1/1 + 2/3) / 2
    0.833
    """
    hits, total = 0, 0.0
    for place, good in enumerate(relevant, 1):
        if good:
            hits += 1
            total += hits / place
    return total / hits if hits else 0.0


def context_recall(attributed: Sequence[bool]) -> float:
    """Share of the sentences of the right answer that can be traced to the context: ``|attributed| / |sentences|``."""
    return _share(attributed)


def _share(verdicts: Sequence[bool]) -> float:
    return sum(map(bool, verdicts)) / len(verdicts) if verdicts else 0.0

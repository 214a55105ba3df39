"""How high the right things stand in a ranking (Manning, Raghavan & Schuetze 2008, chapter 8).

A ranking is a sequence of hashable units, best first: passages, ``(source, page)`` pairs or documents. Repeats count
once, at their best place, so that a page of five chunks takes one place. ``gold`` is the set of right units.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
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

"""Is a figure of a sentence of the source what a claim speaks of: its metric, and not the one it is compared with?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ....ingest.facts.metric_mentions import find_metrics
from .cell import Cell
from .claims import Claim, clause_of
from .prose_cells import figures_of, is_base

_LEVEL_WORD = re.compile(r"\b(?:from|versus|vs|than|compared|against|prior|previous|last|ago|earlier|before)\b|较|比|从|由|上年|同期")
"""In a claim that may speak of the figure that another one is compared with."""


def is_said_of_another(claim: Claim, cell: Cell) -> bool:
    """True where the source says the figure of another metric, or of the time that the claim's time is compared with.

    >>> from .claims import claims_of
    >>> from .prose_cells import prose_cells
    >>> net, ffo = prose_cells("Net income was $0.04 per share and FFO was $0.35 per share.")
    >>> claim, = claims_of("Net income was $0.35 per share.", "")
    >>> is_said_of_another(claim, ffo)
    True
    """
    printed = _printed(cell.label)
    own = next((figure for figure in printed if figure.text == cell.text), None)
    if own is None:
        return False
    if own.is_base and not claim.periods and not _LEVEL_WORD.search(claim.sentence):
        return True
    named = metrics_in(claim.clause)
    if not named or named & own.metrics or not own.metrics:
        return False
    return any(named & rival.metrics and rival.unit == own.unit for rival in printed if rival is not own)


@dataclass(frozen=True, slots=True)
class _Printed:
    """A figure of a sentence of the source, with the metrics of its clause."""

    text: str
    unit: str
    metrics: frozenset[str]
    is_base: bool
    """True where others are compared with it."""


@lru_cache(maxsize=4096)
def _printed(sentence: str) -> tuple[_Printed, ...]:
    figures = figures_of(sentence)
    return tuple(
        _Printed(own.text, own.unit, metrics_in(clause_of(sentence, own, figures)), is_base(sentence, own))
        for own in figures
    )


@lru_cache(maxsize=4096)
def metrics_in(text: str) -> frozenset[str]:
    """Canonical names of the metrics that a text speaks of."""
    return frozenset(mention.metric.name for mention in find_metrics(text))

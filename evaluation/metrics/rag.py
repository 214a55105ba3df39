"""The four measures of the HybridRAG paper (Sarmah et al. 2024, section 4; after RAGAS, Es et al. 2023).

Each takes verdicts, so that it does not matter who judged: a model, rules (:mod:`..judges`) or a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


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

"""The first hits in the order of a cross-encoder, where one is configured and does not fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.errors import ModelError
from ..passages import Passage
from ..trace import Trace

if TYPE_CHECKING:
    from ....models.reranker import Reranker

MOST = 30
"""Passages that a cross-encoder reads: what is further behind rarely gets in front."""


def reranked(reranker: Reranker | None, question: str, passages: Sequence[Passage], trace: Trace) -> list[Passage]:
    """The first passages sorted by the reranker's scores, equal ones as they were; the rest behind them."""
    if reranker is None or not passages:
        return list(passages)
    first = list(passages[:MOST])
    try:
        with trace.timed("rerank"):
            scores = reranker.scores(question, [passage.chunk.text for passage in first])
    except ModelError as error:
        trace.note("rerank", {"model": reranker.name, "failed": str(error)})
        return list(passages)
    order = sorted(range(len(first)), key=lambda at: -scores[at])
    moved = [{"chunk": first[at].chunk.id, "score": round(scores[at], 4), "from": at + 1} for at in order]
    trace.note("rerank", {"model": reranker.name, "order": moved})
    return [*(first[at] for at in order), *passages[MOST:]]

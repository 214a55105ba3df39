"""A data set as a task of retrieval: its texts, its questions and what answers each."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from cliquerag.evaluation.metrics.retrieval import document_ranking, page_ranking
from cliquerag.retrieval.search.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Task:
    """Texts, questions and the gold of each: documents or pages of them."""

    name: str
    texts: Mapping[str, str | Sequence[str]]
    questions: Sequence[str]
    gold: Sequence[Collection[Hashable]]
    metrics: tuple[str, ...]
    by_page: bool = False

    def ranking(self, found: Sequence[Evidence]) -> list[Hashable]:
        """What was found, as the gold is given; a relation or fact counts where it was read."""
        return [*(page_ranking(found) if self.by_page else document_ranking(found))]

"""What puts candidates in another order; they run as they stand here, a new one is a line."""

from __future__ import annotations

from .base import RankingContext, Reranker
from .exact_match import by_exact_match
from .late_interaction import by_sentences, by_tokens
from .linked_passages import by_links
from .page_content import DEPTH, by_figures, by_rows

RERANKERS: tuple[Reranker, ...] = (by_figures, by_rows, by_sentences, by_tokens, by_links, by_exact_match)

__all__ = ["DEPTH", "RERANKERS", "RankingContext", "Reranker"]

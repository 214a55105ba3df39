"""How a question is to be answered: every setting of an answer in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..search.context_expansion import Parent
from ..search.pipeline import search_plan
from .context import BUDGETS, Order

if TYPE_CHECKING:
    from ...core.scope import Scope
    from ...models.embedder import Embedder
    from ...models.language import Message
    from ...models.reranker import Reranker
    from ..question.plan import Keywords, QuestionPlan
    from ..search.evidence import Evidence, Expected, Trace


class Searcher(Protocol):
    """Finds evidence for an understood question: :func:`.search.pipeline.search_plan`, or an engine's own."""

    def __call__(
        self,
        plan: QuestionPlan,
        embedder: Embedder | None,
        *,
        mode: str,
        k: int,
        trace: Trace | None,
        reranker: Reranker | None,
    ) -> list[Evidence]:
        """The best ``k`` pieces of evidence."""
        ...


@dataclass(frozen=True, slots=True)
class AskOptions:
    """``history`` is the conversation before a follow-up question, ``budgets`` the tokens of the two legs."""

    mode: str = "hybrid"
    scope: Scope | None = None
    """None reads it from the question."""
    order: Order = "vector-first"
    history: Sequence[Message] = ()
    budgets: tuple[int, int] = BUDGETS
    queries: int = 1
    """Ways of putting the question that a model finds and that are searched each; 1 asks no model."""
    parent: Parent = "auto"
    """What is read for the first hits: "section", "page", "none" (as found); "auto": the section if a model reads."""
    reranker: Reranker | None = None
    """A cross-encoder that puts the first passages in its order."""
    expect: Expected | None = None
    """The kind of value that a program wants; None: a text with citations."""
    search: Searcher = search_plan
    hyde: bool = False
    """An answer that the model imagines is searched for as well."""
    keywords: bool = False
    """The graph starts from names and themes that the model reads in the question as well."""
    keywords_read: Keywords | None = None
    """Those that it has read in the whole question of which this is a part; None: it is asked."""

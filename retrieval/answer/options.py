"""How a question is to be answered: every setting of an answer in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..search.context_expansion import Parent
from .context import BUDGETS, Order

if TYPE_CHECKING:
    from ...core.scope import Scope
    from ...kg.store import Store
    from ...models.embedder import Embedder
    from ...models.language import Message
    from ..calculation import FormulaList
    from ..search.evidence import Evidence
    from ..search.trace import Trace


class Search(Protocol):
    """As :func:`.search.search`."""

    def __call__(
        self,
        store: Store,
        embedder: Embedder | None,
        question: str,
        *,
        mode: str,
        k: int,
        scope: Scope | None,
        trace: Trace | None,
    ) -> list[Evidence]: ...


def _search(
    store: Store,
    embedder: Embedder | None,
    question: str,
    *,
    mode: str,
    k: int,
    scope: Scope | None,
    trace: Trace | None,
) -> list[Evidence]:
    from ..search.pipeline import search

    return search(store, embedder, question, mode=mode, k=k, scope=scope, trace=trace)


@dataclass(frozen=True, slots=True)
class AskOptions:
    """``history`` is the conversation before a follow-up question, ``budgets`` the tokens of the two legs."""

    mode: str = "hybrid"
    scope: Scope | None = None
    """None reads it from the question."""
    order: Order = "vector-first"
    history: Sequence[Message] = ()
    budgets: tuple[int, int] = BUDGETS
    search: Search = _search
    formulas: FormulaList | None = None
    """What figures may be calculated; the shipped formulas for None."""
    queries: int = 1
    """Ways of putting the question that a model finds and that are searched each; 1 asks no model."""
    parent: Parent = "auto"
    """What is read for the first hits: "section", "page", "none" (as found); "auto": the section if a model reads."""

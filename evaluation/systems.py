"""The systems of a comparison, by the name of their column.

A mode of ours is one; ``hybrid+section`` reads the first hits with their section; ``lightrag:mix`` is a mode of
LightRAG over the same chunks and triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..core.errors import UsageError
from ..core.records import dataclass
from ..retrieval.search.context_expansion import Parent, parent_for
from ..retrieval.search.modes import mode_named
from . import lightrag

if TYPE_CHECKING:
    from ..kg.drivers import DriverQuery
    from ..kg.store import FactQuery, Store
    from ..models.embedders import Embedder
    from ..models.language import LanguageModel
    from ..models.reranker import Reranker
    from ..retrieval.answer.context import Order
    from ..retrieval.question.plan import QuestionPlan
    from ..retrieval.question.vocabulary.vocabulary import Vocabulary
    from ..retrieval.search.evidence import Answer, Evidence, Trace
    from .lightrag import LightRAGTwin

_LIGHTRAG = "lightrag"
_DEPTH = 20
"""Places of LightRAG's ranking, its default."""


class Asked(Protocol):
    """What is compared of ours: a workspace."""

    def ask(self, question: str, mode: str | None = None, *, order: Order | None, parent: Parent | None) -> Answer:
        """An answer with citations."""

    def search(self, question: str, mode: str | None = None, *, parent: Parent | None) -> Sequence[Evidence]:
        """The best evidence, best first."""


class Parts(Protocol):
    """What another engine is given, so that the search alone is compared: the components of the workspace."""

    @property
    def store(self) -> Store: ...
    @property
    def embedder_for_search(self) -> Embedder | None: ...
    @property
    def language_model(self) -> LanguageModel | None: ...
    @property
    def vocabulary(self) -> Vocabulary: ...


class Systems:
    """Asks and searches by the name of a column. Close it; LightRAG's files stay in ``folder`` for the next run."""

    def __init__(self, ours: Asked, parts: Parts, folder: Path, order: Order) -> None:
        self._ours, self._parts, self._folder, self._order = ours, parts, folder, order

    def prepare(self, columns: Sequence[str], question: str) -> None:
        """Load what each column needs by one question, so that the first takes no longer than the others.

        With a model, which costs, by a search alone.
        """
        for column in columns:
            if self._parts.language_model:
                self.search(question, column)
            else:
                self.ask(question, column)

    def ask(self, question: str, column: str) -> Answer:
        """An answer in that mode; LightRAG's evidence is answered from as ours is, but for our facts."""
        asked = _column(column)
        if not asked.is_lightrag:
            return self._ours.ask(question, asked.mode, order=self._order, parent=asked.parent)
        from ..retrieval.answer.multi_part import answer_parts
        from ..retrieval.answer.preparation import AskOptions

        parts = self._parts
        # A view that passes on the forty other readers of the protocol cannot be told to a type checker.
        store = cast("Store", _WithoutFacts(parts.store))
        options = AskOptions(mode=asked.mode, order=self._order, search=self._search_twin, parent="none")
        embedder, model = parts.embedder_for_search, parts.language_model
        return answer_parts(store, embedder, model, question, parts.vocabulary, options)

    def search(self, question: str, column: str) -> Sequence[Evidence]:
        """The ranking in that mode."""
        asked = _column(column)
        if not asked.is_lightrag:
            return self._ours.search(question, asked.mode, parent=asked.parent)
        return self._twin.search(self._parts.store, None, question, mode=asked.mode, k=_DEPTH)

    def close(self) -> None:
        """Stop LightRAG where it was started."""
        if "_twin" in self.__dict__:
            self._twin.close()

    def _search_twin(
        self,
        plan: QuestionPlan,
        embedder: Embedder | None,
        *,
        mode: str,
        k: int,
        trace: Trace | None,
        reranker: Reranker | None,
    ) -> list[Evidence]:
        """LightRAG in the place of our search; what it embeds with, and that it reranks nothing, is its own matter."""
        return self._twin.search(plan.store, None, plan.text, mode=mode, k=k)

    @cached_property
    def _twin(self) -> LightRAGTwin:
        from .lightrag import LightRAGTwin

        embedder = self._parts.embedder_for_search
        if embedder is None:
            raise UsageError("LightRAG needs the embedder that the vectors come from", hint="See `cliquerag doctor`")
        return LightRAGTwin(self._parts.store, embedder, self._folder, self._parts.vocabulary.schema)


def check_columns(columns: Sequence[str]) -> None:
    """Raises UsageError for a mode that there is not, or that needs what is not installed."""
    for column in columns:
        asked = _column(column)
        if not asked.is_lightrag:
            mode_named(asked.mode)
            continue
        if asked.mode not in lightrag.MODES:
            raise UsageError(f"LightRAG has no mode {asked.mode!r}", hint="There are: " + ", ".join(lightrag.MODES))
        lightrag.check_installed()


class _WithoutFacts:
    """A store whose facts and drivers are out of sight: an engine without them does not answer from ours."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def facts(self, query: FactQuery) -> list[Any]:
        return []

    def drivers(self, query: DriverQuery) -> list[Any]:
        return []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@dataclass(frozen=True, slots=True)
class _Column:
    is_lightrag: bool
    mode: str
    parent: Parent | None = None
    """None: as the settings have it."""


def _column(name: str) -> _Column:
    """Of "lightrag:mix" and "hybrid+page"; "lightrag" alone is its default mode. Raises UsageError."""
    engine, _, mode = name.partition(":")
    if engine.lower() == _LIGHTRAG:
        return _Column(is_lightrag=True, mode=mode or lightrag.MODES[0])
    mode, plus, parent = name.partition("+")
    return _Column(is_lightrag=False, mode=mode, parent=parent_for(parent, model_reads=True) if plus else None)

"""The columns of a comparison.

A mode of ours is one; ``hybrid+section`` reads the first hits with their section; ``lightrag:mix`` is a mode of
LightRAG over the same chunks and triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .core.errors import UsageError
from .evaluation.lightrag import engine as lightrag
from .retrieval.search.context_expansion import Parent, parent_for
from .retrieval.search.pipeline import mode_named
from .workspace import Workspace

if TYPE_CHECKING:
    from .evaluation.lightrag.twin import LightRAGTwin
    from .kg.store import FactQuery, Store
    from .models.embedder import Embedder
    from .retrieval.answer.context import Order
    from .retrieval.question.plan import QuestionPlan
    from .retrieval.search.evidence import Answer, Evidence

_LIGHTRAG = "lightrag"
_DEPTH = 20
"""Places of LightRAG's ranking, its default."""


class Columns:
    """Asks and searches by the name of a column. Close it; LightRAG's files stay in ``folder`` for the next run."""

    def __init__(self, workspace: Workspace, folder: Path, order: Order) -> None:
        self._workspace, self._folder, self._order = workspace, folder, order

    def prepare(self, columns: Sequence[str], question: str) -> None:
        """Load what each column needs by one question, so that the first takes no longer than the others.

        With a model, which costs, by a search alone.
        """
        first = self.search if self._workspace.components.language_model else self.ask
        for column in columns:
            first(question, column)

    def ask(self, question: str, column: str) -> Answer:
        """An answer in that mode; LightRAG's evidence is answered from as ours is, but for our facts."""
        engine, mode, parent = _parts(column)
        if engine != _LIGHTRAG:
            return self._workspace.ask(question, mode=mode, order=self._order, parent=parent)
        from .retrieval.answer.options import AskOptions
        from .retrieval.answer.pipeline import answer_question

        space = self._workspace
        store = cast("Store", _WithoutFacts(space.store))
        embedder, model = space.components.embedder_for_search, space.components.language_model
        options = AskOptions(mode=mode, order=self._order, search=self._search_twin, parent="none")
        return answer_question(store, embedder, model, question, space.components.vocabulary, options)

    def _search_twin(
        self, plan: QuestionPlan, embedder: Embedder | None, *, mode: str, k: int, **_: Any
    ) -> list[Evidence]:
        return self._twin.search(plan.store, None, plan.text, mode=mode, k=k)

    def search(self, question: str, column: str) -> Sequence[Evidence]:
        """The ranking in that mode."""
        engine, mode, parent = _parts(column)
        if engine != _LIGHTRAG:
            return self._workspace.search(question, mode=mode, parent=parent)
        return self._twin.search(self._workspace.store, None, question, mode=mode, k=_DEPTH)

    def close(self) -> None:
        """Stop LightRAG where it was started."""
        if "_twin" in self.__dict__:
            self._twin.close()

    @cached_property
    def _twin(self) -> LightRAGTwin:
        from .evaluation.lightrag.twin import LightRAGTwin

        embedder = self._workspace.components.embedder_for_search
        if embedder is None:
            raise UsageError("LightRAG needs the embedder that the vectors come from", hint="See `cliquerag doctor`")
        return LightRAGTwin(self._workspace.store, embedder, self._folder)


def check_columns(columns: Sequence[str]) -> None:
    """Raises UsageError for a mode that there is not, or that needs what is not installed."""
    for column in columns:
        engine, mode, _ = _parts(column)
        if engine != _LIGHTRAG:
            mode_named(mode)
            continue
        if mode not in lightrag.MODES:
            raise UsageError(f"LightRAG has no mode {mode!r}", hint="There are: " + ", ".join(lightrag.MODES))
        lightrag.check_installed()


class _WithoutFacts:
    """A store whose facts are out of sight: an engine without facts does not answer from ours."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def facts(self, query: FactQuery) -> list[Any]:
        return []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Parts(NamedTuple):
    engine: str
    """"lightrag", or "" for ours."""
    mode: str
    parent: Parent | None = None
    """None: as the settings have it."""


def _parts(column: str) -> _Parts:
    """Of "lightrag:mix" and "hybrid+page"; "lightrag" alone is its default mode. Raises UsageError."""
    engine, _, mode = column.partition(":")
    if engine.lower() == _LIGHTRAG:
        return _Parts(_LIGHTRAG, mode or lightrag.MODES[0])
    mode, plus, parent = column.partition("+")
    return _Parts("", mode, parent_for(parent, model_reads=True) if plus else None)

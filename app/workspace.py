"""The Python API: a workspace of documents that can be searched and asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from .asked import check_question
from .components import make_extractor
from .core.errors import UsageError
from .core.period import Period
from .core.redaction import without_credentials
from .core.scope import Scope
from .core.source_names import short_name
from .figures import Figures
from .indexing.adding import Adding
from .indexing.pipeline import Hints, Progress, read_path
from .indexing.report import AddReport, Estimate
from .kg.as_of import as_of as store_as_of
from .kg.store import DocumentRecord
from .retrieval.search.evidence import Answer, Evidence
from .settings import Resolved, resolve_settings
from .sources import readable_files

if TYPE_CHECKING:
    import networkx as nx

    from .models.cache import CachedEmbedder
    from .models.language import Message
    from .retrieval.answer.context import Order
    from .retrieval.answer.options import AskOptions
    from .retrieval.search.context_expansion import Parent
    from .retrieval.search.trace import Trace


class Workspace(Figures):
    """Documents in one store, with everything needed to add to it and to ask it. Also a context manager.

    ``url`` names the store ("sqlite:///acme.db", "neo4j://host:7687"); settings come from the arguments, the
    environment and ``cliquerag.toml``, in this order. Opening is cheap: models load when they are first needed.

    >>> with Workspace("sqlite://", embedder="none") as ws:
    ...     report = ws.add_text("Acme Inc. acquired Beta Corp. in 2021.", source="note.txt")
    ...     ws.search("Whom did Acme acquire?")[0].source
    'note.txt'
    """

    def __init__(self, url: str | None = None, *, create: bool = True, **settings: Any) -> None:
        self.resolved: Resolved = resolve_settings({"workspace": url, **settings})
        super().__init__(self.resolved.settings, create=create)
        if create:  # so that what is wrong with the store is said now
            _ = self.store

    # --- adding

    def add(
        self,
        path: str | Path,
        company: str | Sequence[str] | None = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
        *,
        progress: Progress | None = None,
    ) -> AddReport:
        """Read a file and store it, in one transaction; an older version of the same file is replaced.

        A file whose bytes are stored already is left alone and reported as "unchanged". What is not given is looked
        for in the document. Raises DocumentError, StoreError.
        """
        path = Path(path)
        if path.is_dir():
            raise UsageError("is a folder", where=str(path), hint="Use add_all for folders")
        return self._adding.file(path, self.source_of(path), _hints(company, period, kind, published), progress)

    def add_text(
        self,
        text: str | Sequence[str],
        source: str,
        company: str | Sequence[str] | None = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
        *,
        progress: Progress | None = None,
    ) -> AddReport:
        """The same for a text, or a list of pages, at hand; ``source`` is its key and counts like a file name."""
        return self._adding.text(text, source, _hints(company, period, kind, published), progress)

    def add_all(
        self, paths: Iterable[str | Path], *, progress: Progress | None = None, **hints: Any
    ) -> Iterator[AddReport]:
        """Add files and all that can be read in folders; a bad file is reported as "failed" and the others go on.

        With ``workers`` in the settings above 1, documents are read by as many processes and come in any order.
        """
        jobs = [(path, self.source_of(path)) for path in self.files(paths)]
        return self._adding.files(jobs, _hints(**hints), progress)

    def files(self, paths: Iterable[str | Path]) -> list[Path]:
        """The files among the paths, folders walked in order of name. A file that is named is taken whatever it is."""
        return readable_files(paths)

    def estimate(self, path: str | Path) -> Estimate:
        """Pages, chunks, calls, tokens and money that adding the file would take; nothing is stored or spent."""
        from .indexing.estimate import estimate_document

        path = Path(path)
        document = read_path(path, self.source_of(path), Hints())
        return estimate_document(document, self.tools, self.settings.model)

    def short_names(self, sources: Iterable[str]) -> dict[str, str]:
        """Each source by the shortest end of its path that no other document has, for people to read."""
        from .retrieval.search.index.corpus import corpus_of

        known = corpus_of(self.store).catalogue.by_source
        return {source: short_name(source, known) for source in dict.fromkeys(sources)}

    # --- asking

    def search(
        self,
        question: str,
        mode: str | None = None,
        k: int | None = None,
        scope: Scope | None = None,
        *,
        trace: Trace | None = None,
        parent: Parent | None = None,
    ) -> list[Evidence]:
        """The best evidence, best first, without a model call; ``scope=None`` reads the scope from the question.

        ``parent`` is what is read for the first hits: the "section" or the "page" around them, which holds further hits
        too; they are its ``children``.
        """
        from .retrieval.search.context_expansion import parent_for, read_parents
        from .retrieval.search.pipeline import search

        check_question(question)
        read = parent_for(parent or self.settings.parent, model_reads=False)
        found = search(
            self.store,
            self.embedder_for_search,
            question,
            self.vocabulary,
            mode=mode or self.settings.mode,
            k=self.settings.k if k is None else k,
            scope=self.meant(scope),
            trace=trace,
            reranker=self.reranker,
        )
        return read_parents(self.store, found, read)

    def ask(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        order: Order | None = None,
        history: Sequence[Message] = (),
        parent: Parent | None = None,
    ) -> Answer:
        """Answer with citations; extractive where no language model is configured.

        ``history`` is the conversation before: a follow-up ("and in 2022?") keeps its company, period and topic.
        ``parent`` as in :meth:`search`, the section where a model reads it; an extractive answer quotes what was found.
        """
        from .retrieval.answer.pipeline import answer_question

        check_question(question)
        options = self._ask_options(mode, scope, order, history, parent)
        return answer_question(
            self.store, self.embedder_for_search, self.language_model, question, self.vocabulary, options
        )

    def stream(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        order: Order | None = None,
        history: Sequence[Message] = (),
        parent: Parent | None = None,
    ) -> Iterator[str | Answer]:
        """As :meth:`ask`, in checked pieces as they come; the last item is the whole :class:`Answer`."""
        from .retrieval.answer.pipeline import stream_answer

        check_question(question)
        options = self._ask_options(mode, scope, order, history, parent)
        return stream_answer(
            self.store, self.embedder_for_search, self.language_model, question, self.vocabulary, options
        )

    def graph(self, limit: int = 100_000, *, as_of: date | None = None) -> nx.MultiDiGraph[str]:
        """The entity graph for networkx; ``as_of`` leaves out what was published later."""
        from .kg.export.formats import to_networkx

        store = store_as_of(self.store, as_of)
        return to_networkx(store.all_entities(limit), store.all_relations(limit), self.vocabulary.schema)

    # --- keeping

    def documents(self) -> list[DocumentRecord]:
        """What is stored, in order of source."""
        return self.store.documents()

    def set_about(
        self,
        source: str,
        company: str | Sequence[str] | None = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
    ) -> AddReport:
        """Say whom and when a stored document is about; its facts and relations follow, and it lasts.

        It stays when a newer version of the file is added. ``source`` may be an end of its path. Raises UsageError.
        """
        hints = _hints(company, period, kind, published)
        if hints == Hints():
            raise UsageError("nothing is said of it", where=source, hint="Give a company, period, kind or date")
        named = self.source_named(source) or source
        return self._adding.mend(named, self.path_of(named), hints)

    def remove(self, source: str) -> bool:
        """Remove a document and all that came from it; False if it was not there."""
        return self.store.remove(source)

    def enrich(self, extractor: str | None = None, *, progress: Progress | None = None) -> list[AddReport]:
        """Read the graph of every document with another extractor, a transaction each; what is done is skipped."""
        from .indexing.enrich import enrich_documents

        name = extractor or self.settings.extractor
        return list(enrich_documents(self.store, make_extractor(name, self.settings, self.budget), progress))

    def status(self) -> dict[str, Any]:
        """Counts, the store, the embedder and the model."""
        return {
            "workspace": without_credentials(self.store.url),
            **self.store.counts(),
            "embedder": self.store.embedder() or "none",
            "model": without_credentials(self.settings.model) or "none (extractive answers)",
        }

    def close(self) -> None:
        """Close the store."""
        if "store" in self.__dict__:
            self.store.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- inside

    @property
    def embedder_for_search(self) -> CachedEmbedder | None:
        """The embedder if it is the one that the stored vectors come from."""
        stored = self.store.embedder()
        return self.embedder if stored and self.embedder and self.embedder.name == stored else None

    @cached_property
    def _adding(self) -> Adding:
        return Adding(self.store, self.tools, self.settings, self.budget)

    def _ask_options(
        self,
        mode: str | None,
        scope: Scope | None,
        order: Order | None,
        history: Sequence[Message],
        parent: Parent | None,
    ) -> AskOptions:
        from .retrieval.answer.options import AskOptions
        from .retrieval.search.context_expansion import parent_for

        return AskOptions(
            mode=mode or self.settings.mode,
            scope=self.meant(scope),
            order=order or cast("Order", self.settings.order),
            history=history,
            budgets=(self.settings.vector_tokens, self.settings.graph_tokens),
            queries=self.settings.queries,
            reranker=self.reranker,
            parent=parent_for(parent or self.settings.parent, model_reads=self.language_model is not None),
        )


def _hints(
    company: str | Sequence[str] | None = None,
    period: str | Period | None = None,
    kind: str | None = None,
    published: str | date | None = None,
) -> Hints:
    several = company if isinstance(company, str) or company is None else tuple(company)
    return Hints(several, period, kind, published)

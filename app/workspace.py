"""The Python API: a workspace of documents that can be searched, asked and calculated with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .components import Components
from .core.errors import UsageError, without_credentials
from .figures import FigureFilter, Figures
from .ingest.about.given import DocumentHints
from .models.embedders import SPACES
from .querying import Querying, QueryOptions
from .settings import resolve_settings
from .sources import SourceNames, readable_files

# Nothing of retrieval, ingest or kg is loaded before it is used: a workspace that is not there is said at once.
if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    import networkx as nx

    from .core.fact import Fact
    from .core.period import Period
    from .core.scope import Scope
    from .feedback.recorder import Recorder
    from .indexing.pipeline import Progress
    from .indexing.report import AddReport, Estimate
    from .kg.drivers import Driver
    from .kg.store import DocumentRecord, Store
    from .models.embedders import Embedder
    from .models.language import Message
    from .querying import Names, Periods
    from .reports.parts import Report
    from .reports.sections import Progress as SectionProgress
    from .retrieval.answer.context import Order
    from .retrieval.calculation import Outcome, Rows
    from .retrieval.calculation.aggregates import Series
    from .retrieval.question.vocabulary.vocabulary import Vocabulary
    from .retrieval.search.context_expansion import Parent
    from .retrieval.search.evidence import Answer, Evidence, Expected, Trace
    from .retrieval.search.rerankers.exact_match import Occurrence


class Workspace:
    """Documents in one store, with everything needed to add to it and to ask it. Also a context manager.

    ``url`` names the store ("sqlite:///acme.db", "neo4j://host:7687"); settings come from the arguments, the
    environment and ``cliquerag.toml``, in this order. Opening is cheap: models load when they are first needed.

    >>> with Workspace("sqlite://", embedder="none") as ws:
    ...     report = ws.add_text("Acme Inc. acquired Beta Corp. in 2021.", source="note.txt")
    ...     ws.search("Whom did Acme acquire?")[0].source
    'note.txt'
    """

    def __init__(self, url: str | None = None, *, create: bool = True, **settings: Any) -> None:
        self.resolved = resolve_settings({"workspace": url, **settings})
        self.settings = self.resolved.settings
        self.components = Components(self.settings, create=create)  # store, models, words: made on first use
        self.sources = SourceNames(self.components)  # the documents by the names that people give them
        self._querying = Querying(self.components, self.sources)
        self._figures = Figures(self.components, self.sources)
        if create:  # so that what is wrong with the store is said now
            _ = self.store

    @property
    def store(self) -> Store:
        """Where everything is kept. Raises StoreError where it cannot be opened."""
        return self.components.store

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model with its cache; None: lexical and graph retrieval stand alone."""
        return self.components.embedder

    @property
    def feedback(self) -> Recorder:
        """What is noted of the use of answers (setting ``feedback``), and how it is told of what people did."""
        return self.components.feedback

    @property
    def vocabulary(self) -> Vocabulary:
        """What words mean here: the shipped synonyms, metrics, formulas, schema and names, and the user's own."""
        return self.components.vocabulary

    # --- adding

    def add(
        self,
        path: str | Path,
        company: Names = None,
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
        hints = DocumentHints.of(company, period, kind, published)
        return self.components.adding.file(path, self.sources.source_of(path), hints, progress)

    def add_text(
        self,
        text: str | Sequence[str],
        source: str,
        company: Names = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
        *,
        progress: Progress | None = None,
    ) -> AddReport:
        """The same for a text, or a list of pages, at hand; ``source`` is its key and counts like a file name."""
        hints = DocumentHints.of(company, period, kind, published)
        return self.components.adding.text(text, source, hints, progress)

    def add_all(
        self,
        paths: Iterable[str | Path],
        *,
        company: Names = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
        progress: Progress | None = None,
    ) -> Iterator[AddReport]:
        """Add files and all that can be read in folders; a bad file is reported as "failed" and the others go on.

        With ``workers`` in the settings above 1, documents are read by as many processes and come in any order.
        """
        hints = DocumentHints.of(company, period, kind, published)
        jobs = [(path, self.sources.source_of(path)) for path in self.files(paths)]
        return self.components.adding.files(jobs, hints, progress)

    def files(self, paths: Iterable[str | Path], *, follow_links: bool = False) -> list[Path]:
        """The files among the paths, folders walked in order of name. A file that is named is taken whatever it is.

        Symbolic links that lead out of a folder are left out, unless ``follow_links`` is set.
        """
        return readable_files(paths, follow_links=follow_links, max_mb=self.settings.max_file_mb)

    def estimate(self, path: str | Path) -> Estimate:
        """Pages, chunks, calls, tokens and money that adding the file would take; nothing is stored or spent."""
        from .indexing.report import estimate_file

        path = Path(path)
        return estimate_file(path, self.sources.source_of(path), self.components.tools, self.settings.model)

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
        all_text: bool = False,
    ) -> list[Evidence]:
        """The best evidence, best first, without a model call; ``scope=None`` reads the scope from the question.

        ``parent`` is what is read for the first hits: the "section" or the "page" around them, which holds further hits
        too; they are its ``children``. ``all_text`` searches contents pages, disclaimers, contacts and covers as well.
        """
        options = QueryOptions(mode, scope, k, parent=parent, all_text=all_text)
        return self._querying.search(question, options, trace)

    def ask(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        order: Order | None = None,
        history: Sequence[Message] = (),
        parent: Parent | None = None,
        expect: Expected | None = None,
        session: str = "",
        all_text: bool = False,
        checked_by: str | None = None,
    ) -> Answer:
        """Answer with citations; extractive where no language model is configured.

        ``history`` is the conversation before: a follow-up ("and in 2022?") keeps its company, period and topic.
        ``parent`` as in :meth:`search`, the section where a model reads it; an extractive answer quotes what was found.
        ``expect`` asks for a value, the answer's ``typed``: "number", "boolean", "name", "names", "date" or "text".
        ``session`` says whose questions belong together, for flags and feedback. ``all_text`` as in :meth:`search`.
        ``checked_by`` says who judges the sentences of a model: "rules", "model", or "model:NAME" of the endpoint.
        """
        options = QueryOptions(mode, scope, None, order, parent, history, expect, session, all_text, checked_by)
        return self._querying.ask(question, options)

    def stream(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        order: Order | None = None,
        history: Sequence[Message] = (),
        parent: Parent | None = None,
        session: str = "",
        answer_id: str = "",
        all_text: bool = False,
        checked_by: str | None = None,
    ) -> Iterator[str | Answer]:
        """As :meth:`ask`, in checked pieces as they come; the last item is the whole :class:`Answer`.

        ``answer_id`` is the id under which it is noted where feedback is; without it a new one is made.
        """
        options = QueryOptions(
            mode,
            scope,
            None,
            order,
            parent,
            history,
            session=session,
            all_text=all_text,
            checked_by=checked_by,
            answer_id=answer_id,
        )
        return self._querying.stream(question, options)

    def report(
        self,
        question: str = "",
        scope: Scope | None = None,
        *,
        ready: str = "",
        language: str | None = None,
        words: int = 900,
        web: str = "",
        progress: SectionProgress | None = None,
        checked_by: str | None = None,
    ) -> Report:
        """A report on a question by DM-RAG, or a ready one by its name or TOML file ("brief", "quarter", "diff" ...).

        ``scope`` names the companies, periods or documents that it is of; ``views.report_files`` writes it as HTML,
        DOCX or Markdown. With a model a text of about ``words`` words, without one quotations and tables. ``web`` is
        the address of a SearXNG whose results are stored as documents and read too. ``checked_by`` as in :meth:`ask`,
        of a report on a question. Raises UsageError where it cannot be made of these, ModelError where the model
        fails: the same call goes on then.
        """
        if ready:
            from .reports.sections import ready_made

            return ready_made(self, ready, scope, language, progress)
        from .reports.research import research

        return research(self, question, self.sources.stored_scope(scope), progress, words, web, checked_by)

    def graph(self, limit: int = 100_000, *, as_of: date | None = None) -> nx.MultiDiGraph[str]:
        """The entity graph for networkx; ``as_of`` leaves out what was published later."""
        store = self.components.store_as_of(as_of)
        from .kg.export import to_networkx

        return to_networkx(store.all_entities(limit), store.all_relations(limit), self.vocabulary.schema)

    # --- figures

    def facts(
        self,
        company: Names = None,
        metric: Names = None,
        period: Periods = None,
        *,
        label: str = "",
        value: Decimal | None = None,
        sources: Names = None,
        as_of: date | None = None,
        limit: int = 1000,
    ) -> list[Fact]:
        """Facts that match: of these companies, metrics and periods, with these words in their row (``label``).

        ``value`` finds an amount in any scale, ``sources`` are documents by name, ``as_of`` leaves out what was
        published later. Facts of the very period come first, then the balances on days within it. All that is stated
        is given: :meth:`superseded` tells what a later report states anew. Raises ValueError for what is no period.
        """
        asked = FigureFilter(company, metric, period, sources, as_of, limit)
        return self._figures.facts(asked, label, value)

    def drivers(
        self,
        company: Names = None,
        metric: Names = None,
        period: Periods = None,
        *,
        category: Names = None,
        sources: Names = None,
        as_of: date | None = None,
        limit: int = 1000,
    ) -> list[Driver]:
        """What moved figures, as the documents say it: of these companies, metrics and periods, or any.

        ``period`` takes in what lies within it. ``category`` asks for a class of causes ("currency"), at any depth.
        Raises UsageError for a class that there is not, ValueError for what is no period.
        """
        asked = FigureFilter(company, metric, period, sources, as_of, limit)
        return self._figures.drivers(asked, category)

    def series(self, metric: str, company: Names = None, period: Periods = None) -> list[Series]:
        """A metric or formula over its years, or the periods given, a series for each company."""
        return self._figures.series(metric, FigureFilter(company, period=period))

    def occurrences(self, value: Decimal, scope: Scope | None = None, limit: int = 200) -> list[Occurrence]:
        """Every cell and sentence that prints this number, in any scale, whether a fact was read there or not."""
        return self._figures.occurrences(value, scope, limit)

    def superseded(self, facts: Sequence[Fact]) -> dict[str, Fact]:
        """Of these facts, the id of each whose figure another of them states anew in a later document, and that one."""
        return self._figures.superseded(facts)

    def calc(
        self, what: str, company: Names = None, period: Periods = None, formulas: str | Path | None = None
    ) -> Outcome:
        """A metric or formula by its name ("operating margin", "流动比率"), with the cells that it comes from.

        ``formulas`` is a file of your own formulas. ``answer`` is None where a component is missing: ``missing`` names
        it, ``declined`` says why.
        """
        return self._figures.calculated(what, FigureFilter(company, period=period), formulas)

    def sql(self, statement: str, limit: int = 1000) -> Rows:
        """One SELECT on ``facts_view``, read-only. Raises UsageError for anything else."""
        return self._figures.selected(statement, limit)

    # --- documents

    def documents(self) -> list[DocumentRecord]:
        """What is stored, in order of source."""
        return self.store.documents()

    def set_about(
        self,
        source: str,
        company: Names = None,
        period: str | Period | None = None,
        kind: str | None = None,
        published: str | date | None = None,
    ) -> AddReport:
        """Say whom and when a stored document is about; its facts and relations follow, and it lasts.

        It stays when a newer version of the file is added. ``source`` may be an end of its path. Raises UsageError.
        """
        hints = DocumentHints.of(company, period, kind, published)
        if not hints.said:
            raise UsageError("nothing is said of it", where=source, hint="Give a company, period, kind or date")
        named = self.sources.source_named(source) or source
        return self.components.adding.mend(named, self.sources.path_of(named), hints)

    def path_of(self, source: str) -> Path:
        """Where the file of a source lies."""
        return self.sources.path_of(source)

    def remove(self, source: str) -> bool:
        """Remove a document and all that came from it; False if it was not there."""
        return self.store.remove(source)

    def enrich(
        self,
        extractor: str | None = None,
        *,
        figures: bool = False,
        summaries: bool = False,
        progress: Progress | None = None,
    ) -> list[AddReport]:
        """Read the graph of every document with another extractor, a transaction each; what is done is skipped.

        With ``figures`` the figures of PDFs are described instead: words in pictures by text recognition (extra
        ``ocr``), what they show by a language model that sees. With ``summaries`` the model summarises each section,
        for a search with ``extras="summaries"``. Raises UsageError without an endpoint.
        """
        from .indexing.mending import enrich

        return enrich(self.components, self.path_of, extractor, figures, summaries, progress)

    def estimate_summaries(self) -> list[Estimate]:
        """Calls, tokens and money that ``enrich(summaries=True)`` would take; nothing is asked. Raises UsageError."""
        from .indexing.mending import estimate_summaries

        return estimate_summaries(self.components)

    def status(self) -> dict[str, Any]:
        """Counts, the store, the embedder and the model."""
        return {
            "workspace": without_credentials(self.store.url),
            **self.store.counts(),
            "embedder": ", ".join(filter(None, map(self.store.embedder, SPACES))) or "none",
            "model": without_credentials(self.settings.model) or "none (extractive answers)",
        }

    def close(self) -> None:
        """Close the store."""
        self.components.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""The exchangeable components that the settings name: store, models, chunker, extractor, words. Made on first use."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import UsageError
from .core.records import dataclass
from .ingest.index_text import PLAIN, IndexOptions
from .ingest.limits import NO_LIMITS, ReadingLimits
from .models.embedders import MULTILINGUAL
from .models.language import Usage
from .settings import Settings

if TYPE_CHECKING:
    from datetime import date

    from .feedback.recorder import Recorder
    from .indexing.adding import Adding
    from .ingest.chunk import Chunker
    from .ingest.facts.metrics import MetricList
    from .ingest.pdf.descriptions import FigureDescriber
    from .kg.schema import Schema
    from .kg.store import Store
    from .kg.triple import Extractor
    from .models.address import Limits
    from .models.cache import Cache, CachedEmbedder
    from .models.embedders import Embedder
    from .models.language import Budget, LanguageModel
    from .models.reranker import Reranker
    from .retrieval.calculation import FormulaList
    from .retrieval.question.vocabulary.vocabulary import Synonyms, Vocabulary


@dataclass(frozen=True, slots=True)
class Tools:
    """What a document goes through."""

    embedder: Embedder | None
    chunker: Chunker
    extractor: Extractor
    chunker_name: str
    metrics: MetricList | None = None
    """The user's own; the shipped ones for None."""
    language_model: LanguageModel | None = None
    """Asked whom a document is about where the rules are unsure."""
    limits: ReadingLimits = NO_LIMITS
    """How big a file may be and how long reading it may take."""
    index: IndexOptions = PLAIN
    """What is embedded and searched of it."""

    @property
    def chunker_label(self) -> str:
        """The chunker as the version of its step names it: with the model and the prompt where it asks one."""
        label = getattr(self.chunker, "label", "")
        return f"{self.chunker_name}{label}"

    @property
    def usage(self) -> Usage:
        """What the models have used so far."""
        return usage_of(self.extractor) + usage_of(self.language_model)


def make_cache(settings: Settings) -> Cache:
    """The cache of vectors and answers, shared by all workspaces."""
    from .models.cache import Cache

    return Cache(settings.cache or None)


def make_limits(settings: Settings) -> Limits:
    """What a call to any endpoint may take and bring. Raises UsageError where a limit is not above zero."""
    from .models.address import Limits

    return Limits(settings.timeout, settings.max_reply_mb)


def make_embedder(settings: Settings) -> CachedEmbedder | None:
    """The embedding model with its cache, and the multilingual one beside it; None where none is installed or wanted.

    Where the default model is not installed and the multilingual one is, that one serves for all texts.
    """
    from .models.cache import CachedEmbedder
    from .models.embedders import Multilingual, load_embedder, load_multilingual

    embedder = load_embedder(settings.embedder, make_limits(settings))
    beside = load_multilingual(settings.multilingual, settings.embedder)
    cache = make_cache(settings)
    if embedder is None:
        return CachedEmbedder(beside.embedder, cache) if beside else None
    if beside is not None:
        beside = Multilingual(CachedEmbedder(beside.embedder, cache), beside.english_too)
    return CachedEmbedder(embedder, cache, beside)


def make_budget(settings: Settings) -> Budget | None:
    """What a command may spend on all its models in all its processes together; None: no limit."""
    from .models.language import Budget

    if not settings.max_cost:
        return None
    return Budget.across_processes(settings.max_cost) if settings.workers > 1 else Budget(settings.max_cost)


def make_language_model(settings: Settings, budget: Budget | None = None) -> LanguageModel | None:
    """The configured endpoint; None without one. ``budget`` is the command's; one of its own where it is not given."""
    from .models.address import model_setting

    if not model_setting(settings.model):
        return None
    from .models.chat import load_language_model

    return load_language_model(
        settings.model or None,
        base_url=settings.base_url or None,
        cache=make_cache(settings),
        budget=budget or make_budget(settings),
        limits=make_limits(settings),
        concurrency=settings.concurrency,
    )


def make_extractor(name: str, settings: Settings, budget: Budget | None = None) -> Extractor:
    """An extractor by name. Raises UsageError for an unknown one and for "llm" without an endpoint."""
    from .kg.extraction import build

    model = make_language_model(settings, budget) if name == "llm" else None
    return build.make_extractor(name, make_schema(settings), model)


def make_synonyms(settings: Settings) -> Synonyms:
    """The shipped query synonyms, and the user's own. Raises UsageError."""
    from .retrieval.question.vocabulary.vocabulary import default_synonyms, load_synonyms

    return load_synonyms(Path(settings.synonyms)) if settings.synonyms else default_synonyms()


def make_schema(settings: Settings) -> Schema:
    """The shipped relations, or the user's own in their place or beside them. Raises UsageError."""
    from .kg.schema import load_schema

    return load_schema(Path(settings.schema) if settings.schema else None)


def make_formulas(settings: Settings, metrics: MetricList) -> FormulaList:
    """What is calculated from the metrics: the shipped formulas, and the user's own. Raises UsageError."""
    from .retrieval.calculation import default_formulas, load_formulas

    own = Path(settings.formulas) if settings.formulas else None
    return load_formulas(own, metrics) if own or metrics.version else default_formulas()


def usage_of(asked: Extractor | LanguageModel | None) -> Usage:
    """What an extractor's model, or a model itself, has used so far; nothing for the rules."""
    return getattr(asked, "usage", Usage())


def make_tools(settings: Settings, embedder: Embedder | None, budget: Budget | None = None) -> Tools:
    """The pipeline of an add."""
    from .ingest.chunkers import make_chunker
    from .ingest.chunkers.agentic import AgenticChunker

    extractor = make_extractor(settings.extractor, settings, budget)
    model = make_language_model(settings, budget) if settings.model else None
    chunker, index = make_chunker(settings.chunker), IndexOptions.of(settings.index_text, settings.chunk_vectors)
    _check_model(settings, chunker, index, model)
    if isinstance(chunker, AgenticChunker):
        chunker = replace(chunker, model=model)
    limits = ReadingLimits(settings.max_file_mb, settings.max_file_seconds, settings.max_characters)
    return Tools(embedder, chunker, extractor, settings.chunker, make_metrics(settings), model, limits, index)


def _check_model(settings: Settings, chunker: Chunker, index: IndexOptions, model: LanguageModel | None) -> None:
    """Raises UsageError where a step asks a model and there is none: the rules' work would be stored as the model's."""
    from .ingest.chunkers.agentic import AgenticChunker

    if model is not None:
        return
    hint = "Set an endpoint (model, base_url), or choose one that needs none"
    if isinstance(chunker, AgenticChunker):
        raise UsageError("this chunker asks a language model, and none is set", where=settings.chunker, hint=hint)
    if index.asks_model:
        raise UsageError("this asks a language model, and none is set", where=settings.index_text, hint=hint)


def make_metrics(settings: Settings) -> MetricList | None:
    """The user's metric names with the shipped ones; None without a file of one's own. Raises UsageError."""
    from .ingest.facts import load_metrics

    return load_metrics(Path(settings.metrics)) if settings.metrics else None


class Components:
    """What the settings name, each made when it is first needed and then kept."""

    def __init__(self, settings: Settings, *, create: bool = True) -> None:
        self.settings = settings
        self._create = create
        self._checkers: dict[str, LanguageModel | None] = {}

    @cached_property
    def store(self) -> Store:
        """Where everything is kept; with ``create=False`` it has to be there."""
        from .kg.engines.opening import open_store

        return open_store(self.settings.workspace, create=self._create, schema=make_schema(self.settings))

    def store_as_of(self, day: date | None) -> Store:
        """The store, or as it was seen on a day."""
        if day is None:
            return self.store
        from .kg.as_of import as_of

        return as_of(self.store, day)

    @cached_property
    def embedder(self) -> CachedEmbedder | None:
        """The embedding model with its cache; None: lexical and graph retrieval stand alone."""
        return make_embedder(self.settings)

    @property
    def embedder_for_search(self) -> CachedEmbedder | None:
        """The embedder if it is the one that the stored vectors come from; without the one beside it if that is not."""
        from .models.cache import CachedEmbedder
        from .models.embedders import multilingual_of

        stored, stored_beside = self.store.embedder(), self.store.embedder(MULTILINGUAL)
        own, beside = self.embedder, multilingual_of(self.embedder)
        if own is None or not (stored or stored_beside) or (stored and stored != own.name):
            return None
        if beside is None or (stored_beside and beside.embedder.name == stored_beside):
            return own
        return CachedEmbedder(own.embedder, own.cache)

    @cached_property
    def budget(self) -> Budget | None:
        """What extraction, reports and answers may cost together (``max_cost``); None: no limit."""
        return make_budget(self.settings)

    @cached_property
    def language_model(self) -> LanguageModel | None:
        """The configured endpoint; None without one."""
        return make_language_model(self.settings, self.budget)

    def checker(self, name: str) -> LanguageModel | None:
        """Who judges the sentences of an answer by the name of a setting; None: the rules. Raises UsageError."""
        kind, _, model = name.partition(":")
        if name == "rules":
            return None
        if name == "model":
            return self.language_model
        if kind != "model" or not model:
            raise UsageError(f"nobody is called {name!r}", where="checked_by", hint="Give rules, model or model:NAME")
        if name not in self._checkers:
            self._checkers[name] = make_language_model(replace(self.settings, model=model), self.budget)
        return self._checkers[name]

    @cached_property
    def reranker(self) -> Reranker | None:
        """The cross-encoder that orders the first passages; None without one."""
        from .models.reranker import load_reranker

        return load_reranker(self.settings.rerank, make_limits(self.settings))

    @cached_property
    def feedback(self) -> Recorder:
        """What is noted of the use of answers, and what of it steers a search."""
        from .feedback.recorder import Recorder

        return Recorder(self)

    @cached_property
    def metrics(self) -> MetricList:
        """The names of metrics that facts are found by: the shipped ones, and the user's own."""
        from .ingest.facts.metrics import default_metrics

        return make_metrics(self.settings) or default_metrics()

    @cached_property
    def formulas(self) -> FormulaList:
        """What figures are calculated from the metrics: the shipped formulas, and the user's own."""
        return make_formulas(self.settings, self.metrics)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What words mean: the shipped synonyms, metrics, formulas and schema, and the user's own."""
        from .retrieval.question.vocabulary.vocabulary import Vocabulary, known_names

        return Vocabulary(
            make_synonyms(self.settings),
            self.formulas,
            make_schema(self.settings),
            known_names(Path(self.settings.names) if self.settings.names else None),
        )

    @cached_property
    def tools(self) -> Tools:
        """The pipeline that ``add`` uses."""
        return make_tools(self.settings, self.embedder, self.budget)

    @cached_property
    def adding(self) -> Adding:
        """What puts documents into the store, with these tools."""
        from .indexing.adding import Adding

        return Adding(self.store, self.tools, self.settings, self.budget)

    def figure_describer(self) -> FigureDescriber:
        """What describes figures: the configured endpoint, text recognition. Raises UsageError: there is neither."""
        from .ingest.pdf import ocr
        from .ingest.pdf.descriptions import FigureDescriber

        if self.language_model is None and not ocr.is_installed():
            hint = f"Set CLIQUERAG_MODEL to a model that sees, or {ocr.EXTRA}"
            raise UsageError("figures are described by a model, or their labels read by text recognition", hint=hint)
        return FigureDescriber(make_language_model(self.settings, self.budget))  # its own: what it costs is counted

    def close(self) -> None:
        """Close the store and the log of use, where they were opened."""
        if "feedback" in self.__dict__:
            self.feedback.close()
        if "store" in self.__dict__:
            self.store.close()

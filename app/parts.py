"""The exchangeable parts that the settings name, made when they are first needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import ModelError, UsageError
from .settings import Settings

if TYPE_CHECKING:
    from .ingest.chunk import Chunker
    from .kg.triple import Extractor
    from .models.cache import Cache, CachedEmbedder
    from .models.embedder import Embedder
    from .models.language import LanguageModel


@dataclass(frozen=True, slots=True)
class Tools:
    """What a document goes through. ``chunker`` is None for the default by kind of document."""

    embedder: Embedder | None
    chunker: Chunker | None
    extractor: Extractor
    chunker_name: str = "auto"


def make_cache(settings: Settings) -> Cache:
    """The cache of vectors and answers, shared by all workspaces."""
    from .models.cache import Cache, default_path

    return Cache(Path(settings.cache).expanduser() / default_path().name if settings.cache else None)


def make_embedder(settings: Settings) -> CachedEmbedder | None:
    """The embedding model with its cache; None where none is installed or wanted."""
    from .models.cache import CachedEmbedder
    from .models.embedders import load_embedder

    embedder = load_embedder(settings.embedder)
    return CachedEmbedder(embedder, make_cache(settings)) if embedder else None


def make_language_model(settings: Settings) -> LanguageModel | None:
    """The configured endpoint; None without one."""
    from .models.chat import load_language_model

    return load_language_model(
        settings.model or None,
        base_url=settings.base_url or None,
        cache=make_cache(settings),
        max_cost=settings.max_cost or None,
    )


def make_extractor(name: str, settings: Settings) -> Extractor:
    """An extractor by name. Raises UsageError for an unknown one, ModelError where "llm" has no endpoint."""
    from .kg.schema import load_schema

    schema = load_schema(Path(settings.schema)) if settings.schema else load_schema()
    if name == "rules":
        from .kg.rules import RulesExtractor

        return RulesExtractor(schema)
    if name == "llm":
        from .kg.llm import LlmExtractor

        model = make_language_model(settings)
        if model is None:
            raise ModelError("no language model", hint="Set CLIQUERAG_MODEL, and OPENAI_BASE_URL or OPENAI_API_KEY")
        return LlmExtractor(model, schema)
    raise UsageError(f"no extractor {name!r}", hint="There are: rules, llm")


def make_tools(settings: Settings, embedder: Embedder | None) -> Tools:
    """The pipeline of an add."""
    from .ingest.chunkers import make_chunker

    chunker = None if settings.chunker == "auto" else make_chunker(settings.chunker)
    return Tools(embedder, chunker, make_extractor(settings.extractor, settings), settings.chunker)

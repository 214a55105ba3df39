"""Microsoft's GraphRAG (``graphrag`` 3) for the cost benchmark: its standard index, updates, and local search.

It keeps a project in a folder, as its ``init`` command lays it out; embedder and tokenizer are registered with its
factories, so that they are the same as for all and nothing is downloaded.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cliquerag.core.errors import CliqueRAGError
from cliquerag.evaluation.lightrag import WordTokenizer

from .endpoint import MODEL
from .invented import DIM, HashEmbedder
from .system import Text

_LEVEL = 2
"""Communities down to this level are read, the default of its command line."""
_TABLES = ("entities", "communities", "community_reports", "text_units", "relationships")


class GraphRAGSystem:
    """Its default settings. The first documents make the index, later ones update it."""

    def __init__(self, folder: Path, url: str) -> None:
        _prepare()
        self._folder = folder.absolute()
        self._config = _project(self._folder, url)
        self._loop = asyncio.new_event_loop()
        self._engine: Any = None

    def add(self, documents: Sequence[Text]) -> None:
        import pandas
        from graphrag.api import build_index

        texts = [_document(number, *document) for number, document in enumerate(documents)]
        building = build_index(self._config, is_update_run=self._is_built(), input_documents=pandas.DataFrame(texts))
        for step in self._loop.run_until_complete(building):
            if step.error is not None:
                raise CliqueRAGError(f"{step.workflow}: {step.error!r}", where="graphrag")
        self._engine = None

    def search(self, question: str) -> None:
        engine = self._opened()
        engine.context_builder.build_context(query=question, **engine.context_builder_params)

    def ask(self, question: str) -> None:
        self._loop.run_until_complete(self._opened().search(question))

    def close(self) -> None:
        self._loop.close()

    def _is_built(self) -> bool:
        """Without reports, the last table, an index that was killed has to be made anew; calls answered are cached."""
        return (self._folder / "output" / "community_reports.parquet").exists()

    def _opened(self) -> Any:
        """Local search over the tables as they are now, read once."""
        if self._engine is None:
            self._engine = self._local_search()
        return self._engine

    def _local_search(self) -> Any:
        import pandas
        from graphrag.config.embeddings import entity_description_embedding
        from graphrag.query import indexer_adapters as read
        from graphrag.query.factory import get_local_search_engine
        from graphrag.utils.api import get_embedding_store

        entities, communities, reports, units, relations = (
            pandas.read_parquet(self._folder / "output" / f"{name}.parquet") for name in _TABLES
        )
        return get_local_search_engine(
            config=self._config,
            reports=read.read_indexer_reports(reports, communities, _LEVEL),
            text_units=read.read_indexer_text_units(units),
            entities=read.read_indexer_entities(entities, communities, _LEVEL),
            relationships=read.read_indexer_relationships(relations),
            covariates={"claims": []},
            description_embedding_store=get_embedding_store(self._config.vector_store, entity_description_embedding),
            response_type="multiple paragraphs",
        )


class _Embedding:
    """What is asked of its embedding models."""

    def __init__(self, *, tokenizer: Any, metrics_store: Any, **_: Any) -> None:
        self.tokenizer, self.metrics_store = tokenizer, metrics_store
        self._embedder = HashEmbedder()

    def embedding(self, *, input: Sequence[str], **_: Any) -> Any:
        rows = self._embedder.embed(list(input)).tolist()
        return SimpleNamespace(embeddings=rows, first_embedding=rows[0])

    async def embedding_async(self, **asked: Any) -> Any:
        return self.embedding(**asked)


def _project(folder: Path, url: str) -> Any:
    """Its configuration. It resolves paths from the working directory."""
    from graphrag.cli.initialize import initialize_project_at
    from graphrag.config.load_config import load_config

    _register()
    if not (folder / "settings.yaml").exists():
        initialize_project_at(folder, force=False, model=MODEL, embedding_model=MODEL)
    model = {"api_base": url, "api_key": "none"}
    changed = {
        "completion_models": {"default_completion_model": model},
        "embedding_models": {"default_embedding_model": {**model, "type": "hashing"}},
        "vector_store": {"vector_size": DIM},
    }
    config = load_config(folder, cli_overrides=changed)
    for name in ("graphrag", "graphrag_llm", "LiteLLM", "httpx"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return config


def _prepare() -> None:
    """Before its import: no look at prices on the internet, and event loops as they are.

    It patches asyncio so that loops may nest, which none does here; with the patch a second index in one process hangs
    in its vector store.
    """
    import nest_asyncio2

    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    nest_asyncio2.apply = lambda *_, **__: None


def _register() -> None:
    """Stand-ins for its tokenizers, which it would download, and its embedding models."""
    from graphrag_llm.embedding import register_embedding
    from graphrag_llm.tokenizer import Tokenizer, register_tokenizer

    words = WordTokenizer()
    made = type("Words", (Tokenizer,), {
        "__init__": lambda self, **_: None,
        "encode": lambda self, text: words.encode(text),
        "decode": lambda self, tokens: words.decode(tokens),
    })  # fmt: skip
    for kind in ("litellm", "tiktoken"):
        register_tokenizer(kind, made)
    register_embedding("hashing", _Embedding)


def _document(number: int, name: str, text: str) -> dict[str, Any]:
    """A row of its table of documents."""
    return {
        "id": name, "human_readable_id": number, "title": name, "text": text, "creation_date": "", "raw_data": None,
    }  # fmt: skip

"""Our pipeline and store for the cost benchmark: chunks, facts, a model's triples, one transaction a document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cliquerag.core.process import collector_at_rest
from cliquerag.ingest.facts import extract_facts
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.extraction.build import make_extractor
from cliquerag.kg.schema import load_schema
from cliquerag.models.cache import Cache
from cliquerag.models.chat import load_language_model

from ..asking import answer_question, search
from ..ours import make_bundle, text_documents
from .endpoint import MODEL
from .invented import HashEmbedder
from .system import Text


class OursSystem:
    """As a workspace with a model does it."""

    def __init__(self, folder: Path, url: str) -> None:
        self._store = open_store(f"sqlite:///{(folder / 'ours.db').absolute()}", schema=load_schema())
        self._embedder = HashEmbedder()
        self._model = load_language_model(MODEL, base_url=url, cache=Cache(folder))
        self._extractor = make_extractor("llm", load_schema(), self._model)

    def add(self, documents: Sequence[Text]) -> None:
        for name, text in documents:
            with collector_at_rest():  # until a document is stored
                self._add(name, text)

    def _add(self, name: str, text: str) -> None:
        for document in text_documents({name: text}):
            facts = tuple(extract_facts(document))
            self._store.put(make_bundle(document, self._embedder, self._extractor, facts=facts))

    def search(self, question: str) -> None:
        search(self._store, self._embedder, question)

    def ask(self, question: str) -> None:
        answer_question(self._store, self._embedder, self._model, question)

    def close(self) -> None:
        self._store.close()

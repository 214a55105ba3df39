"""The real LightRAG (``lightrag-hku``, extra ``lightrag``) behind plain blocking calls.

Keywords, which it would ask a model for, are supplied; so it searches without one.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Coroutine, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.errors import UsageError
from ...core.private_files import make_private_folder

if TYPE_CHECKING:
    from ...models.embedder import Embedder


class WordTokenizer:
    """One token a word, reversible: the usual vocabularies have to be downloaded."""

    _PIECE = re.compile(r"\s*\S+|\s+$")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._pieces: list[str] = []

    def __deepcopy__(self, memo: object) -> WordTokenizer:
        return self

    def encode(self, content: str) -> list[int]:
        found = []
        for piece in self._PIECE.findall(content):
            number = self._numbers.get(piece)
            if number is None:
                number = self._numbers[piece] = len(self._pieces)
                self._pieces.append(piece)
            found.append(number)
        return found

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(self._pieces[token] for token in tokens)


T = TypeVar("T")
MODES = ("mix", "naive", "local", "global", "hybrid")
"""Its modes that search."""


class LightRAGEngine:
    """One working directory of LightRAG with its default storages. Close it: its event loop runs in a thread.

    ``model`` is a function as LightRAG's ``llm_model_func``; None where nothing is extracted or answered.

    Raises:
        UsageError: the package is not installed.
    """

    def __init__(self, folder: Path, embedder: Embedder, *, model: Any = None, least_similarity: float = 0.2) -> None:
        check_installed()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._rag = self._wait(_opened(folder, embedder, model or _no_model, least_similarity))

    def add(self, documents: Sequence[tuple[str, str]]) -> None:
        """Index (name, text) pairs by its own pipeline; what a killed run left is finished first."""
        names, texts = [name for name, _ in documents], [text for _, text in documents]
        self._wait(self._rag.ainsert(texts, file_paths=names, ids=names))

    def insert(self, custom_kg: Mapping[str, Any]) -> None:
        """Take chunks, entities and relations that are ready (``insert_custom_kg``)."""
        self._wait(self._rag.ainsert_custom_kg(dict(custom_kg)))

    def link(self, entities: Mapping[str, Sequence[str]], relations: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """Name the texts of all chunks that an entity, or a pair of them, comes from: custom graphs take one each."""
        self._wait(_linked(self._rag, entities, relations))

    def find(self, question: str, mode: str, *, low: Sequence[str], high: Sequence[str], k: int = 20) -> dict[str, Any]:
        """Its ``chunks``, ``relationships`` and ``entities``, each best first, at its default budgets."""
        from lightrag import QueryParam

        options = QueryParam(mode=mode, enable_rerank=False, ll_keywords=list(low), hl_keywords=list(high))
        options.chunk_top_k = max(k, options.chunk_top_k)
        found = self._wait(self._rag.aquery_data(question, options))
        data: dict[str, Any] = found.get("data") or {}
        return data

    def answer(self, question: str, mode: str) -> str:
        """Its own answer, written by its model."""
        from lightrag import QueryParam

        return str(self._wait(self._rag.aquery(question, QueryParam(mode=mode, enable_rerank=False))))

    def close(self) -> None:
        """Write what is left and end the thread."""
        self._wait(self._rag.finalize_storages())
        self._wait(_cancelled())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> LightRAGEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def check_installed() -> None:
    """Raises UsageError where the package is not there."""
    if find_spec("lightrag") is None:
        raise UsageError("LightRAG is not installed", hint="pip install 'cliquerag[lightrag]'")


async def _opened(folder: Path, embedder: Embedder, model: Any, least_similarity: float) -> Any:
    handlers, level = list(logging.root.handlers), logging.root.level
    from lightrag import LightRAG
    from lightrag.utils import EmbeddingFunc, Tokenizer

    for name in ("lightrag", "nano-vectordb"):
        logging.getLogger(name).setLevel(logging.ERROR)

    async def embed(texts: Sequence[str], **_: Any) -> Any:
        return embedder.embed(list(texts))

    make_private_folder(folder)
    rag = LightRAG(
        working_dir=str(folder),
        llm_model_func=model,
        embedding_func=EmbeddingFunc(embedding_dim=embedder.dim, max_token_size=8192, func=embed),
        tokenizer=Tokenizer("words", WordTokenizer()),
        vector_db_storage_cls_kwargs={"cosine_better_than_threshold": least_similarity},
    )
    await rag.initialize_storages()
    logging.root.handlers[:] = handlers  # its storages take the root logger over
    logging.root.setLevel(level)
    return rag


async def _linked(
    rag: Any, entities: Mapping[str, Sequence[str]], relations: Mapping[tuple[str, str], Sequence[str]]
) -> None:
    from lightrag.utils import compute_mdhash_id, sanitize_text_for_encoding

    def sources(texts: Sequence[str]) -> str:
        return "<SEP>".join(compute_mdhash_id(sanitize_text_for_encoding(text), prefix="chunk-") for text in texts)

    graph = rag.chunk_entity_relation_graph
    for name, texts in entities.items():
        node = await graph.get_node(name)
        if node and texts:
            await graph.upsert_node(name, {**node, "source_id": sources(texts)})
    for (head, tail), texts in relations.items():
        edge = await graph.get_edge(head, tail)
        if edge and texts:
            await graph.upsert_edge(head, tail, {**edge, "source_id": sources(texts)})
    await graph.index_done_callback()


async def _cancelled() -> None:
    """End the queues' workers, which would complain of a closed loop."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _no_model(*_: Any, **__: Any) -> str:
    raise UsageError("LightRAG asked for a model", hint="Supply keywords")

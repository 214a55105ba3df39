"""The real LightRAG (``lightrag-hku``, extra ``lightrag``) behind plain blocking calls, and its twin of one of
our stores: the same chunks, the same triples, the same embedder.

Keywords, which it would ask a model for, are supplied; so it searches without one. What is compared then is the
search alone. ``insert_custom_kg`` takes one source a thing; the other chunks that name it are added afterwards,
as LightRAG's own extraction would leave them.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import UsageError
from ..core.names import name_key
from ..core.private_files import make_private_folder
from ..core.scope import Scope
from ..kg.export import custom_kg
from ..kg.schema import Schema
from ..kg.store import Store
from ..retrieval.question.entity_linking import link_entities
from ..retrieval.question.question import read_question
from ..retrieval.search.evidence import Evidence, Trace

if TYPE_CHECKING:
    from ..ingest.chunk import Chunk
    from ..models.embedders import Embedder


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


_FILLED = "filled-from"
_SEPARATOR = "<SEP>"
_ALL = 100_000_000


class LightRAGTwin:
    """A working directory of LightRAG made from a store, asked through :meth:`search`. Close it.

    A folder that was filled from the same store in the same state is used again.
    """

    def __init__(self, store: Store, embedder: Embedder, folder: Path, schema: Schema) -> None:
        self._store, self._schema = store, schema
        stamp = f"{store.url} {store.version()} {embedder.name}"
        filled = folder / _FILLED
        self.engine = LightRAGEngine(folder, embedder)
        chunks = list(chain.from_iterable(store.chunks_of(record.source) for record in store.documents()))
        self._chunks = {_plain(chunk.text): chunk for chunk in reversed(chunks)}
        if not (filled.is_file() and filled.read_text(encoding="utf-8") == stamp):
            self._fill(chunks)
            filled.write_text(stamp, encoding="utf-8")

    def search(
        self,
        store: Store,
        embedder: Embedder | None,
        question: str,
        *,
        mode: str,
        k: int,
        scope: Scope | None = None,
        trace: Trace | None = None,
    ) -> list[Evidence]:
        """As ``retrieval.search.search``: its chunks in its order, then its relations and entities.

        The keywords are those that our linking finds: names for the low level, the question without asking words for
        the high one. It knows no scope.
        """
        names = [link.entity.name for link in link_entities(store, question)]
        theme = read_question(question).trimmed
        found = self.engine.find(question, mode, low=names or [theme], high=[theme], k=k)
        texts = [self._text(row, place) for place, row in enumerate(found.get("chunks", ()), 1)]
        relations = [_relation(row) for row in found.get("relationships", ())]
        entities = [_entity(row) for row in found.get("entities", ())]
        return [*texts[:k], *relations[:k], *entities[:k]]

    def close(self) -> None:
        """Write what is left and end its thread."""
        self.engine.close()

    def _fill(self, chunks: Sequence[Chunk]) -> None:
        content = custom_kg(self._store, self._schema)
        content["relationships"] = [row for row in content["relationships"] if not _is_loop(row)]
        self.engine.insert(content)
        texts = {chunk.id: chunk.text for chunk in chunks}
        self.engine.link(_with_texts(self._named_in(), texts), _with_texts(self._related_in(), texts))

    def _named_in(self) -> Mapping[str, list[str]]:
        """Name of an entity -> the chunks that name it."""
        entities = {entity.id: entity.name for entity in self._store.all_entities()}
        found: dict[str, dict[str, None]] = {}
        for mention in self._store.mentions(entities=set(entities), limit=_ALL):
            if mention.entity in entities:
                found.setdefault(entities[mention.entity], {})[mention.chunk] = None
        return {name: list(ids) for name, ids in found.items()}

    def _related_in(self) -> Mapping[tuple[str, str], list[str]]:
        """A pair of names in alphabetical order, as LightRAG keeps relations -> the chunks that relate them."""
        found: dict[tuple[str, str], dict[str, None]] = {}
        for relation in self._store.all_relations():
            first, last = sorted((relation.head.name, relation.tail.name))
            found.setdefault((first, last), {}).update(dict.fromkeys(s.chunk for s in relation.statements))
        return {ends: list(ids) for ends, ids in found.items()}

    def _text(self, row: Mapping[str, Any], place: int) -> Evidence:
        text = str(row["content"])
        chunk = self._chunks.get(_plain(text))
        if chunk is None:
            return Evidence("chunk", text, 1.0 / place, _source(row))
        return Evidence(
            "chunk", chunk.text, 1.0 / place, chunk.document, id=chunk.id, page=chunk.page, anchors=chunk.anchors,
            start=chunk.start, end=chunk.end, tokens=chunk.tokens, headings=chunk.headings,
        )  # fmt: skip


def _relation(row: Mapping[str, Any]) -> Evidence:
    text = f"{row['src_id']}, {row['tgt_id']}: {row['description']}"
    return Evidence("relation", text, 0.0, _source(row), id=f"{row['src_id']} {row['tgt_id']}")


def _entity(row: Mapping[str, Any]) -> Evidence:
    return Evidence("entity", str(row["description"]), 0.0, _source(row), id=str(row["entity_name"]))


def _source(row: Mapping[str, Any]) -> str:
    """The first document that a row names."""
    return str(row.get("file_path") or "").split(_SEPARATOR)[0]


def _is_loop(row: Mapping[str, Any]) -> bool:
    """Two things whose names LightRAG takes for one."""
    return name_key(row["src_id"]) == name_key(row["tgt_id"])


def _plain(text: str) -> str:
    """Without what LightRAG cleans away."""
    return "".join(text.split())


def keywords_note() -> str:
    """What a report says of the comparison."""
    return (
        "LightRAG holds the same chunks and triples as ours (insert_custom_kg, and all sources of each thing) with the "
        "same embedder; the names that our linking finds and the question's theme are its keywords; no reranker."
    )


def passages_of(found: Iterable[Evidence]) -> list[Evidence]:
    """Texts alone, so that engines are compared on the same kind of evidence."""
    return [item for item in found if item.kind in ("chunk", "table", "figure")]


def _with_texts(chunks_of: Mapping[T, Sequence[str]], texts: Mapping[str, str]) -> dict[T, list[str]]:
    """The texts of the chunks in the place of their ids; those that have none are left out."""
    found: dict[T, list[str]] = {}
    for named, ids in chunks_of.items():
        found[named] = [texts[id] for id in ids if id in texts]
    return found

"""LightRAG holding what one of our stores holds: the same chunks, the same triples, the same embedder.

What is compared then is the search alone. ``insert_custom_kg`` takes one source a thing; the other chunks that name it
are added afterwards, as LightRAG's own extraction would leave them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.names import name_key
from ...core.scope import Scope
from ...kg.export import custom_kg
from ...kg.schema import Schema
from ...kg.store import Store
from ...retrieval.question.entity_linking import link_entities
from ...retrieval.question.question import read_question
from ...retrieval.search.evidence import Evidence, Trace
from .engine import LightRAGEngine

if TYPE_CHECKING:
    from ...ingest.chunk import Chunk
    from ...models.embedder import Embedder

T = TypeVar("T")
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
            "chunk", chunk.text, 1.0 / place, chunk.document, id=chunk.id, page=_page(chunk), anchors=chunk.anchors,
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


def _page(chunk: Chunk) -> int | None:
    return chunk.anchors[0].page if chunk.anchors else None


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

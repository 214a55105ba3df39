"""The working directory of LightRAG (``lightrag-hku`` 1.1 to 1.5, its default file stores), read as it lies there."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.errors import DocumentError, UsageError
from ..core.records import dataclass

GRAPH = "graph_chunk_entity_relation.graphml"
DOCUMENTS, CHUNKS, STATUS = "kv_store_full_docs.json", "kv_store_text_chunks.json", "kv_store_doc_status.json"
SEPARATOR = "<SEP>"
"""Between the parts of a field that several chunks gave."""
_NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
_TORN = "LightRAG was stopped while it wrote: start it once more on this folder, or index again"


@dataclass(frozen=True, slots=True)
class RagDocument:
    """A document as it was inserted. ``file`` is "" or "unknown_source" where LightRAG was given none."""

    id: str
    text: str
    file: str
    status: str
    """"processed" where LightRAG finished it."""


@dataclass(frozen=True, slots=True)
class RagChunk:
    """A chunk's text; LightRAG keeps no offsets."""

    id: str
    document: str
    ordinal: int
    text: str


@dataclass(frozen=True, slots=True)
class RagEntity:
    """A node; ``chunks`` are the ids of its source chunks."""

    name: str
    type: str
    description: str
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RagRelation:
    """An edge, which in LightRAG has no direction and no type."""

    one: str
    other: str
    description: str
    keywords: str
    weight: str
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RagFolder:
    """All of a working directory that we have a place for. ``chunks`` are by document, in order."""

    documents: tuple[RagDocument, ...]
    chunks: Mapping[str, tuple[RagChunk, ...]]
    entities: tuple[RagEntity, ...]
    relations: tuple[RagRelation, ...]


def read_folder(folder: Path) -> RagFolder:
    """Read the files of a working directory; nothing in it is changed.

    Raises:
        UsageError: it is no working directory of LightRAG, or keeps its data in a server.
        DocumentError: a file is torn.
    """
    for name in (DOCUMENTS, CHUNKS):
        if not (folder / name).is_file():
            raise _not_a_folder(folder, name)
    status = _records(folder / STATUS) if (folder / STATUS).is_file() else {}
    documents = [_document(id, row, status.get(id, {})) for id, row in _records(folder / DOCUMENTS).items()]
    chunks = _chunks(folder / CHUNKS)
    nodes, edges = _graph(folder / GRAPH) if (folder / GRAPH).is_file() else ((), ())
    return RagFolder(_with_chunk_text(documents, chunks), chunks, nodes, edges)


def parts(text: str) -> tuple[str, ...]:
    """The parts of a field that several chunks gave.

    >>> parts("a<SEP>b")
    ('a', 'b')
    """
    return tuple(filter(str.strip, text.split(SEPARATOR)))


def _not_a_folder(folder: Path, missing: str) -> UsageError:
    inside = sorted(path.parent.name for path in folder.glob(f"*/{DOCUMENTS}"))
    hint = f"Name its folder: {', '.join(inside)}" if inside else "LightRAG's other stores keep their data in servers"
    return UsageError(f"no working directory of LightRAG: {missing} is not there", where=str(folder), hint=hint)


def _chunks(path: Path) -> dict[str, tuple[RagChunk, ...]]:
    """Document -> its chunks in order."""
    chunks: dict[str, list[RagChunk]] = defaultdict(list)
    for id, row in _records(path).items():
        chunk = RagChunk(id, str(row.get("full_doc_id", "")), int(row.get("chunk_order_index", 0)), _text(row))
        chunks[chunk.document].append(chunk)
    return {id: tuple(sorted(own, key=lambda chunk: (chunk.ordinal, chunk.id))) for id, own in chunks.items()}


def _document(id: str, row: Mapping[str, Any], status: Mapping[str, Any]) -> RagDocument:
    file = str(row.get("file_path") or status.get("file_path") or "")
    return RagDocument(id, _text(row), file, str(status.get("status", "")).rpartition(".")[2].lower())


def _with_chunk_text(
    documents: Iterable[RagDocument], chunks: Mapping[str, tuple[RagChunk, ...]]
) -> tuple[RagDocument, ...]:
    """Documents whose text LightRAG no longer keeps, and those that only chunks name, from their chunks."""
    whole = {document.id: document for document in documents}
    for id, own in chunks.items():
        document = whole.setdefault(id, RagDocument(id, "", "", ""))
        if not document.text:
            whole[id] = replace(document, text="\n\n".join(chunk.text for chunk in own))
    return tuple(whole.values())


def _text(row: Mapping[str, Any]) -> str:
    return str(row.get("content") or "")


def _records(path: Path) -> dict[str, Mapping[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        raise DocumentError("the file is torn: it is no whole JSON", where=str(path), hint=_TORN) from error
    if not isinstance(found, dict) or not all(isinstance(row, dict) for row in found.values()):
        raise DocumentError("not in the form that LightRAG writes", where=str(path), hint=_TORN)
    return found


def _graph(path: Path) -> tuple[tuple[RagEntity, ...], tuple[RagRelation, ...]]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        root = etree.parse(str(path), parser).getroot()
    except etree.XMLSyntaxError as error:
        raise DocumentError("the file is torn: it is no whole GraphML", where=str(path), hint=_TORN) from error
    names = {key.get("id"): key.get("attr.name") for key in root.iter(f"{_NAMESPACE}key")}
    nodes = tuple(_entity(node, data) for node, data in _elements(root, "node", names))
    edges = tuple(_relation(edge, data) for edge, data in _elements(root, "edge", names))
    return nodes, edges


def _entity(node: Any, data: Mapping[str, str]) -> RagEntity:
    return RagEntity(str(node.get("id")), data.get("entity_type", ""), data.get("description", ""), _chunk_ids(data))


def _relation(edge: Any, data: Mapping[str, str]) -> RagRelation:
    return RagRelation(
        str(edge.get("source")),
        str(edge.get("target")),
        data.get("description", ""),
        data.get("keywords", ""),
        data.get("weight", ""),
        _chunk_ids(data),
    )


def _elements(root: Any, kind: str, names: Mapping[str, str]) -> Iterator[tuple[Any, dict[str, str]]]:
    for element in root.iter(f"{_NAMESPACE}{kind}"):
        rows = element.iterfind(f"{_NAMESPACE}data")
        yield element, {names.get(row.get("key"), ""): row.text or "" for row in rows}


def _chunk_ids(data: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts(data.get("source_id", ""))))

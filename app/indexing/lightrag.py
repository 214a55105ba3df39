"""Documents, chunks, entities and relations of LightRAG as bundles of ours, each relation with its source
chunks; brought into a workspace a transaction a document, what is there left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ..core.ids import content_hash, stable_id
from ..core.names import name_key
from ..core.records import dataclass
from ..core.rules import load_rules
from ..core.scope import Scope
from ..core.tokens import estimate_tokens
from ..core.words import search_words
from ..ingest.chunk import Chunk
from ..ingest.chunking import Chunked
from ..ingest.document import Document
from ..ingest.read import read_text
from ..ingest.sentences import split_text
from ..kg.extraction.build import entity_id, extract_text
from ..kg.graph import Entity, Mention, Statement
from ..kg.store import GraphPart
from ..kg.triple import Extractor, Modality, Triple
from .lightrag_files import RagChunk, RagDocument, RagEntity, RagFolder, RagRelation, parts
from .report import AddReport

if TYPE_CHECKING:
    import numpy as np

    from ..models.embedders import Embedder
    from ..workspace import Workspace

EXTRACTOR = "lightrag-1"
UNTYPED = "related_to"
"""LightRAG's relations have neither direction nor type; one whose description the rules cannot read stays so."""
_UNKNOWN = frozenset({"", "unknown_source", "no-file-path", "custom_kg"})


@dataclass(frozen=True, slots=True)
class Imported:
    """A document ready to be stored, and what of it had no place."""

    document: Document
    chunked: Chunked
    graph: GraphPart
    status: str
    """What LightRAG says of it: "processed", "failed" ..."""
    appended: int = 0
    """Chunks whose text the document does not hold: their text stands after its end."""


def import_documents(folder: RagFolder, extractor: Extractor, embedder: Embedder | None = None) -> Iterator[Imported]:
    """Every document with its chunks as LightRAG cut them, and the part of the graph that rests on them.

    Texts stay as they are. A relation becomes a statement for each of its source chunks, tied to the sentence that
    names both ends; its description, keywords and weight are kept in the statement, an entity's description with the
    entity. The extractor reads from a description what kind of relation it is and which way it goes. What names no
    chunk that is there is kept out with a reason, in the first document.
    """
    names = _sources(folder.documents)
    entities = {entity.name: _entity(entity) for entity in folder.entities}
    lost = _without_source(folder, entities)
    for found in folder.documents:
        if not found.text.strip():
            continue
        own = folder.chunks.get(found.id, ())
        document, chunks, appended = _with_chunks(found, names[found.id], own)
        by_id = dict(zip((rag.id for rag in own), chunks, strict=True))
        graph = replace(_Builder(document, by_id, entities, extractor).part(folder), rejected=lost)
        yield Imported(document, _embedded(chunks, document.text, embedder), graph, found.status, appended)
        lost = ()


def digest(imported: Imported) -> str:
    """Changes with anything that is imported: a document that is stored with the same one is left alone."""
    said = [(s.id, s.text, *sorted(s.metadata.items())) for s in imported.graph.statements]
    named = [(e.id, *sorted(e.context.items())) for e in imported.graph.entities]
    cut = [(chunk.start, chunk.end) for chunk in imported.chunked.chunks]
    return stable_id(imported.document.content_hash, said, named, cut, len(imported.graph.rejected))


def _sources(documents: Sequence[RagDocument]) -> dict[str, str]:
    """Document id -> source: its file, made unique where several have one name or none."""
    often = Counter(document.file for document in documents)
    sources = {}
    for document in documents:
        file = document.file
        is_unique = often[file] == 1 and file not in _UNKNOWN
        sources[document.id] = file if is_unique else f"{PurePath(file).name or 'lightrag'}#{document.id}"
    return sources


def _with_chunks(found: RagDocument, source: str, own: Sequence[RagChunk]) -> tuple[Document, list[Chunk], int]:
    """The document with LightRAG's own text, its chunks at their places, and how many had to be put after its end."""
    text, places, appended, at = found.text, [], 0, 0
    for chunk in own:
        start = text.find(chunk.text, at)
        if start < 0:
            start = text.find(chunk.text)
        if start < 0:
            text, start, appended = f"{text}\n\n{chunk.text}", len(text) + 2, appended + 1
        places.append((start, start + len(chunk.text)))
        at = start + 1
    read = read_text(found.text, source=source)
    document = Document(source, text, (), read.metadata, content_hash=content_hash(text.encode("utf-8", "replace")))
    chunks = [_chunk(source, number, text, *place) for number, place in enumerate(places)]
    return document, chunks, appended


def _chunk(source: str, ordinal: int, text: str, start: int, end: int) -> Chunk:
    own = text[start:end]
    return Chunk(
        id=stable_id("chunk", source, EXTRACTOR, ordinal, start),
        document=source,
        ordinal=ordinal,
        start=start,
        end=end,
        text=own,
        tokens=estimate_tokens(own),
        sentences=tuple((start + s.start, start + s.end) for s in split_text(own)) or ((start, end),),
        index_text=own,
    )


def _embedded(chunks: Sequence[Chunk], text: str, embedder: Embedder | None) -> Chunked:
    import numpy as np

    if embedder is None or not chunks:
        return Chunked(tuple(chunks))
    sentences: list[str] = []
    ends: list[int] = []
    for chunk in chunks:
        sentences.extend(text[start:end] for start, end in chunk.sentences)
        ends.append(len(sentences))
    rows: np.ndarray = embedder.embed(sentences)
    means = np.stack([part.mean(axis=0) for part in np.split(rows, ends[:-1])])
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    return Chunked(tuple(chunks), means.astype(np.float32), rows)


def _entity(entity: RagEntity) -> Entity:
    kind = _rules()["types"].get(entity.type.strip().strip('"').casefold(), "thing")
    context = {"description": "\n".join(parts(entity.description))} if entity.description else {}
    return Entity(entity_id(entity.name, kind), entity.name, kind, name_key(entity.name), context=context)


def _without_source(folder: RagFolder, entities: Mapping[str, Entity]) -> tuple[Triple, ...]:
    """Relations that rest on no chunk that is there."""
    known: set[str] = set()
    for chunks in folder.chunks.values():
        known.update(chunk.id for chunk in chunks)
    types = {name: entity.type for name, entity in entities.items()}
    lost = []
    for relation in folder.relations:
        if known.isdisjoint(relation.chunks):
            head, tail = types.get(relation.one, "thing"), types.get(relation.other, "thing")
            ends = (relation.one, head, UNTYPED, relation.other, tail)
            lost.append(Triple(*ends, relation.description, 0, 0, reason="none of its source chunks is there"))
    return tuple(lost)


class _Builder:
    """The part of the graph that rests on the chunks of one document."""

    def __init__(
        self,
        document: Document,
        chunks: Mapping[str, Chunk],
        entities: Mapping[str, Entity],
        extractor: Extractor,
    ) -> None:
        self._document, self._chunks, self._entities = document, chunks, entities
        self._extractor = extractor
        self._used: dict[str, Entity] = {}
        self._mentions: dict[tuple[str, int, int], Mention] = {}
        self._statements: dict[str, Statement] = {}

    def part(self, folder: RagFolder) -> GraphPart:
        """Entities, mentions and statements of this document."""
        for entity in folder.entities:
            for chunk in self._own(entity.chunks):
                self._mention(self._entities[entity.name], entity.description, chunk)
        for relation in folder.relations:
            for chunk in self._own(relation.chunks):
                self._state(relation, chunk)
        used, mentions, said = self._used.values(), self._mentions.values(), self._statements.values()
        return GraphPart(EXTRACTOR, tuple(used), tuple(mentions), tuple(said))

    def _own(self, ids: Sequence[str]) -> list[Chunk]:
        return [self._chunks[id] for id in ids if id in self._chunks]

    def _mention(self, entity: Entity, description: str, chunk: Chunk) -> None:
        """Every place where the name stands; where it stands nowhere, the sentence nearest to its description."""
        self._used[entity.id] = entity
        at, found = chunk.text.find(entity.name), False
        while at >= 0:
            start, end = chunk.start + at, chunk.start + at + len(entity.name)
            self._mentions[entity.id, start, end] = Mention(entity.id, chunk.id, start, end, entity.name)
            at, found = chunk.text.find(entity.name, at + len(entity.name)), True
        if not found:
            start, end = self._sentence(chunk, f"{entity.name} {description}")
            self._mentions[entity.id, start, end] = Mention(entity.id, chunk.id, start, end, entity.name)

    def _state(self, relation: RagRelation, chunk: Chunk) -> None:
        one, other = self._end(relation.one), self._end(relation.other)
        if one.id == other.id:
            return
        described = _nearest(parts(relation.description), chunk.text)
        head, kind, tail, modality = _typed(described, one, other, self._extractor)
        start, end = self._sentence(chunk, f"{relation.one} {relation.other} {described}")
        key = stable_id("statement", self._document.source, EXTRACTOR, head.id, kind, tail.id, chunk.id)
        values = {"description": described, "keywords": relation.keywords, "weight": relation.weight}
        self._statements[key] = Statement(
            id=key,
            head=head.id,
            relation=kind,
            tail=tail.id,
            document=self._document.source,
            chunk=chunk.id,
            start=start,
            end=end,
            text=self._document.text[start:end],
            published=self._document.metadata.published,
            modality=modality,
            confidence=0.7,
            extractor=EXTRACTOR.partition("-")[0],
            metadata={name: value for name, value in values.items() if value},
        )

    def _end(self, name: str) -> Entity:
        entity = self._entities.get(name) or _entity(RagEntity(name, "", "", ()))
        return self._used.setdefault(entity.id, entity)

    def _sentence(self, chunk: Chunk, wanted: str) -> tuple[int, int]:
        """The sentence of a chunk that shares most words with a text, the first of equals."""
        words = set(search_words(wanted))
        spans = chunk.sentences
        return max(spans, key=lambda span: len(words & set(search_words(self._document.text[span[0] : span[1]]))))


def _nearest(descriptions: Sequence[str], text: str) -> str:
    """Of what several chunks said, what this one is likely to have said."""
    words = set(search_words(text))
    return max(descriptions, key=lambda said: len(words & set(search_words(said))), default="")


def _typed(described: str, one: Entity, other: Entity, extractor: Extractor) -> tuple[Entity, str, Entity, Modality]:
    """Direction, type and modality where the rules read them from the description, else the pair as it is."""
    first, second = name_key(one.name), name_key(other.name)
    can_be_told_apart = described and first != second
    for triple in extract_text(described, extractor) if can_be_told_apart else ():
        ends = name_key(triple.head), name_key(triple.tail)
        if ends == (first, second):
            return one, triple.relation, other, triple.modality
        if ends == (second, first):
            return other, triple.relation, one, triple.modality
    return one, UNTYPED, other, "asserted"


def _rules() -> Mapping[str, Any]:
    return load_rules(__package__, "lightrag.toml")


def import_lightrag(
    workspace: Workspace, folder: Path, progress: Callable[[int, int], None] | None = None
) -> Iterator[AddReport]:
    """Import a working directory of LightRAG; run again, it changes only what LightRAG has changed.

    Raises UsageError for another folder, DocumentError for a torn file: before anything is stored.
    """
    from ..ingest.facts import extract_facts
    from ..kg.extraction.rules import RulesExtractor
    from .lightrag_files import read_folder
    from .pipeline import bundle_of

    read, tools, store = read_folder(folder), workspace.components.tools, workspace.store
    extractor = RulesExtractor(workspace.vocabulary.schema)
    for number, found in enumerate(import_documents(read, extractor, tools.embedder), 1):
        document = found.document
        stamp = {"parse": EXTRACTOR, "extract:lightrag": f"{EXTRACTOR}-{digest(found)}"}
        known = store.documents(Scope(sources=(document.source,)))
        if known and stamp.items() <= dict(known[0].versions).items():
            yield AddReport.unchanged(known[0])
        else:
            facts = tuple(extract_facts(document, tools.metrics))
            bundle = bundle_of(document, found.chunked, tools.embedder, facts=facts, graph=found.graph, versions=stamp)
            store.put(bundle)
            yield AddReport.of(bundle, "replaced" if known else "added")
        if progress:
            progress(number, len(read.documents))

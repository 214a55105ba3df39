"""The parts of a document as properties of nodes and relationships: the same for the driver and for files.

Statements and entities get vectors from the sentence vectors that the chunker has made already: a statement that of its
sentence, an entity the mean of the sentences that mention it in the document that brought it in. They cost no model
call, and what they are good for is to find more of the same kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core.ids import stable_id
from ....ingest.chunk import Chunk
from ...graph import Entity, Mention, Merge, Statement
from ...resolution.clusters import pair
from ...resolution.matching import name_grams, spelling_blocks
from ...schema import Schema
from ...storage.codec import (
    anchor_lists,
    chunk_extras,
    compress,
    day_text,
    dumps,
    line_lists,
    pack_vectors,
    page_lists,
    pairs,
    period_json,
    read_extras,
    split_sentences,
    table_records,
    triple_lists,
    unpack_sentences,
)
from ...storage.preparation import document_fields, payload_bytes
from ...storage.term_counts import pack_terms
from ...store import Bundle, GraphPart
from . import second_space
from .connection import Row, Transaction

if TYPE_CHECKING:
    import numpy as np

LAYOUT = 7
"""Version of how a workspace is laid out in the database. Since 6 bytes that files bring are base64 text; what the
driver brings are bytes, as all was before. Since 7 statements and mentions name their extraction by its code, and
statements keep in one text what only the program reads."""

OTHER_RELATION = "RELATED_TO"
"""Relationship type of a relation that the schema does not name."""

MOST_A_WRITE = 1_000_000
"""Entities or merges of one write."""


def document_row(bundle: Bundle, version: int) -> Row:
    """What a document node keeps; ``version`` is the write that brought it."""
    known = bundle.document.metadata
    return {
        **document_fields(bundle, version),
        "companies": list(known.companies),
        "tickers": list(known.tickers),
        "period_label": known.period.label if known.period else None,
        "vectors": bundle.vectors is not None,
        "pending": True if bundle.vectors is not None else None,
        "multilingual": True if bundle.multilingual is not None else None,
        "bytes": payload_bytes(bundle),
    }


def content_row(bundle: Bundle) -> Row:
    """What is read of a document whole: its text and parts, and of all its chunks the terms, counted, and vectors."""
    document = bundle.document
    return {
        "document": document.source,
        "text": compress(document.text),
        "page_list": compress(page_lists(document.pages)),
        "line_list": compress(line_lists(document.lines)),
        "table_list": compress(table_records(document.tables)),
        "chunk_list": compress([[chunk.id, chunk.start, chunk.end, chunk.value] for chunk in bundle.chunks]),
        "terms": pack_terms(bundle.words, bundle.heading_words),
        "chunk_vectors": None if bundle.vectors is None else pack_vectors(bundle.vectors),
        "multilingual_vectors": second_space.chunk_vectors(bundle),
    }


def chunk_rows(bundle: Bundle) -> list[Row]:
    """The properties of each chunk, but for its vector."""
    return [
        {**_chunk_row(chunk, words, headings), "sentences": own, "multilingual_sentences": beside}
        for chunk, words, headings, own, beside in zip(
            bundle.chunks,
            bundle.words,
            bundle.heading_words,
            _sentences(bundle),
            second_space.sentence_vectors(bundle),
            strict=True,
        )
    ]


def _sentences(bundle: Bundle) -> list[bytes | None]:
    vectors: np.ndarray | None = bundle.sentence_vectors
    if vectors is None:
        return [None] * len(bundle.chunks)
    return list(split_sentences(vectors, bundle.chunks))


def _chunk_row(chunk: Chunk, words: str, heading_words: str) -> Row:
    return {
        "id": chunk.id,
        "document": chunk.document,
        "ordinal": chunk.ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        "kind": chunk.kind,
        "tokens": chunk.tokens,
        "value": chunk.value,
        "page": chunk.page,
        "headings": list(chunk.headings),
        "speaker": chunk.speaker,
        "extras": chunk_extras(chunk),
        "words": words,
        "heading_words": heading_words,
    }


def extraction_id(source: str, extractor: str) -> str:
    """Key of what one extractor read from one document."""
    return f"{extractor}\n{source}"


OF_EXTRACTION = "[x.code, x.id]"
"""What statements and mentions say of an extraction ``x``: before layout 7 its id."""


def extraction_code(source: str, extractor: str) -> str:
    """What statements and mentions say of it: eight letters that the database keeps within the record."""
    return stable_id("extraction", source, extractor)[:8]


def extraction_row(source: str, part: GraphPart) -> Row:
    """The node that stands for what one extractor read."""
    return {
        "id": extraction_id(source, part.extractor),
        "code": extraction_code(source, part.extractor),
        "document": source,
        "extractor": part.extractor,
        "rejected": compress(triple_lists(part.rejected)) if part.rejected else None,
    }


def entity_row(entity: Entity, schema: Schema) -> Row:
    """An entity as written, with the label of its type where the schema has one."""
    known = schema.types.get(entity.type)
    return {
        "id": entity.id,
        "labels": [known.neo4j] if known and known.neo4j else [],
        "properties": {
            "name": entity.name,
            "type": entity.type,
            "key": entity.key,
            "context": pairs(entity.context),
            "grams": " ".join(name_grams(entity.name)),
        },
        "blocks": spelling_blocks(entity),
    }


def statement_row(statement: Statement, source: str, extraction: str, schema: Schema) -> Row:
    """A statement, and the relationship between its ends with the type that the schema gives it."""
    known = schema.relations.get(statement.relation)
    shared = {
        "document": source,
        "confidence": statement.confidence,
        "relation": statement.relation,
    }
    published = day_text(statement.published)
    about = [period_json(statement.period), published, statement.extractor, pairs(statement.metadata)]
    data = [statement.start, statement.end, anchor_lists(statement.anchors), *about]
    label = statement.period.label if statement.period else None
    properties = {
        **shared,
        "id": statement.id,
        "head": statement.head,
        "tail": statement.tail,
        "chunk": statement.chunk,
        "text": statement.text,
        "page": statement.page,
        "period_label": label,
        "modality": statement.modality,
        "extraction": extraction,
        "data": dumps(data),
    }
    relation = {
        **shared,
        "published": published,
        "statement": statement.id,
        "period": label,
        "modality": statement.modality,
    }
    return {"type": known.neo4j if known else OTHER_RELATION, "properties": properties, "relation": relation}


STATEMENT_DATA = ("start", "end", "anchors", "period", "published", "extractor", "metadata")
"""What ``data`` of a statement holds, in order. Workspaces before layout 7 have a property for each."""

STATEMENT: Sequence[str] = (
    *("id", "head", "tail", "chunk", "document", "confidence", "relation", "text", "page", "period_label"),
    *("modality", "extraction", "data"),
)
FACT: Sequence[str] = (
    *("id", "number", "document", "company", "company_key", "metric", "label", "period_label", "period_end", "text"),
    *("amount", "digits", "unit", "dimensions", "page", "start", "table", "row", "column", "confidence", "data"),
)
CHUNK: Sequence[str] = (
    *("id", "document", "ordinal", "start", "end", "text", "kind", "tokens", "value", "page", "headings", "speaker"),
    *("extras", "words", "heading_words", "sentences", "multilingual_sentences"),
)
"""The properties of nodes that a document has many of: their rows travel as lists of values."""


def values_of(row: Row, names: Sequence[str]) -> list[Any]:
    """A row as :func:`from_values` takes it: ``document`` is left out."""
    return [row[name] for name in names if name != "document"]


def from_values(names: Sequence[str], at: int = 0) -> str:
    """Properties from the list ``row``, from place ``at`` on; the document is ``$source``.

    The server takes a fifth less time for a node made so than for one that is given a map, and the client less too.

    >>> from_values(("id", "document", "page"), 2)
    '{`id`: row[2], `document`: $source, `page`: row[3]}'
    """
    sent = [name for name in names if name != "document"]
    places = {name: f"row[{place}]" for place, name in enumerate(sent, at)} | {"document": "$source"}
    return "{" + ", ".join(f"`{name}`: {places[name]}" for name in names) + "}"


def merge_row(merge: Merge, given: bool, made: int) -> Row:
    """A merge by its pair; ``given`` where only documents give it."""
    low, high = pair(merge)
    properties = {
        "id": merge.id,
        "entity": merge.entity,
        "into": merge.into,
        "low": low,
        "high": high,
        "reason": merge.reason,
        "score": merge.score,
        "undone": False,
        "given": given,
        "made": made,
    }
    return {"pair": pair_key(low, high), "properties": properties}


def age(version: int, number: int) -> int:
    """Orders what writes make: by the write, then as it came."""
    return version * MOST_A_WRITE + number


def pair_key(low: str, high: str) -> str:
    """Two entities, in order, as one text."""
    return f"{low}|{high}"


_STORED = """UNWIND $chunks AS id MATCH (c:Chunk {id: id}) WHERE c.sentences IS NOT NULL
RETURN c.id AS id, c.extras AS extras, c.sentences AS vectors"""


class Sentences(NamedTuple):
    """The sentences of a chunk: offsets in the document's text, and unit vectors, float32 (sentences, dim)."""

    spans: Sequence[tuple[int, int]]
    vectors: np.ndarray


def sentences_of(bundle: Bundle) -> dict[str, Sentences]:
    """Chunk -> its sentences; empty without vectors."""
    if bundle.sentence_vectors is None:
        return {}
    found, at = {}, 0
    for chunk in bundle.chunks:
        found[chunk.id] = Sentences(chunk.sentences, bundle.sentence_vectors[at : at + len(chunk.sentences)])
        at += len(chunk.sentences)
    return found


def stored_sentences(tx: Transaction, chunks: Collection[str], dim: int) -> dict[str, Sentences]:
    """The same for chunks that are stored: one round trip, none where the workspace has no vectors."""
    rows = tx.run(_STORED, chunks=sorted(chunks)) if dim else []
    return {
        row["id"]: Sentences(read_extras(row["extras"], "")["sentences"], unpack_sentences(row["vectors"], dim))
        for row in rows
    }


Place = Sequence[Any]
"""What stands where: the id of a statement or entity, its chunk, start and end."""


def statement_places(statements: Iterable[Statement]) -> list[Place]:
    """Where statements stand."""
    return [(s.id, s.chunk, s.start, s.end) for s in statements]


def mention_places(mentions: Iterable[Mention]) -> list[Place]:
    """Where entities are mentioned."""
    return [(m.entity, m.chunk, m.start, m.end) for m in mentions]


def mean_vectors(places: Iterable[Place], sentences: Mapping[str, Sentences]) -> dict[str, list[float]]:
    """Statement or entity -> the mean, of length 1, of the sentences that it stands in."""
    around: dict[str, list[np.ndarray]] = defaultdict(list)
    for id, chunk, start, end in places:
        around[id] += _rows(sentences, chunk, start, end)
    return {id: _mean(rows) for id, rows in around.items() if rows}


def _rows(sentences: Mapping[str, Sentences], chunk: str, start: int, end: int) -> list[np.ndarray]:
    if chunk not in sentences:
        return []
    spans, vectors = sentences[chunk]
    return [vectors[i] for i, (a, b) in enumerate(spans) if a < end and start < b and i < len(vectors)]


def _mean(rows: Sequence[np.ndarray]) -> list[float]:
    import numpy as np

    mean = np.mean(rows, axis=0)
    found: list[float] = (mean / max(float(np.linalg.norm(mean)), 1e-9)).tolist()
    return found

"""A workspace found or made; a document written, replaced and removed: one transaction each, in few round trips.

Rows are made before a transaction begins: writers wait for each other from its first statement to its end, and what a
client does in between all the others wait for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....core.errors import StoreError
from ....ingest.section_summary import STEP
from ...schema import Schema
from ...storage.codec import pairs, read_pairs
from ...storage.preparation import extractor_name, merges_in, names_in
from ...store import Bundle
from . import second_space
from .connection import BATCH, Graph, Row, Transaction, batches
from .facts import FORGET, fact_rows
from .graph_writer import PackedPart, pack_part, settle_clusters, write_part
from .rows import (
    LAYOUT,
    chunk_rows,
    content_row,
    document_row,
    extraction_id,
    extraction_row,
)

# The first statement of every write: it takes the lock that makes writers wait for each other, and counts the write.
# The lock is taken by setting a constant. To add to a number takes a second lock before it, which whoever waits would
# hold, and who has the first one wants when it next adds to a number: a deadlock, of which a waiter is given up.
# Readers compare the number of documents and the sum of their stamps with what they see.
_BEGIN = """MATCH (w:Workspace) SET w.name = 'CliqueRAG'
WITH w SET w.version = w.version + 1, w.layout = $layout
WITH w
OPTIONAL MATCH (d:Document {source: $source})
SET w.documents = w.documents + CASE WHEN d IS NULL THEN $added ELSE $removed END,
  w.stamp_sum = w.stamp_sum + CASE WHEN $stamped THEN w.version ELSE 0 END
    - CASE WHEN $stamped OR $removed < 0 THEN coalesce(d.stamp, 0) ELSE 0 END
WITH w, d
RETURN w.version AS version, w.embedder AS embedder, w.dim AS dim, d.versions AS versions, d IS NOT NULL AS known,
  EXISTS { (v:Document {vectors: true}) WHERE v.source <> $source } AS others,
  [(d)-[:NAMES]->(e) | e.id] AS named, [(d)-[:READ_BY]->(x) | x.extractor] AS extractors"""

_RELATIONS = """OPTIONAL MATCH (h:Entity {id: s.head})-[r {statement: s.id}]->(t:Entity {id: s.tail})
  USING INDEX h:Entity(id) USING INDEX t:Entity(id)
  DELETE r
  WITH DISTINCT s DETACH DELETE s"""

_FORGET = f"""UNWIND $extractions AS id
MATCH (x:Extraction {{id: id}})
CALL (x) {{ MATCH (s:Statement {{document: x.document}}) WHERE s.extraction = x.id {_RELATIONS} }}
CALL (x) {{ MATCH (v:Driver {{extraction: x.id}}) {FORGET} }}
CALL (x) {{ MATCH (:Document {{source: x.document}})-[:HAS_CHUNK]->()-[m:MENTIONS {{extraction: x.id}}]->() DELETE m }}
WITH x OPTIONAL MATCH (x)-[:GIVES]->(g:Merge)
WITH x, collect(g.entity) + collect(g.into) AS merged
DETACH DELETE x
RETURN merged"""

_DELETE = f"""MATCH (d:Document {{source: $source}})
OPTIONAL MATCH (d)-[:READ_BY]->(x)-[:GIVES]->(g:Merge)
WITH d, collect(g.entity) + collect(g.into) AS merged
CALL (d) {{ MATCH (s:Statement {{document: d.source}}) {_RELATIONS} }}
CALL (d) {{ MATCH (d)-[:EXPLAINS]->(v:Driver) {FORGET} }}
CALL (d) {{ MATCH (d)-[n:NAMES]->(e) SET e.mentions = e.mentions - n.mentions }}
CALL (d) {{ MATCH (d)-[:HOLDS|HAS_CHUNK|STATES|READ_BY]->(n) DETACH DELETE n }}
DETACH DELETE d
RETURN merged"""

_DOCUMENT = """CREATE (d:Document) SET d = $document
CREATE (d)-[:HOLDS]->(k:Content) SET k = $content
CREATE (d)-[:READ_BY]->(x:Extraction) SET x = $extraction"""

_EXTRACTION = """MATCH (d:Document {source: $source}) 
SET d.versions = $versions, d.stamp = $stamp, d.pending = CASE WHEN d.vectors THEN true END
CREATE (d)-[:READ_BY]->(x:Extraction) SET x = $extraction"""

_SUMMARIES = """MATCH (d:Document {source: $source})-[:HOLDS]->(k:Content)
SET d.versions = $versions, d.stamp = $stamp, d.pending = CASE WHEN d.vectors THEN true END, k += $parts"""

_WITH_CHUNKS = """UNWIND $chunks AS row
CREATE (d)-[:HAS_CHUNK]->(c:Chunk) SET c = row
WITH collect(c) AS chunks
UNWIND range(1, size(chunks) - 1) AS i
WITH chunks[i - 1] AS before, chunks[i] AS after
CREATE (before)-[:NEXT]->(after)"""
_WITH_FACTS = "UNWIND $facts AS row CREATE (d)-[:STATES]->(f:Fact) SET f = row"

_FIRST = f"{_DOCUMENT} WITH d CALL (d) {{ {_WITH_CHUNKS} }} CALL (d) {{ {_WITH_FACTS} }}"
"""A document with its first chunks and facts: for most, with all."""
_MORE = f"MATCH (d:Document {{source: $source}}) CALL (d) {{ {_WITH_CHUNKS} }} CALL (d) {{ {_WITH_FACTS} }}"
_JOINED = "UNWIND $pairs AS pair MATCH (a:Chunk {id: pair[0]}) MATCH (b:Chunk {id: pair[1]}) CREATE (a)-[:NEXT]->(b)"


@dataclass(frozen=True, slots=True)
class State:
    """What a write finds."""

    version: int
    embedder: str
    dim: int
    versions: dict[str, str]
    known: bool
    others: bool
    """Other documents have vectors."""
    named: set[str]
    extractors: list[str]


def find_or_make(graph: Graph, url: str, *, create: bool) -> Row:
    """The workspace of a database as ``layout``, ``imported`` and ``dim``; in an empty one it is made.

    Raises StoreError: the database is another program's or a newer version's, or there is none and ``create`` is false.
    """
    (state,) = graph.read(
        """OPTIONAL MATCH (w:Workspace {name: 'CliqueRAG'})
        RETURN w.layout AS layout, w.imported AS imported, w.dim AS dim, EXISTS { MATCH (n) } AS used"""
    )
    if state["layout"] is not None:
        if state["layout"] > LAYOUT:
            raise StoreError("the workspace was written by a newer CliqueRAG", where=url)
        return state
    if state["used"]:
        raise StoreError("this database belongs to another program", where=url, hint="Use an empty one")
    if not create:
        raise StoreError("there is no workspace", where=url, hint="Add a document to create it")
    graph.set_up()
    graph.write(
        lambda tx: tx.run(
            """MERGE (w:Workspace {name: 'CliqueRAG'})
            ON CREATE SET w += {version: 0, stamp_sum: 0, documents: 0, embedder: '', dim: 0, layout: $layout}""",
            layout=LAYOUT,
        )
    )
    return {"layout": LAYOUT, "imported": None, "dim": 0}


@dataclass(frozen=True, slots=True)
class Packed:
    """A document as rows, ready to be written."""

    bundle: Bundle
    own: Row
    """The properties of its own node, of its content and of the extraction."""
    chunks: list[Row]
    facts: list[Row]
    part: PackedPart


def pack(bundle: Bundle, schema: Schema) -> Packed:
    """The rows of a bundle, which need nothing of the store but the number of the write: two thirds of what the client
    spends on one."""
    source = bundle.document.source
    own = {
        "document": document_row(bundle, 0),
        "content": content_row(bundle),
        "extraction": extraction_row(source, bundle.graph),
    }
    part = pack_part(source, bundle.graph, schema)
    return Packed(bundle, own, chunk_rows(bundle), fact_rows(source, bundle.facts), part)


def begin(tx: Transaction, source: str = "", *, added: int = 0, removed: int = 0, stamped: bool = False) -> State:
    """Count the write and wait for other writers.

    ``added`` counts what a new document adds, ``removed`` what a known one does; ``stamped``: its record changes.
    """
    (row,) = tx.run(_BEGIN, source=source, added=added, removed=removed, stamped=stamped, layout=LAYOUT)
    versions, named = read_pairs(row.pop("versions") or ""), set(row.pop("named") or ())
    return State(**{**row, "versions": versions, "named": named, "extractors": list(row["extractors"] or ())})


def put(tx: Transaction, packed: Packed) -> None:
    """Store a document in place of its older version."""
    source = packed.bundle.document.source
    state = begin(tx, source, added=1, stamped=True)
    _claim_embedder(tx, packed.bundle, state)
    second_space.claim(tx, packed.bundle)
    merged = _merged(tx.run(_DELETE, source=source)) if state.known else set()
    _write_document(tx, packed, state.version)
    _write_graph(tx, packed.part, state, merged)


def put_graph(tx: Transaction, packed: PackedPart) -> None:
    """Replace what an extractor of the same name had read."""
    source, part = packed.source, packed.part
    state = begin(tx, source, stamped=True)
    if not state.known:
        raise StoreError("there is no such document", where=source, hint="Add it first")
    name = extractor_name(part.extractor)
    old = [extraction_id(source, other) for other in state.extractors if extractor_name(other) == name]
    merged = _merged(tx.run(_FORGET, extractions=old))
    versions = pairs({**state.versions, f"extract:{name}": part.extractor})
    properties = extraction_row(source, part)
    tx.run(_EXTRACTION, source=source, versions=versions, stamp=state.version, extraction=properties)
    _write_graph(tx, packed, state, merged)


class TextChangedError(StoreError):
    """The document has another text than the one that was read, or is gone: the transaction is rolled back."""


def put_summaries(tx: Transaction, source: str, author: str, parts: Mapping[str, bytes], of_text: str) -> None:
    """Replace what a model wrote of a document's sections. Raises TextChangedError: its hash is not ``of_text``."""
    state = begin(tx, source, stamped=True)
    if of_text:
        rows = tx.run("MATCH (d:Document {source: $source}) RETURN d.content_hash AS hash", source=source)
        if [row["hash"] for row in rows] != [of_text]:
            raise TextChangedError("the document was changed meanwhile", where=source, hint="Read it again")
    if not state.known:
        raise StoreError("there is no such document", where=source, hint="Add it first")
    versions = pairs({**state.versions, STEP: author})
    tx.run(_SUMMARIES, source=source, versions=versions, stamp=state.version, parts=dict(parts))


def remove(tx: Transaction, source: str) -> bool:
    """Take a document away with all that only it gave."""
    if not tx.run("MATCH (d:Document {source: $source}) RETURN d.source", source=source):
        return False
    state = begin(tx, source, removed=-1)
    merged = _merged(tx.run(_DELETE, source=source))
    settle_clusters(tx, state.version, state.named | merged, ())
    return True


def _write_document(tx: Transaction, packed: Packed, version: int) -> None:
    """The document, its chunks, each joined to the one before it, and its facts."""
    own = {**packed.own, "document": {**packed.own["document"], "stamp": version}}
    (chunks, facts), *more = batches(packed.chunks, packed.facts)
    tx.run(_FIRST, **own, chunks=chunks, facts=facts)
    for chunks, facts in more:
        tx.run(_MORE, source=packed.bundle.document.source, chunks=chunks, facts=facts)
    ids = [chunk.id for chunk in packed.bundle.chunks]
    if joined := [[ids[i - 1], ids[i]] for i in range(BATCH, len(ids), BATCH)]:
        tx.run(_JOINED, pairs=joined)


def _write_graph(tx: Transaction, packed: PackedPart, state: State, merged: set[str]) -> None:
    write_part(tx, packed, state.version)
    part, named = packed.part, names_in(packed.part)
    touched, unsettled = named | state.named | merged, named - state.named
    extraction = extraction_id(packed.source, part.extractor)
    settle_clusters(tx, state.version, touched, unsettled, merges_in(part), extraction, source=packed.source)


def _merged(rows: list[Row]) -> set[str]:
    """The entities of the merges that what was deleted had given."""
    return {id for row in rows for id in row["merged"]}


def _claim_embedder(tx: Transaction, bundle: Bundle, state: State) -> None:
    """Vectors of different models never meet in one store."""
    if bundle.vectors is None:
        return
    name, dim = bundle.embedder, bundle.vectors.shape[1]
    if state.others and (state.embedder, state.dim) != (name, dim):
        what = f"its vectors come from {state.embedder} ({state.dim} numbers), not from {name} ({dim})"
        raise StoreError(what, where=bundle.document.source, hint="Use the same embedding model, or another workspace")
    if (state.embedder, state.dim) != (name, dim):
        tx.run("MATCH (w:Workspace) SET w.embedder = $name, w.dim = $dim", name=name, dim=dim)

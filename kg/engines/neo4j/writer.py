"""A workspace found or made; a document written, replaced and removed: one transaction each, in few round trips;
merges by hand and taken back.

Rows are made before a transaction begins: writers wait for each other from its first statement to its end, and what a
client does in between all the others wait for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....core.errors import StoreError
from ....core.ids import stable_id
from ....core.records import dataclass
from ....ingest.chunk import SUMMARIES
from ...graph import Merge
from ...resolution.clusters import BY_HAND, pair
from ...schema import Schema
from ...storage.codec import pairs, read_pairs
from ...storage.preparation import extractor_name, merges_in, names_in
from ...store import Bundle
from . import second_space
from .connection import BATCH, Change, Graph, Row, Transaction, batches
from .entities import MERGE, merge_of, stored_and_settled
from .facts import FORGET, fact_rows, write_drivers
from .graph_writer import (
    AROUND,
    SETTLING,
    WITH_GRAPH,
    PackedPart,
    apply_plan,
    pack_part,
    placed_rows,
    pooled_rows,
    settle_clusters,
    write_part,
)
from .rows import (
    CHUNK,
    FACT,
    LAYOUT,
    OF_EXTRACTION,
    age,
    chunk_rows,
    content_row,
    document_row,
    extraction_code,
    extraction_id,
    extraction_row,
    from_values,
    merge_row,
    pair_key,
    values_of,
)

_GRAPH_AT_ONCE = 4 * BATCH
"""Mentions or statements up to which a document is written as a whole."""

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
CALL (x) {{ MATCH (:Document {{source: x.document}})-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement)
  WHERE s.extraction IN {OF_EXTRACTION} {_RELATIONS} }}
CALL (x) {{ MATCH (v:Driver {{extraction: x.id}}) {FORGET} }}
CALL (x) {{ MATCH (:Document {{source: x.document}})-[:HAS_CHUNK]->()-[m:MENTIONS]->()
  WHERE m.extraction IN {OF_EXTRACTION} DELETE m }}
WITH x OPTIONAL MATCH (x)-[:GIVES]->(g:Merge)
WITH x, collect(g.entity) + collect(g.into) AS merged
DETACH DELETE x
RETURN merged"""

_DELETE = f"""MATCH (d:Document {{source: $source}})
OPTIONAL MATCH (d)-[:READ_BY]->(x)-[:GIVES]->(g:Merge)
WITH d, collect(g.entity) + collect(g.into) AS merged
CALL (d) {{ MATCH (d)-[:HAS_CHUNK]->()<-[:FROM]-(s:Statement) {_RELATIONS} }}
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

_WITH_CHUNKS = (
    """UNWIND $chunks AS row
CREATE (d)-[:HAS_CHUNK]->(c:Chunk """
    + from_values(CHUNK)
    + """)
WITH collect(c) AS chunks
UNWIND range(1, size(chunks) - 1) AS i
WITH chunks[i - 1] AS before, chunks[i] AS after
CREATE (before)-[:NEXT]->(after)"""
)
_WITH_FACTS = f"UNWIND $facts AS row CREATE (d)-[:STATES]->(:Fact {from_values(FACT)})"

_MORE = f"MATCH (d:Document {{source: $source}}) CALL (d) {{ {_WITH_CHUNKS} }} CALL (d) {{ {_WITH_FACTS} }}"
_JOINED = "UNWIND $pairs AS pair MATCH (a:Chunk {id: pair[0]}) MATCH (b:Chunk {id: pair[1]}) CREATE (a)-[:NEXT]->(b)"

_WHOLE = f"""MATCH (w:Workspace) SET w.name = 'CliqueRAG'
WITH w
OPTIONAL MATCH (known:Document {{source: $source}})
WITH w WHERE known IS NULL
SET w.version = w.version + $counted, w.layout = $layout, w.documents = w.documents + $counted
WITH w
SET w.stamp_sum = w.stamp_sum + $counted * w.version
WITH w
{_DOCUMENT} SET d.stamp = w.version
WITH w, d
CALL (d) {{
  UNWIND $chunks AS row
  CREATE (d)-[:HAS_CHUNK]->(c:Chunk {from_values(CHUNK)})
  WITH c, c.ordinal AS ordinal ORDER BY ordinal
  RETURN collect(c) AS chunks
}}
CALL (chunks) {{
  UNWIND range(1, size(chunks) - 1) AS i
  WITH chunks[i - 1] AS before, chunks[i] AS after
  CREATE (before)-[:NEXT]->(after)
}}
CALL (d) {{ {_WITH_FACTS} }}
{WITH_GRAPH}
CALL () {{ UNWIND $also AS id MATCH (e:Entity {{id: id}}) RETURN collect(e) AS before }}
WITH w, more, entities + before AS touched, [e IN entities WHERE NOT e.id IN $named] AS fresh
{AROUND}
RETURN w.version AS version, w.embedder AS embedder, w.dim AS dim,
  EXISTS {{ (v:Document {{vectors: true}}) WHERE v.source <> $source }} AS others, more, near, members, merges"""
"""All of a document that is not stored, and what is around its graph: one round trip does for most. Of one that is
stored no row comes. ``$counted`` is 1, or 0 where the write has been counted."""

_NO_GRAPH: Mapping[str, list[Any]] = {"entities": [], "names": [], "mentions": [], "statements": []}
_NOTHING = {"source": "", "counted": 0, "layout": LAYOUT, "extracted": "", "document": {}, "content": {}}
_NOTHING |= {"extraction": {}, "chunks": [], "facts": [], "also": [], "named": []}

STATEMENTS = (Change(_WHOLE, {**_NOTHING, **_NO_GRAPH}), SETTLING)
"""What the write of a new document runs, with values of nothing."""


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
    chunks: list[list[Any]]
    facts: list[list[Any]]
    part: PackedPart
    placed: Mapping[str, list[Any]] | None
    """The graph by places, of a document that is short enough to be written as a whole."""


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
    is_short = len(batches(bundle.chunks)) == 1 and max(map(len, (part.mentions, part.statements))) <= _GRAPH_AT_ONCE
    placed = placed_rows(part, bundle.chunks) if is_short else None
    chunks = [values_of(row, CHUNK) for row in chunk_rows(bundle)]
    facts = [values_of(row, FACT) for row in fact_rows(source, bundle.facts)]
    return Packed(bundle, own, chunks, facts, part, placed)


def begin(tx: Transaction, source: str = "", *, added: int = 0, removed: int = 0, stamped: bool = False) -> State:
    """Count the write and wait for other writers.

    ``added`` counts what a new document adds, ``removed`` what a known one does; ``stamped``: its record changes.
    """
    (row,) = tx.run(_BEGIN, source=source, added=added, removed=removed, stamped=stamped, layout=LAYOUT)
    versions, named = read_pairs(row.pop("versions") or ""), set(row.pop("named") or ())
    return State(**{**row, "versions": versions, "named": named, "extractors": list(row["extractors"] or ())})


def put(tx: Transaction, packed: Packed) -> None:
    """Store a document in place of its older version."""
    source, part = packed.bundle.document.source, packed.part.part
    named, merged = set[str](), set[str]()
    second_space.claim(tx, packed.bundle)
    found = _write_whole(tx, packed, {"counted": 1, "also": [], "named": []})
    if not found:
        state = begin(tx, source, stamped=True)
        merged = _merged(tx.run(_DELETE, source=source))
        named = state.named
        found = _write_whole(tx, packed, {"counted": 0, "also": sorted(named | merged), "named": sorted(named)})
    (row,) = found
    _claim(tx, packed.bundle, row["others"], row["embedder"], row["dim"])
    _write_rest(tx, packed)
    if packed.placed is None:
        _write_graph(tx, packed.part, row["version"], named, merged)
        return
    write_drivers(tx, source, packed.part.drivers)
    unsettled, extraction = names_in(part) - named, extraction_id(source, part.extractor)
    apply_plan(tx, row, row["version"], unsettled, merges_in(part), extraction, pooled_rows(row["more"]))


def _write_whole(tx: Transaction, packed: Packed, before: Row) -> list[Row]:
    """All of a document that is not stored, or what comes first of a very long one.

    ``before`` says which entities its older version, just removed, has ``named``, and ``also`` those it has merged.
    """
    part = packed.part.part
    chunks, facts = batches(packed.chunks, packed.facts)[0]
    return tx.run(
        _WHOLE,
        **before,
        **packed.own,
        **(packed.placed or _NO_GRAPH),
        source=packed.part.source,
        layout=LAYOUT,
        extracted=extraction_code(packed.part.source, part.extractor),
        chunks=chunks,
        facts=facts,
    )


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
    _write_graph(tx, packed, state.version, state.named, merged)


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
    versions = pairs({**state.versions, SUMMARIES: author})
    tx.run(_SUMMARIES, source=source, versions=versions, stamp=state.version, parts=dict(parts))


def remove(tx: Transaction, source: str) -> bool:
    """Take a document away with all that only it gave."""
    if not tx.run("MATCH (d:Document {source: $source}) RETURN d.source", source=source):
        return False
    state = begin(tx, source, removed=-1)
    merged = _merged(tx.run(_DELETE, source=source))
    settle_clusters(tx, state.version, state.named | merged, ())
    return True


def _write_rest(tx: Transaction, packed: Packed) -> None:
    """The chunks and facts after the first thousand, each chunk joined to the one before it."""
    _, *more = batches(packed.chunks, packed.facts)
    for chunks, facts in more:
        tx.run(_MORE, source=packed.part.source, chunks=chunks, facts=facts)
    ids = [chunk.id for chunk in packed.bundle.chunks]
    if joined := [[ids[i - 1], ids[i]] for i in range(BATCH, len(ids), BATCH)]:
        tx.run(_JOINED, pairs=joined)


def _write_graph(tx: Transaction, packed: PackedPart, version: int, before: set[str], merged: set[str]) -> None:
    """``before`` are the entities that the document has named until now."""
    write_part(tx, packed, version)
    part, named = packed.part, names_in(packed.part)
    extraction = extraction_id(packed.source, part.extractor)
    touched, unsettled = named | before | merged, named - before
    settle_clusters(tx, version, touched, unsettled, merges_in(part), extraction, source=packed.source)


def _merged(rows: list[Row]) -> set[str]:
    """The entities of the merges that what was deleted had given."""
    return {id for row in rows for id in row["merged"]}


def _claim(tx: Transaction, bundle: Bundle, others: bool, embedder: str, dim: int) -> None:
    """Vectors of different models never meet in one store: ``others`` says that there are some, of ``embedder``."""
    if bundle.vectors is None:
        return
    own, own_dim = bundle.embedder, bundle.vectors.shape[1]
    if (embedder, dim) == (own, own_dim):
        return
    if others:
        what = f"its vectors come from {embedder} ({dim} numbers), not from {own} ({own_dim})"
        raise StoreError(what, where=bundle.document.source, hint="Use the same embedding model, or another workspace")
    tx.run("MATCH (w:Workspace) SET w.embedder = $name, w.dim = $dim", name=own, dim=own_dim)


_UNDO = """MATCH (g:Merge {id: $id}) WHERE NOT g.undone SET g.undone = true
WITH g OPTIONAL MATCH (:Entity {id: g.entity})-[same:SAME_AS]-(:Entity {id: g.into}) DELETE same
RETURN DISTINCT g.entity AS entity, g.into AS into"""


_FORGET_MERGE = """UNWIND $pairs AS pair MATCH (g:Merge {pair: pair})
OPTIONAL MATCH (:Entity {id: g.entity})-[same:SAME_AS]-(:Entity {id: g.into}) DELETE same
WITH DISTINCT g DETACH DELETE g"""
_RESTORE = """UNWIND $rows AS row
OPTIONAL MATCH (a:Entity {id: row.properties.entity}) OPTIONAL MATCH (b:Entity {id: row.properties.into})
MERGE (g:Merge {pair: row.pair}) SET g = row.properties, g.pair = row.pair, g.undone = row.undone
WITH a, b, g
OPTIONAL MATCH (a)-[same:SAME_AS]-(b) DELETE same
WITH DISTINCT a, b, g WHERE NOT g.undone AND a IS NOT NULL AND b IS NOT NULL
CREATE (a)-[:SAME_AS {reason: g.reason}]->(b)"""


def make(tx: Transaction, entity: str, into: str, reason: str, score: float) -> Merge:
    """One merge that stays until it is undone, or the undone one in its place."""
    found = tx.run("UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN id", ids=[entity, into])
    if entity == into or len(found) < 2:
        raise StoreError(f"two stored entities are needed to merge, not {entity} and {into}")
    merge = Merge(stable_id("merge", entity, into), entity, into, reason, score)
    key = pair_key(*pair(merge))
    version = begin(tx).version
    if reason == BY_HAND:
        tx.run("MATCH (g:Merge {pair: $pair}) WHERE g.undone DETACH DELETE g", pair=key)
    settle_clusters(tx, version, (entity, into), (), [merge])
    rows = tx.run(f"MATCH (g:Merge {{pair: $pair}}) RETURN {MERGE}", pair=key)
    return merge_of(rows[0]) if rows else Merge(merge.id, entity, into, reason, score, undone=True)


def undo(tx: Transaction, merge: str) -> bool:
    """Mark a merge as undone; False if it was not in force."""
    if not tx.run("MATCH (g:Merge {id: $id}) WHERE NOT g.undone RETURN g.id", id=merge):
        return False
    version = begin(tx).version
    rows = tx.run(_UNDO, id=merge)
    settle_clusters(tx, version, [id for row in rows for id in row.values()], ())
    return bool(rows)


def restore(tx: Transaction, merges: Sequence[Merge]) -> None:
    """Have exactly these merges, and the clusters that they make; documents go on giving what they gave."""
    version = begin(tx).version
    known = tx.run("MATCH (g:Merge) RETURN g.pair AS pair, g.given AS given, [g.entity, g.into] AS ends")
    given = {row["pair"]: bool(row["given"]) for row in known}
    wanted = {pair_key(*pair(merge)): merge for merge in merges}
    rows = [
        merge_row(merge, given.get(key, False), age(version, i)) | {"undone": merge.undone}
        for i, (key, merge) in enumerate(wanted.items())
    ]
    tx.run(_FORGET_MERGE, pairs=sorted(given.keys() - wanted.keys()))
    tx.run_batches(_RESTORE, rows)
    ends = {id for row in known for id in row["ends"]} | {id for merge in merges for id in (merge.entity, merge.into)}
    settle_clusters(tx, version, ends, ())


def settle_all(tx: Transaction) -> None:
    """Have the merges that the whole store decides, whatever the order in which it came."""
    version = begin(tx).version
    stored, settled = stored_and_settled(tx.run)
    kept = {pair(made.merge) for made in settled}
    rows = [
        merge_row(made.merge, made.given, age(version, i)) | {"undone": made.merge.undone}
        for i, made in enumerate(settled)
    ]
    gone = [pair_key(*pair(known.merge)) for known in stored if pair(known.merge) not in kept]
    tx.run(_FORGET_MERGE, pairs=gone)
    tx.run_batches(_RESTORE, rows)
    merges = [*(known.merge for known in stored), *(made.merge for made in settled)]
    settle_clusters(tx, version, {id for merge in merges for id in pair(merge)}, ())

"""Chunks by id, by vector and by word."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ....ingest.chunk import Chunk
from ...storage.codec import read_extras
from ...storage.term_counts import Bm25, ChunkWords, words_scored
from ...store import Hit
from .connection import PAUSES, UP_TO_DATE, Change, Graph, Row

if TYPE_CHECKING:
    import numpy as np

EXACT_CHUNKS = 5_000
"""Up to so many chunks all cosines are taken; beyond, the vector index gives candidates."""

OVER_FETCH = 2
"""Candidates taken from the vector index for each chunk asked for, ``_TIES`` more of which are ranked by all their
numbers: the index has them in a byte each."""

LEAST_FETCHED = 300
"""Candidates taken at least. Of 100,000 made-up chunks the nearest 10 are found with a recall of .99, the nearest 150
with .98 by 428 candidates and .999 by 856, in 41 and 61 ms of the server's processor, where the index is of 60 pieces;
of 20 pieces with .99, .92 and .98."""

INDEX_WIDTH = 50
"""Neighbours looked at for each vector put into an index, Neo4j's default 100: .3 instead of .5 ms a vector."""

VECTOR_INDEX = "chunk_vectors"
VECTOR_INDEXES = {VECTOR_INDEX: "Chunk", "statement_vectors": "Statement", "entity_vectors": "Entity"}
"""Name -> the label whose property ``vector`` it holds."""

_TIES = 64
"""Candidates beyond those asked for, for those that score the same. Of the full-text index they are enough: by twice as
many evidence was no more alike to SQLite's, and the words of 428 chunks take 17 ms to read, those of 214 ten."""
_WITHIN = "UNWIND $documents AS document MATCH (:Document {source: document})-[:HAS_CHUNK]->(c)"
"""The index of chunks by document needs their number too: by the document alone each would look at all chunks."""
CHUNK = "c {.id, .document, .ordinal, .start, .end, .text, .kind, .tokens, .value, .extras}"
_SPECIAL = re.compile(r'(["\\])')


def read_chunks(graph: Graph, ids: Sequence[str]) -> list[Chunk]:
    """In the order asked for; unknown ids are left out."""
    rows = graph.read(f"UNWIND $ids AS id MATCH (c:Chunk {{id: id}}) RETURN {CHUNK} AS chunk", ids=list(set(ids)))
    found = {row["chunk"]["id"]: chunk_of(row["chunk"]) for row in rows if is_whole(row["chunk"])}
    return [found[id] for id in ids if id in found]


def read_chunks_of(graph: Graph, source: str) -> list[Chunk]:
    """All chunks of a document, in order.

    The database shows what is committed at the moment, not one state: a document that is being replaced is read again.
    """
    query = f"""MATCH (d:Document {{source: $source}}) OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c)
      RETURN d.chunks AS whole, {CHUNK} AS chunk ORDER BY c.ordinal"""
    rows: list[Row] = []
    for pause in PAUSES:
        time.sleep(pause)
        rows = graph.read(query, source=source)
        whole = rows[0]["whole"] if rows else None
        rows = [row for row in rows if row["chunk"] is not None]
        if len(rows) == whole and all(is_whole(row["chunk"]) for row in rows):
            break
    return [chunk_of(row["chunk"]) for row in rows if is_whole(row["chunk"])]


def sources_of(graph: Graph, ids: Collection[str]) -> dict[str, str]:
    """Chunk -> source of its document."""
    query = "UNWIND $ids AS id MATCH (c:Chunk {id: id}) WHERE c.document IS NOT NULL RETURN id, c.document AS source"
    return graph.lookup(query, ids=list(set(ids)))


def neighbours(graph: Graph, ids: Sequence[str], distance: int) -> dict[str, tuple[str, ...]]:
    """Chunk -> the ids before and after it in its document, in order."""
    rows = graph.read(
        """UNWIND $ids AS id MATCH (c:Chunk {id: id})
        MATCH (n:Chunk {document: c.document})
        WHERE c.ordinal - $distance <= n.ordinal <= c.ordinal + $distance AND n <> c
        WITH id, n ORDER BY n.ordinal RETURN id, collect(n.id) AS near""",
        ids=list(dict.fromkeys(ids)),
        distance=distance,
    )
    found = {row["id"]: tuple(row["near"]) for row in rows}
    known = {row["id"] for row in graph.read("UNWIND $ids AS id MATCH (c:Chunk {id: id}) RETURN c.id AS id", ids=ids)}
    return {id: found.get(id, ()) for id in ids if id in known}


class Nearest(NamedTuple):
    """Hits among the chunks that have their vector, and the documents that wait for theirs: source and stamp."""

    hits: list[Hit]
    pending: list[tuple[str, int]]


def nearest(
    graph: Graph, vector: np.ndarray, k: int, documents: Collection[str] | None, within: int, stored: int
) -> Nearest:
    """By cosine: exact among up to ``EXACT_CHUNKS`` chunks, else from the index, which filters only afterwards.

    ``within`` counts the chunks of the documents, ``stored`` all.
    """
    values: dict[str, Any] = {"vector": vector.tolist(), "limit": k + _TIES, "documents": list(documents or ())}
    if within > EXACT_CHUNKS:
        source = f"CALL db.index.vector.queryNodes('{VECTOR_INDEX}', $wide, $vector) YIELD node AS c, score"
        source += "" if documents is None else " WHERE c.document IN $documents"
        source += " WITH c, score ORDER BY score DESC LIMIT $limit"
        values["wide"] = max(LEAST_FETCHED, OVER_FETCH * values["limit"]) * -(-stored // within)
    elif documents is None:
        source = "MATCH (c:Chunk) WHERE c.vector IS NOT NULL"
    else:
        source = f"{_WITHIN} WHERE c.vector IS NOT NULL"
    among = "" if documents is None else "WHERE d.source IN $documents"
    query = f"""CALL () {{
        {source} WITH c, c.id AS id, vector.similarity.cosine(c.vector, $vector) AS score
        ORDER BY score DESC, id LIMIT $limit RETURN collect([id, score, c.document]) AS found
      }}
      CALL () {{ MATCH (d:Document {{pending: true}}) {among} RETURN collect([d.source, d.stamp]) AS pending }}
      RETURN found, pending"""
    (row,) = graph.read(query, **values)
    # The database's cosine runs from 0 to 1; its index may still give a chunk that a writer is taking away, without id.
    hits = [Hit(id, 2.0 * score - 1.0, source or "") for id, score, source in row["found"] if id]
    return Nearest(hits, [(source, stamp) for source, stamp in row["pending"]])


def best_of(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The k best, each chunk once, ties by id."""
    found = {hit.id: hit for hit in hits}.values()
    return sorted(found, key=lambda hit: (-round(hit.score, 6), hit.id))[:k]


def read_vectors_of(graph: Graph, documents: Collection[str], dim: int) -> np.ndarray:
    """Float32 (chunks of the documents, dim), in order of source and ordinal; zero rows where there is none."""
    query = f"{_WITHIN} RETURN c.id AS id, c.vector AS vector ORDER BY document, c.ordinal"
    found = graph.lookup(query, documents=sorted(set(documents)))
    return matrix(list(found), found, dim)


def matrix(ids: Sequence[str], found: Mapping[str, Sequence[float] | None], dim: int) -> np.ndarray:
    """Float32 (len(ids), dim) of the vectors found."""
    import numpy as np

    result = np.zeros((len(ids), dim), np.float32)
    for i, id in enumerate(ids):
        vector = found.get(id)
        if vector is not None:
            result[i] = vector
    return result


def read_sentence_vectors(graph: Graph, ids: Sequence[str], dim: int) -> list[np.ndarray]:
    """For each chunk, float32 (sentences, dim)."""
    import numpy as np

    from ...storage.codec import unpack_sentences

    query = "UNWIND $ids AS id MATCH (c:Chunk {id: id}) WHERE c.sentences IS NOT NULL RETURN id, c.sentences AS data"
    found = graph.lookup(query, ids=list(set(ids)))
    nothing = np.zeros((0, dim), np.float32)
    return [unpack_sentences(found[id], dim) if id in found else nothing for id in ids]


def matching(
    graph: Graph, frequency: Mapping[str, int], k: int, documents: Collection[str] | None, within: int, stored: int
) -> list[Hit]:
    """By BM25 among the candidates of the full-text index; it cannot filter, so a scope is applied to all that match.

    ``within`` counts the chunks of the documents, ``stored`` all, ``frequency`` those that hold each word.
    """
    words = words_scored(frequency, within)
    if not words or k <= 0:
        return []
    limit = k + _TIES
    values: dict[str, Any] = {"words": _any_of(words), "limit": limit, "options": {}}
    condition = ""
    if documents is None:
        values["options"] = {"limit": limit}
    else:
        condition, values["documents"] = "WHERE c.document IN $documents", list(documents)
    query = f"""{UP_TO_DATE} CALL db.index.fulltext.queryNodes('chunk_words', $words, $options) YIELD node AS c, score
      WITH c, c.id AS id, score {condition} ORDER BY score DESC, id LIMIT $limit
      RETURN collect([id, c.document, c.words, c.heading_words]) AS found"""
    (row,) = graph.read(query, **values)
    found = [chunk for chunk in row["found"] if chunk[0]]
    texts = [" ".join(filter(None, (own, headings))) for _, _, own, headings in found]
    scores = Bm25.of(words, frequency, stored).scores(texts)
    hits = [Hit(id, score, source or "") for (id, source, _, _), score in zip(found, scores, strict=True)]
    return sorted(hits, key=lambda hit: (-round(hit.score, 9), hit.id))[:k]


def read_words(graph: Graph, documents: Collection[str]) -> list[ChunkWords]:
    """All chunks of the documents, in order of source and ordinal."""
    rows = graph.read(
        f"""{_WITHIN}
        RETURN c.id AS id, document, c.ordinal AS ordinal, c.words AS words, c.heading_words AS heading_words,
          c.start AS start, c.end AS end ORDER BY document, ordinal""",
        documents=sorted(set(documents)),
    )
    return [ChunkWords(**row) for row in rows]


def document_frequency(graph: Graph, words: Collection[str]) -> Mapping[str, int]:
    """In how many chunks each term stands."""
    return graph.lookup(
        f"""{UP_TO_DATE} UNWIND $words AS word
        CALL (word) {{
          CALL db.index.fulltext.queryNodes('chunk_words', word.query) YIELD node RETURN count(node) AS count
        }}
        RETURN word.word AS word, count""",
        words=[{"word": word, "query": _any_of([word])} for word in set(words)],
    )


def _any_of(words: Collection[str]) -> str:
    """A query of Lucene's for any of these terms, each in quotation marks."""
    return " OR ".join('"' + _SPECIAL.sub(r"\\\1", word) + '"' for word in sorted(set(words)))


def is_whole(row: dict[str, Any]) -> bool:
    """False for a node that was read while another process was taking it away."""
    return row["extras"] is not None and row["text"] is not None


def chunk_of(row: dict[str, Any]) -> Chunk:
    """A chunk from its node."""
    extras = read_extras(row.pop("extras"), row["text"])
    return Chunk(**row, **extras)


def index_vectors(graph: Graph, dim: int, *, anew: bool) -> bool:
    """Make the vector indexes that are missing; ``anew``: also those there are, where vectors have another length.

    The first are made before the first write, for a new index costs the server all plans that it has made; others only
    when the write has shown that their vectors are gone. False where those there are were left as they are.
    """
    query = "SHOW VECTOR INDEXES YIELD name, options RETURN name, options.indexConfig AS settings"
    lengths = {row["name"]: row["settings"]["vector.dimensions"] for row in graph.read(query)}
    are_others = any(lengths.get(name, dim) != dim for name in VECTOR_INDEXES)
    if are_others and not anew:
        return False
    for name in VECTOR_INDEXES:
        if lengths.get(name, dim) != dim:
            graph.run_alone(f"DROP INDEX {name} IF EXISTS")
    if are_others or lengths.keys() < VECTOR_INDEXES.keys():
        for index in vector_indexes(dim):
            graph.run_alone(index.cypher, **index.values)
    return True


def vector_indexes(dim: int) -> list[Change]:
    """Making the vector indexes that are missing."""
    return [
        Change(
            f"""CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.vector)
            OPTIONS {{indexConfig: {{`vector.dimensions`: $dim, `vector.similarity_function`: 'cosine',
              `vector.hnsw.ef_construction`: $wide}}}}""",
            {"dim": dim, "wide": INDEX_WIDTH},
        )
        for name, label in VECTOR_INDEXES.items()
    ]

"""Full text over search terms that were cut and stemmed before."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter

from ...storage.codec import dumps
from ...storage.term_counts import ChunkWords, DocumentTerms, pack_terms, unpack_terms, words_scored
from ...store import Bundle, Hit
from .connection import Database
from .documents import Catalogue, Place, hits_of

_AMONG = "(SELECT value FROM json_each(?))"
_TIES = 64
_Pair = tuple[str, str]


def pack_words(bundle: Bundle) -> bytes:
    """The terms of all chunks in one compressed text; line breaks separate chunks, tabs their headings."""
    lines = (f"{_one_line(w)}\t{_one_line(h)}" for w, h in zip(bundle.words, bundle.heading_words, strict=True))
    return zlib.compress("\n".join(lines).encode("utf-8", "surrogatepass"))


def unpack_words(data: bytes) -> list[_Pair]:
    """(words, heading words) of each chunk."""
    text = zlib.decompress(data).decode("utf-8", "surrogatepass")
    lines = text.split("\n") if text else []
    return [(words, headings) for words, _, headings in (line.partition("\t") for line in lines)]


def count_words(data: bytes) -> bytes:
    """The counted terms of :func:`pack_words`, as a document stored today has them."""
    pairs = unpack_words(data)
    return pack_terms([words for words, _ in pairs], [headings for _, headings in pairs])


def index_words(db: Database, first: int, pairs: Sequence[_Pair]) -> None:
    """Index the chunks from internal id ``first`` on."""
    rows = ((first + i, *pair) for i, pair in enumerate(pairs))
    db.run_many("INSERT INTO word (rowid, words, heading_words) VALUES (?, ?, ?)", rows)
    query = """INSERT INTO word_count (term, doc) VALUES (?, ?)
      ON CONFLICT (term) DO UPDATE SET doc = doc + excluded.doc"""
    db.run_many(query, sorted(_chunks_with_each(pairs).items()))


def forget_words(db: Database, place: Place) -> None:
    """Take a document's chunks out of the index, which has to be told what stood there."""
    pairs = _words_of(db, place)
    rows = ((place.first + i, *pair) for i, pair in enumerate(pairs))
    db.run_many("INSERT INTO word (word, rowid, words, heading_words) VALUES ('delete', ?, ?, ?)", rows)
    counted = _chunks_with_each(pairs)
    db.run_many("UPDATE word_count SET doc = doc - ? WHERE term = ?", ((n, term) for term, n in counted.items()))
    db.run_many("DELETE FROM word_count WHERE term = ? AND doc <= 0", ((term,) for term in counted))


def _chunks_with_each(pairs: Iterable[_Pair]) -> Counter[str]:
    """Term -> in how many of the chunks it stands, in their words or their headings."""
    return Counter(chain.from_iterable({*words.split(), *headings.split()} for words, headings in pairs))


def read_words(db: Database, source: str, place: Place) -> list[ChunkWords]:
    """The terms of a document's chunks, in order."""
    chunks = db.rows('SELECT key, start, "end" FROM chunk WHERE document = ? ORDER BY id', (place.id,))
    return [
        ChunkWords(key, source, i, words, headings, start, end)
        for i, ((key, start, end), (words, headings)) in enumerate(zip(chunks, _words_of(db, place), strict=True))
    ]


def read_terms(db: Database, sources: Sequence[str], places: Sequence[Place]) -> list[DocumentTerms]:
    """The counted terms of documents, in the order given."""
    import numpy as np

    among = dumps([place.id for place in places])
    query = f"SELECT document, data FROM part_of_document WHERE name = 'terms' AND document IN {_AMONG}"
    counted = dict(db.rows(query, (among,)))
    query = f'SELECT document, key, start, "end", value FROM chunk WHERE document IN {_AMONG} ORDER BY document, id'
    chunks = {document: list(rows) for document, rows in groupby(db.rows(query, (among,)), key=itemgetter(0))}
    found = []
    for source, place in zip(sources, places, strict=True):
        own = chunks.get(place.id)
        _, ids, starts, ends, values = zip(*own, strict=True) if own else ((), (), (), (), ())
        data = counted.get(place.id) or count_words(_packed(db, place))
        spans = np.array((starts, ends), np.int64).T
        found.append(DocumentTerms(source, ids, spans, *unpack_terms(data), np.array(values, np.float32)))
    return found


def document_frequency(db: Database, words: Collection[str]) -> dict[str, int]:
    """In how many chunks each term stands; 0 for unknown ones."""
    rows = db.rows(f"SELECT term, doc FROM word_count WHERE term IN {_AMONG}", (dumps(list(words)),))
    return {**dict.fromkeys(words, 0), **dict(rows)}


def matching(
    db: Database, catalogue: Catalogue, frequency: Mapping[str, int], k: int, places: Collection[Place] | None
) -> list[Hit]:
    """The best ``k`` chunks of these documents by BM25. ``frequency`` tells how many chunks hold each term."""
    chunks = catalogue.chunks if places is None else sum(place.chunks for place in places)
    scored = words_scored(frequency, chunks)
    if not scored or not chunks or k <= 0:
        return []
    condition, values = "", list[str]()
    if places is not None:
        condition = f"AND +rowid IN (SELECT id FROM chunk WHERE document IN {_AMONG})"
        values.append(dumps([place.id for place in places]))
    query = f"SELECT rowid, bm25(word) AS score FROM word WHERE word MATCH ? {condition} ORDER BY score LIMIT ?"
    rows = db.rows(query, (any_of(scored), *values, k + _TIES))
    hits = hits_of(db, catalogue, {row: -score for row, score in rows})
    return sorted(hits, key=lambda hit: (-round(hit.score, 9), hit.id))[:k]


def any_of(words: Iterable[str]) -> str:
    """A full-text query for any of these terms."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


def _words_of(db: Database, place: Place) -> list[_Pair]:
    return unpack_words(_packed(db, place))


def _packed(db: Database, place: Place) -> bytes:
    data: bytes = db.value("SELECT data FROM part_of_document WHERE document = ? AND name = 'words'", (place.id,))
    return data


def _one_line(words: str) -> str:
    return " ".join(words.split())

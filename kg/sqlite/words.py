"""Full text over search terms that were cut and stemmed before."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping

from ..codec import dumps
from ..store import Bundle, ChunkWords, Hit
from .catalogue import Place
from .chunks import chunk_keys
from .connection import Database

SCORED_ROWS = 12_000
"""Chunks that a question may have scored, a microsecond each: in a larger scope its most common words are left out."""

_TIES = 64
_Pair = tuple[str, str]


def pack_words(bundle: Bundle) -> bytes:
    """The terms of all chunks in one compressed text; line breaks separate chunks, tabs their headings."""
    lines = (f"{_one_line(w)}\t{_one_line(h)}" for w, h in zip(bundle.words, bundle.heading_words, strict=True))
    return zlib.compress("\n".join(lines).encode("utf-8", "surrogatepass"))


def unpack_words(data: bytes) -> list[_Pair]:
    """(words, heading words) of each chunk."""
    text = zlib.decompress(data).decode("utf-8", "surrogatepass")
    return [(words, headings) for words, _, headings in (line.partition("\t") for line in text.split("\n"))]


def index_words(db: Database, first: int, pairs: Iterable[_Pair]) -> None:
    """Index the chunks from internal id ``first`` on."""
    rows = ((first + i, *pair) for i, pair in enumerate(pairs))
    db.run_many("INSERT INTO word (rowid, words, heading_words) VALUES (?, ?, ?)", rows)


def forget_words(db: Database, place: Place) -> None:
    """Take a document's chunks out of the index, which has to be told what stood there."""
    rows = ((place.first + i, *pair) for i, pair in enumerate(_words_of(db, place)))
    db.run_many("INSERT INTO word (word, rowid, words, heading_words) VALUES ('delete', ?, ?, ?)", rows)


def read_words(db: Database, source: str, place: Place) -> list[ChunkWords]:
    """The terms of a document's chunks, in order."""
    chunks = db.rows('SELECT key, start, "end" FROM chunk WHERE document = ? ORDER BY id', (place.id,))
    return [
        ChunkWords(key, source, i, words, headings, start, end)
        for i, ((key, start, end), (words, headings)) in enumerate(zip(chunks, _words_of(db, place), strict=True))
    ]


def document_frequency(db: Database, words: Collection[str]) -> dict[str, int]:
    """In how many chunks each term stands; 0 for unknown ones."""
    rows = db.rows("SELECT term, doc FROM word_count WHERE term IN (SELECT value FROM json_each(?))",
                   (dumps(list(words)),))  # fmt: skip
    return {**dict.fromkeys(words, 0), **dict(rows)}


def matching(
    db: Database, frequency: Mapping[str, int], k: int, places: Collection[Place], everywhere: bool
) -> list[Hit]:
    """The best ``k`` chunks of these documents by BM25. ``frequency`` tells how many chunks hold each term."""
    few = sum(place.chunks for place in places) <= SCORED_ROWS
    scored = [word for word in frequency if frequency[word]] if few else rarest(frequency, SCORED_ROWS)
    if not scored or not places or k <= 0:
        return []
    condition, values = "", list[str]()
    if not everywhere:
        condition = "AND +rowid IN (SELECT id FROM chunk WHERE document IN (SELECT value FROM json_each(?)))"
        values.append(dumps([place.id for place in places]))
    query = f"SELECT rowid, bm25(word) AS score FROM word WHERE word MATCH ? {condition} ORDER BY score LIMIT ?"
    rows = db.rows(query, (any_of(scored), *values, k + _TIES))
    keys = chunk_keys(db, [row for row, _ in rows])
    hits = [Hit(keys[row], -score) for row, score in rows]
    return sorted(hits, key=lambda hit: (-round(hit.score, 9), hit.id))[:k]


def rarest(frequency: Mapping[str, int], rows: int) -> list[str]:
    """Known terms from the rarest on, one at least, so long as they stand in no more than ``rows`` rows together."""
    chosen: list[str] = []
    for word in sorted(frequency, key=lambda word: (frequency[word], word)):
        rows -= frequency[word]
        if chosen and rows < 0:
            break
        if frequency[word]:
            chosen.append(word)
    return chosen


def any_of(words: Iterable[str]) -> str:
    """A full-text query for any of these terms."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


def _words_of(db: Database, place: Place) -> list[_Pair]:
    data = db.value("SELECT data FROM part_of_document WHERE document = ? AND name = 'words'", (place.id,))
    return unpack_words(data)[: place.chunks]


def _one_line(words: str) -> str:
    return " ".join(words.split())

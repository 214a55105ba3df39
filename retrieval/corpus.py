"""What searches share: documents, term counts and vectors of scopes, as long as the store is unchanged."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TypeAlias
from weakref import WeakKeyDictionary, ref

import numpy as np

from ..core.errors import UsageError
from ..core.scope import Scope
from ..core.words import search_words
from ..kg.as_of import view_of
from ..kg.store import ChunkWords, DocumentRecord, Store
from .bm25 import Lexicon, TermCounts, Vocabulary
from .catalogue import Catalogue
from .dense import Neighbours
from .homes import Homes
from .places import Places

_KEPT_DAYS = 8
"""Days whose view of the store is kept."""
_KEPT_CHUNKS = 60_000
"""Chunks whose term counts, and again whose scopes, are kept in memory: about 100 MB each."""


@dataclass(frozen=True, slots=True)
class ScopeIndex:
    """The chunks of some documents in order of source and ordinal, ready to be scored. One array entry a chunk."""

    sources: tuple[str, ...]
    ids: tuple[str, ...]
    document: np.ndarray
    """Index into ``sources``, int32."""
    words: Lexicon
    """Terms of the chunk itself."""
    page_words: Lexicon
    """Terms of the chunk and, for a share, of those beside it on the page."""
    headings: Lexicon
    about: Lexicon
    """Terms of what is known of each document: company, ticker, kind and period. One row a source."""
    vectors: np.ndarray | None
    """Float32 (chunks, dim), unit rows; None where the store has none."""
    neighbours: Neighbours | None
    """Vectors beside each other under the same headings; None in one document, where smoothing hurts."""
    places: Places

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class _Counted:
    """One document's part of an index."""

    rows: tuple[ChunkWords, ...]
    body: TermCounts
    headings: TermCounts


class Corpus:
    """A store seen through caches that a write of any process makes stale. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store_of = ref(store)  # the store's own life decides: it is the key that this corpus is kept under
        self._lock = threading.RLock()
        self._version = -1
        self._vocabulary = Vocabulary()
        self._counted: OrderedDict[tuple[str, ...], _Counted] = OrderedDict()
        self._scopes: OrderedDict[tuple[str, ...], ScopeIndex] = OrderedDict()
        self._days: OrderedDict[date, CorpusAsOf] = OrderedDict()
        self.catalogue = Catalogue.of(())
        self.homes = Homes.of(())

    def refresh(self) -> Corpus:
        """Take notice of writes; cheap when there were none."""
        with self._lock:
            version = self._store.version()
            if version != self._version:
                self.catalogue = Catalogue.of(self._store.documents())
                self.homes = Homes.of(self.catalogue.records)
                self._scopes.clear()
                self._days.clear()
                self._version = version
        return self

    def as_of(self, day: date) -> CorpusAsOf:
        """What was public by a day, remembered until the next write."""
        with self._lock:
            found = self._days.get(day)
            if found is None:
                records = self._store.documents(Scope(as_of=day))
                found = self._days[day] = CorpusAsOf(self, Catalogue.of(records), Homes.of(records))
            self._days.move_to_end(day)
            if len(self._days) > _KEPT_DAYS:
                self._days.popitem(last=False)
        return found

    @property
    def _store(self) -> Store:
        store = self._store_of()
        if store is None:
            raise UsageError("the store was closed", hint="Open the workspace again")
        return store

    def index(self, sources: Sequence[str]) -> ScopeIndex:
        """The index of some documents, built when first asked for."""
        key = tuple(sorted(set(sources)))
        with self._lock:
            found = self._scopes.get(key)
            if found is None:
                found = self._scopes[key] = self._build(key)
                _trim(self._scopes)
            self._scopes.move_to_end(key)
        return found

    def _build(self, sources: tuple[str, ...]) -> ScopeIndex:
        parts = self._parts(sources)
        rows = [row for part in parts for row in part.rows]
        ids = tuple(row.id for row in rows)
        number = {source: i for i, source in enumerate(sources)}
        document = np.array([number[row.document] for row in rows], np.int32)
        places = Places.of(rows, document, self._store.pages(sources))
        body = TermCounts.joined([part.body for part in parts])
        has_vectors = bool(rows) and bool(self._store.embedder())
        vectors = self._store.vectors(ids) if has_vectors else None
        neighbours = Neighbours.of(vectors, _follows(rows)) if vectors is not None and len(sources) > 1 else None
        return ScopeIndex(
            sources,
            ids,
            document,
            Lexicon(body, self._vocabulary),
            Lexicon(body, self._vocabulary, places.of_chunk),
            Lexicon(TermCounts.joined([part.headings for part in parts]), self._vocabulary),
            self._about(sources),
            vectors,
            neighbours,
            places,
        )

    def _about(self, sources: tuple[str, ...]) -> Lexicon:
        known = (self.catalogue.by_source.get(source) for source in sources)
        texts = (" ".join(search_words(_known_of(record))) if record else "" for record in known)
        return Lexicon(TermCounts.of(texts, self._vocabulary), self._vocabulary)

    def _parts(self, sources: tuple[str, ...]) -> list[_Counted]:
        known = self.catalogue.by_source
        keys = [self._key(known[source]) for source in sources if source in known]
        missing = [key[0] for key in keys if key not in self._counted]
        by_document: dict[str, list[ChunkWords]] = {source: [] for source in missing}
        for row in self._store.chunk_words(missing) if missing else ():
            by_document[row.document].append(row)
        parts = []
        for key in keys:
            part = self._counted.get(key)
            parts.append(part if part is not None else self._count(key, by_document[key[0]]))
        _trim(self._counted, keep=len(keys))
        return parts

    def _count(self, key: tuple[str, ...], rows: list[ChunkWords]) -> _Counted:
        part = _Counted(
            tuple(ChunkWords(r.id, r.document, r.ordinal, "", r.heading_words, r.start, r.end) for r in rows),
            TermCounts.of((row.words for row in rows), self._vocabulary),
            TermCounts.of((row.heading_words for row in rows), self._vocabulary),
        )
        self._counted[key] = part
        return part

    @staticmethod
    def _key(record: DocumentRecord) -> tuple[str, ...]:
        """What changes with a document's chunks."""
        return (record.source, record.content_hash, str(record.ingested), str(record.chunks))


@dataclass(frozen=True, slots=True)
class CorpusAsOf:
    """A corpus narrowed to the documents that were public by a day: what was counted of them is shared."""

    _whole: Corpus
    catalogue: Catalogue
    homes: Homes

    def index(self, sources: Sequence[str]) -> ScopeIndex:
        """The index of some of these documents."""
        return self._whole.index([source for source in sources if source in self.catalogue.by_source])


SeenCorpus: TypeAlias = Corpus | CorpusAsOf
"""What a search sees of a store."""


def corpus_of(store: Store) -> SeenCorpus:
    """The corpus of a store, refreshed; of a store as it looked on a day, what was public by then."""
    whole, day = view_of(store)
    with _LOCK:
        corpus = _CORPORA.get(whole)
        if corpus is None:
            corpus = _CORPORA[whole] = Corpus(whole)
    corpus.refresh()
    return corpus if day is None else corpus.as_of(day)


_LOCK = threading.Lock()
_CORPORA: WeakKeyDictionary[Store, Corpus] = WeakKeyDictionary()


def _known_of(record: DocumentRecord) -> str:
    period = record.period.label if record.period else ""
    return " ".join((*record.companies, *record.tickers, record.kind, period))


def _follows(rows: Sequence[ChunkWords]) -> np.ndarray:
    same = [a.document == b.document and a.heading_words == b.heading_words for a, b in pairwise(rows)]
    return np.array([False, *same][: len(rows)], bool)


def _trim(
    kept: OrderedDict[tuple[str, ...], ScopeIndex] | OrderedDict[tuple[str, ...], _Counted], keep: int = 1
) -> None:
    """Drop what was used longest ago beyond the limit, but never the newest ``keep``."""
    chunks = sum(len(part) if isinstance(part, ScopeIndex) else len(part.rows) for part in kept.values())
    while chunks > _KEPT_CHUNKS and len(kept) > keep:
        _, oldest = kept.popitem(last=False)
        chunks -= len(oldest) if isinstance(oldest, ScopeIndex) else len(oldest.rows)

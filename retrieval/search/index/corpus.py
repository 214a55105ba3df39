"""What searches share: documents, term counts and vectors of scopes, as long as the store is unchanged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary, ref

import numpy as np

from ....core.errors import UsageError
from ....core.period import label_of
from ....core.recent import Recent
from ....core.records import dataclass
from ....core.scope import Scope
from ....core.sequences import among
from ....core.words import search_words
from ....ingest.chunk import SectionSummaries
from ....kg.as_of import view_of
from ....kg.graph import Communities
from ....kg.storage.term_counts import DocumentTerms, TermCounts
from ....kg.store import DocumentRecord, Store
from ....models.embedders import SPACES, Space
from ...question.scope.catalogue import CALL, Catalogue
from .bm25 import Lexicon, Postings
from .ranking_units import Exchanges, Places, exchanges_of
from .secondary import StatementIndex, SummarisedChunks, SummaryTree, ThemeIndex, WrittenSummary
from .spaces import SpaceIndex
from .titles import Homes

if TYPE_CHECKING:
    from ....ingest.facts.metrics import MetricList

_MOST_COUNTED, _CHUNK = 136 << 20, 1_700
"""Bytes of term counts, and again of scopes, that are kept, and those of a chunk: the largest scope that is scored in
full fits."""
_MOST_TURNS, _TURN = 8 << 20, 17
"""Bytes of what the chunks of calls belong to that are kept, and of one: all chunks of a call are read for it, which
was 210 of the 260 ms of the first question after a write to a workspace of a hundred calls."""
_MOST_STATEMENTS, _STATEMENT = 128 << 20, 2_000
"""Bytes of the statements of scopes that are kept, and of one."""
_MOST_ROWS, _ROW = 96 << 20, 6_000
"""Bytes of rows of figures that are kept, and of one with its facts: an annual report has about a thousand."""
_MOST_DAYS, _RECORD = 32 << 20, 1_000
"""Bytes of the views of days that are kept, and of what a document has in one."""


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
    about: Callable[[], Lexicon]
    """Terms of what is known of each document: company, ticker, kind and period. One row a source; made when asked."""
    space: SpaceIndex | None
    """Vectors of the workspace's embedder; None where the store has none."""
    beside: SpaceIndex | None
    """Those of the multilingual encoder beside it."""
    places: Places
    values: np.ndarray
    """Content value of each chunk, float32 (chunks,)."""
    summaries: Callable[[], SummaryTree | None]
    """Of sections, groups of them and documents; None without vectors. Made when asked."""

    @property
    def vectors(self) -> np.ndarray | None:
        """Float32 (chunks, dim), unit rows, of the workspace's embedder."""
        return None if self.space is None else self.space.vectors

    def __len__(self) -> int:
        return len(self.ids)


class Counted(Protocol):
    """What is kept by how much it holds: rows of figures."""

    def __len__(self) -> int: ...


Kept = TypeVar("Kept", bound=Counted)


def _size_of_terms(item: ScopeIndex | DocumentTerms) -> int:
    return _CHUNK * len(item.ids)


class Corpus:
    """A store seen through caches that a write of any process makes stale. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store_of = ref(store)  # the store's own life decides: it is the key that this corpus is kept under
        self._lock = threading.RLock()
        self._version = -1
        self._counted: Recent[tuple[str, ...], DocumentTerms] = Recent(_MOST_COUNTED, _size_of_terms)
        self._scopes: Recent[tuple[str, ...], ScopeIndex] = Recent(_MOST_COUNTED, _size_of_terms)
        self._turns: Recent[tuple[str, ...], Exchanges] = Recent(_MOST_TURNS, lambda found: _TURN * len(found.turns))
        self._statements: Recent[tuple[str, ...], StatementIndex] = Recent(
            _MOST_STATEMENTS, lambda index: _STATEMENT * len(index.statements)
        )
        self._rows: Recent[Hashable, Any] = Recent(_MOST_ROWS, lambda rows: _ROW * len(rows))
        self._themes: ThemeIndex | None = None
        self._days: Recent[date, CorpusAsOf] = Recent(_MOST_DAYS, lambda seen: _RECORD * len(seen.catalogue.records))
        self.catalogue = Catalogue.of(())
        self.homes = Homes.of(())

    def refresh(self) -> Corpus:
        """Take notice of writes; cheap when there were none."""
        with self._lock:
            version = self._store.version()
            if version != self._version:
                self.catalogue = Catalogue.of(self._store.documents())
                self.homes = Homes.of(self.catalogue.records)
                kept: tuple[Recent[Any, Any], ...] = (self._scopes, self._statements, self._rows, self._days)
                for items in kept:
                    items.clear()
                self._version = version
        return self

    def as_of(self, day: date) -> CorpusAsOf:
        """What was public by a day, remembered until the next write."""
        with self._lock:
            return self._days.made(day, partial(self._seen_on, day))

    def _seen_on(self, day: date) -> CorpusAsOf:
        records = self._store.documents(Scope(as_of=day))
        return CorpusAsOf(self, Catalogue.of(records), Homes.of(records))

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
            return self._scopes.made(key, partial(self._build, key))

    def statements(self, sources: Sequence[str]) -> StatementIndex:
        """The index of the statements of some documents, built when first asked for."""
        key = tuple(sorted(set(sources)))
        with self._lock:
            return self._statements.made(key, partial(StatementIndex.of, self._store, key))

    def rows(self, sources: Sequence[str], metrics: MetricList, make: Callable[[], Kept]) -> Kept:
        """The rows of figures of some documents as these metrics name them, made when first asked for: every question
        on a company looks through all of them."""
        with self._lock:
            found: Kept = self._rows.made((frozenset(sources), metrics), make)
            return found

    def themes(self, found: Communities) -> ThemeIndex:
        """The index of what the reports of communities say, built when first asked for."""
        with self._lock:
            if self._themes is None or self._themes.version != found.version:
                self._themes = ThemeIndex.of(self._store, found)
            return self._themes

    def _build(self, sources: tuple[str, ...]) -> ScopeIndex:
        parts = self._parts(sources)
        number = {source: i for i, source in enumerate(sources)}
        document = np.repeat(np.array([number[p.source] for p in parts], np.int32), [len(p.ids) for p in parts])
        ids = tuple(chain.from_iterable(part.ids for part in parts))
        places = Places.of(parts, document, self._store.pages(sources), self._exchanges(sources))
        words, headings = (Postings([part.words for part in parts]), Postings([part.headings for part in parts]))
        values = np.concatenate([np.empty(0, np.float32), *(part.values for part in parts)])
        own, beside = (self._vectors(sources, ids, space) for space in SPACES)
        follows = _follows(document, headings)
        of_words = Lexicon(words)
        stands_alone = int(places.windows.max(initial=-1)) + 1 == len(ids)  # each chunk is a window by itself
        smoothed = follows if len(sources) > 1 else None
        return ScopeIndex(
            sources,
            ids,
            document,
            of_words,
            of_words if stands_alone else Lexicon(words, places.windows, places.whole),
            Lexicon(headings),
            cache(partial(_about, self.catalogue, sources)),
            None if own is None else SpaceIndex.of(own, smoothed),
            None if beside is None else SpaceIndex.of(beside, smoothed),
            places,
            values,
            cache(partial(self._summaries, sources, SummarisedChunks.of(document, follows, own, values), parts, words)),
        )

    def _summaries(
        self,
        sources: Sequence[str],
        chunks: SummarisedChunks | None,
        parts: Sequence[DocumentTerms],
        words: Postings,
    ) -> SummaryTree | None:
        if chunks is None:
            return None
        written = _written_rows(sources, self._store.section_summaries(sources), chunks.document)
        if written:
            texts = [" ".join(search_words(one.text)) for one in written]
            words = Postings([*(part.words for part in parts), TermCounts.of(texts)])
        return SummaryTree.of(chunks, words, written)

    def _exchanges(self, sources: tuple[str, ...]) -> dict[str, Exchanges]:
        """Source -> what each chunk of a call belongs to; none for a call in whose text no question is told apart, and
        for one with pages, where these count."""
        known = among(sources, self.catalogue.by_source)
        calls = [record for record in map(self.catalogue.by_source.__getitem__, known) if _is_spoken(record)]
        found = {call.source: self._turns.made(self._key(call), partial(self._read_turns, call)) for call in calls}
        return {source: exchanges for source, exchanges in found.items() if exchanges.asks.any()}

    def _read_turns(self, call: DocumentRecord) -> Exchanges:
        return exchanges_of(self._store.chunks_of(call.source))

    def _vectors(self, sources: tuple[str, ...], ids: tuple[str, ...], space: Space) -> np.ndarray | None:
        if not ids or not self._store.embedder(space):
            return None
        vectors = self._store.vectors_of(sources, space)
        # Another process may have replaced one of the documents since its terms were read.
        return vectors if len(vectors) == len(ids) else self._store.vectors(ids, space)

    def _parts(self, sources: tuple[str, ...]) -> list[DocumentTerms]:
        known = self.catalogue.by_source
        keys = {source: self._key(known[source]) for source in sources if source in known}
        found = self._counted.read(keys.values(), self._read_terms)
        return [found[key] for key in keys.values() if key in found]

    def _read_terms(self, keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], DocumentTerms]:
        by_source = {key[0]: key for key in keys}
        return {by_source[part.source]: part for part in self._store.chunk_terms(list(by_source))}

    @staticmethod
    def _key(record: DocumentRecord) -> tuple[str, ...]:
        """What changes with a document's chunks; its source comes first."""
        return (record.source, record.content_hash, str(record.ingested), str(record.chunks))


@dataclass(frozen=True, slots=True)
class CorpusAsOf:
    """A corpus narrowed to the documents that were public by a day: what was counted of them is shared."""

    _whole: Corpus
    catalogue: Catalogue
    homes: Homes

    def index(self, sources: Sequence[str]) -> ScopeIndex:
        """The index of some of these documents."""
        return self._whole.index(self._public(sources))

    def statements(self, sources: Sequence[str]) -> StatementIndex:
        """The index of the statements of some of these documents."""
        return self._whole.statements(self._public(sources))

    def rows(self, sources: Sequence[str], metrics: MetricList, make: Callable[[], Kept]) -> Kept:
        """The rows of figures of some of these documents."""
        return self._whole.rows(self._public(sources), metrics, make)

    def themes(self, found: Communities) -> ThemeIndex:
        """The index of what the reports of communities say, of all documents: who asks leaves out what is not public
        yet."""
        return self._whole.themes(found)

    def _public(self, sources: Sequence[str]) -> list[str]:
        return among(sources, self.catalogue.by_source)


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


def _written_rows(
    sources: Sequence[str], found: Mapping[str, SectionSummaries], document: np.ndarray
) -> list[WrittenSummary]:
    """What a model wrote of sections, at the rows of their chunks; what was written of other chunks is left out."""
    written: list[WrittenSummary] = []
    for number, source in enumerate(sources):
        if source not in found:
            continue
        start, end = np.searchsorted(document, (number, number + 1)).tolist()
        summaries = found[source]
        for row, vector in zip(summaries.rows, summaries.vectors, strict=True):
            if start + row.last < end:
                written.append(WrittenSummary(start + row.first, start + row.last, row.text, vector))
    return written


def _is_spoken(record: DocumentRecord) -> bool:
    """True for a call that was not printed on pages."""
    return record.kind == CALL and not record.pages


def _about(catalogue: Catalogue, sources: tuple[str, ...]) -> Lexicon:
    texts: list[str] = []
    for source in sources:
        record = catalogue.by_source.get(source)
        texts.append(" ".join(search_words(_known_of(record))) if record else "")
    return Lexicon(Postings([TermCounts.of(texts)]))


def _known_of(record: DocumentRecord) -> str:
    period = label_of(record.period)
    return " ".join((*record.companies, *record.tickers, record.kind, period))


def _follows(document: np.ndarray, headings: Postings) -> np.ndarray:
    """Whether each chunk stands behind the one before it, under the same headings."""
    same = (document[1:] == document[:-1]) & headings.alike()
    return np.concatenate([np.zeros(min(1, len(document)), bool), same])

"""What questions read again and again, kept in memory until the next write of any process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from ....core.sequences import without
from ....ingest.document import Document, Page
from .chunks import document_frequency
from .connection import Graph, Row
from .documents import document_of, read_documents, read_pages_of

_COUNTS = """MATCH (d:Document)
WITH count(d) AS documents, sum(d.chunks) AS chunks, sum(d.sentences) AS sentences, sum(d.tables) AS tables,
  sum(d.facts) AS facts, sum(d.tokens) AS tokens, sum(d.bytes) AS bytes
CALL () { MATCH (e:Entity) RETURN count(DISTINCT e.cluster) AS entities }
CALL () { MATCH (s:Statement) RETURN count(s) AS statements }
CALL () { MATCH (g:Merge) WHERE NOT g.undone RETURN count(g) AS merges }
RETURN documents, chunks, sentences, tables, facts, tokens, entities, statements, merges, bytes"""

_DOCUMENTS = 16
"""Whole documents kept: a report has about a megabyte."""
_WORDS = 100_000


class Kept:
    """One version of a store, as far as it has been read. A newer version is a new object."""

    def __init__(self, graph: Graph, version: int) -> None:
        self.version = version
        self._graph = graph
        self._pages: dict[str, Sequence[Page]] = {}
        self._documents: OrderedDict[str, _Folded | None] = OrderedDict()
        self._frequency: dict[str, int] = {}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """As in the store."""
        return read_counts(self._graph)

    def pages(self, sources: Collection[str]) -> Mapping[str, Sequence[Page]]:
        """As in the store."""
        missing = without(sources, self._pages)
        if missing:
            self._pages |= read_pages_of(self._graph, missing)
        return {source: self._pages[source] for source in sources if source in self._pages}

    def keep_pages(self, pages: Mapping[str, Sequence[Page]]) -> None:
        """What came along with something else."""
        self._pages |= pages

    def document(self, source: str, likely: Sequence[str] = ()) -> Document | None:
        """As in the store; ``likely`` are documents that will be asked for next, and are read with it."""
        if source not in self._documents:
            wanted = dict.fromkeys((source, *without(likely, self._documents)))
            wanted = dict.fromkeys(list(wanted)[: _DOCUMENTS // 2])
            rows = read_documents(self._graph, list(wanted))
            self._documents |= {one: _Folded(rows[one]) if one in rows else None for one in wanted}
        self._documents.move_to_end(source)
        folded = self._documents[source]
        while len(self._documents) > _DOCUMENTS:
            self._documents.popitem(last=False)
        return folded.document if folded else None

    def document_frequency(self, words: Collection[str], likely: Collection[str] = ()) -> Mapping[str, int]:
        """As in the store; ``likely`` are words that will be asked for next."""
        if missing := set(words) - self._frequency.keys():
            if len(self._frequency) > _WORDS:
                self._frequency = {}
                missing = set(words)
            self._frequency |= document_frequency(self._graph, missing | (set(likely) - self._frequency.keys()))
        return {word: self._frequency[word] for word in set(words)}


def read_counts(graph: Graph) -> Mapping[str, int]:
    """How much of everything there is."""
    return graph.read(_COUNTS)[0]


class _Folded:
    """A document as it was read, unpacked when it is first needed."""

    def __init__(self, row: Row) -> None:
        self._row = row

    @cached_property
    def document(self) -> Document:
        return document_of(self._row)

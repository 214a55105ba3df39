"""A store of a few texts in memory, and a search over it: enough to test answers without an engine."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from datetime import datetime

from cliquerag.core.words import question_words, search_words
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Document, Line, Metadata, Table
from cliquerag.ingest.sentences import split_text
from cliquerag.kg.graph import Subgraph
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.search.evidence import Evidence

KINDS = {"text": "chunk", "table": "table"}


class Shelf:
    """Each source is one text; a line a page and a box, a paragraph a chunk."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.known_facts = []
        self.kept = {chunk.id: chunk for source, text in texts.items() for chunk in _chunks(source, text)}

    def reading(self, keys=()):
        return nullcontext()

    def version(self):
        return 1

    def documents(self, scope=None):
        return [record(source) for source in self.texts]

    def subgraph(self, seeds, limit, within=None):
        return Subgraph()

    def text(self, source):
        return self.texts[source]

    def document(self, source):
        text = self.texts.get(source)
        if text is None:
            return None
        lines, at = [], 0
        for number, line in enumerate(text.splitlines(keepends=True), 1):
            lines.append(Line(at, at + len(line), number, (0.0, 0.0, float(len(line)), 10.0)))
            at += len(line)
        return Document(source, text, (), Metadata(), lines=tuple(lines))

    def chunks(self, ids):
        return [self.kept[name] for name in ids if name in self.kept]

    def neighbours(self, ids, distance=1):
        return {}

    def counts(self):
        return {"chunks": len(self.kept)}

    def document_frequency(self, words):
        held = Counter(word for chunk in self.kept.values() for word in set(search_words(chunk.text)))
        return {word: held[word] for word in words}

    def known_words(self, words):
        return [word for word, count in self.document_frequency(words).items() if count]

    def matching(self, words, k, documents=None):
        return []

    def mentions(self, chunks=(), entities=(), limit=0, documents=None):
        return []

    def entities(self, ids):
        return []

    def statements(self, chunks=()):
        return []

    def tables(self, source):
        at = self.texts[source].find("| |")
        return [Table((), unit="(in millions)", start=at, end=at + 1000)] if at >= 0 else []

    def drivers(self, query):
        return []

    def facts(self, query):
        return [fact for fact in self.known_facts if fact.source in query.sources]

    def find_entities(self, keys):
        return []

    def similar_entities(self, name, k):
        return []

    def sentence_vectors(self, ids):
        raise AssertionError("there is no embedder")


def shelf_search(plan, embedder, *, mode="hybrid", k=10, trace=None, reranker=None):
    """Chunks that share words with the question, most shared first."""
    wanted = set(question_words(plan.text))
    found = [
        Evidence(
            KINDS[chunk.kind], chunk.text, float(shared), chunk.document, chunk.id, start=chunk.start, end=chunk.end
        )
        for chunk in plan.store.kept.values()
        if (shared := len(wanted & set(search_words(chunk.text))))
    ]
    if trace is not None:
        trace.note("mode", mode)
    return sorted(found, key=lambda item: -item.score)[:k]


def _chunks(source: str, text: str) -> list[Chunk]:
    chunks, at = [], 0
    for ordinal, paragraph in enumerate(text.split("\n\n")):
        start = text.index(paragraph, at)
        at = start + len(paragraph)
        table = paragraph.startswith("|")
        spans = _rows(paragraph) if table else [(s.start, s.end) for s in split_text(paragraph, shortest=0)]
        offsets = tuple((start + first, start + last) for first, last in spans)
        kind = "table" if table else "text"
        chunks.append(Chunk(f"{source}-{ordinal}", source, ordinal, start, at, paragraph, kind, sentences=offsets))
    return chunks


def _rows(table: str) -> list[tuple[int, int]]:
    return [(table.index(line), table.index(line) + len(line)) for line in table.splitlines()[2:]]


def record(source: str) -> DocumentRecord:
    return DocumentRecord(
        source,
        title="",
        companies=(),
        tickers=(),
        kind="",
        period=None,
        published=None,
        ingested=datetime(2026, 1, 1),
        language="en",
        content_hash="",
        pages=0,
        chunks=1,
        tokens=10,
        versions={},
        how={},
    )

"""Sentences of the evidence, scored by how well they answer: what an extractive answer quotes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..core.quantity_text import find_quantities
from ..core.words import question_words, search_words
from ..ingest.sentences import split_text
from .evidence import Evidence
from .question import Question
from .synonyms import default_synonyms

if TYPE_CHECKING:
    import numpy as np

    from ..kg.store import Store
    from ..models.embedder import Embedder

_Span = tuple[int, int, float]
"""Start, end, similarity to the question."""
TEXT_KINDS = frozenset({"chunk", "table"})
_RULE = re.compile(r"\|[|\s:-]+")
_NAME = re.compile(r"(?<=[a-z,;:('’] )(?!(?:Q[1-4]|FY)\b)[A-Z][a-z]+(?![A-Za-z])")
_SYNONYM = 0.5
"""Worth of a word that a synonym rule added, next to one that was asked."""
_RANK = 0.2
"""Worth of standing in the best piece of evidence of its kind, next to shared words (0..1) and similarity (0..1)."""
_EMPTY = 0.4
"""Taken, in full, from a chunk without any content value: boilerplate, contacts, disclaimers."""
_AMOUNT = 0.1
"""Worth of holding an amount where one is asked for."""
_ROW_NAME = 0.4
"""Worth of a row whose whole name was asked for."""
_ROW_WORD, _ROW_WORDS = 0.1, 4
"""Worth of each further word of such a name, up to four: "total current liabilities" is not "total current"."""
_FACT = 0.5
"""Worth of a fact: it was chosen by the metric, company and period asked for."""
_NO_SENTENCE = 0.2
"""Taken from what does not begin or end as a sentence does: a heading, a line of a list, a torn half."""
_END = re.compile(r"[.!?。！？][\"”’）)」]*\s*$")
_SENTENCE = 60
"""Characters from which a lone cell is a sentence and not the name of a section."""
_ROW = 0.5
"""Share of a table piece's similarity that each of its rows has: the piece stands for several."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, a table's row or a graph's statement; ``start`` and ``end`` are offsets in the document's text."""

    evidence: Evidence
    text: str
    start: int
    end: int
    words: float = 0.0
    """Share of the question's words that it holds, rare words weighing more; words of the whole document left out."""
    similarity: float = 0.0
    score: float = 0.0
    held: Mapping[str, float] = field(default_factory=dict)
    """The words of the question that it holds, with their weights."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the store knows of a chunk."""

    spans: tuple[_Span, ...] = ()
    value: float = 1.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of a question with their weights, and what is known of each document without reading it."""

    words: Mapping[str, float]
    added: Mapping[str, float]
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def coverage(self, source: str, texts: Iterable[str]) -> tuple[float, dict[str, float]]:
        """Share 0..1 of the words that the texts hold, and those words with their weights.

        What the document's title, company and period say is given for every sentence of it, and left out.
        """
        given = self.known.get(source, frozenset())
        wanted = {word: weight for word, weight in self.words.items() if word not in given}
        total = sum(wanted.values())
        if not total:
            return 1.0, {}
        there = {word for text in texts for word in search_words(text)}
        held = {word: weight for word, weight in (*wanted.items(), *self.added.items()) if word in there}
        return min(1.0, sum(held.values()) / total), held

    def form(self, item: Evidence, text: str, question: Question) -> float:
        """What the form of a sentence is worth: an amount where one is asked for, a row of the name asked for."""
        worth = _AMOUNT if question.numeric and find_quantities(text) else 0.0
        if item.kind == "fact":
            return worth if question.explains else worth + _FACT
        if item.kind == "table":
            return worth + self._named(text.strip().strip("|").partition("|")[0])
        whole = _END.search(text) and not text.lstrip()[:1].islower()
        return worth - (_NO_SENTENCE if item.kind == "chunk" and not whole else 0.0)

    def _named(self, name: str) -> float:
        """Worth of a row by its name: by the share of it that was asked for, and by how many words that are."""
        words = search_words(name)
        met = sum(1.0 if word in self.words else _SYNONYM if word in self.added else 0.0 for word in words)
        return (_ROW_NAME + _ROW_WORD * max(0.0, min(met, _ROW_WORDS) - 1)) * met / len(words) if met else 0.0


def score_quotes(
    store: Store, embedder: Embedder | None, question: Question, evidence: Sequence[Evidence]
) -> list[Quote]:
    """All sentences of the evidence, best first."""
    asked = _asked(store, question, {item.source for item in evidence})
    vector = embedder.embed([question.trimmed])[0] if embedder else None
    chunks = _stored(store, [item.id for item in evidence if item.kind in TEXT_KINDS and item.id], vector)
    best = {item.kind: max(e.score for e in evidence if e.kind == item.kind) for item in evidence}
    found = []
    for item in evidence:
        chunk = chunks.get(item.id, _Stored())
        base = _RANK * item.score / (best[item.kind] or 1.0) - _EMPTY * (1 - chunk.value)
        for text, start, end, similarity in _sentences(item, chunk.spans):
            words, held = asked.coverage(item.source, [text, table_head(item), *item.headings])
            score = base + words + similarity + asked.form(item, text, question)
            found.append(Quote(item, text, start, end, words, similarity, score, held))
    return sorted(found, key=lambda quote: -quote.score)


def absent_names(store: Store, question: Question) -> list[str]:
    """Names in the question of which no document holds a word: whoever is asked about, it is not in here.

    A name is a capitalised word within the question; at its start every word is capitalised, and words all in capitals
    may be abbreviations of measures.
    """
    names = {name: search_words(name) for name in _NAME.findall(question.trimmed)}
    held = store.document_frequency({word for words in names.values() for word in words})
    known = {word for said in _known(store, None).values() for word in said}
    return [name for name, words in names.items() if words and not any(held.get(w) or w in known for w in words)]


def table_head(item: Evidence) -> str:
    """The column heads of a table, which every row of it speaks of; "" for all else.

    >>> table_head(Evidence("table", "Sales\\n| | 2024 |\\n| --- | --- |\\n| Net | 5 |", 1.0, "x"))
    '| | 2024 |'
    """
    if item.kind != "table":
        return ""
    lines = [line for line in item.text.splitlines() if line.lstrip().startswith("|")]
    rule = next((i for i, line in enumerate(lines) if _RULE.fullmatch(line.strip())), 0)
    return lines[rule - 1] if rule else ""


def _asked(store: Store, question: Question, sources: set[str]) -> _Asked:
    words = set(question_words(question.trimmed)) | {str(year) for year in question.years}
    added = set(search_words(default_synonyms().expand(question.trimmed).text)) - words
    frequency = store.document_frequency(words | added)
    chunks = max(1, int(store.counts().get("chunks", 1)))

    def weights(chosen: set[str], share: float) -> dict[str, float]:
        return {word: share * math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in chosen}

    return _Asked(weights(words, 1.0), weights(added, _SYNONYM), _known(store, sources))


def _known(store: Store, sources: set[str] | None) -> dict[str, frozenset[str]]:
    """Document -> the words of its title, companies, kind and period; all documents for None."""
    known = {}
    for record in store.documents():
        if sources is None or record.source in sources:
            period = record.period.label if record.period else ""
            year = str(record.period.year) if record.period else ""
            said = " ".join((record.title, *record.companies, *record.tickers, record.kind, period, year))
            known[record.source] = frozenset(search_words(said))
    return known


def _sentences(item: Evidence, stored: Sequence[_Span]) -> list[tuple[str, int, int, float]]:
    """(text, start, end, similarity) of each sentence, or row, of a piece of evidence."""
    if item.kind not in TEXT_KINDS:
        return [(_statement(item), item.start, item.end, 0.0)]
    spans = [span for span in stored if item.start <= span[0] and span[1] <= item.end]
    if not spans:
        spans = [(item.start + s.start, item.start + s.end, 0.0) for s in split_text(item.text)]
    if item.kind == "table":
        spans = [row for span in spans for row in _rows(item, *span)]
    return [(item.text[start - item.start : end - item.start], start, end, cosine) for start, end, cosine in spans]


def _statement(item: Evidence) -> str:
    """What a piece of the graph says: of a relation the sentence that says it, else its text."""
    if item.kind != "relation":
        return item.text
    return item.text.partition(": ")[2] or item.text


def _rows(item: Evidence, start: int, end: int, cosine: float) -> list[_Span]:
    """The rows of a table in one embedded piece of it."""
    rows, at = [], start
    for line in item.text[start - item.start : end - item.start].splitlines(keepends=True):
        text = line.rstrip()
        if _says_something(text) and text != table_head(item):
            rows.append((at, at + len(text), _ROW * cosine))
        at += len(line)
    return rows or [(start, end, cosine)]


def _says_something(line: str) -> bool:
    """True for a row with a value, or with a name so long that it is a sentence; not for rules and section names."""
    name, *cells = line.strip().strip("|").split("|")
    return (
        line.lstrip().startswith("|")
        and not _RULE.fullmatch(line.strip())
        and (any(cell.strip() for cell in cells) or len(name) >= _SENTENCE)
    )


def _stored(store: Store, ids: Sequence[str], vector: np.ndarray | None) -> dict[str, _Stored]:
    """Chunk -> its sentences with their similarity to the question, and its content value."""
    chunks = store.chunks(ids)
    if vector is None:
        return {c.id: _Stored(tuple((start, end, 0.0) for start, end in c.sentences), c.value) for c in chunks}
    rows = store.sentence_vectors([chunk.id for chunk in chunks])
    return {
        chunk.id: _Stored(tuple(_similar(chunk.sentences, found, vector)), chunk.value)
        for chunk, found in zip(chunks, rows, strict=True)
    }


def _similar(spans: Sequence[tuple[int, int]], rows: np.ndarray, vector: np.ndarray) -> list[_Span]:
    if len(rows) != len(spans):
        return [(start, end, 0.0) for start, end in spans]
    return [(start, end, max(0.0, float(row @ vector))) for (start, end), row in zip(spans, rows, strict=True)]

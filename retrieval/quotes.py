"""Sentences of the evidence, scored by how well they answer: what an extractive answer quotes."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.quantity_text import find_quantities
from ..core.words import question_words, search_words
from ..ingest.sentences import split_text
from .evidence import Evidence

if TYPE_CHECKING:
    import numpy as np

    from ..kg.store import Store
    from ..models.embedder import Embedder

TEXT_KINDS = frozenset({"chunk", "table"})
_RULE = re.compile(r"\|[|\s:-]+")
_PLACE = 0.3
"""Worth of standing in the first piece of evidence, next to shared words (0..1) and similarity (0..1)."""
_AMOUNT = 0.1
"""Worth of holding an amount where one is asked for."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, a table's row or a graph's statement; ``start`` and ``end`` are offsets in the document's text."""

    evidence: Evidence
    text: str
    start: int
    end: int
    words: float = 0.0
    """Share of the question's words that it holds, rare words weighing more."""
    similarity: float = 0.0
    score: float = 0.0


def score_quotes(
    store: Store, embedder: Embedder | None, question: str, evidence: Sequence[Evidence], *, numeric: bool = False
) -> list[Quote]:
    """All sentences of the evidence, best first."""
    weights = word_weights(store, question_words(question))
    vector = embedder.embed([question])[0] if embedder else None
    found = []
    for place, item in enumerate(evidence):
        for text, start, end, similarity in _sentences(store, item, vector):
            words = coverage(weights, [text, table_head(item), *item.headings])
            score = words + similarity + _PLACE / (1 + place)
            if numeric and find_quantities(text):
                score += _AMOUNT
            found.append(Quote(item, text, start, end, words, similarity, score))
    return sorted(found, key=lambda quote: -quote.score)


def word_weights(store: Store, words: Collection[str]) -> dict[str, float]:
    """Inverse document frequency of each word of a question, summing up to 1."""
    frequency = store.document_frequency(set(words))
    chunks = max(1, int(store.counts().get("chunks", 1)))
    weights = {word: math.log(1 + chunks / (1 + frequency.get(word, 0))) for word in set(words)}
    total = sum(weights.values()) or 1.0
    return {word: weight / total for word, weight in weights.items()}


def coverage(weights: Mapping[str, float], texts: Iterable[str]) -> float:
    """Share 0..1 of the weighted words that the texts hold."""
    held = {word for text in texts for word in search_words(text)}
    return sum(weight for word, weight in weights.items() if word in held)


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


def _sentences(store: Store, item: Evidence, vector: np.ndarray | None) -> list[tuple[str, int, int, float]]:
    """(text, start, end, similarity) of each sentence of a piece of evidence."""
    if item.kind not in TEXT_KINDS:
        return [(item.text, item.start, item.end, 0.0)]
    spans = [(start, end, cosine) for start, end, cosine in _stored(store, item, vector)
             if item.start <= start and end <= item.end]  # fmt: skip
    if not spans:
        spans = [(item.start + s.start, item.start + s.end, 0.0) for s in split_text(item.text)]
    return [(item.text[start - item.start : end - item.start], start, end, cosine) for start, end, cosine in spans]


def _stored(store: Store, item: Evidence, vector: np.ndarray | None) -> list[tuple[int, int, float]]:
    """Offsets of the sentences of a stored chunk with their similarity to the question."""
    chunks = store.chunks([item.id]) if item.id else []
    if not chunks:
        return []
    spans = chunks[0].sentences
    if vector is None:
        return [(start, end, 0.0) for start, end in spans]
    rows = store.sentence_vectors([item.id])[0]
    if len(rows) != len(spans):
        return [(start, end, 0.0) for start, end in spans]
    return [(start, end, max(0.0, float(row @ vector))) for (start, end), row in zip(spans, rows, strict=True)]

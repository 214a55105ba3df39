"""Chunks as one self-contained HTML page: sentences beside their similarities, the cohesion of gaps and the cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING

from ..ingest.chunk import Break, Chunk
from ..ingest.chunking import Chunked
from ..ingest.document import Document
from ..ingest.pieces.embedding_text import embedding_text
from ..ingest.pieces.outline import outline

if TYPE_CHECKING:
    import numpy as np

_REACH = 5
_COLOURS = ("#1f5aa6", "#2a8f5c", "#b4632b", "#7b4fa3", "#b3892a", "#2b8c97")
"""Neighbouring chunks never share one."""
_LOW = 0.6


@dataclass(frozen=True, slots=True)
class _Views:
    """By the offset of a running sentence: its similarities to the next ones, the cohesion before it, hard breaks."""

    band: dict[int, list[float]]
    cohesion: dict[int, float]
    hard: frozenset[int]


def chunk_html(document: Document, chunked: Chunked) -> str:
    """Draw a document as cut by :func:`chunking.make_chunks`. One page, no network, no script."""
    views = _views(document, chunked)
    parts = []
    for chunk in chunked.chunks:
        parts.append(_cut(chunk, views))
        parts.append(_table(chunk) if chunk.kind == "table" else _passage(document, chunk, views))
    page = Template(files(__package__).joinpath("chunk_page.html").read_text(encoding="utf-8"))
    title = document.metadata.title or document.source or "Chunks"
    return page.substitute(title=escape(title), summary=_summary(chunked), chunks="\n".join(parts))


def _summary(chunked: Chunked) -> str:
    chunks = chunked.chunks
    tables = sum(chunk.kind == "table" for chunk in chunks)
    sentences = sum(len(chunk.sentences) for chunk in chunks if chunk.kind == "text")
    tokens = [chunk.tokens for chunk in chunks if chunk.kind == "text"]
    low = ", ".join(f"{reason} {count}" for reason, count in sorted(chunked.low.items()))
    facts = [
        f"{len(chunks) - tables} chunks of text, {sum(tokens) / max(1, len(tokens)):.0f} tokens on average",
        f"{sentences} sentences",
        f"{tables} whole tables",
        f"low value: {low}" if low else "",
        "similarities of the embedding model" if chunked.vectors is not None else "similarities of words only",
    ]
    return " ".join(f"<span>{escape(fact)}</span>" for fact in facts if fact)


def _views(document: Document, chunked: Chunked) -> _Views:
    """The same similarities and sections that the chunker saw."""
    import numpy as np

    from ..ingest.cohesion.gaps import gap_cohesion
    from ..ingest.cohesion.similarity import band_similarities

    hard = frozenset(i.sentence.start for i in outline(document).running if i.sentence.before >= Break.HARD)
    starts, vectors = _running_vectors(document, chunked)
    sections = np.cumsum([start in hard for start in starts])
    band = np.clip(np.nan_to_num(band_similarities(vectors, _REACH), neginf=0), 0, 1) if starts else np.zeros((0, 0))
    cohesion = gap_cohesion(vectors, sections, 6, 0.5) if starts else np.zeros(0)
    return _Views(
        dict(zip(starts, band.tolist(), strict=True)), dict(zip(starts, cohesion.tolist(), strict=True)), hard
    )


def _running_vectors(document: Document, chunked: Chunked) -> tuple[list[int], np.ndarray]:
    """Offsets of the sentences of running text and their vectors; by words where there is no embedder."""
    pieces = [(chunk.kind, piece) for chunk in chunked.chunks for piece in chunk.sentences]
    rows = [row for row, (kind, _) in enumerate(pieces) if kind == "text"]
    spans = [pieces[row][1] for row in rows]
    if chunked.sentence_vectors is not None:
        return [start for start, _ in spans], chunked.sentence_vectors[rows]
    from ..ingest.cohesion.lexical import lexical_vectors

    texts = [embedding_text(document.text[start:end]) for start, end in spans]
    return [start for start, _ in spans], lexical_vectors(texts)


def _cut(chunk: Chunk, views: _Views) -> str:
    hard = chunk.kind == "table" or not chunk.sentences or chunk.sentences[0][0] in views.hard
    return f'<div class="cut{" hard" if hard else ""}"></div>'


def _passage(document: Document, chunk: Chunk, views: _Views) -> str:
    lead = document.text[chunk.start : chunk.sentences[0][0]].strip() if chunk.sentences else chunk.text
    head = f'<div class="head">{escape(lead)}</div>' if lead else ""
    rows = [_sentence(document.text[a:b], views.band.get(a, []), views.cohesion.get(a, 0)) for a, b in chunk.sentences]
    return _framed(chunk, head + "".join(rows))


def _sentence(text: str, band: Sequence[float], cohesion: float) -> str:
    cells = "".join(f'<i style="--a:{value:.2f}" title="{value:.2f}"></i>' for value in band)
    bar = f'<b style="--w:{100 * cohesion:.0f}" title="{cohesion:.2f}"></b>'
    columns = (("band", cells), ("gap", bar), ("text", escape(" ".join(text.split()))))
    inner = "".join(f'<div class="{name}">{content}</div>' for name, content in columns)
    return f'<div class="s">{inner}</div>'


def _table(chunk: Chunk) -> str:
    return _framed(chunk, f"<pre>{escape(chunk.text)}</pre>")


def _framed(chunk: Chunk, inner: str) -> str:
    pages = [anchor.page for anchor in chunk.anchors]
    where = f"page {', '.join(str(page) for page, _ in groupby(pages))}" if pages else f"{chunk.start}-{chunk.end}"
    told = [str(chunk.ordinal), chunk.kind, where, f"{chunk.tokens} tokens", f"value {chunk.value:.2f}", chunk.speaker]
    header = " · ".join([part for part in told if part] + list(chunk.headings[-1:]))
    colour = _COLOURS[chunk.ordinal % len(_COLOURS)]
    low = " low" if chunk.value < _LOW else ""
    return f'<div class="chunk{low}" style="--colour:{colour}"><header>{escape(header)}</header>{inner}</div>'

"""Chunks as one self-contained HTML page: sentences beside their similarities, the cohesion of gaps and the cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
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
_WINDOW, _QUANTILE = 6, 0.5
"""As the clique chunker has them by default."""


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
    texts = [chunk for chunk in chunked.chunks if chunk.kind == "text"]
    tables = len(chunked.chunks) - len(texts)
    sentences = sum(len(chunk.sentences) for chunk in texts)
    tokens = sum(chunk.tokens for chunk in texts) / max(1, len(texts))
    facts = [
        f"{len(texts)} chunks of text, {tokens:.0f} tokens on average",
        f"{sentences} sentences",
        f"{tables} whole tables",
    ]
    if chunked.low:
        low = [f"{reason} {count}" for reason, count in sorted(chunked.low.items())]
        facts.append(f"low value: {', '.join(low)}")
    source = "words only" if chunked.vectors is None else "the embedding model"
    facts.append(f"similarities of {source}")
    return " ".join(f"<span>{escape(fact)}</span>" for fact in facts)


def _views(document: Document, chunked: Chunked) -> _Views:
    """The same similarities and sections that the chunker saw."""
    import numpy as np

    from ..ingest.cohesion.gaps import gap_cohesion
    from ..ingest.cohesion.similarity import band_similarities

    sentences = [item.sentence for item in outline(document).running]
    hard = frozenset(s.start for s in sentences if s.before >= Break.HARD)
    starts, vectors = _running_vectors(document, chunked)
    if not starts:
        return _Views({}, {}, hard)
    sections = np.cumsum([start in hard for start in starts])
    band = np.nan_to_num(band_similarities(vectors, _REACH), neginf=0)
    similarities = np.clip(band, 0, 1).tolist()
    cohesion = gap_cohesion(vectors, sections, _WINDOW, _QUANTILE).tolist()
    return _Views(dict(zip(starts, similarities, strict=True)), dict(zip(starts, cohesion, strict=True)), hard)


def _running_vectors(document: Document, chunked: Chunked) -> tuple[list[int], np.ndarray]:
    """Offsets of the sentences of running text and their vectors; by words where there is no embedder."""
    rows: list[int] = []
    spans: list[tuple[int, int]] = []
    row = 0
    for chunk in chunked.chunks:
        if chunk.kind == "text":
            rows.extend(range(row, row + len(chunk.sentences)))
            spans.extend(chunk.sentences)
        row += len(chunk.sentences)
    starts = [start for start, _ in spans]
    if chunked.sentence_vectors is not None:
        return starts, chunked.sentence_vectors[rows]
    from ..ingest.cohesion.lexical import lexical_vectors

    return starts, lexical_vectors([embedding_text(document.text[start:end]) for start, end in spans])


def _cut(chunk: Chunk, views: _Views) -> str:
    """The line above a chunk; a thick one where no chunk may reach over it."""
    soft = bool(chunk.sentences) and chunk.sentences[0][0] not in views.hard
    kind = "cut" if soft and chunk.kind == "text" else "cut hard"
    return f'<div class="{kind}"></div>'


def _passage(document: Document, chunk: Chunk, views: _Views) -> str:
    first = chunk.sentences[0][0] if chunk.sentences else chunk.end
    lead = document.text[chunk.start : first].strip()
    parts = [f'<div class="head">{escape(lead)}</div>'] if lead else []
    for start, end in chunk.sentences:
        parts.append(_sentence(document.text[start:end], views.band.get(start, []), views.cohesion.get(start, 0)))
    return _framed(chunk, "".join(parts))


def _sentence(text: str, band: Sequence[float], cohesion: float) -> str:
    cells = "".join(f'<i style="--a:{value:.2f}" title="{value:.2f}"></i>' for value in band)
    bar = f'<b style="--w:{100 * cohesion:.0f}" title="{cohesion:.2f}"></b>'
    words = escape(" ".join(text.split()))
    columns = f'<div class="band">{cells}</div><div class="gap">{bar}</div><div class="text">{words}</div>'
    return f'<div class="s">{columns}</div>'


def _table(chunk: Chunk) -> str:
    return _framed(chunk, f"<pre>{escape(chunk.text)}</pre>")


def _framed(chunk: Chunk, inner: str) -> str:
    """A chunk's box: a header that tells where it stands, then its content."""
    facts = [str(chunk.ordinal), chunk.kind, _where(chunk), f"{chunk.tokens} tokens", f"value {chunk.value:.2f}"]
    innermost = chunk.headings[-1:]
    header = " · ".join(filter(None, [*facts, chunk.speaker, *innermost]))
    colour = _COLOURS[chunk.ordinal % len(_COLOURS)]
    kind = "chunk low" if chunk.value < _LOW else "chunk"
    return f'<div class="{kind}" style="--colour:{colour}"><header>{escape(header)}</header>{inner}</div>'


def _where(chunk: Chunk) -> str:
    """Its pages, or its offsets in a source without pages."""
    if not chunk.anchors:
        return f"{chunk.start}-{chunk.end}"
    pages = dict.fromkeys(anchor.page for anchor in chunk.anchors)
    return f"page {', '.join(map(str, pages))}"

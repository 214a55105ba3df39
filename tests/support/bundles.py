"""Small documents ready to store: a line a chunk, names in square brackets, "[Acme] supplies [Bolt]" a statement."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
from cliquerag.core.anchor import Anchor
from cliquerag.core.fact import Fact
from cliquerag.core.ids import content_hash, stable_id
from cliquerag.core.names import name_key
from cliquerag.core.period import Period
from cliquerag.core.quantity import Quantity
from cliquerag.core.words import search_words
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Document, Line, Metadata, Page, Table
from cliquerag.kg.drivers import Cause, Driver
from cliquerag.kg.graph import Entity, Mention, Merge, Statement
from cliquerag.kg.store import Bundle, GraphPart
from cliquerag.kg.triple import Modality, Triple

DIM = 16
FY2023 = Period("year", 2023, fiscal=True, end=date(2023, 12, 31))
_NAME = re.compile(r"\[(.+?)\]")
_STATEMENT = re.compile(r"\[([^]]+)\] (\w+) \[([^]]+)\]")


def entity(name: str, type: str = "company") -> Entity:
    """The entity of a written name."""
    return Entity(stable_id("entity", type, name.casefold()), name, type, name_key(name))


def merge(entity_name: str, into: str, reason: str = "alias in the text") -> Merge:
    """A merge of two companies."""
    one, other = entity(entity_name).id, entity(into).id
    return Merge(stable_id("merge", one, other), one, other, reason, 0.9)


def bundle(
    source: str,
    *lines: str,
    company: str = "Acme Inc.",
    kind: str = "10-K",
    period: Period | None = FY2023,
    published: date | None = date(2024, 2, 1),
    modality: Modality | None = None,
    facts: Sequence[Fact] = (),
    merges: Sequence[Merge] = (),
    extractor: str = "rules-1",
    embedder: str = "fake",
    dim: int = DIM,
) -> Bundle:
    """A document of one chunk a line; with a ``modality`` its statements have that and no period of their own."""
    text = "\n".join(lines)
    chunks = tuple(_chunks(source, lines))
    sentences = sum(len(chunk.sentences) for chunk in chunks)
    document = Document(
        source=source,
        text=text,
        segments=(),
        metadata=Metadata(
            title=f"Report {source}",
            companies=(company,),
            tickers=("ACME",),
            kind=kind,
            period=period,
            published=published,
            how={"companies": "argument"},
        ),
        pages=(Page(1, 0, len(text), 612.0, 792.0, {"legal": 0.5}),),
        lines=tuple(Line(c.start, c.end, 1, (72.25, 10.0 * i, 300.0, 10.0 * i + 9)) for i, c in enumerate(chunks)),
        tables=(Table((("", "2023"), ("Revenue", "1,234")), title="Income", unit="in millions", indents=(0, 1)),),
        content_hash=content_hash(text.encode()),
    )
    rng = np.random.default_rng(zlib.crc32(source.encode()))
    return Bundle(
        document=document,
        chunks=chunks,
        words=tuple(" ".join(search_words(line)) for line in lines),
        heading_words=tuple("busi" for _ in lines),
        facts=tuple(facts),
        graph=_dated(graph(source, lines, chunks, merges, extractor), published, modality),
        vectors=unit_rows(rng, len(chunks), dim) if embedder else None,
        sentence_vectors=unit_rows(rng, sentences, dim) if embedder else None,
        embedder=embedder,
        versions={"parse": "1", "extract": extractor},
    )


def graph(
    source: str, lines: Sequence[str], chunks: Sequence[Chunk], merges: Sequence[Merge] = (), extractor: str = "rules-1"
) -> GraphPart:
    """What an extractor would read from the lines."""
    names = {match[1] for line in lines for match in _NAME.finditer(line)}
    mentions = [
        Mention(entity(match[1]).id, chunk.id, chunk.start + match.start(1), chunk.start + match.end(1), match[1])
        for line, chunk in zip(lines, chunks, strict=True)
        for match in _NAME.finditer(line)
    ]
    statements = [
        statement(source, chunk, *match.groups(), line, extractor)
        for line, chunk in zip(lines, chunks, strict=True)
        for match in _STATEMENT.finditer(line)
    ]
    rejected = (Triple("Acme", "company", "eats", "Bolt", "company", "x", 0, 1, FY2023, reason="no such relation"),)
    entities = tuple(entity(name) for name in sorted(names))
    return GraphPart(extractor, entities, tuple(mentions), tuple(statements), tuple(merges), rejected)


def statement(source: str, chunk: Chunk, head: str, relation: str, tail: str, text: str, extractor: str) -> Statement:
    """One statement of a chunk."""
    return Statement(
        id=stable_id("statement", source, chunk.ordinal, head, relation, tail, extractor),
        head=entity(head).id,
        relation=relation,
        tail=entity(tail).id,
        document=source,
        chunk=chunk.id,
        start=chunk.start,
        end=chunk.end,
        text=text,
        anchors=chunk.anchors,
        period=FY2023,
        published=date(2024, 2, 1),
        modality="planned",
        confidence=0.75,
        extractor=extractor,
        metadata={"share": "12 %"},
    )


def fact(source: str, metric: str, value: str, scale: int = 1, company: str = "Acme Inc.", start: int = 0) -> Fact:
    """A fact of a table cell."""
    return Fact(
        company=company,
        metric=metric,
        label=f"Income > {metric.title()}",
        period=FY2023,
        text=value,
        value=Decimal(value),
        unit="USD",
        scale=Decimal(scale),
        dimensions=(("segment", "Cloud"),),
        source_kind="table",
        source=source,
        anchors=(Anchor(1, ((72.25, 10.0, 90.5, 20.0),)),),
        start=start,
        end=start + 1,
        table=0,
        row=1,
        column=1,
        id=stable_id("fact", source, metric, value, start),
    )


def _dated(part: GraphPart, published: date | None, modality: Modality | None) -> GraphPart:
    if modality is None:
        return part
    said = (replace(s, published=published, modality=modality, period=None) for s in part.statements)
    return replace(part, statements=tuple(said))


def unit_rows(rng: np.random.Generator, rows: int, dim: int) -> np.ndarray:
    """Random unit vectors."""
    vectors = rng.standard_normal((rows, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _chunks(source: str, lines: Sequence[str]) -> list[Chunk]:
    chunks, start = [], 0
    for ordinal, line in enumerate(lines):
        end = start + len(line)
        chunks.append(
            Chunk(
                id=stable_id("chunk", source, ordinal),
                document=source,
                ordinal=ordinal,
                start=start,
                end=end,
                text=line,
                headings=("Item 1", "Business"),
                speaker="Jane Roe, CEO, Acme",
                part="remarks",
                anchors=(Anchor(1, ((72.25, 10.0, 300.0, 19.5),)), Anchor(2)),
                tokens=len(line) // 4,
                sentences=((start, start + len(line) // 2), (start + len(line) // 2, end)),
                index_text=line if ordinal % 2 else "skeleton",
                value=0.5,
            )
        )
        start = end + 1
    return chunks


def driver(
    chunk: Chunk,
    metric: str = "revenue",
    company: str = "Acme Inc.",
    extractor: str = "rules",
    category: str = "volume",
) -> Driver:
    """Revenue rose by volume, which mild weather moved, and was held back by currency."""
    weather = Cause("mild weather", chunk.start + 2, chunk.start + 3, 1, "weather")
    lost = Quantity("$5 million", Decimal(5), "USD", Decimal(10**6), 3)
    return Driver(
        id=stable_id("driver", chunk.id, metric, extractor),
        company=company,
        metric=metric,
        label=f"Cloud {metric}",
        direction="up",
        causes=(
            Cause("volume", chunk.start, chunk.start + 1, 1, category, causes=(weather,)),
            Cause("currency, $5 million", chunk.start + 1, chunk.start + 2, -1, "currency", "offset", lost),
        ),
        document=chunk.document,
        chunk=chunk.id,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        segment="Cloud",
        period=FY2023,
        change=Quantity("$40 million", Decimal(40), "USD", Decimal(10**6)),
        percent=Quantity("8 %", Decimal(8), "%"),
        outlook=True,
        anchors=chunk.anchors,
        published=date(2024, 2, 1),
        confidence=0.75,
        extractor=extractor,
    )

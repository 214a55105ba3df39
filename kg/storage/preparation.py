"""What every engine does with a bundle before it stores it. Pure functions."""

from __future__ import annotations

from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from ..graph import Merge
from ..store import Bundle, GraphPart
from .codec import day_text, pairs, period_json


def check(bundle: Bundle) -> None:
    """Raise ValueError where a bundle's parts do not fit together."""
    _check_chunks(bundle)
    chunks = {chunk.id for chunk in bundle.chunks}
    named = {mention.chunk for mention in bundle.graph.mentions}
    named.update(statement.chunk for statement in bundle.graph.statements)
    named.update(driver.chunk for driver in bundle.graph.drivers)
    if not named <= chunks:
        raise ValueError("the graph names a chunk that is not in the document")
    check_graph(bundle.graph)
    if bundle.vectors is not None and len(bundle.vectors) != len(bundle.chunks):
        raise ValueError("vectors need one row a chunk")
    if bundle.sentence_vectors is not None and len(bundle.sentence_vectors) != sentence_count(bundle):
        raise ValueError("sentence_vectors need one row a sentence")
    beside = bundle.multilingual
    if beside is not None and (len(beside.chunks), len(beside.sentences)) != (
        len(bundle.chunks),
        sentence_count(bundle),
    ):
        raise ValueError("multilingual vectors need one row a chunk and one a sentence")


def _check_chunks(bundle: Bundle) -> None:
    """Each chunk is the document's text at its place, in order, with its search terms."""
    if not len(bundle.words) == len(bundle.heading_words) == len(bundle.chunks):
        raise ValueError("words and heading_words need one entry a chunk")
    for ordinal, chunk in enumerate(bundle.chunks):
        if chunk.ordinal != ordinal:
            raise ValueError(f"chunk {chunk.id} is number {ordinal} of the document, not {chunk.ordinal}")
        if bundle.document.text[chunk.start : chunk.end] != chunk.text:
            raise ValueError(f"chunk {chunk.id} is not the document's text at {chunk.start}")


def sentence_count(bundle: Bundle) -> int:
    """The sentences of all chunks."""
    return sum(len(chunk.sentences) for chunk in bundle.chunks)


def check_graph(part: GraphPart) -> None:
    """Raise ValueError where a part names an entity that it does not give."""
    missing = names_in(part) - {entity.id for entity in part.entities}
    if missing:
        raise ValueError(f"the graph names an entity that it does not give: {min(missing)}")


def names_in(part: GraphPart) -> set[str]:
    """The entities that a part mentions or makes statements of."""
    named = {mention.entity for mention in part.mentions}
    named.update(statement.head for statement in part.statements)
    named.update(statement.tail for statement in part.statements)
    return named


def merges_in(part: GraphPart) -> list[Merge]:
    """The merges of entities that the part names itself: others would hold or not by what else is stored just then."""
    named = names_in(part)
    return [merge for merge in part.merges if merge.entity in named and merge.into in named]


def extractor_name(extractor: str) -> str:
    """The name without its version.

    >>> extractor_name("llm-1.gpt-4o"), extractor_name("rules")
    ('llm', 'rules')
    """
    return extractor.partition("-")[0]


def significant_digits(amount: Decimal | None) -> str:
    """The digits that stay the same in any scale, without a sign; "" for no amount.

    >>> significant_digits(Decimal("-1234.50")), significant_digits(Decimal("1.2345E+9"))
    ('12345', '12345')
    """
    if amount is None:
        return ""
    digits = "".join(map(str, amount.as_tuple().digits))
    return digits.strip("0") or "0"


def document_fields(bundle: Bundle, version: int) -> dict[str, Any]:
    """What every engine keeps of a document beside its parts, in simple values; ``version`` is the write."""
    document, chunks = bundle.document, bundle.chunks
    known = document.metadata
    return {
        "source": document.source,
        "stamp": version,
        "title": known.title,
        "kind": known.kind,
        "period": period_json(known.period),
        "published": day_text(known.published),
        "ingested": ingested_text(bundle),
        "language": known.language,
        "content_hash": document.content_hash,
        "versions": pairs(bundle.versions),
        "how": pairs(known.how),
        "pages": len(document.pages),
        "chunks": len(chunks),
        "sentences": sentence_count(bundle),
        "tables": len(document.tables),
        "facts": len(bundle.facts),
        "tokens": sum(chunk.tokens for chunk in chunks),
    }


def ingested_text(bundle: Bundle) -> str:
    """When a document was first stored, to the second: now, but for a copy."""
    return (bundle.ingested or datetime.now(timezone.utc)).isoformat(timespec="seconds")


def payload_bytes(bundle: Bundle) -> int:
    """Bytes of a document's text and, as float32, its vectors: what it brings, whatever an engine makes of it."""
    size = len(bundle.document.text.encode("utf-8", "surrogatepass"))
    beside = bundle.multilingual
    rows_beside = (beside.chunks, beside.sentences) if beside is not None else ()
    for rows in (bundle.vectors, bundle.sentence_vectors, *rows_beside):
        if rows is not None:
            size += rows.nbytes
    return size

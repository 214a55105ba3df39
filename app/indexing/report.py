"""What an add did: read, dropped, stored, and what it cost; and what it would take, before anything is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..core.tokens import estimate_tokens
from ..ingest.document import Coverage, Document, Metadata
from ..kg.store import Bundle, DocumentRecord, GraphPart
from ..models.language import Usage

if TYPE_CHECKING:
    from ..components import Tools

Outcome = Literal["added", "replaced", "unchanged", "failed"]

ANSWER_SHARES = {"earnings call": 0.36}
ANSWER_SHARE = 0.2
"""Answer tokens for each token of text, as a careful reader gave them: .32 and .42 for two calls, .19 for an 8-K."""

NOTHING_ASKED = Usage()
"""No model was asked anything."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """The result of adding one document."""

    source: str
    outcome: Outcome
    metadata: Metadata = Metadata()
    coverage: Coverage = Coverage()
    chunks: int = 0
    sentences: int = 0
    facts: int = 0
    entities: int = 0
    statements: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Reason -> triples kept out of the graph."""
    usage: Usage = Usage()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Stage -> wall seconds: read, chunk, facts, graph, store."""
    error: str = ""
    """What was wrong, for a document that failed."""

    @classmethod
    def of(
        cls,
        bundle: Bundle,
        outcome: Outcome,
        *,
        seconds: Mapping[str, float] | None = None,
        usage: Usage = NOTHING_ASKED,
    ) -> AddReport:
        """A document that was stored whole."""
        document, graph = bundle.document, bundle.graph
        return cls(
            source=document.source,
            outcome=outcome,
            metadata=document.metadata,
            coverage=document.coverage,
            chunks=len(bundle.chunks),
            sentences=sum(len(chunk.sentences) for chunk in bundle.chunks),
            facts=len(bundle.facts),
            entities=len(graph.entities),
            statements=len(graph.statements),
            rejected=_by_reason(graph),
            usage=usage,
            seconds=dict(seconds or {}),
        )

    @classmethod
    def of_graph(cls, document: Document, chunks: int, graph: GraphPart) -> AddReport:
        """A stored document to which an extractor has added its part of the graph."""
        return cls(
            source=document.source,
            outcome="added",
            metadata=document.metadata,
            chunks=chunks,
            entities=len(graph.entities),
            statements=len(graph.statements),
            rejected=_by_reason(graph),
        )

    @classmethod
    def unchanged(cls, record: DocumentRecord) -> AddReport:
        """A document that is stored already as it is."""
        return cls(record.source, "unchanged", chunks=record.chunks)

    @classmethod
    def failed(cls, source: str, error: str, usage: Usage = NOTHING_ASKED) -> AddReport:
        """A document that could not be read; ``usage`` is what a model was asked for it nonetheless."""
        return cls(source, "failed", usage=usage, error=error)

    @property
    def ok(self) -> bool:
        """False for a document that could not be added."""
        return self.outcome != "failed"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What adding a document would take, before anything is spent."""

    source: str
    pages: int
    chunks: int
    tokens: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None when the model's prices are not known, 0 without a model."""
    error: str = ""


def estimate_document(document: Document, tools: Tools, model: str) -> Estimate:
    """Count pages, chunks and tokens, and for extraction by model the calls and the money."""
    from ..ingest.chunking import make_chunks
    from ..kg.extraction.build import passages_of
    from ..kg.extraction.drivers.model import driver_windows, window_messages
    from ..kg.extraction.llm import ModelExtractor, make_windows
    from ..models.address import split_setting
    from ..models.prices import price

    chunks = make_chunks(document, tools.chunker, None).chunks
    pages, tokens = len(document.pages), sum(chunk.tokens for chunk in chunks)
    if not isinstance(tools.extractor, ModelExtractor):
        return Estimate(document.source, pages, len(chunks), tokens, 0, 0, 0, 0.0)
    calls = [tools.extractor.messages(window) for window in make_windows(passages_of(document, chunks))]
    calls += [window_messages(window) for window in driver_windows(document, chunks)]
    asked = sum(estimate_tokens(message.content) for messages in calls for message in messages)
    share = ANSWER_SHARES.get(document.metadata.kind, ANSWER_SHARE)
    answered = round(share * sum(chunk.tokens for chunk in chunks if chunk.kind == "text"))
    cost = price(split_setting(model)[0], asked, answered)
    return Estimate(document.source, pages, len(chunks), tokens, len(calls), asked, answered, cost)


def _by_reason(graph: GraphPart) -> dict[str, int]:
    return dict(Counter(triple.reason for triple in graph.rejected))

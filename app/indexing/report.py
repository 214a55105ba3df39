"""What an add did: read, dropped, stored, and what it cost; and what it would take, before anything is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..core.records import dataclass
from ..core.tokens import estimate_tokens
from ..ingest.document import Coverage, Document, Metadata
from ..ingest.index_text.options import MODEL
from ..kg.storage.preparation import sentence_count
from ..kg.store import Bundle, DocumentRecord, GraphPart
from ..models.language import Usage

if TYPE_CHECKING:
    from ..components import Tools
    from ..ingest.chunk import Chunk
    from ..kg.extraction.llm import Window

Outcome = Literal["added", "replaced", "unchanged", "failed"]

_OF_A_NAME, _OF_ITSELF, _OF_CHINESE, _DRIVERS = 9.5, 4.7, 0.5, 0.28
"""Answer tokens for each name that the rules find in a window and each sentence with "we" or "the Company"; for each
token of a Chinese window (they find few names there), and for each token of sentences that may say why. By
``extraction_reader``: names and tokens of the window miss a document by .26, names and "we" by .17."""
_SPREAD = 10.5
"""Times the root of what is expected: by so many tokens the answers about a document may differ. Windows miss to either
side, so that long documents are told better: the variance of 27 windows is 67 a token, and 11 of 12 documents are
within."""

TOKENS_OF_START, TOKENS_OF_LINE, TOKENS_OF_SUMMARY, TOKENS_OF_STATEMENTS = 4, 45, 80, 1.6
"""Answer tokens of a chunk that begins, of a context line, of a table, and for each token of propositions.
By the form of the answers: no model has been measured."""

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
    summaries: int = 0
    """Sections that a language model has summarised."""
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
            sentences=sentence_count(bundle),
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
    output_spread: int = 0
    """Tokens to either side of ``output_tokens`` within which the answers may be: those on relations and causes."""


def estimate_file(path: Path, source: str, tools: Tools, model: str) -> Estimate:
    """What adding a file would take; nothing is stored and no model is asked."""
    from ..ingest.about.given import DocumentHints
    from .pipeline import read_path

    return estimate_document(read_path(path, source, DocumentHints(), tools.limits), tools, model)


def estimate_document(document: Document, tools: Tools, model: str) -> Estimate:
    """Count pages, chunks and tokens, and for extraction by model the calls and the money."""
    from ..ingest.chunkers.agentic import AgenticChunker
    from ..ingest.chunking import make_chunks
    from ..ingest.model_calls import CountingModel
    from ..kg.extraction.build import passages_of
    from ..kg.extraction.drivers.model import driver_windows, window_messages
    from ..kg.extraction.llm import ModelExtractor
    from ..models.address import split_setting
    from ..models.language import price

    counted = CountingModel(model)
    chunker = replace(tools.chunker, model=counted) if isinstance(tools.chunker, AgenticChunker) else tools.chunker
    chunks = make_chunks(document, chunker, None, replace(tools.index, vectors="mean"), counted).chunks
    pages, tokens = len(document.pages), sum(chunk.tokens for chunk in chunks)
    calls, answered, spread = list(counted.chats), _answers_of_index(tools, chunks), 0
    if isinstance(tools.extractor, ModelExtractor):
        windows = tools.extractor.windows(passages_of(document, chunks))
        calls += map(tools.extractor.messages, windows)
        explaining = list(driver_windows(document, chunks))
        calls += [window_messages(window) for window in explaining]
        may_explain = sum(estimate_tokens(line.text) for window in explaining for line, _ in window)
        extracted = sum(map(tokens_of_relations, windows)) + tokens_of_drivers(may_explain)
        answered += round(extracted)
        spread = spread_of(extracted)
    if not calls:
        return Estimate(document.source, pages, len(chunks), tokens, 0, 0, 0, 0.0)
    asked = sum(estimate_tokens(message.content) for messages in calls for message in messages)
    cost = price(split_setting(model)[0], asked, answered)
    return Estimate(
        document.source, pages, len(chunks), tokens, len(calls), asked, answered, cost, output_spread=spread
    )


def total_of(estimates: Sequence[Estimate]) -> Estimate:
    """All of a folder in one: documents miss to either side, so that their spread grows with its square root.

    >>> one = Estimate("a.pdf", 1, 1, 1, 1, 100, 400, 0.1, output_spread=120)
    >>> (total_of([one] * 4).output_tokens, total_of([one] * 4).output_spread)
    (1600, 240)
    """
    counts = {name: sum(getattr(estimate, name) for estimate in estimates) for name in _COUNTS}
    costs = [estimate.cost for estimate in estimates if estimate.cost is not None]
    cost = sum(costs) if len(costs) == len(estimates) else None
    spread = round(hypot(*(estimate.output_spread for estimate in estimates)))
    return Estimate("", cost=cost, output_spread=spread, **counts)


_COUNTS = ("pages", "chunks", "tokens", "calls", "input_tokens", "output_tokens")


def tokens_of_relations(window: Window) -> float:
    """Tokens of the answer that gives the relations of a window."""
    if window.language == "zh":
        return _OF_CHINESE * sum(estimate_tokens(line.text) for line in window.lines)
    return _OF_A_NAME * window.mentions + _OF_ITSELF * window.of_itself


def spread_of(expected: float) -> int:
    """By how many tokens the answers on relations may differ from what is expected of them, four times in five.

    >>> spread_of(600), spread_of(15_000)
    (257, 1286)
    """
    return round(min(expected, _SPREAD * sqrt(expected)))


def tokens_of_drivers(text: int) -> float:
    """Tokens of the answers that give the causes in so many tokens of sentences that may say why."""
    return _DRIVERS * text


def _answers_of_index(tools: Tools, chunks: Sequence[Chunk]) -> int:
    """Tokens of the answers about what is to be indexed: as many as the prompts ask for."""
    from ..ingest.chunkers.agentic import AgenticChunker

    texts = [chunk for chunk in chunks if chunk.kind == "text"]
    answered = 0
    if isinstance(tools.chunker, AgenticChunker):
        answered += TOKENS_OF_START * len(texts)
    if tools.index.context == MODEL:
        answered += TOKENS_OF_LINE * len(chunks)
    if tools.index.tables == MODEL:
        answered += TOKENS_OF_SUMMARY * sum(chunk.kind == "table" for chunk in chunks)
    if tools.index.propositions == MODEL:
        answered += round(TOKENS_OF_STATEMENTS * sum(chunk.tokens for chunk in texts))
    return answered


def _by_reason(graph: GraphPart) -> dict[str, int]:
    return dict(Counter(triple.reason for triple in graph.rejected))

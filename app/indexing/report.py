"""What an add did: read, dropped, stored, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..ingest.document import Coverage, Metadata
from ..models.language import Usage

Outcome = Literal["added", "replaced", "unchanged", "failed"]


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

"""What a search finds and what an answer is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...core.anchor import Anchor

EvidenceKind = Literal["chunk", "table", "relation", "entity", "community", "fact"]
TEXTS = frozenset({"chunk", "table"})
"""Kinds of the vector leg; all others come from the graph and the facts."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something found, best first in a list. ``start`` and ``end`` are offsets in the document's text.

    ``highlights`` are (start, end) offsets in the document's text of the sentences in it that answer best, best first.
    """

    kind: EvidenceKind
    text: str
    score: float
    source: str
    id: str = ""
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    highlights: tuple[tuple[int, int], ...] = ()
    tokens: int = 0
    headings: tuple[str, ...] = ()
    why: Mapping[str, float] = field(default_factory=dict)
    """Share of each route and weight in the score."""
    children: tuple[Evidence, ...] = ()
    """The hits that a section or page is read for, best first; page and anchors are the first one's."""


@dataclass(frozen=True, slots=True)
class Citation:
    """[number] in an answer: the sentence or cell that supports it and where it stands."""

    number: int
    source: str
    text: str
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    checked: bool = True
    """The quoted words and numbers were found in the source."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the answer may use: the two legs of HybridRAG, in order, and their concatenation."""

    vector: tuple[Evidence, ...] = ()
    graph: tuple[Evidence, ...] = ()
    order: Literal["vector-first", "graph-first"] = "vector-first"
    tokens: int = 0

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Both legs concatenated, as the model sees them."""
        return self.vector + self.graph if self.order == "vector-first" else self.graph + self.vector


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer. ``model`` is "extractive" when no language model wrote it."""

    text: str
    citations: tuple[Citation, ...]
    context: Context
    mode: str
    model: str
    trace: Mapping[str, Any] = field(default_factory=dict)

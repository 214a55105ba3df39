"""Sentences, chunks and summaries of sections: what is embedded, indexed and searched; the first two are cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, Protocol

from ..core.anchor import Anchor, first_page
from ..core.records import dataclass

if TYPE_CHECKING:
    import numpy as np


class Break(IntEnum):
    """What stands before a sentence."""

    NONE = 0
    """The same line goes on."""
    LINE = 1
    PARAGRAPH = 2
    """A blank line."""
    HARD = 3
    """A heading, table or speaker: no similarity edge and no chunk crosses it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, ``text[start:end]`` of its document, without the white space around it."""

    start: int
    end: int
    tokens: int
    """Estimated tokens (see ``core.tokens``)."""
    before: Break = Break.NONE


@dataclass(frozen=True, slots=True)
class Span:
    """Sentences ``first`` to ``last - 1`` of the sequence given to a chunker."""

    first: int
    last: int


class Chunker(Protocol):
    """Groups consecutive sentences. The spans cover all sentences in order; overlaps only where the chunker says so.

    ``vectors`` are unit rows, one a sentence, or None without an embedder. No span crosses ``Break.HARD``.
    """

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]: ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A cited piece of a document: ``document.text[start:end] == text``.

    ``sentences`` are the offsets of what was embedded, one vector each: sentences, or for a table the pieces of its
    skeleton (then the offsets of the rows they name); a sentence that was embedded as several propositions stands there
    once for each. ``index_text`` is what full-text search sees besides the headings: the text itself, perhaps enriched,
    or a table's skeleton (title, heads, row names, notes; no values).
    """

    id: str
    document: str
    """Key of the document (its source)."""
    ordinal: int
    start: int
    end: int
    text: str
    kind: Literal["text", "table", "figure"] = "text"
    headings: tuple[str, ...] = ()
    speaker: str = ""
    part: str = ""
    anchors: tuple[Anchor, ...] = ()
    tokens: int = 0
    sentences: tuple[tuple[int, int], ...] = ()
    index_text: str = field(default="", repr=False)
    value: float = 1.0
    """Content value: 1 for what explains or judges, less for boilerplate, repetition and bare numbers."""

    @property
    def printed(self) -> tuple[tuple[int, int], ...]:
        """The offsets in ``sentences``, once each: several propositions of one sentence point to it."""
        return tuple(dict.fromkeys(self.sentences))

    @property
    def page(self) -> int | None:
        """The first page it stands on, from 1."""
        return first_page(self.anchors)


SUMMARIES = "summaries"
"""The step whose version in a document's record says who wrote its summaries."""


@dataclass(frozen=True, slots=True)
class SectionSummary:
    """What a section says; its chunks are those of the document numbered ``first`` to ``last``, both included."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class SectionSummaries:
    """Those of one document, in its order. ``vectors`` is float32 (rows, dim), unit; dim 0 without an encoder."""

    author: str
    """Model and version of the prompts."""
    rows: tuple[SectionSummary, ...]
    vectors: np.ndarray

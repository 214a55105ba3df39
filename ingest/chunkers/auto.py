"""The chunker that suits the kind of document, by a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...core.rules import load_rules
from ..chunk import Chunker, Sentence, Span
from .registry import make_chunker, register

if TYPE_CHECKING:
    import numpy as np


def chunker_for(kind: str) -> Chunker:
    """The chunker of ``kinds.toml`` for a kind of document.

    >>> chunker_for("earnings call").target, chunker_for("10-K").target
    (60, 85)
    """
    table = load_rules(__package__, "kinds.toml")
    options = dict(table["kinds"].get(kind, table["default"]))
    return make_chunker(options.pop("chunker"), **options)


@register("auto")
@dataclass(frozen=True, slots=True)
class AutoChunker:
    """Leaves the choice to the kind of document; a text without a kind gets the default."""

    kind: str = ""

    def of(self, kind: str) -> AutoChunker:
        """For a document of that kind, unless a kind is set already."""
        return replace(self, kind=self.kind or kind)

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        return chunker_for(self.kind).chunk(text, sentences, vectors)

"""Our chunkers as LightRAG's ``chunking_func``; LightRAG itself is not needed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...core.errors import UsageError
from ...core.records import dataclass
from ..chunk import Break, Chunker, Sentence
from ..chunkers import make_chunker
from ..chunking import loaded_embedder, sentence_vectors
from ..pieces.outline import sentences_under_headings
from ..sentences import split_text

if TYPE_CHECKING:
    from ...models.embedders import Embedder

_TARGET = 0.75
"""Wished length as a share of ``chunk_token_size``, which is LightRAG's upper limit."""
_ROOM = 0.95
"""Tokens at the seams of sentences are not in the sum over the sentences."""


class Tokenizer(Protocol):
    """What LightRAG hands over: counts tokens as its language model does."""

    def encode(self, content: str) -> list[int]: ...


ChunkingFunction = Callable[[Tokenizer, str, "str | None", bool, int, int], list[dict[str, Any]]]


def chunking_function(
    chunker: str = "clique", embedder: str | Embedder | None = "auto", *, headings: bool = False, **options: Any
) -> ChunkingFunction:
    """A function for ``LightRAG(chunking_func=...)``, of LightRAG 1.3.4 and later.

    It gives ``{"tokens", "content", "chunk_order_index"}`` a chunk. ``chunk_token_size`` bounds every chunk, counted
    with LightRAG's tokenizer. ``chunk_overlap_token_size`` is not used: chunks end where the text holds together least.
    ``options`` are those of the chunker; with ``headings`` no chunk goes over a heading of the text. Raises UsageError:
    an unknown chunker, option or embedder.

        rag = LightRAG(working_dir="...", chunking_func=chunking_function())
    """
    make_chunker(chunker, **options)  # so that a wrong name or option is told now
    model = loaded_embedder(embedder)

    def chunk(
        tokenizer: Tokenizer,
        content: str,
        split_by_character: str | None = None,
        split_by_character_only: bool = False,
        chunk_overlap_token_size: int = 100,
        chunk_token_size: int = 1200,
    ) -> list[dict[str, Any]]:
        parts = content.split(split_by_character) if split_by_character else [content]
        as_split = split_by_character and split_by_character_only
        if not as_split:
            sized = _sized(chunker, chunk_token_size, options)
            cutter = _Cutter(tokenizer, sized, model, chunk_token_size, headings)
            parts = cutter.chunks(parts)
        chunks: list[dict[str, Any]] = []
        for part in filter(None, map(str.strip, parts)):
            tokens = len(tokenizer.encode(part))
            chunks.append({"tokens": tokens, "content": part, "chunk_order_index": len(chunks)})
        return chunks

    return chunk


def _sized(name: str, limit: int, options: dict[str, Any]) -> Chunker:
    """The chunker with lengths that suit the limit, where it has such options and none are given."""
    target, longest = max(1, int(limit * _TARGET)), max(1, int(limit * _ROOM))
    sizes: tuple[dict[str, int], ...] = (
        {"target": target, "longest": longest},
        {"target": target},
        {"longest": longest},
    )
    for size in sizes:
        try:
            return make_chunker(name, **{**size, **options})
        except UsageError:  # it has no such option
            continue
    return make_chunker(name, **options)


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts texts into chunks of at most ``limit`` tokens, as LightRAG's tokenizer counts them."""

    tokenizer: Tokenizer
    chunker: Chunker
    model: Embedder | None
    limit: int
    headings: bool = False

    def chunks(self, texts: Sequence[str]) -> list[str]:
        chunks: list[str] = []
        for text in texts:
            chunks += self._chunks_of(text)
        return chunks

    def _chunks_of(self, text: str) -> list[str]:
        sentences: list[Sentence] = []
        split = sentences_under_headings if self.headings else split_text
        for sentence in split(text):
            sentences += self._fitting(text, sentence)
        vectors = sentence_vectors(text, sentences, self.model)
        chunks: list[str] = []
        for span in self.chunker.chunk(text, sentences, vectors):
            chunks += self._bounded(text, sentences[span.first : span.last])
        return chunks

    def _fitting(self, text: str, sentence: Sentence) -> list[Sentence]:
        """The sentence with its tokens counted by LightRAG, halved until it fits."""
        start, end = sentence.start, sentence.end
        tokens = self._count(text[start:end])
        if tokens <= self.limit or end - start < 2:
            return [replace(sentence, tokens=tokens)]
        middle = (start + end) // 2
        blank = text.rfind(" ", start + 1, middle)
        cut = blank + 1 if blank > 0 else middle
        first = replace(sentence, end=cut)
        second = replace(sentence, start=cut, before=Break.NONE)
        return self._fitting(text, first) + self._fitting(text, second)

    def _bounded(self, text: str, sentences: Sequence[Sentence]) -> list[str]:
        """One chunk, or two halves where a chunker without an upper limit made it too long."""
        chunk = text[sentences[0].start : sentences[-1].end]
        if len(sentences) == 1 or self._count(chunk) <= self.limit:
            return [chunk]
        middle = len(sentences) // 2
        return self._bounded(text, sentences[:middle]) + self._bounded(text, sentences[middle:])

    def _count(self, text: str) -> int:
        return len(self.tokenizer.encode(text))

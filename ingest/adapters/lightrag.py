"""Our chunkers as LightRAG's ``chunking_func``; LightRAG itself is not needed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from ...core.errors import UsageError
from ..chunk import Break, Chunker, Sentence
from ..chunkers import make_chunker
from ..pieces.embedding_text import embedding_text
from ..sentences import split_text

if TYPE_CHECKING:
    from ...models.embedder import Embedder

_TARGET = 0.75
"""Wished length as a share of ``chunk_token_size``, which is LightRAG's upper limit."""
_ROOM = 0.95
"""Tokens at the seams of sentences are not in the sum over the sentences."""


class Tokenizer(Protocol):
    """What LightRAG hands over: counts tokens as its language model does."""

    def encode(self, content: str) -> list[int]: ...


ChunkingFunction = Callable[[Tokenizer, str, "str | None", bool, int, int], list[dict[str, Any]]]


def chunking_function(
    chunker: str = "clique", embedder: str | Embedder | None = "auto", **options: Any
) -> ChunkingFunction:
    """A function for ``LightRAG(chunking_func=...)``, of LightRAG 1.3.4 and later.

    It gives ``{"tokens", "content", "chunk_order_index"}`` a chunk. ``chunk_token_size`` bounds every chunk, counted
    with LightRAG's tokenizer. ``chunk_overlap_token_size`` is not used: chunks end where the text holds together least.
    ``options`` are those of the chunker. Raises UsageError: an unknown chunker, option or embedder.

        rag = LightRAG(working_dir="...", chunking_func=chunking_function())
    """
    make_chunker(chunker, **options)  # so that a wrong name or option is told now
    model = _loaded(embedder)

    def chunk(
        tokenizer: Tokenizer,
        content: str,
        split_by_character: str | None = None,
        split_by_character_only: bool = False,
        chunk_overlap_token_size: int = 100,
        chunk_token_size: int = 1200,
    ) -> list[dict[str, Any]]:
        parts = _parts(content, split_by_character)
        if not (split_by_character and split_by_character_only):
            sized = _sized(chunker, chunk_token_size, options)
            parts = [piece for part in parts for piece in _chunks(part, tokenizer, sized, model, chunk_token_size)]
        kept = [part.strip() for part in parts if part.strip()]
        return [
            {"tokens": len(tokenizer.encode(part)), "content": part, "chunk_order_index": i}
            for i, part in enumerate(kept)
        ]

    return chunk


def _parts(content: str, mark: str | None) -> list[str]:
    return content.split(mark) if mark else [content]


def _sized(name: str, limit: int, options: dict[str, Any]) -> Chunker:
    """The chunker with lengths that suit the limit, where it has such options and none are given."""
    wished = {"target": max(1, int(limit * _TARGET)), "longest": max(1, int(limit * _ROOM))}
    for given in (wished, {"target": wished["target"]}, {"longest": wished["longest"]}, {}):
        try:
            return make_chunker(name, **{**given, **options})
        except UsageError:
            continue
    return make_chunker(name, **options)


def _chunks(text: str, tokenizer: Tokenizer, chunker: Chunker, model: Embedder | None, limit: int) -> list[str]:
    sentences = [part for s in split_text(text) for part in _fitting(text, s, tokenizer, limit)]
    vectors = model.embed([embedding_text(text[s.start : s.end]) for s in sentences]) if model and sentences else None
    chunks: list[str] = []
    for span in chunker.chunk(text, sentences, vectors):
        chunks += _bounded(text, sentences[span.first : span.last], tokenizer, limit)
    return chunks


def _fitting(text: str, sentence: Sentence, tokenizer: Tokenizer, limit: int) -> list[Sentence]:
    """The sentence with its tokens counted by LightRAG, halved until it fits."""
    tokens = len(tokenizer.encode(text[sentence.start : sentence.end]))
    if tokens <= limit or sentence.end - sentence.start < 2:
        return [replace(sentence, tokens=tokens)]
    middle = (sentence.start + sentence.end) // 2
    blank = text.rfind(" ", sentence.start + 1, middle)
    cut = blank + 1 if blank > 0 else middle
    halves = replace(sentence, end=cut), replace(sentence, start=cut, before=Break.NONE)
    return [part for half in halves for part in _fitting(text, half, tokenizer, limit)]


def _bounded(text: str, sentences: Sequence[Sentence], tokenizer: Tokenizer, limit: int) -> list[str]:
    """One chunk, or two halves where a chunker without an upper limit made it too long."""
    chunk = text[sentences[0].start : sentences[-1].end]
    if len(sentences) == 1 or len(tokenizer.encode(chunk)) <= limit:
        return [chunk]
    middle = len(sentences) // 2
    return _bounded(text, sentences[:middle], tokenizer, limit) + _bounded(text, sentences[middle:], tokenizer, limit)


def _loaded(embedder: str | Embedder | None) -> Embedder | None:
    if not isinstance(embedder, str):
        return embedder
    from ...models.embedders import load_embedder

    return load_embedder(embedder)

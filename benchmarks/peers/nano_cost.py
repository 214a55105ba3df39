"""nano-graphrag with its default storages for the cost benchmark.

It counts tokens with a vocabulary that it would download: words stand in for it. Its model function shares one client.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cliquerag.evaluation.lightrag import WordTokenizer

from .endpoint import model_function
from .invented import CHUNK_WORDS, OVERLAP_WORDS, HashEmbedder
from .system import Text


class NanoSystem:
    """Default settings; similarity never leaves places of its result empty."""

    def __init__(self, folder: Path, url: str) -> None:
        import tiktoken

        words = WordTokenizer()
        tiktoken.encoding_for_model = lambda name: _encoding(words)
        from nano_graphrag import GraphRAG
        from nano_graphrag.base import EmbeddingFunc

        for name in ("nano-graphrag", "nano-vectordb", "httpx"):
            logging.getLogger(name).setLevel(logging.WARNING)
        embedder, model = HashEmbedder(), model_function(url)

        async def embed(texts: Sequence[str]) -> Any:
            return embedder.embed(list(texts))

        self._rag = GraphRAG(
            working_dir=str(folder),
            chunk_token_size=CHUNK_WORDS,
            chunk_overlap_token_size=OVERLAP_WORDS,
            best_model_func=model,
            cheap_model_func=model,
            embedding_func=EmbeddingFunc(embedding_dim=embedder.dim, max_token_size=8192, func=embed),
            query_better_than_threshold=-1.0,
        )

    def add(self, documents: Sequence[Text]) -> None:
        self._rag.insert([text for _, text in documents])

    def search(self, question: str) -> None:
        self._ask(question, only_need_context=True)

    def ask(self, question: str) -> None:
        self._ask(question)

    def close(self) -> None:
        """Nothing is open between calls."""

    def _ask(self, question: str, **options: Any) -> None:
        from nano_graphrag import QueryParam

        self._rag.query(question, QueryParam(mode="local", **options))


def _encoding(words: WordTokenizer) -> Any:
    """What is asked of tiktoken's encodings."""

    def encode_batch(texts: Sequence[str], **_: Any) -> list[list[int]]:
        return [words.encode(text) for text in texts]

    def decode_batch(batches: Sequence[Sequence[int]], **_: Any) -> list[str]:
        return [words.decode(tokens) for tokens in batches]

    return SimpleNamespace(
        encode=words.encode, decode=words.decode, encode_batch=encode_batch, decode_batch=decode_batch
    )

"""Chunkers by name: each groups consecutive sentences, one a file, all behind ``ingest.chunk.Chunker``."""

from __future__ import annotations

from .registry import chunker_names, make_chunker, register

__all__ = ["chunker_names", "make_chunker", "register"]

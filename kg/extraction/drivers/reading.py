"""The drivers of a document, by the rules or by the model that reads its relations."""

from __future__ import annotations

from collections.abc import Sequence

from ....ingest.chunk import Chunk
from ....ingest.document import Document
from ...drivers import Driver
from ...triple import Extractor
from .document import document_drivers


def read_drivers(document: Document, chunks: Sequence[Chunk], extractor: Extractor) -> tuple[Driver, ...]:
    """What moved the figures of a document, as its sentences and tables say it."""
    return document_drivers(document, chunks, extractor.name)

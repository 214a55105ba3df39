"""The drivers of a document, by the rules or by the model that reads its relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.names import is_chinese
from ....ingest.chunk import Chunk
from ....ingest.document import Document
from ...drivers import Direction, Driver
from ...triple import Extractor
from .chinese import chinese_direction
from .document import document_drivers
from .effects_en import Form, movements

if TYPE_CHECKING:
    from ....models.language import LanguageModel

FORMS: tuple[Form, ...] = ("movement", "noun", "adjective")


def read_drivers(document: Document, chunks: Sequence[Chunk], extractor: Extractor) -> tuple[Driver, ...]:
    """What moved the figures of a document, as its sentences and tables say it."""
    model: LanguageModel | None = getattr(extractor, "language_model", None)
    if model is None:
        return document_drivers(document, chunks, extractor.name)
    from .model import model_drivers

    return model_drivers(document, chunks, model, extractor.name)


def direction_of(text: str) -> Direction:
    """The way in which a question says that a figure moved; "" where it says none.

    >>> direction_of("Why did revenue fall in 2022?"), direction_of("净利润为什么增长")
    ('down', 'up')
    """
    if is_chinese(text):
        return chinese_direction(text)
    for form in FORMS:
        for _, direction in movements(text, form):
            return direction
    return ""

"""Writes what is embedded and searched of a document: names put in where it says "the Company", context lines,
propositions, tables in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...core.names import is_chinese, strip_legal_form
from ...core.patterns import PatternTable
from ...core.records import dataclass
from ..document import Document, Segment
from ..pieces.outline import Outline, Running
from .context import Place, context_lines
from .options import MODEL, IndexOptions
from .propositions import Told, propositions
from .tables import table_summaries

if TYPE_CHECKING:
    from ...models.language import LanguageModel

_WORDS = {language: PatternTable(__package__, "names.toml", language) for language in ("english", "chinese")}
_ASKED_BY_OTHERS = "question"
"""The part of a call in which "we" is an analyst's bank."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The company that a document is of, by the name that it is searched with."""

    name: str

    def put_in(self, text: str, segment: Segment | None = None) -> str:
        """The sentence with the name in the place of the first word that stands for it, unless it holds the name.

        >>> Subject("Acme").put_in("We sold our mill to Beta.")
        'Acme sold our mill to Beta.'
        >>> Subject("Acme").put_in("In 2023 our sales rose."), Subject("Acme").put_in("Acme and we agree.")
        ("In 2023 Acme's sales rose.", 'Acme and we agree.')
        >>> Subject("顺丰控股").put_in("报告期内，公司营业收入增长。")
        '报告期内，顺丰控股营业收入增长。'
        """
        if self._is_at_home(text, segment):
            return text
        mentions = sorted(self._mentions(text))
        for start, end, name in mentions[:1]:
            return f"{text[:start]}{name}{text[end:]}"
        return text

    def _is_at_home(self, text: str, segment: Segment | None) -> bool:
        """True where the name stands already, and where an analyst says "we"."""
        if segment is not None and segment.part == _ASKED_BY_OTHERS:
            return True
        return self.name.lower() in text.lower()

    def _mentions(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start and end of the first of each kind, and what takes its place."""
        chinese = is_chinese(text)
        words = _WORDS["chinese" if chinese else "english"]
        for group, name in (("noun", self.name), ("owner", f"{self.name}'s")):
            for match in filter(None, (pattern.search(text) for pattern in words.all(group))):
                yield match.start(), match.end(), name


def subject_of(document: Document) -> Subject | None:
    """The one company that a document is of; None where there are several, none, or where it is not certain.

    >>> from cliquerag.ingest.document import Metadata
    >>> subject_of(Document("a", "", (), metadata=Metadata(companies=("Acme Holdings, Inc.",))))
    Subject(name='Acme Holdings')
    """
    metadata = document.metadata
    if len(metadata.companies) != 1 or metadata.unsure:
        return None
    name = re.sub(r"\s{1,40}", " ", strip_legal_form(metadata.companies[0])).strip()
    return Subject(name) if name else None


class IndexWriter:
    """The texts of one document by its options; the model is asked where they say so."""

    def __init__(self, document: Document, options: IndexOptions, model: LanguageModel | None) -> None:
        self._document = document
        self._options = options
        self._model = model
        puts_names = options.names or options.propositions
        self._summaries: list[str] | None = None
        self._subject: Subject | None = subject_of(document) if puts_names else None

    def embedded(self, layout: Outline) -> list[tuple[str, ...]]:
        """The texts of each running sentence, then those of each piece of a table: one, or one a proposition.

        The first piece of a table has its summary as a second text where summaries are wanted.
        """
        sentences = [self._named(running.embedding_text(self._document.text), running) for running in layout.running]
        texts: list[tuple[str, ...]] = [(sentence,) for sentence in sentences]
        if self._options.propositions:
            told = [
                Told(text, running.segment.headings, running.sentence.tokens)
                for text, running in zip(sentences, layout.running, strict=True)
            ]
            stated = propositions(self._document, told, self._asked(self._options.propositions))
            texts = []
            for statements, item in zip(stated, layout.running, strict=True):  # each clause has its own "we"
                texts.append(tuple(self._named(text, item) for text in statements))
        for table, summary in zip(layout.tables, self.table_summaries(layout), strict=True):
            first, *others = table.pieces
            texts.append((first.text, summary) if summary else (first.text,))
            texts.extend((piece.text,) for piece in others)
        return texts

    def table_summaries(self, layout: Outline) -> list[str]:
        """The summary of each table; "" for all where none are wanted. A model is asked once."""
        if not self._options.tables:
            return [""] * len(layout.tables)
        if self._summaries is None:
            segments = [table.segment for table in layout.tables]
            self._summaries = table_summaries(self._document, segments, self._asked(self._options.tables))
        return self._summaries

    def searched(self, start: int, end: int, running: Sequence[Running]) -> str:
        """What words find of running text: as printed, with the names put in where they are wanted."""
        text = self._document.text
        if self._subject is None:
            return text[start:end]
        parts: list[str] = []
        at = start
        for item in running:
            own = item.sentence
            parts += [text[at : own.start], self._named(text[own.start : own.end], item)]
            at = own.end
        return "".join([*parts, text[at:end]])

    def contexts(self, places: Sequence[Place]) -> list[str]:
        """The line of each chunk; "" for all where none are wanted."""
        if not self._options.context:
            return [""] * len(places)
        return context_lines(self._document, places, self._asked(self._options.context))

    def _named(self, text: str, running: Running) -> str:
        return self._subject.put_in(text, running.segment) if self._subject else text

    def _asked(self, how: str) -> LanguageModel | None:
        return self._model if how == MODEL else None

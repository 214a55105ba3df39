"""Coreference by rules: the name of the company where its document says "the Company", we, our or 本公司."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...core.names import is_chinese, strip_legal_form
from ...core.patterns import PatternTable
from ..document import Document, Segment

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

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
        said_by_others = segment is not None and segment.part == _ASKED_BY_OTHERS
        if said_by_others or self.name.lower() in text.lower():
            return text
        found = min(self._mentions(text), key=lambda mention: mention[0], default=None)
        if found is None:
            return text
        start, end, name = found
        return f"{text[:start]}{name}{text[end:]}"

    def _mentions(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start and end of the first of each kind, and what takes its place."""
        words = _WORDS["chinese" if is_chinese(text) else "english"]
        owner = self.name if is_chinese(text) else f"{self.name}'s"
        for group, name in (("noun", self.name), ("owner", owner)):
            for pattern in words.all(group):
                if match := pattern.search(text):
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

"""What a report consists of: sections, paragraphs, tables, each pointing to its source, and the words between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from string import Template
from typing import TYPE_CHECKING, Any

from ..core.anchor import Anchor
from ..core.records import dataclass
from ..core.rules import load_rules
from ..retrieval.answer.multi_part import JointCitations
from ..retrieval.search.evidence import Citation

if TYPE_CHECKING:
    from ..core.language import Language
    from ..retrieval.search.evidence import Answer


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table with the numbers of what it cites."""

    text: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; each row has as many cells as there are heads."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """An answer with [number] marks, and the question that it answers; "" where it answers the section's own."""

    text: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report. ``chart`` is an SVG of our own making, "" without one."""

    title: str
    paragraphs: tuple[Paragraph, ...] = ()
    grids: tuple[Grid, ...] = ()
    chart: str = ""

    @property
    def is_empty(self) -> bool:
        """True where nothing was found for it."""
        return not (self.paragraphs or self.grids)


@dataclass(frozen=True, slots=True)
class Report:
    """A report with its sources. ``missing`` are the questions that the documents do not answer."""

    title: str
    language: Language
    sections: tuple[Section, ...]
    citations: tuple[Citation, ...]
    missing: tuple[str, ...] = ()
    model: str = "extractive"
    trace: Mapping[str, Any] = field(default_factory=dict)


class Numbering:
    """Gives what a report cites its numbers, from 1 in the order in which it is first cited; nothing twice."""

    def __init__(self) -> None:
        self._numbers = JointCitations()

    def answer(self, answer: Answer) -> str:
        """The text of an answer with the report's numbers in place of its own."""
        return self._numbers.renumbered(answer)

    def place(self, source: str, text: str, start: int, end: int, anchors: Sequence[Anchor], page: int | None) -> int:
        """The number of a fact, a sentence or a heading."""
        said = " ".join(text.split())
        return self._numbers.number(Citation(0, source, said, page, tuple(anchors), start, end))

    def all(self) -> tuple[Citation, ...]:
        """Every citation, by its number."""
        return tuple(replace(citation) for citation in self._numbers.citations)


_ABBREVIATION = 3
"""Letters of a name that stay capitals."""


def word(key: str, language: Language, /, **values: object) -> str:
    """A word or sentence of ours with ``$name`` filled in.

    >>> word("restated", "en", value=5, other=4)
    '5, before 4'
    """
    text: str = load_rules(__package__, "words.toml")[language][key]
    return Template(text).substitute({name: str(value) for name, value in values.items()})


def metric_name(name: str, language: Language) -> str:
    """A metric as a table of a report names it; "" where its own name does.

    >>> metric_name("operating cash flow", "zh"), metric_name("revenue", "en")
    ('经营活动现金流量净额', '')
    """
    named: str = load_rules(__package__, "words.toml")["metrics"][language].get(name, "")
    return named


def spoken_name(company: str) -> str:
    """A company as people write it, where a cover prints it in capitals; short ones are abbreviations.

    >>> spoken_name("THE BOEING"), spoken_name("IBM"), spoken_name("The Coca-Cola Company")
    ('Boeing', 'IBM', 'The Coca-Cola Company')
    """
    if not company.isupper():
        return company
    words = [word if len(word) <= _ABBREVIATION else word.capitalize() for word in company.removeprefix("THE ").split()]
    return " ".join(words)

"""What an extractor reads from one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, Protocol

from ..core.period import Period
from ..core.records import dataclass

Modality = Literal["asserted", "negated", "possible", "planned"]


@dataclass(frozen=True, slots=True)
class Name:
    """A named thing in a text: ``text[start:end]`` reads ``name``; ``entity`` is the full name when it is a short
    form."""

    name: str
    type: str
    start: int
    end: int
    entity: str = ""

    @property
    def full(self) -> str:
        """The full name of what it names."""
        return self.entity or self.name


@dataclass(frozen=True, slots=True)
class Triple:
    """[head, head type, relation, tail, tail type, metadata], directed, with the sentence it was read from.

    ``relation`` and the types are names of ``kg/schema.toml``. ``start`` and ``end`` are the sentence's offsets in
    the text given to the extractor. ``reason`` says why a triple was kept out of the graph; empty for a good one.
    """

    head: str
    head_type: str
    relation: str
    tail: str
    tail_type: str
    sentence: str
    start: int
    end: int
    period: Period | None = None
    modality: Modality = "asserted"
    confidence: float = 1.0
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Value, unit, date, share ... as printed."""
    reason: str = ""

    def as_list(self) -> list[object]:
        """The nested-list form of the HybridRAG paper: [h, type, r, o, type, metadata]."""
        meta = dict(self.metadata)
        if self.period:
            meta["period"] = self.period.label
        return [self.head, self.head_type, self.relation, self.tail, self.tail_type, meta]


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that an extractor read from a text: names, triples, and triples kept out with a reason."""

    names: tuple[Name, ...] = ()
    triples: tuple[Triple, ...] = ()
    rejected: tuple[Triple, ...] = ()
    tickers: Mapping[str, str] = field(default_factory=dict)
    """Ticker -> company, where the text gives both: "Bolt Corp. (NYSE: BLT)"."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What an extractor is given: a chunk's text and what is known around it.

    ``subject`` is whom "the Company", "we" or 本公司 means (the filer, or the firm on the call).
    """

    text: str
    subject: str = ""
    speaker: str = ""
    period: Period | None = None
    language: Literal["en", "zh"] = "en"
    sentences: tuple[tuple[int, int], ...] = ()
    """Offsets in ``text``; found by the extractor when empty."""
    also: tuple[str, ...] = ()
    """Other names of the subject, which the document states."""
    about: str = ""
    """Title, kind, period and date of the document, for who reads the passage alone."""
    headings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    """Who says each of the sentences, where a question and its answer stand in one passage; empty: the speaker all."""


class Extractor(Protocol):
    """Reads the passages of ONE document, in order, and gives one extraction for each.

    A document is given at once so that aliases defined on page 1 hold on page 80. ``name`` and ``version`` are stored
    with what it read, so that a document can be read again by a better one.
    """

    name: str
    version: str

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]: ...

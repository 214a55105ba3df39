"""What a search finds, what an answer is made of, and the trace of how both came about."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from decimal import Decimal
from typing import Any, Literal

from ...core.anchor import Anchor
from ...core.quantity import SCALE_WORDS
from ...core.records import dataclass
from ...core.sequences import in_turn

EvidenceKind = Literal["chunk", "table", "figure", "relation", "entity", "community", "fact"]
TEXTS = frozenset({"chunk", "table", "figure"})
"""Kinds of the vector leg; all others come from the graph and the facts."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something found, best first in a list. ``start`` and ``end`` are offsets in the document's text.

    ``highlights`` are (start, end) offsets in the document's text of the sentences in it that answer best, best first.
    """

    kind: EvidenceKind
    text: str
    score: float
    source: str
    id: str = ""
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    highlights: tuple[tuple[int, int], ...] = ()
    tokens: int = 0
    headings: tuple[str, ...] = ()
    why: Mapping[str, float] = field(default_factory=dict)
    """Share of each route and weight in the score."""
    children: tuple[Evidence, ...] = ()
    """The hits that a section, page or turn is read for, best first; page and anchors are the first one's."""
    turn: tuple[int, int] | None = None
    """Offsets in the document's text of the turn of a call in which it stands."""


@dataclass(frozen=True, slots=True)
class Citation:
    """[number] in an answer: the sentence or cell that supports it and where it stands."""

    number: int
    source: str
    text: str
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    checked: bool = True
    """The quoted words and numbers were found in the source."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the answer may use: the two legs of HybridRAG, in order, and their concatenation."""

    vector: tuple[Evidence, ...] = ()
    graph: tuple[Evidence, ...] = ()
    order: Literal["vector-first", "graph-first"] = "vector-first"
    tokens: int = 0

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Both legs concatenated, as the model sees them."""
        return self.vector + self.graph if self.order == "vector-first" else self.graph + self.vector


Expected = Literal["number", "boolean", "name", "names", "date", "text"]
"""Kinds of answer that a program can ask for."""


_MOST_DECIMALS = 4
"""That people are shown of a calculated number."""


@dataclass(frozen=True, slots=True)
class TypedValue:
    """An answer as a value of one kind; ``value`` is None where the documents do not say: not available.

    A number counts in ``unit`` times ``scale`` (34.6 for 34.6 %, 4.2 with a scale of 10**9 for 4.2 billion). ``pages``
    are (source, page) of what it rests on. ``checked`` says that it was found in what is cited, or calculated from it.
    """

    kind: Expected
    value: Decimal | bool | str | tuple[str, ...] | None = None
    unit: str = ""
    scale: Decimal = Decimal(1)
    period: str = ""
    pages: tuple[tuple[str, int], ...] = ()
    checked: bool = False
    note: str = ""
    """A calculation with its values, or what was left out and why."""

    @property
    def text(self) -> str:
        """For people: "4.2 billion USD, FY2022", "true", "N/A".

        >>> TypedValue("number", Decimal("34.6"), "%", period="FY2022").text, TypedValue("name").text
        ('34.6 %, FY2022', 'N/A')
        >>> TypedValue("number", Decimal(1) / 3, "%").text
        '0.3333 %'
        """
        if self.value is None:
            return "N/A"
        if isinstance(self.value, bool):
            return str(self.value).lower()
        if isinstance(self.value, tuple):
            return "; ".join(self.value)
        scale = SCALE_WORDS.get(self.scale, "")
        value = str(self.value)
        if isinstance(self.value, Decimal) and len(value.partition(".")[2]) > _MOST_DECIMALS:
            value = f"{self.value:.{_MOST_DECIMALS}f}"
        shown = " ".join(filter(None, (value, scale, self.unit)))
        return f"{shown}, {self.period}" if self.period else shown


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer. ``model`` is "extractive" when no language model wrote it."""

    text: str
    citations: tuple[Citation, ...]
    context: Context
    mode: str
    model: str
    trace: Mapping[str, Any] = field(default_factory=dict)
    typed: TypedValue | None = None
    """The value, where a kind of answer was asked for."""


def dealt_in_turns(rankings: Iterable[Sequence[Evidence]]) -> list[Evidence]:
    """The best of each ranking, then the second of each, and so on; each piece once, at its first place.

    >>> from cliquerag.retrieval.search.evidence import Evidence
    >>> a, b, c = (Evidence("chunk", name, 1.0, "x.txt", id=name) for name in "abc")
    >>> [item.id for item in dealt_in_turns([[a, b], [b, c]])]
    ['a', 'b', 'c']
    """
    dealt: dict[tuple[str, str, str], Evidence] = {}
    for item in in_turn(rankings):
        dealt.setdefault((item.kind, item.source, item.id), item)
    return list(dealt.values())


@dataclass(slots=True)
class Trace:
    """Collects what a search did as plain data that JSON can hold.

    >>> trace = Trace()
    >>> trace.note("keywords", ["acme"])
    >>> trace.data
    {'keywords': ['acme']}
    """

    data: dict[str, Any] = field(default_factory=dict)

    def note(self, name: str, value: Any) -> None:
        """Keep a finding."""
        self.data[name] = value

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Keep the CPU milliseconds that a step of this thread took, the encoder's apart from the rest."""
        start = time.thread_time()
        yield
        times = self.data.setdefault("milliseconds", {})
        times[name] = round(times.get(name, 0.0) + (time.thread_time() - start) * 1000, 2)

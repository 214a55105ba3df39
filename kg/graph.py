"""The entity graph: surrogate entities, dated statements between them, merges as an overlay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import date
from typing import Literal

from ..core.anchor import Anchor, first_page
from ..core.names import name_key
from ..core.period import Period
from ..core.records import dataclass
from .triple import Modality

NOTES = frozenset({"description"})
"""Context that only tells about an entity, a line a remark, and tells none apart."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity named in a chunk; offsets are in the document's text."""

    entity: str
    chunk: str
    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with a name. ``id`` is ``stable_id("entity", type, name as first written, case folded)``; a person's also
    takes the firm's key where the document names one, so that namesakes of two firms stay two.

    One entity a written name and type: that "Acme Inc." and "Acme" are one is a :class:`Merge` on top, which can be
    undone. Readers of a store give the whole cluster as one Entity: the most mentioned name, the others as ``aliases``.
    """

    id: str
    name: str
    type: str
    key: str = ""
    """``core.names.name_key(name)``: candidates for a merge share it."""
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    documents: int = 0
    context: Mapping[str, str] = field(default_factory=dict)
    """What tells namesakes apart: a person's firm, a place's country, a company's ticker. And ``NOTES``."""

    @property
    def keys(self) -> set[str]:
        """The comparable forms of all its names."""
        return {self.key, *map(name_key, (self.name, *self.aliases))}


def most_mentioned(entities: Iterable[Entity]) -> list[Entity]:
    """Those that documents name most first; the order of all that look entities up."""
    return sorted(entities, key=lambda entity: (-entity.mentions, entity.id))


@dataclass(frozen=True, slots=True)
class Statement:
    """One triple in the graph: who, what, whom, when, and the sentence that says so. Never changed, only added or
    removed."""

    id: str
    head: str
    relation: str
    tail: str
    document: str
    chunk: str
    start: int
    end: int
    text: str
    anchors: tuple[Anchor, ...] = ()
    period: Period | None = None
    published: date | None = None
    modality: Modality = "asserted"
    confidence: float = 1.0
    extractor: str = "rules"
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def page(self) -> int | None:
        """The first page it stands on, from 1."""
        return first_page(self.anchors)


def statement_place(statement: Statement) -> tuple[str, int, str]:
    """Orders statements by document and place in it."""
    return statement.document, statement.start, statement.id


@dataclass(frozen=True, slots=True)
class Merge:
    """Two entities taken for one: ``entity`` is also ``into``. Undone merges stay, marked, and are not made again."""

    id: str
    entity: str
    into: str
    reason: str
    """"legal suffix", "alias in the text", "ticker", "by hand" ..."""
    score: float = 1.0
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """All statements of one kind from one entity to another (clusters, after merges), best supported first in
    listings."""

    head: Entity
    relation: str
    tail: Entity
    statements: tuple[Statement, ...]
    successor: Statement | None = None
    """What ends it: a later statement of another tail (functional relations) or a later denial. Set on reading, by
    ``timeline.marked``; None for one that holds, and for history that nobody asked to be marked."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Head, relation and tail: there is one relation of each in a store."""
        return self.head.id, self.relation, self.tail.id

    @property
    def ends(self) -> tuple[Entity, Entity]:
        """Head and tail."""
        return self.head, self.tail

    @property
    def support(self) -> int:
        """How many documents say so."""
        return len({s.document for s in self.statements})


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A bounded neighbourhood. Relations and mentions name entities by the id of their cluster."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said; offsets are in the document's text. ``chunk`` is "" for a cell of a table."""

    document: str
    start: int
    end: int
    page: int | None = None
    chunk: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim of a community's report, and the places that say so, the best one first."""

    kind: Literal["relation", "figure", "risk", "summary"]
    text: str
    places: tuple[Place, ...]
    relation: str = ""
    """Its name in the schema, for a finding that is one."""


@dataclass(frozen=True, slots=True)
class Community:
    """A group of entities that talk mostly to each other, found by Leiden; derived, never a source."""

    id: str
    level: int
    entities: tuple[str, ...]
    parent: str = ""
    title: str = ""
    report: str = ""
    findings: tuple[Finding, ...] = ()
    """The claims of the report one by one."""
    author: str = ""
    """Who wrote the report: "rules" or the name of a model."""
    digest: str = ""
    """Hash of the members and of what is said about them: a report holds as long as it stays."""


@dataclass(frozen=True, slots=True)
class Communities:
    """All communities, coarse levels first, and the version of the store that they were derived from."""

    version: int
    groups: tuple[Community, ...] = ()
    method: str = ""
    """How they were found, with a version: "leiden-1", "louvain-1" where the extra is not installed."""

"""What each reader returns: the parts of a Document, before it is known whom the document is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from ..document import Line, Page, Segment, TaggedValue
from ..table import Table


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a file says of itself besides its text."""

    info: Mapping[str, str] = field(default_factory=dict)
    """Title, author, subject ... as stored in the file."""
    dei: Mapping[str, str] = field(default_factory=dict)
    """Inline XBRL cover facts without prefix: "EntityRegistrantName" -> "Acme Inc."."""
    is_call: bool = False
    """True for a transcript of a call."""
    running: Mapping[str, int] = field(default_factory=dict)
    """What running headers and footers say that stand in no segment -> on how many pages."""
    large: tuple[str, ...] = ()
    """What the first pages print in display type, in order."""
    published: date | None = None
    """The day that the file itself gives for its appearance: a message was sent, a filing accepted."""


@dataclass(frozen=True, slots=True)
class Content:
    """Text with everything that points into it, and what was left out."""

    text: str
    segments: tuple[Segment, ...]
    pages: tuple[Page, ...] = ()
    lines: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[int, str] = field(default_factory=dict)
    evidence: Evidence = Evidence()
    tagged: tuple[TaggedValue, ...] = ()
    notes: tuple[str, ...] = ()
    """What the file holds that a reader of it should know; see ``Coverage.notes``."""

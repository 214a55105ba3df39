"""Readers by format: which one reads a file is told by its first bytes, its words or its ending.

A new format is one module of this package that holds a ``Reader``; nothing else has to name it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ...core.errors import DocumentError
from ..document import Line, Page, Segment, Table, TaggedValue
from ..limits import NO_DEADLINE, Deadline
from .encoding import decode

if TYPE_CHECKING:
    from ..pdf.descriptions import Describe


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


@dataclass(frozen=True)
class FileContent:
    """A file as readers are given it: its bytes, or a text at hand, which has none."""

    data: bytes
    path: Path
    """Where it lies, for messages; a part of an archive has the path of that archive before its name."""
    given_text: str | None = None
    progress: Callable[[int, int], None] | None = None
    deadline: Deadline = field(default=NO_DEADLINE)
    describe: Describe | None = None
    """Describes the figures of a PDF."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @cached_property
    def text(self) -> str:
        """Its text, whatever the encoding. Raises DocumentError for a binary file."""
        if self.given_text is not None:
            return self.given_text
        return decode(self.data, where=str(self.path))

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """A path that libraries can open: its own, or for a part of an archive that of a copy for the time being."""
        if self.path.is_file():
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="cliquerag-") as folder:
            copy = Path(folder) / f"part{self.path.suffix}"
            copy.write_bytes(self.data)
            yield copy


@dataclass(frozen=True)
class Member:
    """A file inside another: an attachment, a part of an archive. ``name`` is its path in there."""

    name: str
    load: Callable[[], bytes]
    """Its bytes. Raises DocumentError where they are damaged, encrypted or too many."""


@dataclass(frozen=True)
class Reader:
    """One format. ``recognises`` looks at the content, and at the ending where content cannot tell."""

    name: str
    """As people call the format: "Word document"."""
    suffixes: tuple[str, ...]
    """Endings by which a walk through a folder picks files, in small letters."""
    recognises: Callable[[FileContent], bool]
    read: Callable[[FileContent], Content]
    """Raises DocumentError: damaged, encrypted, empty, hostile, or a library is missing."""
    rank: int = 50
    """Readers are asked in this order. Below 30 by the first bytes, below 40 by the structure of a text, then by its
    look; 99 takes whatever is left."""
    members: Callable[[FileContent], Sequence[Member]] | None = None
    """The files inside of one, for formats that hold others."""


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader of this package, in the order in which they are asked."""
    package = import_module(__package__)
    found: dict[str, Reader] = {}
    for module in iter_modules(package.__path__):
        for value in vars(import_module(f"{__package__}.{module.name}")).values():
            if isinstance(value, Reader):
                found[value.name] = value
    return tuple(sorted(found.values(), key=lambda reader: (reader.rank, reader.name)))


@cache
def suffixes() -> frozenset[str]:
    """Endings of all files that can be read."""
    return frozenset(suffix for reader in readers() for suffix in reader.suffixes)


def reader_of(file: FileContent) -> Reader:
    """The reader of a file; bytes that none knows are left to the reader of plain text, which says so."""
    return next(reader for reader in readers() if reader.recognises(file))


def missing_library(library: str, extra: str, path: Path) -> DocumentError:
    """What is said where the library of a format is not installed."""
    hint = f"Install it with: pip install 'cliquerag[{extra}]'"
    return DocumentError(f"reading it takes the package {library}", where=str(path), hint=hint)

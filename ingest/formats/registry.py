"""Readers by format: which one reads a file is told by its first bytes, its words or its ending; which letters its
bytes stand for, by byte order marks, UTF-8, GB18030 or Latin-1.
"""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from datetime import date
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ...core.errors import DocumentError
from ...core.records import dataclass
from ..document import Line, Page, Segment, Table, TaggedValue
from ..limits import NO_DEADLINE, Deadline

if TYPE_CHECKING:
    from ..pdf.descriptions import Describe

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_COMMON_HAN = re.compile("[的一是不了在有人和公司年为中国大上个与及以会产行业资月元等增分]")
_SAMPLE = 200_000
"""Characters, or bytes, from the start of a file by which it is judged."""
_MOST_CONTROL = 0.02
"""Share of control characters above which a file is binary."""


def decode(data: bytes, *, where: str = "") -> str:
    """The text of a file of unknown encoding; line ends stay as they are.

    ``where`` names the file in the error. Raises DocumentError for a binary file.

    >>> decode("净利润增长".encode("gb18030")), decode("café".encode("latin-1"))
    ('净利润增长', 'café')
    """
    marked = _encoding_by_mark(data)
    if marked:
        return _checked(data.decode(marked, "replace"), where)
    wide = _utf16_without_mark(data)
    if wide:
        return data.decode(wide, "replace")
    if b"\0" in data[:_SAMPLE]:
        raise _binary(where)
    text = _decoded(data, "utf-8") or _as_declared(data) or _best_guess(data)
    return _checked(text, where)


def _encoding_by_mark(data: bytes) -> str | None:
    """The encoding that a byte order mark at the start tells."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    return None


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a zero in every other byte."""
    sample = data[:2000]
    half = len(sample) // 2
    if half < 4:
        return None
    most, few = 0.7 * half, 0.05 * half
    zeros_in_even = sample[0::2].count(0)
    zeros_in_odd = sample[1::2].count(0)
    if zeros_in_odd > most and zeros_in_even < few:
        return "utf-16-le"
    if zeros_in_even > most and zeros_in_odd < few:
        return "utf-16-be"
    return None


def _as_declared(data: bytes) -> str:
    """Decoded as an HTML or XML head says, "" where it says nothing or something wrong."""
    declared = _DECLARED.search(data[:4096])
    if not declared:
        return ""
    return _decoded(data, declared[1].decode("ascii"))


def _best_guess(data: bytes) -> str:
    """GB18030 where what it yields reads as Chinese, else Windows-1252, else Latin-1, which accepts anything."""
    chinese = _decoded(data, "gb18030")
    if chinese and _is_chinese(chinese):
        return chinese
    return _decoded(data, "cp1252") or data.decode("latin-1")


def _is_chinese(text: str) -> bool:
    """True where Chinese characters come in runs and common ones are among them; Latin accents give lone, rare ones."""
    sample = text[:_SAMPLE]
    lengths = list(map(len, _HAN_RUN.findall(sample)))
    characters = sum(lengths)
    in_runs = characters - lengths.count(1)
    if not characters or in_runs < 0.8 * characters:
        return False
    too_short_to_tell = characters < 25
    return too_short_to_tell or len(_COMMON_HAN.findall(sample)) >= 0.04 * characters


def _decoded(data: bytes, encoding: str) -> str:
    """The text, or "" where the bytes are not of that encoding or nobody knows it."""
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return ""


def _checked(text: str, where: str) -> str:
    """The same text. Raises DocumentError where too much of it are control or replacement characters."""
    sample = text[:_SAMPLE]
    unprintable = len(_CONTROL.findall(sample)) + sample.count("\ufffd")
    if unprintable / max(1, len(sample)) > _MOST_CONTROL:
        raise _binary(where)
    return text


def _binary(where: str) -> DocumentError:
    return DocumentError(
        "not a text file: its bytes are binary",
        where=where,
        hint="Give it the ending of its kind, or export it as text",
    )


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

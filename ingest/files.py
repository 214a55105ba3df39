"""The bytes of a file, also of one that lies inside another: "deal.zip/reports/10-K.pdf", "mail.eml/model.xlsx".

A file inside a file goes by a path like any other, so that it has a source, can be read again and can be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path

from ..core.errors import DocumentError
from ..core.records import dataclass
from .formats.registry import FileContent, Member, reader_of, readers, suffixes
from .limits import NO_LIMITS, ReadingLimits

_DEEPEST = 4
"""Files inside files; a bomb nests them without end."""


@dataclass(slots=True)
class Inside:
    """What lies in a file that holds others."""

    files: list[Path] = field(default_factory=list)
    """Paths of what can be read, in order; holders before what they hold."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Ending -> how many files of it are of no kind that is read."""


def read_bytes(path: Path, limits: ReadingLimits = NO_LIMITS) -> bytes:
    """All of a file, or of a file inside another.

    Raises DocumentError: no such file, empty, unreadable, endless, too big, of a name that cannot be kept.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise DocumentError("its name is not in UTF-8", where=ascii(str(path)), hint="Rename the file") from None
    holder = _holder_of(path)
    data = _from_disk(path, limits) if holder is None else _from_holder(path, holder, limits)
    if not data.strip(b"\0 \t\r\n"):
        raise DocumentError("the file is empty", where=str(path), hint="Get a fresh copy of the file")
    return data


def files_inside(path: Path, limits: ReadingLimits = NO_LIMITS) -> Inside:
    """The files that a file holds, at any depth. Raises DocumentError where it is damaged or too big."""
    inside = Inside()
    if holds_files(path):
        _collect(FileContent(read_bytes(path, limits), path), inside, 1)
    return inside


@contextmanager
def on_disk(path: Path) -> Iterator[Path]:
    """A path that libraries can open: that of a file itself, or for the time being of a copy of one inside another."""
    data = b"" if path.is_file() else read_bytes(path)
    with FileContent(data, path).on_disk() as place:
        yield place


def holds_files(path: Path) -> bool:
    """True for the ending of a format that may hold other files."""
    return any(reader.members and path.suffix.lower() in reader.suffixes for reader in readers())


def holds_only_files(path: Path) -> bool:
    """True for the ending of an archive, which says nothing itself."""
    return path.suffix.lower() == ".zip"


def _collect(file: FileContent, inside: Inside, depth: int) -> None:
    for member in _members(file):
        path = file.path / member.name
        if path.suffix.lower() not in suffixes():
            inside.left_out[path.suffix.lower() or "no ending"] += 1
            continue
        if not holds_only_files(path):
            inside.files.append(path)
        if holds_files(path) and depth < _DEEPEST:
            _collect_nested(member, path, inside, depth + 1)


def _collect_nested(member: Member, path: Path, inside: Inside, depth: int) -> None:
    """What lies in a file inside a file; one that cannot be opened is given itself, so that reading it says why."""
    try:
        _collect(FileContent(member.load(), path), inside, depth)
    except DocumentError:
        if path not in inside.files:
            inside.files.append(path)


def _holder_of(path: Path) -> Path | None:
    """The file on disk that a path leads into; None for a path of its own."""
    try:
        if path.exists():
            return None
        return next((parent for parent in path.parents if parent.is_file()), None)
    except (OSError, ValueError):
        return None


def _from_disk(path: Path, limits: ReadingLimits) -> bytes:
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise DocumentError("not a regular file, but a pipe or a device", where=str(path))
        limits.check_size(path.stat().st_size, path)
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("no such file", where=str(path)) from None
    except IsADirectoryError:
        raise DocumentError("a folder, not a file", where=str(path)) from None
    except OSError as error:
        raise DocumentError(f"cannot be read ({error.strerror})", where=str(path)) from error


def _from_holder(path: Path, holder: Path, limits: ReadingLimits) -> bytes:
    """A file inside one on disk, through as many as lie between."""
    file = FileContent(_from_disk(holder, limits), holder)
    for _ in range(_DEEPEST):
        wanted = path.relative_to(file.path).as_posix()
        member = _member_on_the_way(file, wanted)
        if member is None:
            break
        data = member.load()
        limits.check_size(len(data), path)
        if member.name == wanted:
            return data
        file = FileContent(data, file.path / member.name)
    raise DocumentError("no such file", where=str(path))


def _member_on_the_way(file: FileContent, wanted: str) -> Member | None:
    """The file of that name inside another, or the one that holds it in turn."""
    for member in _members(file):
        if wanted == member.name or wanted.startswith(f"{member.name}/"):
            return member
    return None


def _members(file: FileContent) -> list[Member]:
    reader = reader_of(file)
    return list(reader.members(file)) if reader.members else []

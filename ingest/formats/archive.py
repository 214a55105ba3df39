"""ZIP archives: nothing is written to disk, and what would unpack to too much is refused before it does."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from ...core.errors import DocumentError
from .registry import Content, FileContent, Member, Reader

MAGIC = b"PK\x03\x04"
_EMPTY_MAGIC = b"PK\x05\x06"
_MOST_FILES = 20_000
_MOST_BYTES = 1_500_000_000
"""Bytes that all parts of one archive may unpack to: ten times the largest deal folder that was seen."""
_MOST_RATIO = 200
"""How often its size a part above ``_HARMLESS`` may unpack to: text packs to a tenth, a bomb to a thousandth."""
_HARMLESS = 20_000_000
_ENCRYPTED = 0x1
BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
"""What a damaged archive raises, when it is opened or when a part is read."""


def open_archive(data: bytes, path: Path) -> zipfile.ZipFile:
    """An archive whose parts may be read: their number and sizes are within bounds.

    Sizes in its directory can be trusted: reading a part stops at the size stated. Raises DocumentError.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise _damaged(path) from error
    parts = archive.infolist()
    if len(parts) > _MOST_FILES:
        raise DocumentError(f"an archive of {len(parts):,} files; at most {_MOST_FILES:,} are read", where=str(path))
    total = sum(part.file_size for part in parts)
    swollen = next(filter(_is_swollen, parts), None)
    if total > _MOST_BYTES or swollen:
        what = f"{swollen.filename!r} in it" if swollen else "it"
        raise DocumentError(
            f"not unpacked: {what} would grow to {(swollen.file_size if swollen else total) / 1e6:,.0f} MB",
            where=str(path),
            hint="Unpack it yourself if you trust it, and add the folder",
        )
    return archive


def read_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> bytes:
    """The bytes of a part. Raises DocumentError: encrypted or damaged."""
    if part.flag_bits & _ENCRYPTED:
        raise DocumentError(
            "encrypted: it takes a password", where=f"{path}/{part.filename}", hint="Unpack it and add the folder"
        )
    try:
        return archive.read(part)
    except BROKEN as error:
        raise _damaged(path / part.filename) from error


def _is_swollen(part: zipfile.ZipInfo) -> bool:
    return part.file_size > _HARMLESS and part.file_size > _MOST_RATIO * max(1, part.compress_size)


def _damaged(path: Path) -> DocumentError:
    return DocumentError("the archive is damaged", where=str(path), hint="Get a fresh copy of the file")


def _members(file: FileContent) -> Sequence[Member]:
    """All files in it, in order of name; names that lead out of it and what systems add are passed over."""
    archive = open_archive(file.data, file.path)
    parts = sorted(_files(archive), key=lambda part: part.filename)
    return [Member(_name(part), partial(read_part, archive, part, file.path)) for part in parts]


def _files(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for part in archive.infolist():
        pieces = PurePosixPath(_name(part)).parts
        leads_out = not pieces or ".." in pieces or pieces[0] == "/"
        of_system = any(piece.startswith((".", "~$", "__MACOSX")) for piece in pieces)
        if not (part.is_dir() or leads_out or of_system):
            yield part


def _name(part: zipfile.ZipInfo) -> str:
    """Its path with slashes; Chinese names that Windows packs come in GBK, which zipfile takes for code page 437."""
    name = part.filename.replace("\\", "/")
    is_utf8 = bool(part.flag_bits & 0x800)
    if is_utf8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("gbk")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return name


def _read_archive(file: FileContent) -> Content:
    names = [member.name for member in _members(file)]
    raise DocumentError(
        f"an archive of {len(names)} files", where=str(file.path), hint="`cliquerag add` reads what is in it"
    )


ZIP = Reader(
    "ZIP archive",
    (".zip",),
    lambda file: file.data.startswith((MAGIC, _EMPTY_MAGIC)),
    _read_archive,
    rank=29,
    members=_members,
)
"""Asked after the office formats, which are such archives."""

"""Files on disk as documents of a workspace: which ones, under what key, with what content."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .core.ids import content_hash


def source_of(path: str | Path, folder: Path | None) -> str:
    """A file's key: its path relative to the workspace's folder where it lies inside, else the whole path.

    >>> source_of("/acme/data/../reports/a.pdf", Path("/acme"))
    'reports/a.pdf'
    """
    absolute, inside = _plain(path), _plain(folder) if folder else None
    return (absolute.relative_to(inside) if inside and absolute.is_relative_to(inside) else absolute).as_posix()


def _plain(path: str | Path) -> Path:
    """The whole path without "..", so that a file has one key; links stay as they are named."""
    return Path(os.path.normpath(Path(path).absolute()))


def readable_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files among the paths, folders walked in order of name. A file that is named is taken whatever it is.

    A folder that cannot be looked into is given itself, so that reading it says so.
    """
    return list(dict.fromkeys(file for path in map(Path, paths) for file in _inside(path)))


def _inside(path: Path) -> list[Path]:
    from .ingest.read import supported

    if not path.is_dir():
        return [path]
    closed: list[Path] = []
    walk = os.walk(path, onerror=lambda error: closed.append(Path(error.filename)))
    found = [Path(folder, name) for folder, _, names in walk for name in names]
    return sorted([*closed, *(file for file in found if supported(file) and file.is_file())])


def hash_of(path: Path) -> str:
    """The hash of a file's bytes. Raises DocumentError where it cannot be read."""
    from .ingest.read import read_bytes

    return content_hash(read_bytes(path))

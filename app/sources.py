"""Files on disk as documents of a workspace: which ones, under what key, and which document a name means."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import DocumentError
from .core.records import dataclass

if TYPE_CHECKING:
    from .components import Components
    from .core.scope import Scope


class SourceNames:
    """The documents of a workspace by their sources.

    A source is the key of a document: the path of its file relative to the workspace's folder where it lies inside,
    else the whole path.
    """

    def __init__(self, components: Components) -> None:
        self._components = components

    @cached_property
    def folder(self) -> Path | None:
        """The folder of an embedded workspace's file; None for a server or memory."""
        from .kg.engines.opening import sqlite_path

        path = sqlite_path(self._components.settings.workspace)
        return path.absolute().parent if path else None

    def source_of(self, path: str | Path) -> str:
        """The source of a file, whether it is stored or not."""
        return source_of(path, self.folder)

    def path_of(self, source: str) -> Path:
        """Where the file of a source lies."""
        return Path(self.folder or ".") / source

    def source_named(self, name: str) -> str | None:
        """The document that a name means: its source, a path to its file, or an end of its path that no other has."""
        return self._named(name, self._stored())

    def stored_scope(self, scope: Scope | None) -> Scope | None:
        """The scope with the documents that its sources name, which may be the ends of their paths."""
        if scope is None or not scope.sources:
            return scope
        return replace(scope, sources=self.stored_names(scope.sources))

    def stored_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """The source that each name means; a name that means no document stays as it is, and finds nothing."""
        stored = self._stored()
        return tuple(self._named(name, stored) or name for name in names)

    def short_names(self, sources: Iterable[str]) -> dict[str, str]:
        """Each source by the shortest end of its path that no other document has, for people to read."""
        from .core.anchor import short_name
        from .retrieval.search.index.corpus import corpus_of

        known = corpus_of(self._components.store).catalogue.by_source
        return {source: short_name(source, known) for source in dict.fromkeys(sources)}

    def _stored(self) -> list[str]:
        return [record.source for record in self._components.store.documents()]

    def _named(self, name: str, stored: Collection[str]) -> str | None:
        for source in (name, self.source_of(name)):
            if source in stored:
                return source
        ends = [source for source in stored if source.endswith(f"/{name}")]
        return ends[0] if len(ends) == 1 else None


def source_of(path: str | Path, folder: Path | None) -> str:
    """A file's key: its path relative to the workspace's folder where it lies inside, else the whole path.

    >>> source_of("/acme/data/../reports/a.pdf", Path("/acme"))
    'reports/a.pdf'
    """
    absolute = _plain(path)
    if folder and absolute.is_relative_to(_plain(folder)):
        absolute = absolute.relative_to(_plain(folder))
    return absolute.as_posix()


def _plain(path: str | Path) -> Path:
    """The whole path without "..", so that a file has one key; links stay as they are named."""
    return Path(os.path.normpath(Path(path).absolute()))


@dataclass(slots=True)
class FoundFiles:
    """What lies at some paths."""

    files: list[Path] = field(default_factory=list)
    """What can be read, each once; a file inside an archive or a message by its path in there."""
    links_out: list[Path] = field(default_factory=list)
    """Symbolic links in the folders that lead out of them, and were not followed."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Ending -> how many files of it are of no kind that is read."""


def find_files(paths: Iterable[str | Path], *, follow_links: bool = False, max_mb: float = 0.0) -> FoundFiles:
    """The files among the paths, folders walked in order of name, archives and messages with what they hold.

    A file that is named is taken whatever it is. Symbolic links that lead out of a folder are left out unless they are
    to be followed: what lies there was not meant to be added. A folder that cannot be looked into and an archive that
    cannot be opened, or is larger than ``max_mb`` megabytes (0: no limit), are given themselves, so that reading them
    says so.
    """
    found = FoundFiles()
    for path in map(Path, paths):
        if not path.is_dir():
            _add_with_inside(path, found, max_mb)
            continue
        walk = _Walk.through(path)
        found.left_out += walk.left_out
        found.links_out += [] if follow_links else walk.links_out
        for file in sorted([*walk.files, *walk.closed, *(walk.behind_links() if follow_links else ())]):
            _add_with_inside(file, found, max_mb)
    found.files = list(dict.fromkeys(found.files))
    found.links_out.sort()
    return found


def _add_with_inside(path: Path, found: FoundFiles, max_mb: float) -> None:
    """Add a file and those that it holds; an archive only with these."""
    from .ingest.files import Inside, files_inside, holds_only_files
    from .ingest.limits import ReadingLimits

    try:
        inside = files_inside(path, ReadingLimits(max_mb))
    except DocumentError:
        inside = Inside()
    if not (inside.files and holds_only_files(path)):
        found.files.append(path)
    found.files += inside.files
    found.left_out += inside.left_out


def readable_files(paths: Iterable[str | Path], *, follow_links: bool = False, max_mb: float = 0.0) -> list[Path]:
    """The files of :func:`find_files`."""
    return find_files(paths, follow_links=follow_links, max_mb=max_mb).files


def on_disk(path: Path) -> Path:
    """The file on disk that a path leads to or into: the archive of a file in it."""
    return next((place for place in (path, *path.parents) if place.is_file()), path)


@dataclass(slots=True)
class _Walk:
    """What a folder holds."""

    files: list[Path] = field(default_factory=list)
    """Those that can be read, by their ending."""
    closed: list[Path] = field(default_factory=list)
    """Folders that cannot be looked into."""
    links_out: list[Path] = field(default_factory=list)
    """Links to files that can be read, or to folders, outside."""
    left_out: Counter[str] = field(default_factory=Counter)

    @classmethod
    def through(cls, folder: Path) -> _Walk:
        """Walk a folder; links to folders are not walked, those that stay inside would give everything twice."""
        from .ingest.read import supported

        walk = cls()
        inside = folder.resolve()
        for place, folders, names in os.walk(folder, onerror=walk._note_closed):
            for path in map(Path(place).joinpath, folders):
                if _leads_out(path, inside):
                    walk.links_out.append(path)
            for path in map(Path(place).joinpath, names):
                if not supported(path):
                    walk._note_left_out(path)
                    continue
                if not path.is_file():
                    continue
                if _leads_out(path, inside):
                    walk.links_out.append(path)
                else:
                    walk.files.append(path)
        return walk

    def behind_links(self) -> list[Path]:
        """The files that the links lead to, by the names of the links; of linked folders what lies in them."""
        files: list[Path] = []
        for link in self.links_out:
            if link.is_dir():
                files += _Walk.through(link).files
            else:
                files.append(link)
        return files

    def _note_left_out(self, path: Path) -> None:
        """What systems and programs leave behind is nobody's document."""
        if not path.name.startswith((".", "~$")) and path.is_file():
            self.left_out[path.suffix.lower() or "no ending"] += 1

    def _note_closed(self, error: OSError) -> None:
        self.closed.append(Path(error.filename))


def _leads_out(path: Path, folder: Path) -> bool:
    """True for a symbolic link to what does not lie in the folder."""
    return path.is_symlink() and not path.resolve().is_relative_to(folder)


def hash_of(path: Path) -> str:
    """The hash of a file's bytes. Raises DocumentError where it cannot be read."""
    from .core.ids import content_hash
    from .ingest.files import read_bytes

    return content_hash(read_bytes(path))

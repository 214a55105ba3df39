"""What the processes of one user have written to a cluster, so that each of them sees it whichever member answers.

A bookmark is the server's name for a moment: a member that is asked with it waits until it has caught up. A program
passes on those of its own writes by itself. What ``cliquerag add`` writes, the ``cliquerag ask`` after it is to see as
well: each process leaves the bookmarks of its last write in a file, and reads those of the others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.ids import stable_id
from ....core.private_files import create_private_file, make_private_folder

if TYPE_CHECKING:
    from neo4j import Bookmarks

_RECENT = 600.0
"""Seconds that a write is passed on: a member that lags further behind is not one to wait for."""


class SharedBookmarks:
    """The last writes to one database, by all processes of a user on this machine; files that only they may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, tuple[int, list[str]]] = {}

    @classmethod
    def of(cls, url: str, database: str | None) -> SharedBookmarks:
        """Those of a database, in the user's cache."""
        from platformdirs import user_cache_path

        return cls(user_cache_path("cliquerag") / "neo4j" / "bookmarks" / stable_id("bookmarks", url, database or ""))

    def get(self) -> Bookmarks:
        """Of all processes, as far as they are recent."""
        from neo4j import Bookmarks

        found: list[str] = []
        for path in self._recent():
            found += self._content(path)
        return Bookmarks.from_raw_values(found)

    def keep(self, bookmarks: Iterable[str]) -> None:
        """Those of this process's last write, in place of the ones before."""
        path = self._folder / f"{os.getpid()}.txt"
        written = path.with_suffix(".new")
        # A cache that cannot be written costs other processes the guarantee, not this one its work.
        with suppress(OSError):
            make_private_folder(self._folder)
            create_private_file(written)
            written.write_text("\n".join(bookmarks), encoding="utf-8")
            written.replace(path)
            self._tidy()

    def forget(self) -> None:
        """Drop all: no member ever gets to where they say, as after a restore from an older backup."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.txt")) if self._folder.is_dir() else []

    def _recent(self) -> list[Path]:
        oldest = time.time() - _RECENT
        return [path for path in self._files() if _changed(path) >= oldest * 1e9]

    def _tidy(self) -> None:
        recent = self._recent()
        for path in self._files():
            if path not in recent:
                path.unlink(missing_ok=True)

    def _content(self, path: Path) -> list[str]:
        """Read again where it has changed."""
        changed = _changed(path)
        if path not in self._read or self._read[path][0] != changed:
            try:
                lines = path.read_text(encoding="utf-8").split()
            except OSError:
                lines = []
            self._read[path] = (changed, lines)
        return self._read[path][1]


def _changed(path: Path) -> int:
    """When a file was written, in nanoseconds; 0 where it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0

"""How long a file may be and take to read, so that one file does not hold up a whole folder."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import DocumentError

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The most that one file may be and take; 0 stands for no limit."""

    max_mb: float = 0.0
    """Megabytes of the file, a million bytes each."""
    max_seconds: float = 0.0
    """Wall seconds from its opening to its text, tables and metadata."""

    def check_size(self, size: int, path: Path) -> None:
        """Raises DocumentError for a file of more bytes than allowed."""
        megabytes = size / _MEGABYTE
        if self.max_mb and megabytes > self.max_mb:
            raise DocumentError(
                f"it has {megabytes:,.1f} MB, more than the {self.max_mb:g} that are read",
                where=str(path),
                hint="Raise max_file_mb to read it all the same (0: no limit)",
            )

    def deadline(self, path: Path) -> Deadline:
        """The time, from now, by which that file has to be read."""
        return Deadline(self.max_seconds, str(path))


class Deadline:
    """A time by which a file has to be read. Reading asks between pages and steps: nothing else can stop it there."""

    def __init__(self, seconds: float = 0.0, where: str = "") -> None:
        self._seconds = seconds
        self._where = where
        self._end = time.monotonic() + seconds if seconds else math.inf

    def allow(self, seconds: float) -> None:
        """Move the end, for steps that take much longer than reading what is printed."""
        self._end += seconds
        self._seconds += seconds if self._seconds else 0.0

    def check(self) -> None:
        """Raises DocumentError when the time is over."""
        if time.monotonic() > self._end:
            raise DocumentError(
                f"given up: reading it takes more than {self._seconds:g} seconds",
                where=self._where,
                hint="Raise max_file_seconds to read it all the same (0: no limit)",
            )


NO_LIMITS = ReadingLimits()
NO_DEADLINE = Deadline()

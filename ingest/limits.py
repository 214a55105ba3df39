"""How much of a file is read, and for how long, so that one file does not hold up a whole folder."""

from __future__ import annotations

import math
import time
from pathlib import Path

from ..core.errors import DocumentError
from ..core.records import dataclass

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The most that one file may be and take; 0 stands for no limit."""

    max_mb: float = 0.0
    """Megabytes of the file, a million bytes each."""
    max_seconds: float = 0.0
    """Wall seconds from its opening to its text, tables and metadata."""
    max_characters: int = 0
    """Of the text that is found in it: all that follows the reading takes time and memory in proportion to it."""

    def check_size(self, size: int, path: Path) -> None:
        """Raises DocumentError for a file of more bytes than allowed."""
        megabytes = size / _MEGABYTE
        if self.max_mb and megabytes > self.max_mb:
            raise DocumentError(
                f"it has {megabytes:,.1f} MB, more than the {self.max_mb:g} that are read",
                where=str(path),
                hint="Raise max_file_mb to read it all the same (0: no limit)",
            )

    def check_text(self, length: int, path: Path) -> None:
        """Raises DocumentError for a text of more characters than allowed."""
        if self.max_characters and length > self.max_characters:
            raise DocumentError(
                f"its text has {length:,} characters, more than the {self.max_characters:,} that are read",
                where=str(path),
                hint="Split it, or raise max_characters to read it all the same (0: no limit)",
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

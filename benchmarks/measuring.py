"""What work costs: processor seconds, bytes written, memory, disk."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


def cpu(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work gives, and the processor seconds of this process that it took."""
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor seconds of this process that the work took."""
    return cpu(work)[1]


def peak_memory() -> float:
    """Megabytes that this process held at most."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def bytes_written() -> int:
    """Bytes that this process has handed to the system to write, to files and sockets; 0 where that is not counted."""
    counters = Path("/proc/self/io")
    if not counters.exists():
        return 0
    return int(counters.read_text().split("wchar:")[1].split()[0])


def folder_size(folder: Path) -> int:
    """Bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

"""The documents of a workspace: dropped files on their way in, what is known of each, and how it was found."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import uuid4

from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.private_files import create_private_file, make_private_folder
from ..core.records import dataclass

if TYPE_CHECKING:
    from ..indexing.report import AddReport, Estimate
    from ..workspace import Workspace

FOLDER = "documents"
"""Where dropped files are put, beside the workspace's file."""
_STAGES = {"read": (0.0, 0.15), "chunk": (0.15, 0.85), "facts": (0.85, 0.9), "graph": (0.9, 0.95), "store": (0.95, 1.0)}
"""Shares of the wall time of a long filing at which each stage begins and ends."""
_KEPT = 200
"""Jobs that are remembered once they are done."""
_MOST_PARTS = 8
"""Folders deep that a dropped folder is kept."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """A file on its way into the workspace. Written by the thread that reads, shown by pages."""

    id: str
    name: str
    path: Path
    stage: str = "waiting"
    """"waiting", "asks" (a model would be paid: somebody has to agree), a stage of reading, "done" or "failed"."""
    share: float = 0.0
    started: float = 0.0
    error: CliqueRAGError | None = None
    report: AddReport | None = None
    estimate: Estimate | None = None
    agreed: bool = False
    left_out: str = ""
    """Files beside it in an archive that are of no kind that is read."""
    created: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        """True where nothing more will happen."""
        return self.stage in ("done", "failed")

    @property
    def seconds_left(self) -> int | None:
        """Estimated from the share done; None before anything can be said."""
        if not self.started or self.is_over or self.share < 0.03:
            return None
        passed = time.monotonic() - self.started
        return max(1, round(passed * (1 - self.share) / self.share))


class Library:
    """Adds files one after another in a thread of its own."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._reading = threading.Lock()
        """The PDF library must not be used by two threads at once."""

    @property
    def folder(self) -> Path:
        """Where dropped files are put."""
        own = self._workspace.sources.folder
        if own:
            return own / FOLDER
        from platformdirs import user_data_path

        return user_data_path("cliquerag") / FOLDER

    @property
    def most_bytes(self) -> int:
        """Bytes of a file that is taken; 0: no limit."""
        return round(self._workspace.settings.max_file_mb * 1_000_000)

    @property
    def jobs(self) -> list[Job]:
        """What is under way first, then what is done, the latest first."""
        with self._lock:
            found = list(self._jobs.values())
        return sorted(found, key=lambda job: (job.is_over, -job.created if job.is_over else job.created))

    @property
    def is_busy(self) -> bool:
        """True while a file is being read or waits for it."""
        return any(not job.is_over and job.stage != "asks" for job in self.jobs)

    def place_for(self, name: str) -> Path:
        """Where a dropped file of this name, perhaps with folders, is put: always inside :attr:`folder`.

        Raises UsageError for a name that is none, and for a kind of file that cannot be read.
        """
        from ..ingest.formats.registry import suffixes
        from ..ingest.read import supported

        parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if _is_plain(part)]
        if not parts or len(parts) > _MOST_PARTS or len(name) > 1_000:
            raise UsageError("is no name of a file", where=name[:100])
        path = self.folder.joinpath(*parts)
        if not path.resolve().is_relative_to(self.folder.resolve()):  # a link in it leads out
            raise UsageError("leads out of the folder of documents", where=name[:100])
        if not supported(path):
            raise UsageError(
                "this kind of file is not read", where=name[:100], hint=f"These are: {', '.join(sorted(suffixes()))}"
            )
        return path

    @contextmanager
    def receiving(self, path: Path) -> Iterator[BinaryIO]:
        """A private file to write an upload to. It takes its place once it is whole; until then an older one stays."""
        make_private_folder(path.parent)
        waiting = path.with_name(f".{uuid4().hex}.part")
        create_private_file(waiting)
        try:
            with waiting.open("wb") as file:
                yield file
            waiting.replace(path)
        finally:
            waiting.unlink(missing_ok=True)

    def add(self, path: Path) -> list[Job]:
        """Take a file that lies at its place into the workspace, when its turn comes; of an archive what it holds."""
        from ..sources import find_files

        found = find_files([path], max_mb=self._workspace.settings.max_file_mb)
        jobs = [Job(uuid4().hex, file.relative_to(self.folder).as_posix(), file) for file in found.files]
        if jobs:
            jobs[0].left_out = ", ".join(f"{count} × {ending}" for ending, count in sorted(found.left_out.items()))
        with self._lock:
            self._jobs |= {job.id: job for job in jobs}
            over = [old for old in self._jobs.values() if old.is_over]
            for old in over[: max(0, len(over) - _KEPT)]:
                del self._jobs[old.id]
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="library", daemon=True)
                self._thread.start()
        for job in jobs:
            self._waiting.put(job)
        return jobs

    def mend(self, source: str, **said: Any) -> None:
        """Say whom and when a document is about, which reads it again. Raises UsageError."""
        with self._reading:
            self._workspace.set_about(source, **said)

    def agree(self, job: str) -> None:
        """Let a model read a file whose cost was shown."""
        with self._lock:
            found = self._jobs.get(job)
        if found and found.stage == "asks":
            found.agreed, found.stage = True, "waiting"
            self._waiting.put(found)

    def clear(self) -> None:
        """Forget what is over, and what nobody agreed to."""
        with self._lock:
            self._jobs = {name: job for name, job in self._jobs.items() if not job.is_over and job.stage != "asks"}

    def close(self) -> None:
        """Stop after the file that is being read."""
        self._waiting.put(None)
        if self._thread:
            self._thread.join(timeout=30)

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            try:
                self._read(job)
            except CliqueRAGError as error:
                job.stage, job.error = "failed", error
            except Exception as error:  # one file that breaks a reader must not cost the others
                from ..indexing.pipeline import describe_failure

                _log.exception("a file could not be added")
                job.stage, job.error = "failed", DocumentError(describe_failure(Path(job.name), error))

    def _read(self, job: Job) -> None:
        if self._workspace.settings.extractor == "llm" and not job.agreed:
            job.stage = "read"
            with self._reading:
                job.estimate = self._workspace.estimate(job.path)
            job.stage = "asks"
            return
        job.started = time.monotonic()

        def show(stage: str, share: float) -> None:
            begin, end = _STAGES.get(stage, (0.0, 0.15))
            job.stage, job.share = stage, max(job.share, begin + (end - begin) * share)

        with self._reading:
            job.report = self._workspace.add(job.path, progress=show)
        job.stage, job.share = "done", 1.0


def _is_plain(part: str) -> bool:
    """True for a name of a folder or file that means just that."""
    is_way = part in ("", ".", "..", "/") or part.endswith(":")
    return not is_way and "\x00" not in part and not part.startswith(".")

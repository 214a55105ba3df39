"""Reading: a pure step from a file to a bundle, a file of its own that any store takes, by several processes, of which
any may be lost. Needs no store and no network but that of the models.

What depends on the documents beside it (which names mean the same entity, communities, counts of terms) is no part of
it: that is decided where bundles are loaded.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from ..components import Tools, make_budget, make_embedder, make_tools
from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.ids import content_hash, stable_id
from ..core.private_files import make_private_folder, write_private_file
from ..core.process import end_with_parent
from ..core.records import dataclass
from ..kg.storage.bundle_file import ENDING, FORMAT, write_bundle
from ..kg.storage.codec import dumps
from ..models.language import Usage
from ..settings import Settings, resolve_settings
from ..sources import find_files, hash_of, source_of
from .pipeline import Progress, Stopwatch, build_bundle, describe_failure, read_path, versions
from .report import NOTHING_ASKED

if TYPE_CHECKING:
    from ..ingest.about.given import DocumentHints
    from ..kg.store import Bundle
    from ..models.language import Budget

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2
"""Tasks under way for each process: enough to keep it busy, few enough to bound memory."""


@dataclass(frozen=True, slots=True)
class Pool(Generic[Task, Result]):
    """Processes that do ``work`` after each has run ``start`` with ``given``; both are functions of a module."""

    processes: int
    work: Callable[[Task], Result]
    lost: Callable[[Task], Result]
    """What stands for the result of a task that ends every process it is given to."""
    start: Callable[..., None]
    given: Sequence[Any] = ()

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Results in the order in which they are done; what ``work`` raises ends it.

        When a process dies (a library that crashes on a file, the memory that ran out), each task that was under way
        is tried once more, alone: the one that is to blame is told, and the others are done.
        """
        waiting = iter(tasks)
        while True:
            broken = yield from self._until_broken(waiting)
            if broken is None:
                return
            for task in broken:
                yield from self._alone(task)

    def _until_broken(self, waiting: Iterator[Task]) -> Any:
        """Results until the tasks end, then None; or the tasks that were under way when a process died."""
        running: dict[Future[Result], Task] = {}
        with self._executor(self.processes) as executor:
            try:
                while True:
                    for task in islice(waiting, AHEAD * self.processes - len(running)):
                        running[_submitted(executor, self.work, task)] = task
                    if not running:
                        return None
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        del running[future]
                        yield result
            except BrokenExecutor:
                return list(running.values())

    def _alone(self, task: Task) -> Iterator[Result]:
        with self._executor(1) as executor:
            try:
                result = executor.submit(self.work, task).result()
            except BrokenExecutor:
                result = self.lost(task)
        yield result

    def _executor(self, processes: int) -> ProcessPoolExecutor:
        # PDF libraries are not safe to fork with open files, nor to share between threads.
        return ProcessPoolExecutor(processes, get_context("spawn"), _start, (self.start, *self.given))


def _submitted(executor: ProcessPoolExecutor, work: Callable[[Task], Result], task: Task) -> Future[Result]:
    """The task's future; one that failed already where the pool broke since."""
    try:
        return executor.submit(work, task)
    except BrokenExecutor as error:
        failed: Future[Result] = Future()
        failed.set_exception(error)
        return failed


def _start(start: Callable[..., None], *given: Any) -> None:
    end_with_parent()
    start(*given)


ReadOutcome = Literal["read", "present", "failed"]
_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")
_PART = ".part"
"""Ends the name of a bundle that is being written."""
_LEFTOVER_SECONDS = 3600.0
"""Age of such a file whose writer was killed: writing takes less than a second."""


@dataclass(frozen=True, slots=True)
class Job:
    """A document to be read."""

    path: Path
    source: str
    """Its key in the store."""
    hints: DocumentHints


@dataclass(frozen=True, slots=True)
class Shard:
    """One of ``count`` shares of the documents, from 0. A document's source alone decides to which it belongs."""

    number: int = 0
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read "0/3". Raises UsageError.

        >>> Shard.parse("0/3")
        Shard(number=0, count=3)
        """
        found = _SHARD.fullmatch(text.strip())
        number, count = (int(part) for part in found.groups()) if found else (1, 0)
        if number >= count:
            raise UsageError(f"not a shard: {text!r}", hint="Write 0/3, 1/3 and 2/3 for three shares of the documents")
        return cls(number, count)

    def holds(self, source: str) -> bool:
        """True for the documents of this share."""
        return int(stable_id("shard", source), 16) % self.count == self.number


WHOLE = Shard()
"""All documents in one."""


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What became of one file: "read", "present" (its bundle was there already) or "failed"."""

    source: str
    outcome: ReadOutcome
    bundle: str = ""
    """Name of the bundle's file in the folder."""
    bytes: int = 0
    pages: int = 0
    chunks: int = 0
    facts: int = 0
    statements: int = 0
    usage: Usage = NOTHING_ASKED
    """What a model was asked for it, also for one that failed."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Stage -> wall seconds: read, chunk, facts, graph, pack."""
    host: str = ""
    """The machine that read it."""
    error: str = ""

    @property
    def ok(self) -> bool:
        """False for a document that could not be read."""
        return self.outcome != "failed"


@dataclass(frozen=True, slots=True)
class Built:
    """A report, and the bytes of the bundle's file where one was made."""

    report: ReadReport
    data: bytes | None = None


class BundleReader:
    """Reads documents with one set of tools."""

    def __init__(self, settings: Settings, tools: Tools) -> None:
        self.settings, self.tools = settings, tools
        self.recipe = recipe(settings, tools)

    @classmethod
    def of(cls, settings: Settings, budget: Budget | None = None) -> BundleReader:
        """With the tools that the settings name."""
        return cls(settings, make_tools(settings, make_embedder(settings), budget))

    def name_of(self, job: Job, digest: str) -> str:
        """The name of the bundle of a file with this hash."""
        said = {name: str(value) for name, value in job.hints.said.items()}
        made_of = [digest, job.source, said, job.hints.lasting, self.recipe]
        return f"{_of_source(job.source)}-{content_hash(_bytes(made_of))[:32]}{ENDING}"

    def read(self, job: Job, present: Collection[str] = (), progress: Progress | None = None) -> Built:
        """The bundle of a document, unless it is among those present; a report of what was wrong with it.

        Raises what the document is not to blame for: ModelError, BudgetError.
        """
        watch, before = Stopwatch(progress=progress), self.tools.usage
        try:
            digest = hash_of(job.path)
            name = self.name_of(job, digest)
            if name in present:
                return Built(ReadReport(job.source, "present", name, host=_host()))
            bundle = self.bundle(job, watch)
            with watch.stage("pack"):
                data = write_bundle(bundle, name.removesuffix(ENDING))
        except DocumentError as error:
            return Built(self._failed(job, str(error), before))
        except CliqueRAGError:  # the model or its budget, not this document
            raise
        except Exception as error:  # one document that breaks a reader must not cost the others
            return Built(self._failed(job, describe_failure(job.path, error), before))
        report = ReadReport(
            job.source,
            "read",
            name,
            len(data),
            pages=len(bundle.document.pages),
            chunks=len(bundle.chunks),
            facts=len(bundle.facts),
            statements=len(bundle.graph.statements),
            usage=self.tools.usage.since(before),
            seconds=watch.seconds,
            host=_host(),
        )
        return Built(report, data)

    def bundle(self, job: Job, watch: Stopwatch) -> Bundle:
        """The document whole, ready to store. Raises DocumentError, ModelError."""
        with watch.stage("read"):
            document = read_path(job.path, job.source, job.hints, self.tools.limits, watch.progress)
        return build_bundle(document, self.tools, watch)

    def _failed(self, job: Job, error: str, before: Usage) -> ReadReport:
        return ReadReport(job.source, "failed", usage=self.tools.usage.since(before), host=_host(), error=error)


def recipe(settings: Settings, tools: Tools) -> list[Any]:
    """All that a bundle depends on but its document: versions of the steps, models, and files of the user's own."""
    schema = hash_of(Path(settings.schema)) if settings.schema else ""
    asked = settings.model if tools.language_model is not None else ""
    return [FORMAT, sorted(versions(tools).items()), asked, schema]


def read(
    paths: Iterable[str | Path],
    out: str | Path,
    company: str | Iterable[str] | None = None,
    period: str | None = None,
    kind: str | None = None,
    published: str | None = None,
    *,
    shard: Shard = WHOLE,
    root: str | Path | None = None,
    follow_links: bool = False,
    ray: str = "",
    progress: Progress | None = None,
    **settings: Any,
) -> Iterator[ReadReport]:
    """Read files and folders into bundles in the folder ``out``, by as many processes as the setting ``workers``.

    A document whose bundle is there is "present" and costs the hash of its file. ``ray`` is the address of a cluster
    that reads, see :func:`indexing.ray_reading.read_by_ray`. ``root`` is the folder that sources
    are named from, by default that of the workspace in the settings, so that they are those of an ``add`` to it.
    Raises UsageError, ModelError, BudgetError; what is wrong with a document is in its report.
    """
    from ..ingest.about.given import DocumentHints

    resolved = resolve_settings(settings).settings
    hints = DocumentHints.of(company, period, kind, published)
    files = find_files(paths, follow_links=follow_links, max_mb=resolved.max_file_mb).files
    jobs = jobs_of(files, hints, Path(root).absolute() if root else source_folder(resolved), shard)
    folder = BundleFolder(Path(out))
    if ray:
        from .ray_reading import read_by_ray

        yield from read_by_ray(jobs, folder, resolved, ray)
    else:
        yield from read_jobs(jobs, folder, resolved, progress)


def jobs_of(files: Iterable[Path], hints: DocumentHints, root: Path | None, shard: Shard = WHOLE) -> list[Job]:
    """The documents of a shard."""
    named = [(path, source_of(path, root)) for path in files]
    return [Job(path, source, hints) for path, source in named if shard.holds(source)]


def source_folder(settings: Settings) -> Path | None:
    """The folder that sources are named from where nothing else is said: that of the workspace's file."""
    from ..kg.engines.opening import sqlite_path

    path = sqlite_path(settings.workspace)
    return path.absolute().parent if path else None


def read_jobs(
    jobs: Sequence[Job], folder: BundleFolder, settings: Settings, progress: Progress | None = None
) -> Iterator[ReadReport]:
    """Read documents into a folder: here, or by as many processes as the settings say, then in any order."""
    budget = make_budget(settings)
    if settings.workers > 1 and len(jobs) > 1:
        pool = Pool(settings.workers, _read_here, _lost, _start_reading, (settings, budget, folder))
        for report in pool.results(jobs):
            yield folder.noted(report)
        return
    reader = BundleReader.of(settings, budget)
    for job in jobs:
        yield folder.noted(folder.keep(reader.read(job, folder, progress)))


def build_in_processes(jobs: Sequence[Job], settings: Settings, budget: Budget | None) -> Iterator[Built]:
    """Bundles that are not kept as files, in the order in which they are done."""
    pool = Pool(settings.workers, _build_here, _lost_build, _start_reading, (settings, budget, None))
    yield from pool.results(jobs)


class BundleFolder:
    """The bundles of a folder, one a source. Several processes may write to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._of_source: dict[str, set[str]] = defaultdict(set)
        try:
            make_private_folder(path)
            entries = list(os.scandir(path))
        except (FileExistsError, NotADirectoryError) as error:
            raise UsageError("is a file, not a folder", where=str(path)) from error
        for entry in entries:
            if entry.name.endswith(ENDING):
                self._of_source[_source_part(entry.name)].add(entry.name)
            elif entry.name.endswith(_PART):
                _remove_leftover(Path(entry.path))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._of_source.get(_source_part(name), ())

    def __iter__(self) -> Iterator[str]:
        for names in self._of_source.values():
            yield from names

    def __len__(self) -> int:
        return sum(map(len, self._of_source.values()))

    def keep(self, built: Built) -> ReadReport:
        """Write a bundle that was made, whole or not at all. Raises OSError: no room, no right."""
        if built.data is not None:
            write_private_file(self.path / built.report.bundle, built.data, _PART)
        return built.report

    def noted(self, report: ReadReport) -> ReadReport:
        """The report of a bundle that is there now; older ones of its document are removed."""
        if report.bundle:
            names = self._of_source[_source_part(report.bundle)]
            for old in names - {report.bundle}:
                (self.path / old).unlink(missing_ok=True)
            self._of_source[_source_part(report.bundle)] = {report.bundle}
        return report


def _remove_leftover(path: Path) -> None:
    """Remove what a killed process left behind; a file that is being written stays."""
    try:
        if time.time() - path.stat().st_mtime > _LEFTOVER_SECONDS:
            path.unlink()
    except FileNotFoundError:
        pass


def _of_source(source: str) -> str:
    """What the names of all bundles of a document begin with."""
    return stable_id("bundle", source)


def _source_part(name: str) -> str:
    return name.partition("-")[0]


def _bytes(value: Any) -> bytes:
    return dumps(value).encode("utf-8", "surrogatepass")


def _host() -> str:
    return socket.gethostname()


# --- in a process that reads

_reader: BundleReader | None = None
_folder: BundleFolder | None = None


def _start_reading(settings: Settings, budget: Budget | None, folder: BundleFolder | None) -> None:
    global _reader, _folder
    _reader, _folder = BundleReader.of(settings, budget), folder


def _build_here(job: Job) -> Built:
    assert _reader is not None, "the process was started by _start_reading"
    return _reader.read(job)


def _read_here(job: Job) -> ReadReport:
    assert _reader is not None and _folder is not None, "the process was started by _start_reading"
    return _folder.keep(_reader.read(job, _folder))


def _lost(job: Job) -> ReadReport:
    error = f"{job.path}: the process that read it died: it needs more memory than there is, or breaks a library"
    return ReadReport(job.source, "failed", error=error)


def _lost_build(job: Job) -> Built:
    return Built(_lost(job))

"""Documents on their way into a store: what is there already is left alone, a bad one does not cost the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..components import Tools, make_embedder, make_tools, usage_of
from ..core.child_process import end_with_parent
from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.scope import Scope
from ..kg.store import Bundle, DocumentRecord, Store
from ..models.language import Usage
from ..settings import Settings
from ..sources import hash_of
from .pipeline import (
    Progress,
    Stopwatch,
    build_bundle,
    describe_failure,
    is_current,
    read_pages,
    read_path,
)
from .report import NOTHING_ASKED, AddReport

FIGURES = "figures"
"""The step whose version says who has described the figures of a document."""

if TYPE_CHECKING:
    from ..ingest.about.given import DocumentHints
    from ..ingest.document import Document
    from ..ingest.pdf.descriptions import FigureDescriber
    from ..models.budget import Budget

    Job = tuple[Path, str]
    """A file and its source."""
    _Reading = tuple[Path, str, DocumentHints]


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds documents to a store, a transaction each, with one set of tools."""

    store: Store
    tools: Tools
    settings: Settings
    budget: Budget | None = None
    """Shared by all processes that read."""

    def file(self, path: Path, source: str, hints: DocumentHints, progress: Progress | None = None) -> AddReport:
        """Read and store one file; "unchanged" where its bytes are stored already. Raises DocumentError, StoreError."""
        stored = self._stored(source)
        if stored and self._is_same(stored, hash_of(path), hints):
            return AddReport.unchanged(stored)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_path(path, source, _with_mended(hints, stored), self.tools.limits, progress)
        return self._store(document, watch)

    def text(
        self, text: str | Sequence[str], source: str, hints: DocumentHints, progress: Progress | None = None
    ) -> AddReport:
        """The same for a text, or a list of pages, at hand."""
        stored = self._stored(source)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_pages(text, source, _with_mended(hints, stored))
        if stored and self._is_same(stored, document.content_hash, hints):
            return AddReport.unchanged(stored)
        return self._store(document, watch)

    def mend(self, source: str, path: Path, hints: DocumentHints) -> AddReport:
        """Put what the user says of a stored document in the place of what was found. Raises UsageError."""
        from .mending import mended_bundle, parts_of_others

        lasting = _with_mended(hints.to_last(), self._stored(source))
        others = parts_of_others(self.store, source, self.tools)
        watch = Stopwatch()
        bundle = mended_bundle(self.store, source, path, lasting, self.tools, watch)
        if bundle is None:
            raise UsageError("no such document", where=source, hint="`cliquerag docs` lists them")
        report = self._put(bundle, watch, NOTHING_ASKED)
        for part in others:
            self.store.put_graph(source, part)
        return report

    def describe(self, record: DocumentRecord, path: Path, describer: FigureDescriber) -> AddReport:
        """Read a stored document again, its figures described; "unchanged" where they are, or where it has none.

        Raises DocumentError where its file is gone or is another one by now, ModelError.
        """
        if not record.source.lower().endswith(".pdf") or record.versions.get(FIGURES) == describer.version:
            return AddReport.unchanged(record)
        if not path.is_file() or hash_of(path) != record.content_hash:
            hint = "Add it again first"
            raise DocumentError("the file is not the one that was stored", where=record.source, hint=hint)
        from ..ingest.read import NO_HINTS
        from .mending import parts_of_others

        others = parts_of_others(self.store, record.source, self.tools)
        watch = Stopwatch()
        before, asked_before = self.tools.usage, usage_of(describer.model)
        with watch.stage("read"):
            hints = _with_mended(NO_HINTS, record)
            document = read_path(path, record.source, hints, self.tools.limits, describe=describer)
        if not document.coverage.figures:
            return AddReport.unchanged(record)
        bundle = build_bundle(document, self.tools, watch)
        described = replace(bundle, ingested=record.ingested, versions={**bundle.versions, FIGURES: describer.version})
        asked = usage_of(describer.model).since(asked_before)
        report = self._put(described, watch, self.tools.usage.since(before) + asked)
        for part in others:
            self.store.put_graph(record.source, part)
        return report

    def files(self, jobs: Sequence[Job], hints: DocumentHints, progress: Progress | None = None) -> Iterator[AddReport]:
        """One file after another, or by as many processes as the settings say, then in any order."""
        if self.settings.workers > 1 and len(jobs) > 1:
            yield from self._in_parallel(jobs, hints)
            return
        for path, source in jobs:
            try:
                yield self.file(path, source, hints, progress)
            except DocumentError as error:
                yield AddReport.failed(source, str(error))
            except CliqueRAGError:  # the store or the model, not this document
                raise
            except Exception as error:  # one document that breaks a reader must not cost the others
                yield AddReport.failed(source, describe_failure(path, error))

    def _in_parallel(self, jobs: Sequence[Job], hints: DocumentHints) -> Iterator[AddReport]:
        self._check_embedder()
        changed: list[_Reading] = []
        for path, source in jobs:
            stored = self._stored(source)
            try:
                is_same = stored is not None and self._is_same(stored, hash_of(path), hints)
            except DocumentError as error:
                yield AddReport.failed(source, str(error))
                continue
            if stored and is_same:
                yield AddReport.unchanged(stored)
            else:
                changed.append((path, source, _with_mended(hints, stored)))
        for built in _build_in_processes(changed, self.settings, self.budget):
            if built.bundle is None:
                yield AddReport.failed(built.source, built.error, built.usage)
            else:
                yield self._put(built.bundle, Stopwatch(dict(built.seconds)), built.usage)

    def _store(self, document: Document, watch: Stopwatch) -> AddReport:
        self._check_embedder()
        before = self.tools.usage
        bundle = build_bundle(document, self.tools, watch)
        return self._put(bundle, watch, self.tools.usage.since(before))

    def _put(self, bundle: Bundle, watch: Stopwatch, usage: Usage) -> AddReport:
        replaced = bool(self.store.documents(Scope(sources=(bundle.document.source,))))
        with watch.stage("store"):
            self.store.put(bundle)
        return AddReport.of(bundle, "replaced" if replaced else "added", seconds=watch.seconds, usage=usage)

    def _stored(self, source: str) -> DocumentRecord | None:
        return next(iter(self.store.documents(Scope(sources=(source,)))), None)

    def _is_same(self, stored: DocumentRecord, digest: str, hints: DocumentHints) -> bool:
        """True where nothing would change: the same bytes, read by the same versions, and said to be about the same."""
        if stored.content_hash != digest or not is_current(stored.versions, self.tools):
            return False
        return hints.agree_with(stored.metadata)

    def _check_embedder(self) -> None:
        """All vectors of a store come from one model: others, or none, would be found by chance or never."""
        stored = self.store.embedder()
        wanted = self.tools.embedder.name if self.tools.embedder else "none"
        if stored and stored != wanted:
            raise UsageError(
                f"its vectors come from {stored!r}, not from {wanted!r}",
                where=self.store.url,
                hint="Name that embedder, or add the documents to a new workspace",
            )


def _with_mended(hints: DocumentHints, stored: DocumentRecord | None) -> DocumentHints:
    return hints.with_mended(stored.metadata) if stored else hints


# --- documents read by several processes; the store is still written by one, a document at a time

DOCUMENTS_AHEAD = 2
"""Documents under way for each process: enough to keep it busy, few enough to bound memory."""

_tools: Tools | None = None
"""Those of a process that reads."""


@dataclass(frozen=True, slots=True)
class _Built:
    """A bundle ready to store, or what was wrong with the document."""

    source: str
    bundle: Bundle | None
    seconds: Mapping[str, float]
    error: str = ""
    usage: Usage = NOTHING_ASKED
    """What a model was asked for it."""


def _build_in_processes(jobs: Sequence[_Reading], settings: Settings, budget: Budget | None) -> Iterator[_Built]:
    """Bundles in the order in which they are done; ``budget`` bounds what all processes spend together."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    waiting = iter(jobs)
    # PDF libraries are not safe to fork with open files, nor to share between threads.
    with ProcessPoolExecutor(settings.workers, get_context("spawn"), _start, (settings, budget)) as pool:
        running: set[Future[_Built]] = set()
        while True:
            for path, source, hints in waiting:
                running.add(pool.submit(_build, path, source, hints))
                if len(running) >= DOCUMENTS_AHEAD * settings.workers:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


def _start(settings: Settings, budget: Budget | None) -> None:
    global _tools
    end_with_parent()
    _tools = make_tools(settings, make_embedder(settings), budget)


def _build(path: Path, source: str, hints: DocumentHints) -> _Built:
    assert _tools is not None, "the process was started by _start"
    watch = Stopwatch()
    before = _tools.usage
    try:
        with watch.stage("read"):
            document = read_path(path, source, hints, _tools.limits)
        bundle = build_bundle(document, _tools, watch)
        return _Built(source, bundle, watch.seconds, usage=_tools.usage.since(before))
    except DocumentError as error:
        return _Built(source, None, watch.seconds, str(error))
    except CliqueRAGError:  # the model or its budget, not this document
        raise
    except Exception as error:  # one document that breaks a reader must not cost the others
        return _Built(source, None, watch.seconds, describe_failure(path, error))

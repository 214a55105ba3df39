"""Documents on their way into a store: what is there already is left alone, a bad one does not cost the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..components import Tools, usage_of
from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.process import collector_at_rest
from ..core.records import dataclass
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
    from ..models.language import Budget

    File = tuple[Path, str]
    """A file and its source."""


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds documents to a store, a transaction each, with one set of tools.

    The collector rests until a document is stored: to look through all that was read of it took 2.5 % of an add.
    """

    store: Store
    tools: Tools
    settings: Settings
    budget: Budget | None = None
    """Shared by all processes that read."""

    @collector_at_rest()
    def file(self, path: Path, source: str, hints: DocumentHints, progress: Progress | None = None) -> AddReport:
        """Read and store one file; "unchanged" where its bytes are stored already. Raises DocumentError, StoreError."""
        stored = self._stored(source)
        if stored and self._is_same(stored, hash_of(path), hints):
            return AddReport.unchanged(stored)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_path(path, source, with_mended(hints, stored), self.tools.limits, progress)
        return self._store(document, watch)

    @collector_at_rest()
    def text(
        self, text: str | Sequence[str], source: str, hints: DocumentHints, progress: Progress | None = None
    ) -> AddReport:
        """The same for a text, or a list of pages, at hand."""
        stored = self._stored(source)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_pages(text, source, with_mended(hints, stored))
        if stored and self._is_same(stored, document.content_hash, hints):
            return AddReport.unchanged(stored)
        return self._store(document, watch)

    def mend(self, source: str, path: Path, hints: DocumentHints) -> AddReport:
        """Put what the user says of a stored document in the place of what was found. Raises UsageError."""
        from .mending import mended_bundle, parts_of_others

        lasting = with_mended(hints.to_last(), self._stored(source))
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
            hints = with_mended(NO_HINTS, record)
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

    def files(
        self, jobs: Sequence[File], hints: DocumentHints, progress: Progress | None = None
    ) -> Iterator[AddReport]:
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

    def _in_parallel(self, jobs: Sequence[File], hints: DocumentHints) -> Iterator[AddReport]:
        self._check_embedder()
        from ..kg.storage.bundle_file import read_bundle_bytes
        from .reading import Job, build_in_processes

        changed: list[Job] = []
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
                changed.append(Job(path, source, with_mended(hints, stored)))
        for built in build_in_processes(changed, self.settings, self.budget):
            report = built.report
            if built.data is None:
                yield AddReport.failed(report.source, report.error, report.usage)
            else:
                bundle = read_bundle_bytes(built.data, report.source)
                yield self._put(bundle, Stopwatch(dict(report.seconds)), report.usage)

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


def with_mended(hints: DocumentHints, stored: DocumentRecord | None) -> DocumentHints:
    """The hints with what was mended in the stored document."""
    return hints.with_mended(stored.metadata) if stored else hints

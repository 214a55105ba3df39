"""Documents on their way into a store: what is there already is left alone, a bad one does not cost the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..components import Tools
from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.scope import Scope
from ..ingest.document import Document
from ..kg.store import Bundle, DocumentRecord, Store
from ..settings import Settings
from ..sources import hash_of
from .pipeline import (
    Hints,
    Progress,
    Stopwatch,
    build_bundle,
    describe_failure,
    is_current,
    read_pages,
    read_path,
    rejected_by_reason,
    says_the_same,
)
from .report import AddReport

if TYPE_CHECKING:
    from ..models.budget import Budget


_FIELDS = ("company", "period", "kind", "published")
"""What the user may say of a document."""


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds documents to a store, a transaction each, with one set of tools."""

    store: Store
    tools: Tools
    settings: Settings
    budget: Budget | None = None
    """Shared by all processes that read."""

    def file(self, path: Path, source: str, hints: Hints, progress: Progress | None = None) -> AddReport:
        """Read and store one file; "unchanged" where its bytes are stored already. Raises DocumentError, StoreError."""
        stored = self._stored(source)
        if stored and self._is_same(stored, hash_of(path), hints):
            return AddReport(source, "unchanged", chunks=stored.chunks)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_path(path, source, hints.with_lasting(stored))
        return self._store(document, watch)

    def text(self, text: str | Sequence[str], source: str, hints: Hints, progress: Progress | None = None) -> AddReport:
        """The same for a text, or a list of pages, at hand."""
        stored = self._stored(source)
        watch = Stopwatch(progress=progress)
        with watch.stage("read"):
            document = read_pages(text, source, hints.with_lasting(stored))
        if stored and self._is_same(stored, document.content_hash, hints):
            return AddReport(source, "unchanged", chunks=stored.chunks)
        return self._store(document, watch)

    def mend(self, source: str, path: Path, hints: Hints) -> AddReport:
        """Put what the user says of a stored document in the place of what was found. Raises UsageError."""
        from .mending import mended_bundle, parts_of_others

        said = tuple(field for field in _FIELDS if getattr(hints, field) is not None)
        lasting = replace(hints, lasting=said).with_lasting(self._stored(source))
        others = parts_of_others(self.store, source, self.tools)
        watch = Stopwatch()
        bundle = mended_bundle(self.store, source, path, lasting, self.tools, watch)
        if bundle is None:
            raise UsageError("no such document", where=source, hint="`cliquerag docs` lists them")
        report = self._put(bundle, watch)
        for part in others:
            self.store.put_graph(source, part)
        return report

    def files(
        self, jobs: Sequence[tuple[Path, str]], hints: Hints, progress: Progress | None = None
    ) -> Iterator[AddReport]:
        """(path, source) after another, or by as many processes as the settings say, then in any order."""
        if self.settings.workers > 1 and len(jobs) > 1:
            yield from self._in_parallel(jobs, hints)
            return
        for path, source in jobs:
            try:
                yield self.file(path, source, hints, progress)
            except DocumentError as error:
                yield AddReport(source, "failed", error=str(error))
            except CliqueRAGError:  # the store or the model, not this document
                raise
            except Exception as error:  # one document that breaks a reader must not cost the others
                yield AddReport(source, "failed", error=describe_failure(path, error))

    def _in_parallel(self, jobs: Sequence[tuple[Path, str]], hints: Hints) -> Iterator[AddReport]:
        from .parallel import build_in_processes

        self._check_embedder()
        changed = []
        for path, source in jobs:
            stored = self._stored(source)
            try:
                same = stored is not None and self._is_same(stored, hash_of(path), hints)
            except DocumentError as error:
                yield AddReport(source, "failed", error=str(error))
                continue
            if stored and same:
                yield AddReport(source, "unchanged", chunks=stored.chunks)
            else:
                changed.append((path, source, hints.with_lasting(stored)))
        for built in build_in_processes(changed, self.settings, self.budget):
            if built.bundle is None:
                yield AddReport(built.source, "failed", usage=built.usage, error=built.error)
            else:
                yield replace(self._put(built.bundle, Stopwatch(dict(built.seconds))), usage=built.usage)

    def _store(self, document: Document, watch: Stopwatch) -> AddReport:
        self._check_embedder()
        before = self.tools.usage
        report = self._put(build_bundle(document, self.tools, watch), watch)
        return replace(report, usage=self.tools.usage.since(before))

    def _put(self, bundle: Bundle, watch: Stopwatch) -> AddReport:
        document = bundle.document
        replaced = bool(self.store.documents(Scope(sources=(document.source,))))
        with watch.stage("store"):
            self.store.put(bundle)
        return AddReport(
            source=document.source,
            outcome="replaced" if replaced else "added",
            metadata=document.metadata,
            coverage=document.coverage,
            chunks=len(bundle.chunks),
            sentences=sum(len(chunk.sentences) for chunk in bundle.chunks),
            facts=len(bundle.facts),
            entities=len(bundle.graph.entities),
            statements=len(bundle.graph.statements),
            rejected=rejected_by_reason(bundle),
            seconds=dict(watch.seconds),
        )

    def _stored(self, source: str) -> DocumentRecord | None:
        return next(iter(self.store.documents(Scope(sources=(source,)))), None)

    def _is_same(self, stored: DocumentRecord, digest: str, hints: Hints) -> bool:
        """True where nothing would change: the same bytes, read by the same versions, and said to be about the same."""
        if stored.content_hash != digest or not is_current(stored.versions, self.tools):
            return False
        return says_the_same(hints, stored)

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

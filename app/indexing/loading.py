"""Loading: bundles into a store, in any order, as often as one likes, by several processes at once.

Short documents share a transaction, a long one has its own; one that is stored as its bundle has it costs a look.
Where the engine can use it (``Store.side_by_side``) several transactions run at once, of different documents. When all
have come, the store decides anew which entities are one (``Store.settle``): the graph is then the same whatever the
order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import DocumentError, StoreError, UsageError
from ..core.records import dataclass
from ..ingest.about.given import DocumentHints
from ..kg.storage.bundle_file import ENDING, Manifest, metadata_hash, read_bundle_file, read_manifest
from ..kg.store import fit_together
from .mending import told_again
from .pipeline import Stopwatch, has_versions
from .report import AddReport

if TYPE_CHECKING:
    from ..kg.store import Bundle, DocumentRecord, Store
    from ..kg.triple import Extractor
    from ..workspace import Workspace

_NO_VECTORS = "none"
Looking = Callable[[int, int], None]
"""Called with the bundles that were looked at, and all there are."""


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A bundle that can be loaded: its file, and what it says of itself."""

    path: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Loading:
    """The bundles of some folders on their way into a store."""

    files: Sequence[BundleFile]
    failed: Sequence[AddReport]
    """Those that are damaged, of another version, or two of one document."""

    @classmethod
    def of(cls, paths: Iterable[str | Path], progress: Looking | None = None) -> Loading:
        """The bundles in these folders, each read as far as its manifest. Raises UsageError for what is not there."""
        found: dict[str, list[BundleFile]] = defaultdict(list)
        failed: list[AddReport] = []
        files_there = bundle_paths(paths)
        for number, path in enumerate(files_there):
            if progress:
                progress(number, len(files_there))
            try:
                manifest = read_manifest(path)
                file = BundleFile(path, replace(manifest, layout={}))  # of 100,000 bundles the layouts fill memory
            except DocumentError as error:
                failed.append(AddReport.failed(str(path), str(error)))
            else:
                found[file.manifest.source].append(file)
        files: list[BundleFile] = []
        for source, same in sorted(found.items()):
            if len({file.manifest.key for file in same}) == 1:  # the same bundle may lie in two folders
                files.append(same[0])
            else:
                failed.append(AddReport.failed(source, _two_of_one(source, same)))
        return cls(files, failed)

    def __len__(self) -> int:
        return len(self.files) + len(self.failed)

    def into(self, store: Store, make_extractor: Callable[[], Extractor]) -> Iterator[AddReport]:
        """Load all of them; a bad one is reported as "failed" and the others go on. Raises StoreError, UsageError.

        ``make_extractor`` gives what reads the relations of a document that somebody has mended in the store.
        """
        self._check_embedder(store)
        yield from self.failed
        stored = {record.source: record for record in store.documents()}
        yield from _side_by_side(store, self._steps(stored, make_extractor))
        store.settle()

    def _steps(
        self, stored: Mapping[str, DocumentRecord], make_extractor: Callable[[], Extractor]
    ) -> Iterator[AddReport | list[_Ready]]:
        """Bundles that are stored together, as they are read; a report of one that is not stored."""
        waiting: list[_Ready] = []
        for file in self.files:
            ready = _read(file, stored.get(file.manifest.source), make_extractor)
            if isinstance(ready, AddReport):
                yield ready
                continue
            if waiting and not fit_together(one.bundle for one in (*waiting, ready)):
                yield waiting
                waiting = []
            waiting.append(ready)
        if waiting:
            yield waiting

    def _check_embedder(self, store: Store) -> None:
        """All vectors of a store come from one model, and the order of bundles shall not say which."""
        by_name: dict[str, BundleFile] = {}
        for file in self.files:
            by_name.setdefault(file.manifest.embedder or _NO_VECTORS, file)
        stored = store.embedder()
        others = {name: file for name, file in by_name.items() if name != stored}
        if stored and others:
            name, file = next(iter(others.items()))
            what = f"its vectors come from {name!r}, those of {store.url} from {stored!r}"
            raise UsageError(what, where=str(file.path), hint="Load it into another workspace, or read it again")
        if len(by_name) > 1:
            names = " and ".join(f"{name!r} ({file.path})" for name, file in sorted(by_name.items()))
            raise UsageError(
                f"the bundles have vectors of different models: {names}", hint="Read all with one embedder"
            )


def load(workspace: Workspace, paths: Iterable[str | Path]) -> Iterator[AddReport]:
    """Load the bundles of folders into a workspace; what is stored already as its bundle has it is "unchanged".

    Raises UsageError where the paths or the vectors do not fit, StoreError.
    """
    yield from Loading.of(paths).into(workspace.store, lambda: workspace.components.tools.extractor)


def bundle_paths(paths: Iterable[str | Path]) -> list[Path]:
    """The bundles among the paths and in the folders, in order of name, each once. Raises UsageError."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if path.is_dir():
            found.update(dict.fromkeys(sorted(path.glob(f"*{ENDING}"))))
        elif path.is_file():
            found[path] = None
        else:
            raise UsageError("there is no such folder or bundle", where=str(path), hint="`cliquerag read` makes one")
    return list(found)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A bundle that was read and is to be stored."""

    bundle: Bundle
    watch: Stopwatch
    replaces: bool


def _read(
    file: BundleFile, stored: DocumentRecord | None, make_extractor: Callable[[], Extractor]
) -> AddReport | _Ready:
    """Read one bundle; a report where it is stored as it is, or cannot be read."""
    watch = Stopwatch()
    if stored and _is_stored(stored, file.manifest):
        return AddReport.unchanged(stored)
    try:
        with watch.stage("read"):
            bundle = read_bundle_file(file.path)
    except DocumentError as error:
        return AddReport.failed(file.manifest.source, str(error))
    if stored:
        bundle = _as_mended(bundle, stored, make_extractor)
    return _Ready(bundle, watch, replaces=stored is not None)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What came of bundles that were to be stored together: a report of each that is, and why the next one is not."""

    reports: Sequence[AddReport]
    refused: StoreError | ValueError | None = None


def _store(store: Store, waiting: Sequence[_Ready]) -> _Stored:
    """Store bundles in one transaction; where that fails one by one, up to the one that is refused."""
    together = Stopwatch()
    try:
        with together.stage("store"):
            store.put_all([one.bundle for one in waiting])
    except (StoreError, ValueError) as error:
        return _Stored((), error) if len(waiting) < 2 else _store_one_by_one(store, waiting)
    for one in waiting:
        one.watch.seconds["store"] = together.seconds["store"] / len(waiting)
    return _Stored(
        [
            AddReport.of(one.bundle, "replaced" if one.replaces else "added", seconds=one.watch.seconds)
            for one in waiting
        ]
    )


def _store_one_by_one(store: Store, waiting: Sequence[_Ready]) -> _Stored:
    reports: list[AddReport] = []
    for one in waiting:
        stored = _store(store, [one])
        reports.extend(stored.reports)
        if stored.refused:
            return _Stored(reports, stored.refused)
    return _Stored(reports)


def _side_by_side(store: Store, steps: Iterable[AddReport | list[_Ready]]) -> Iterator[AddReport]:
    """Store what is read, several transactions at once where the engine can use it. After a refusal nothing more is
    begun; it is raised when all that was stored has been reported."""
    running: set[Future[_Stored]] = set()
    refused: list[Exception] = []
    with ThreadPoolExecutor(store.side_by_side, "cliquerag-load") as threads:
        for step in steps:
            if isinstance(step, AddReport):
                yield step
                continue
            if len(running) == store.side_by_side:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from _reports(done, refused)
                if refused:
                    break
            running.add(threads.submit(_store, store, step))
        yield from _reports(running, refused)
    if refused:
        raise refused[0]


def _reports(writes: Iterable[Future[_Stored]], refused: list[Exception]) -> Iterator[AddReport]:
    """What these writes have stored; their refusals are added to those there are."""
    for write in writes:
        stored = write.result()
        yield from stored.reports
        if stored.refused:
            refused.append(stored.refused)


def _is_stored(stored: DocumentRecord, manifest: Manifest) -> bool:
    """True where loading would change nothing: the same bytes and versions, and what is said of the document."""
    if stored.content_hash != manifest.content_hash or not has_versions(stored.versions, manifest.versions):
        return False
    is_mended = bool(DocumentHints().with_mended(stored.metadata).said)
    return is_mended or metadata_hash(stored.metadata) == manifest.about


def _as_mended(bundle: Bundle, stored: DocumentRecord, make_extractor: Callable[[], Extractor]) -> Bundle:
    """The bundle with what somebody has mended in the stored document."""
    hints = DocumentHints().with_mended(stored.metadata)
    if not hints.said:
        return bundle
    return told_again(bundle, hints, make_extractor())


def _two_of_one(source: str, same: Sequence[BundleFile]) -> str:
    names = ", ".join(str(file.path) for file in same)
    return f"{source}: there are {len(same)} different bundles of it ({names}). Delete those that are out of date"

"""Documents read by several processes at once; the store is still written by one, a document at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from ..components import Tools, make_embedder, make_tools, usage_of
from ..core.errors import CliqueRAGError, DocumentError
from ..ingest.about.given import DocumentHints
from ..kg.store import Bundle
from ..models.budget import Budget
from ..models.language import Usage
from ..settings import Settings
from .pipeline import Stopwatch, build_bundle, describe_failure, read_path

AHEAD = 2
"""Documents under way for each process: enough to keep it busy, few enough to bound memory."""

_tools: Tools | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A bundle ready to store, or what was wrong with the document."""

    source: str
    bundle: Bundle | None
    seconds: dict[str, float]
    error: str = ""
    usage: Usage = Usage()
    """What a model was asked for it."""


def build_in_processes(
    jobs: Sequence[tuple[Path, str]], hints: DocumentHints, settings: Settings, budget: Budget | None = None
) -> Iterator[Built]:
    """Bundles of (path, source) in the order in which they are done; ``budget`` bounds what all of them spend."""
    waiting = iter(jobs)
    # PDF libraries are not safe to fork with open files, nor to share between threads.
    with ProcessPoolExecutor(settings.workers, get_context("spawn"), _start, (settings, budget)) as pool:
        running: set[Future[Built]] = set()
        while True:
            for path, source in waiting:
                running.add(pool.submit(_build, path, source, hints))
                if len(running) >= AHEAD * settings.workers:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


def _start(settings: Settings, budget: Budget | None) -> None:
    global _tools
    _tools = make_tools(settings, make_embedder(settings), budget)


def _build(path: Path, source: str, hints: DocumentHints) -> Built:
    assert _tools is not None, "the process was started by _start"
    watch = Stopwatch()
    before = usage_of(_tools.extractor)
    try:
        with watch.stage("read"):
            document = read_path(path, source, hints)
        bundle = build_bundle(document, _tools, watch)
        return Built(source, bundle, watch.seconds, usage=usage_of(_tools.extractor).since(before))
    except DocumentError as error:
        return Built(source, None, watch.seconds, str(error))
    except CliqueRAGError:  # the model or its budget, not this document
        raise
    except Exception as error:  # one document that breaks a reader must not cost the others
        return Built(source, None, watch.seconds, describe_failure(path, error))

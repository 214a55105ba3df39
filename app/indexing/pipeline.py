"""One document's way from a file to a bundle ready to store."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from ..components import Tools
from ..core.period import Period
from ..ingest.document import Document
from ..kg.store import Bundle, DocumentRecord
from ..kg.triple import Extractor

Progress = Callable[[str, float], None]
"""Called with the stage ("read", "chunk" ...) and its share done, 0..1."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What the user says about a document; wins over what is found in it."""

    company: str | tuple[str, ...] | None = None
    period: str | Period | None = None
    kind: str | None = None
    published: str | date | None = None

    @classmethod
    def of(
        cls,
        company: str | Sequence[str] | None,
        period: str | Period | None,
        kind: str | None,
        published: str | date | None,
    ) -> Hints:
        """The hints as a caller writes them; companies may be one name or several."""
        several = company if isinstance(company, str) or company is None else tuple(company)
        return cls(several, period, kind, published)


@dataclass(slots=True)
class Stopwatch:
    """Wall seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)
    progress: Progress | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage and report its begin and end."""
        if self.progress:
            self.progress(name, 0.0)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
        if self.progress:
            self.progress(name, 1.0)


def read_path(path: Path, source: str, hints: Hints) -> Document:
    """Read a file and say what kind of page each page is. Raises DocumentError."""
    from ..ingest.pages.classes import classify_pages
    from ..ingest.read import read_document

    document = read_document(
        path, source=source, company=hints.company, period=hints.period, kind=hints.kind, published=hints.published
    )
    return classify_pages(document)


def read_pages(text: str | Sequence[str], source: str, hints: Hints) -> Document:
    """The same for text that is at hand, as one string or a list of pages."""
    from ..ingest.pages.classes import classify_pages
    from ..ingest.read import read_text

    document = read_text(
        text, source=source, company=hints.company, period=hints.period, kind=hints.kind, published=hints.published
    )
    return classify_pages(document)


def build_bundle(document: Document, tools: Tools, watch: Stopwatch) -> Bundle:
    """Chunks with vectors, facts and triples of a document that was read."""
    from ..ingest.chunking import make_chunks
    from ..ingest.facts import extract_facts
    from ..kg.extraction.build import build_graph
    from .bundle import bundle_of

    with watch.stage("chunk"):
        chunked = make_chunks(document, tools.chunker, tools.embedder)
    with watch.stage("facts"):
        facts = tuple(extract_facts(document, tools.metrics))
    with watch.stage("graph"):
        graph = build_graph(document, chunked.chunks, tools.extractor)
    return bundle_of(document, chunked, tools.embedder, facts=facts, graph=graph, versions=versions(tools))


def versions(tools: Tools) -> dict[str, str]:
    """The version of each step; a document stored with the same ones need not be read again."""
    from ..ingest import chunking, facts, read

    return {
        "parse": read.VERSION,
        "chunk": f"{tools.chunker_name}-{chunking.VERSION}",
        "facts": f"{facts.VERSION}-{tools.metrics.version}" if tools.metrics else facts.VERSION,
        "embed": tools.embedder.name if tools.embedder else "none",
        f"extract:{tools.extractor.name}": extractor_label(tools.extractor),
    }


def extractor_label(extractor: Extractor) -> str:
    """Name and version, as stored with what it read."""
    return f"{extractor.name}-{extractor.version}"


def is_current(stored: Mapping[str, str], tools: Tools) -> bool:
    """True where a document was made by these versions of every step.

    A document that another extractor has read is not read again by this one: a model's triples are not thrown away
    because the next add names none.
    """
    wanted = versions(tools)
    by_others = any(step.startswith("extract:") and step not in wanted for step in stored)
    return all(
        stored.get(step) == version or (by_others and step not in stored and step.startswith("extract:"))
        for step, version in wanted.items()
    )


def says_the_same(hints: Hints, record: DocumentRecord) -> bool:
    """True where what the user says of a document is what is stored of it."""
    companies = (hints.company,) if isinstance(hints.company, str) else hints.company
    period = hints.period.label if isinstance(hints.period, Period) else hints.period
    stored = record.period.label if record.period else ""
    return (
        (companies is None or companies == record.companies)
        and (period is None or Period.parse(period).label == stored)
        and (hints.kind is None or hints.kind == record.kind)
        and (hints.published is None or str(hints.published) == str(record.published))
    )


def describe_failure(path: Path, error: Exception) -> str:
    """One line for an error of ours, with the place in the code that a report of it needs."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{path}: cannot be read because of an error in CliqueRAG ({type(error).__name__}: {error}; {where})"


def rejected_by_reason(bundle: Bundle) -> dict[str, int]:
    """How many triples were kept out of the graph, by reason."""
    return dict(Counter(triple.reason for triple in bundle.graph.rejected))

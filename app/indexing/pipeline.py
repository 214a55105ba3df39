"""One document's way from a file to a bundle ready to store."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..components import Tools
from ..core.errors import ModelError
from ..core.period import label_of
from ..core.process import collector_at_rest
from ..core.records import dataclass
from ..core.words import search_words
from ..kg.store import Bundle, GraphPart
from ..kg.triple import Extractor

if TYPE_CHECKING:
    from ..core.fact import Fact
    from ..ingest.about.given import DocumentHints
    from ..ingest.chunk import Chunk
    from ..ingest.chunking import Chunked
    from ..ingest.document import Document, Metadata
    from ..ingest.limits import ReadingLimits
    from ..ingest.pdf.descriptions import Describe
    from ..models.embedders import Embedder

_NOTE = 20_000
"""Characters below which a text without pages is a note."""

Progress = Callable[[str, float], None]
"""Called with the stage ("read", "chunk" ...) and its share done, 0..1."""


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


def read_path(
    path: Path,
    source: str,
    hints: DocumentHints,
    limits: ReadingLimits,
    progress: Progress | None = None,
    describe: Describe | None = None,
) -> Document:
    """Read a file and say what kind of page each page is. Raises DocumentError, also beyond the limits."""
    from ..ingest.pieces.page_classes import classify_pages
    from ..ingest.read import read_document

    def show(done: int, count: int) -> None:
        if progress:
            progress("read", done / max(1, count))

    document = read_document(path, source=source, hints=hints, limits=limits, progress=show, describe=describe)
    return _marked(classify_pages(document), hints)


def read_pages(text: str | Sequence[str], source: str, hints: DocumentHints) -> Document:
    """The same for text that is at hand, as one string or a list of pages."""
    from ..ingest.pieces.page_classes import classify_pages
    from ..ingest.read import read_text

    return _marked(classify_pages(read_text(text, source=source, hints=hints)), hints)


def _marked(document: Document, hints: DocumentHints) -> Document:
    """The document with a note of what was given to mend it."""
    return replace(document, metadata=hints.marked_in(document.metadata))


def build_bundle(document: Document, tools: Tools, watch: Stopwatch) -> Bundle:
    """Chunks with vectors, facts and triples of a document that was read."""
    from ..ingest.chunking import make_chunks
    from ..ingest.facts import extract_facts
    from ..kg.extraction.build import build_graph

    with watch.stage("read"):
        document = _with_company(document, tools)
    with collector_at_rest():  # all that is made here is kept: the longer the document, the more it would look through
        with watch.stage("chunk"):
            chunked = make_chunks(document, tools.chunker, tools.embedder, tools.index, tools.language_model)
        with watch.stage("facts"):
            facts = tuple(extract_facts(document, tools.metrics))
        with watch.stage("graph"):
            graph = build_graph(document, chunked.chunks, tools.extractor)
        return bundle_of(document, chunked, tools.embedder, facts=facts, graph=graph, versions=versions(tools))


def _with_company(document: Document, tools: Tools) -> Document:
    """The document with its company as a language model reads it, where there is one and the rules are unsure.

    A note is not worth a call. A model that does not answer leaves it unsure; one whose budget is spent stops the add.
    """
    from ..ingest.about.model_reading import ask_company
    from ..models.language import BudgetError

    is_note = len(document.pages) < 2 and len(document.text) < _NOTE
    if tools.language_model is None or is_note:
        return document
    try:
        return ask_company(document, tools.language_model)
    except BudgetError:
        raise
    except ModelError:
        return document


def bundle_of(
    document: Document,
    chunked: Chunked,
    embedder: Embedder | None,
    *,
    facts: tuple[Fact, ...] = (),
    graph: GraphPart | None = None,
    versions: Mapping[str, str] | None = None,
) -> Bundle:
    """A document with its chunks, facts and graph, ready to store; ``embedder`` is the one the vectors come from."""
    embedder_name = ""
    if embedder is not None and chunked.vectors is not None:
        embedder_name = embedder.name
    return Bundle(
        document=document,
        chunks=chunked.chunks,
        words=tuple(_terms(chunk.index_text or chunk.text) for chunk in chunked.chunks),
        heading_words=heading_words(document.metadata, chunked.chunks),
        facts=facts,
        graph=graph or GraphPart(""),
        vectors=chunked.vectors,
        sentence_vectors=chunked.sentence_vectors,
        embedder=embedder_name,
        multilingual=chunked.multilingual,
        versions=versions or {},
    )


def heading_words(metadata: Metadata, chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """The search terms of each chunk's headings and speaker, and of what its document is about.

    So "Acme 2023 annual report" finds every chunk of it.
    """
    about = (*metadata.companies, *metadata.tickers, metadata.kind, label_of(metadata.period))
    return tuple(_terms(" ".join((*about, *chunk.headings, chunk.speaker))) for chunk in chunks)


def _terms(text: str) -> str:
    return " ".join(search_words(text))


def versions(tools: Tools) -> dict[str, str]:
    """The version of each step; a document stored with the same ones need not be read again."""
    from ..ingest import chunking, facts, read
    from ..models.embedders import multilingual_of

    made = {
        "parse": read.VERSION,
        "chunk": f"{tools.chunker_label}-{chunking.VERSION}{tools.index.label(tools.language_model)}",
        "facts": f"{facts.VERSION}-{tools.metrics.version}" if tools.metrics else facts.VERSION,
        "embed": tools.embedder.name if tools.embedder else "none",
        f"extract:{tools.extractor.name}": extractor_label(tools.extractor),
    }
    beside = multilingual_of(tools.embedder)
    if beside is not None:
        made["embed:multilingual"] = f"{beside.embedder.name}{' and English' if beside.english_too else ''}"
    return made


def extractor_label(extractor: Extractor) -> str:
    """Name and version, as stored with what it read."""
    return f"{extractor.name}-{extractor.version}"


def is_current(stored: Mapping[str, str], tools: Tools) -> bool:
    """True where a document was made by the tools' versions of every step; see :func:`has_versions`."""
    return has_versions(stored, versions(tools))


def has_versions(stored: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """True where a document was made by these versions of every step.

    A document that another extractor has read is not read again by this one: a model's triples are not thrown away
    because the next add names none.
    """
    read_by_another = any(step.startswith("extract:") for step in stored.keys() - wanted.keys())
    for step, version in wanted.items():
        left_to_another = read_by_another and step.startswith("extract:") and step not in stored
        if stored.get(step) != version and not left_to_another:
            return False
    return True


def describe_failure(path: Path, error: Exception) -> str:
    """One line for an error of ours, with the place in the code that a report of it needs."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"{path}: cannot be read because of an error in CliqueRAG ({type(error).__name__}: {error}; {where})"

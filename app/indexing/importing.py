"""What LightRAG has indexed, brought into a workspace: a transaction a document, what is there already left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.scope import Scope
from .report import AddReport

if TYPE_CHECKING:
    from ..workspace import Workspace


def import_lightrag(
    workspace: Workspace, folder: Path, progress: Callable[[int, int], None] | None = None
) -> Iterator[AddReport]:
    """Import a working directory; run again, it changes only what LightRAG has changed.

    Raises UsageError for another folder, DocumentError for a torn file: before anything is stored.
    """
    from ..ingest.facts import extract_facts
    from .bundle import bundle_of
    from .importers.lightrag import EXTRACTOR, digest, import_documents
    from .importers.lightrag_files import read_folder

    read, tools = read_folder(folder), workspace.components.tools
    for number, found in enumerate(import_documents(read, tools.embedder), 1):
        document = found.document
        stamp = {"parse": EXTRACTOR, "extract:lightrag": f"{EXTRACTOR}-{digest(found)}"}
        known = workspace.store.documents(Scope(sources=(document.source,)))
        if known and stamp.items() <= dict(known[0].versions).items():
            yield AddReport(document.source, "unchanged", chunks=known[0].chunks)
        else:
            facts = tuple(extract_facts(document, tools.metrics))
            bundle = bundle_of(document, found.chunked, tools.embedder, facts=facts, graph=found.graph, versions=stamp)
            workspace.store.put(bundle)
            yield AddReport(
                document.source,
                "replaced" if known else "added",
                metadata=document.metadata,
                chunks=len(bundle.chunks),
                sentences=sum(len(chunk.sentences) for chunk in bundle.chunks),
                facts=len(facts),
                entities=len(found.graph.entities),
                statements=len(found.graph.statements),
                rejected=Counter(triple.reason for triple in found.graph.rejected),
            )
        if progress:
            progress(number, len(read.documents))

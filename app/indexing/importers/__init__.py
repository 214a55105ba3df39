"""What other programs have indexed, brought into a workspace: a transaction a document, what is there left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.scope import Scope
from ..report import AddReport

if TYPE_CHECKING:
    from ...workspace import Workspace


def import_lightrag(
    workspace: Workspace, folder: Path, progress: Callable[[int, int], None] | None = None
) -> Iterator[AddReport]:
    """Import a working directory of LightRAG; run again, it changes only what LightRAG has changed.

    Raises UsageError for another folder, DocumentError for a torn file: before anything is stored.
    """
    from ...ingest.facts import extract_facts
    from ...kg.extraction.rules import RulesExtractor
    from ..pipeline import bundle_of
    from .lightrag import EXTRACTOR, digest, import_documents
    from .lightrag_files import read_folder

    read, tools, store = read_folder(folder), workspace.components.tools, workspace.store
    extractor = RulesExtractor(workspace.vocabulary.schema)
    for number, found in enumerate(import_documents(read, extractor, tools.embedder), 1):
        document = found.document
        stamp = {"parse": EXTRACTOR, "extract:lightrag": f"{EXTRACTOR}-{digest(found)}"}
        known = store.documents(Scope(sources=(document.source,)))
        if known and stamp.items() <= dict(known[0].versions).items():
            yield AddReport.unchanged(known[0])
        else:
            facts = tuple(extract_facts(document, tools.metrics))
            bundle = bundle_of(document, found.chunked, tools.embedder, facts=facts, graph=found.graph, versions=stamp)
            store.put(bundle)
            yield AddReport.of(bundle, "replaced" if known else "added")
        if progress:
            progress(number, len(read.documents))

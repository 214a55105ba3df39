"""The graph written where a user says: by the ending of a file, or into another store by its URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ...core.errors import UsageError
from ..engines.neo4j.bulk import write_import
from ..schema import Schema
from ..store import Store
from . import formats

Writer = Callable[[Store, Path, Schema], Mapping[str, int]]
_WRITERS: Mapping[str, Writer] = {
    ".graphml": formats.write_graphml,
    ".dot": formats.write_dot,
    ".json": formats.write_custom_kg,
    ".csv": formats.write_csv,
    ".neo4j": write_import,
}


def export_graph(store: Store, target: str, schema: Schema) -> Mapping[str, int]:
    """Write the graph to ``FILE.graphml``, ``DIR.csv`` ... or a store's URL; how many of what were written.

    Raises UsageError for an ending that is not known.
    """
    if "://" in target:
        return formats.copy_store(store, target, schema)
    path = Path(target)
    if path.suffix not in _WRITERS:
        hint = f"Known endings: {', '.join(_WRITERS)}, or a URL"
        raise UsageError(f"unknown target {target!r}", where="--to", hint=hint)
    return _WRITERS[path.suffix](store, path, schema)

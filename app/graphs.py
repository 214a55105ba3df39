"""Entities by name, and ways out of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from .core.errors import UsageError
from .core.names import name_key
from .kg.graph import Entity, Subgraph
from .kg.store import Store


def look_up(store: Store, name: str) -> Entity:
    """The entity of that name or alias. Raises UsageError with the nearest names where there is none."""
    found = store.find_entities([name_key(name)])
    if found:
        return max(found, key=lambda entity: (entity.mentions, entity.id))
    near = store.similar_entities(name, 5)
    hint = f"Near: {', '.join(entity.name for entity in near)}" if near else "`cliquerag docs` lists what was read"
    raise UsageError(f"no entity named {name!r}", hint=hint)


def draw(subgraph: Subgraph, title: str) -> str:
    """One self-contained HTML picture."""
    from .kg.html import subgraph_html

    return subgraph_html(subgraph, title=title)


def export_graph(store: Store, target: str) -> Mapping[str, int]:
    """Write the graph where ``target`` says: by its ending, or into another store by its URL."""
    from .kg import export

    if "://" in target:
        return export.copy_store(store, target)
    writers: dict[str, Callable[[Store, Path], Mapping[str, int]]] = {
        ".graphml": export.write_graphml,
        ".dot": export.write_dot,
        ".json": export.write_custom_kg,
        ".csv": export.write_csv,
    }
    path = Path(target)
    if path.suffix not in writers:
        raise UsageError(
            f"unknown target {target!r}", where="--to", hint=f"Known endings: {', '.join(writers)}, or a URL"
        )
    return writers[path.suffix](store, path)

"""Entities by name, and ways out of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import UsageError
from .core.names import name_key
from .kg.graph import Community, Entity, Subgraph
from .kg.store import Store
from .settings import resolve_settings

if TYPE_CHECKING:
    from .kg.neo4j.browser.tour import Answered


def look_up(store: Store, name: str) -> Entity:
    """The entity of that name or alias. Raises UsageError with the nearest names where there is none."""
    found = store.find_entities([name_key(name)])
    if found:
        return max(found, key=lambda entity: (entity.mentions, entity.id))
    near = store.similar_entities(name, 5)
    longer = [entity for entity in near if _is_longer_form(entity, name)]
    if len(longer) == 1:
        return longer[0]
    hint = f"Near: {', '.join(entity.name for entity in near)}" if near else "`cliquerag docs` lists what was read"
    raise UsageError(f"no entity named {name!r}", hint=hint)


def _is_longer_form(entity: Entity, name: str) -> bool:
    """ "Meridian Freight" for "Meridian Freight Group": every word of the short form stands at the beginning."""
    return any(name_key(written).startswith(name_key(name) + " ") for written in (entity.name, *entity.aliases))


def draw(subgraph: Subgraph, title: str) -> str:
    """One self-contained HTML picture."""
    from .kg.html import subgraph_html

    return subgraph_html(subgraph, title=title)


def report_communities(store: Store) -> list[Community]:
    """Communities with reports, derived from the store as it is now, the largest first within a level."""
    from .kg.communities import find_communities, write_reports

    relations = list(store.all_relations())
    entities = {end.id: end for relation in relations for end in (relation.head, relation.tail)}
    found = sorted(find_communities(relations), key=lambda c: (c.level, -len(c.entities), c.id))
    return write_reports(found, entities, relations)


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


def ask_tour(url: str | None, given: Sequence[str] = (), only: str = "") -> list[Answered]:
    """The analyst's questions of the Browser tour, asked of a Neo4j workspace; ``given`` are parameters, NAME=VALUE."""
    from .kg.engines import open_store
    from .kg.neo4j.browser.tour import run_tour

    address = resolve_settings({"workspace": url}).settings.workspace
    if address.startswith("sqlite:"):
        hint = "Name one with --workspace neo4j://HOST:7687; `cliquerag graph export --to` moves a workspace there"
        raise UsageError("the tour needs a workspace on a Neo4j server", where=address, hint=hint)
    if wrong := [text for text in given if "=" not in text]:
        raise UsageError(f"not of the form NAME=VALUE: {', '.join(wrong)}", where="--set")
    open_store(address, create=False).close()  # the errors of a wrong address, a stranger's database, no workspace
    return run_tour(address, dict(text.split("=", 1) for text in given), only)

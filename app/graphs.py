"""Entities by name, and ways out of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import UsageError
from .core.names import name_key
from .kg.extraction.filer_names import ticker_name
from .kg.graph import Communities, Entity, Subgraph
from .kg.store import Store
from .settings import resolve_settings

if TYPE_CHECKING:
    from .kg.communities.model_reports import ReportEstimate
    from .kg.engines.neo4j.browser.tour import Answered
    from .kg.schema import Schema
    from .models.language import LanguageModel
    from .workspace import Workspace


def look_up(store: Store, name: str) -> Entity:
    """The entity of that name or alias. Raises UsageError with the nearest names where there is none."""
    found = store.find_entities([name_key(name), name_key(ticker_name(name))])
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


def neighbourhood(store: Store, entity: str, limit: int, schema: Schema, day: date | None = None) -> Subgraph:
    """The best supported relations of an entity as of a day, those that have ended marked."""
    from .kg.as_of import as_of
    from .kg.timeline import with_rivals

    seen = as_of(store, day)
    found = seen.subgraph([entity], limit)
    return replace(found, relations=tuple(with_rivals(seen, found.relations, schema)))


def draw(subgraph: Subgraph, title: str) -> str:
    """One self-contained HTML picture."""
    from .views.graph_page import subgraph_html

    return subgraph_html(subgraph, title=title)


def report_communities(workspace: Workspace) -> Communities:
    """Communities with reports, as the store is now; derived first where they are not there or stale."""
    from .kg.communities.current import current_communities

    return current_communities(workspace.store)


def estimate_reports(workspace: Workspace, level: int = 0) -> ReportEstimate:
    """What reports by the configured model would take. Raises UsageError without one."""
    from .kg.communities.model_reports import estimate_reports

    return estimate_reports(workspace.store, _model_of(workspace).name, level)


def write_reports(
    workspace: Workspace, level: int = 0, progress: Callable[[int, int], None] | None = None
) -> Communities:
    """Have the configured model write the reports of a level; what it has written already is kept."""
    from .kg.communities.model_reports import write_model_reports

    return write_model_reports(workspace.store, _model_of(workspace), level, progress)


def _model_of(workspace: Workspace) -> LanguageModel:
    if workspace.components.language_model is None:
        hint = "Set CLIQUERAG_MODEL, or leave out --reports: the rules write reports without one"
        raise UsageError("reports by a model need a model", hint=hint)
    return workspace.components.language_model


def export_graph(store: Store, target: str) -> Mapping[str, int]:
    """Write the graph where ``target`` says: by its ending, or into another store by its URL."""
    from .kg.engines.neo4j.bulk import write_import
    from .kg.export import formats as export

    if "://" in target:
        return export.copy_store(store, target)
    writers: dict[str, Callable[[Store, Path], Mapping[str, int]]] = {
        ".graphml": export.write_graphml,
        ".dot": export.write_dot,
        ".json": export.write_custom_kg,
        ".csv": export.write_csv,
        ".neo4j": write_import,
    }
    path = Path(target)
    if path.suffix not in writers:
        raise UsageError(
            f"unknown target {target!r}", where="--to", hint=f"Known endings: {', '.join(writers)}, or a URL"
        )
    return writers[path.suffix](store, path)


def ask_tour(url: str | None, given: Sequence[str] = (), only: str = "") -> list[Answered]:
    """The analyst's questions of the Browser tour, asked of a Neo4j workspace; ``given`` are parameters, NAME=VALUE."""
    from .kg.engines.neo4j.browser.tour import run_tour
    from .kg.engines.opening import open_store

    address = resolve_settings({"workspace": url}).settings.workspace
    if address.startswith("sqlite:"):
        hint = "Name one with --workspace neo4j://HOST:7687; `cliquerag graph export --to` moves a workspace there"
        raise UsageError("the tour needs a workspace on a Neo4j server", where=address, hint=hint)
    if wrong := [text for text in given if "=" not in text]:
        raise UsageError(f"not of the form NAME=VALUE: {', '.join(wrong)}", where="--set")
    open_store(address, create=False).close()  # the errors of a wrong address, a stranger's database, no workspace
    return run_tour(address, dict(text.split("=", 1) for text in given), only)

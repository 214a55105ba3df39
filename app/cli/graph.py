"""cliquerag graph: look at entities, paths and merges, export the graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..core.plain import as_plain
from .common import Face, as_of_option, command, lines
from .communities import communities
from .importing import import_

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console


@click.group()
def graph() -> None:
    """Explore the entity graph."""


@command(
    click.argument("name"),
    click.option("--limit", type=click.IntRange(min=1), default=40, show_default=True, help="Relations at most."),
    click.option("--html", type=click.Path(path_type=Path), help="Draw its neighbourhood into this file."),
    as_of_option,
    name="entity",
)
def entity(face: Face, name: str, limit: int, html: Path | None, as_of: date | None) -> None:
    """Type, aliases and relations of an entity.

    By kind and period, with their pages; what has ended says so.
    """
    from ..graphs import draw, look_up, neighbourhood
    from .graph_text import print_entity, sources_of

    with face.workspace() as workspace:
        found = look_up(workspace.store, name)
        around = neighbourhood(workspace.store, found.id, limit, workspace.components.vocabulary.schema, as_of)
        names = workspace.short_names(sources_of(around.relations))
        if html:
            html.write_text(draw(around, title=found.name), encoding="utf-8")
            face.say(f"Written: {html}")

    face.show(
        {"entity": found, "relations": around.relations, "truncated": around.truncated},
        lambda out: print_entity(out, found, around.relations, names),
    )


@command(
    click.argument("start"),
    click.argument("goal"),
    click.option("--limit", type=click.IntRange(min=1), default=3, show_default=True),
    as_of_option,
    name="path",
)
def path(face: Face, start: str, goal: str, limit: int, as_of: date | None) -> None:
    """The best supported paths between two entities.

    With the sentence behind each step.
    """
    from ..graphs import look_up
    from ..kg.as_of import as_of as store_as_of
    from ..kg.paths import best_paths
    from .graph_text import print_relation, sources_of

    with face.workspace() as workspace:
        a, b = look_up(workspace.store, start), look_up(workspace.store, goal)
        paths = best_paths(
            store_as_of(workspace.store, as_of), a.id, b.id, workspace.components.vocabulary.schema, limit
        )
        names = workspace.short_names(sources_of(relation for steps in paths for relation in steps))

    def render(out: Console) -> None:
        for number, steps in enumerate(paths, 1):
            out.print(f"path {number}", style="bold")
            for relation in steps:
                print_relation(out, relation, names)
        if not paths:
            out.print(f"No path between {a.name} and {b.name}.", markup=False)

    face.show(paths, render)


@command(name="merges")
def merges(face: Face) -> None:
    """Every two names taken for one, with reason and score.

    `undo ID` takes one back.
    """
    with face.workspace() as workspace:
        found = workspace.store.merges()
        names = workspace.store.entity_names([m.entity for m in found] + [m.into for m in found])
    rows = [{**as_plain(m), "name": names.get(m.entity, ""), "into_name": names.get(m.into, "")} for m in found]
    undone = {True: "  undone", False: ""}
    texts = [
        f"{r['id']}  {r['name']} = {r['into_name']}  ({r['reason']}, {r['score']:.2f}){undone[r['undone']]}"
        for r in rows
    ]
    face.show(rows, lines(texts or ["No merges."]))


@command(click.argument("merge"), name="undo")
def undo(face: Face, merge: str) -> None:
    """Take a merge back. It is not made again, also when documents are added anew."""
    from ..core.errors import UsageError

    with face.workspace() as workspace:
        if not workspace.store.undo(merge):
            raise UsageError("no such merge in force", where=merge, hint="`cliquerag graph merges` lists them")
    face.show({"undone": merge}, lines([f"undone {merge}"]))


@command(
    click.option(
        "--to",
        "target",
        required=True,
        help="FILE.graphml, FILE.dot, FILE.json (LightRAG custom_kg), DIR.csv (for neo4j-admin), or another store: "
        "neo4j://localhost:7687, sqlite:///copy.db.",
    ),
    as_of_option,
    name="export",
)
def export(face: Face, target: str, as_of: date | None) -> None:
    """Write the whole graph to a file, a folder or another store."""
    from ..graphs import export_graph
    from ..kg.as_of import as_of as store_as_of

    with face.workspace() as workspace:
        written = export_graph(store_as_of(workspace.store, as_of), target)
    face.show(written, lines(f"{name}: {count}" for name, count in written.items()))


@command(
    click.argument("query", default=""),
    click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help="In place of a default; repeatable."),
    name="tour",
)
def tour(face: Face, query: str, given: tuple[str, ...]) -> None:
    """Ask a Neo4j workspace the questions of its Browser tour.

    QUERY is the number of one ("04"); without it all are asked.
    """
    from ..graphs import ask_tour
    from .graph_text import print_answered

    answered = ask_tour(face.url, given, query)

    def render(out: Console) -> None:
        for found in answered:
            print_answered(out, found)

    face.show(answered, render)


for _command in (entity, path, communities, merges, undo, export, import_, tour):
    graph.add_command(_command)

"""cliquerag graph: look at entities, paths and merges, export the graph."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from ..core.plain import as_plain
from .common import Face, command, lines

if TYPE_CHECKING:
    from rich.console import Console

    from ..kg.graph import Relation
    from ..kg.neo4j.browser.tour import Answered


@click.group()
def graph() -> None:
    """Explore the entity graph: entity, path, communities, merges, undo, export, tour."""


@command(
    click.argument("name"),
    click.option("--limit", type=click.IntRange(min=1), default=40, show_default=True, help="Relations at most."),
    click.option("--html", type=click.Path(path_type=Path), help="Draw its neighbourhood into this file."),
    name="entity",
)
def entity(face: Face, name: str, limit: int, html: Path | None) -> None:
    """Types, aliases and relations of an entity, with their sources."""
    from ..graphs import draw, look_up

    with face.workspace() as workspace:
        found = look_up(workspace.store, name)
        around = workspace.store.subgraph([found.id], limit)
        if html:
            html.write_text(draw(around, title=found.name), encoding="utf-8")
            face.say(f"Written: {html}")

    def render(out: Console) -> None:
        out.print(
            f"{found.name}  ({found.type}; {found.mentions} mentions in {found.documents} documents)",
            style="bold",
            markup=False,
        )
        if found.aliases:
            out.print(f"also: {', '.join(found.aliases)}", markup=False)
        for relation in around.relations:
            print_relation(out, relation)

    face.show({"entity": found, "relations": around.relations, "truncated": around.truncated}, render)


@command(
    click.argument("start"),
    click.argument("goal"),
    click.option("--limit", type=click.IntRange(min=1), default=3, show_default=True),
    name="path",
)
def path(face: Face, start: str, goal: str, limit: int) -> None:
    """The best supported paths between two entities, with the sentence behind each step."""
    from ..graphs import look_up
    from ..kg.paths import best_paths

    with face.workspace() as workspace:
        a, b = look_up(workspace.store, start), look_up(workspace.store, goal)
        paths = best_paths(workspace.store, a.id, b.id, limit=limit)

    def render(out: Console) -> None:
        for number, steps in enumerate(paths, 1):
            out.print(f"path {number}", style="bold")
            for relation in steps:
                print_relation(out, relation)
        if not paths:
            out.print(f"No path between {a.name} and {b.name}.", markup=False)

    face.show(paths, render)


@command(
    click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Groups at most."),
    name="communities",
)
def communities(face: Face, limit: int) -> None:
    """Groups of entities that are related mostly to each other, each with its relations and their pages."""
    from ..graphs import report_communities

    with face.workspace() as workspace:
        found = report_communities(workspace.store)[:limit]
    texts = (f"{'  ' * c.level}{c.title}\n{c.report}\n" for c in found)
    face.show(found, lines(texts if found else ["No communities: there are too few relations."]))


@command(name="merges")
def merges(face: Face) -> None:
    """Every two names taken for one, with the reason; `undo ID` takes one back."""
    with face.workspace() as workspace:
        found = workspace.store.merges()
        names = workspace.store.entity_names([m.entity for m in found] + [m.into for m in found])
    rows = [{**as_plain(m), "name": names.get(m.entity, ""), "into_name": names.get(m.into, "")} for m in found]
    undone = {True: "  undone", False: ""}
    texts = [f"{r['id']}  {r['name']} = {r['into_name']}  ({r['reason']}){undone[r['undone']]}" for r in rows]
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
        "--to", "target", required=True, help="FILE.graphml, FILE.dot, FILE.json (LightRAG custom_kg), DIR.csv."
    ),
    name="export",
)
def export(face: Face, target: str) -> None:
    """Write the whole graph to a file, a folder of CSV files or another store."""
    from ..graphs import export_graph

    with face.workspace() as workspace:
        written = export_graph(workspace.store, target)
    face.show(written, lines(f"{name}: {count}" for name, count in written.items()))


@command(
    click.argument("query", default=""),
    click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help="In place of a default; repeatable."),
    name="tour",
)
def tour(face: Face, query: str, given: tuple[str, ...]) -> None:
    """Ask a Neo4j workspace the analyst's questions of its Browser tour; QUERY is the number of one ("04")."""
    from ..graphs import ask_tour

    answered = ask_tour(face.url, given, query)

    def render(out: Console) -> None:
        for found in answered:
            print_answered(out, found)

    face.show(answered, render)


def print_answered(out: Console, found: Answered) -> None:
    """A question of the tour with its rows as a table."""
    from rich.markup import escape
    from rich.table import Table

    told = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    out.print(f"\n{found.name[:2]}  {found.question}", style="bold", markup=False)
    out.print(f"    {told}" if told else "", style="dim", markup=False)
    if not found.rows:
        out.print("    nothing found")
        return
    table = Table()
    for name in found.rows[0]:
        table.add_column(name, overflow="fold", min_width=24 if name in ("sentence", "text", "reason") else None)
    for row in found.rows:
        table.add_row(*(escape(cell(name, value)) for name, value in row.items()))
    out.print(table)


def cell(column: str, value: object) -> str:
    """A value of a row as people read it: a document by its file name, an amount with its thousands."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:,.2f}".removesuffix("0").removesuffix(".0")
    return PurePath(str(value)).name if column == "document" else " ".join(str(value).split())


def print_relation(out: Console, relation: Relation) -> None:
    """One relation with its best statement and page."""
    best = relation.statements[0]
    period = f"  {best.period.label}" if best.period else ""
    page = f", page {best.page}" if best.page else ""
    note = "" if best.modality == "asserted" else f"  [{best.modality}]"
    out.print(
        f"  {relation.head.name}  {relation.relation}  {relation.tail.name}{period}{note}", style="cyan", markup=False
    )
    out.print(f"      {' '.join(best.text.split())[:200]}  ({best.document}{page})", markup=False, style="dim")


for _command in (entity, path, communities, merges, undo, export, tour):
    graph.add_command(_command)

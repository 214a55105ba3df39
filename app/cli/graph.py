"""cliquerag graph: look at entities, paths, drivers of figures, groups and merges, export the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..core.plain import as_plain
from .adding import import_
from .common import Face, as_of_option, command, console, lines

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console

    from ..kg.communities.model_reports import ReportEstimate
    from ..kg.drivers import Cause, Driver
    from ..kg.engines.neo4j.tour import Answered
    from ..kg.graph import Communities, Community
    from ..models.language import LanguageModel
    from ..workspace import Workspace


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
    from ..kg.as_of import as_of as store_as_of
    from ..kg.entity_names import look_up
    from ..kg.timeline import with_rivals
    from .printing import print_entity, sources_of

    with face.workspace() as workspace:
        found = look_up(workspace.store, name)
        store, schema = store_as_of(workspace.store, as_of), workspace.vocabulary.schema
        around = store.subgraph([found.id], limit)
        around = replace(around, relations=tuple(with_rivals(store, around.relations, schema)))
        names = workspace.sources.short_names(sources_of(around.relations))
        if html:
            from ..views.graph_page import subgraph_html

            html.write_text(subgraph_html(around, schema, title=found.name), encoding="utf-8")
            face.say(f"Written: {html}")

    face.show(
        {"entity": found, "relations": around.relations, "truncated": around.truncated},
        lambda out: print_entity(out, found, around.relations, names, schema),
    )


@command(
    click.argument("name"),
    click.option("--relation", default="", help="Only this relation of the schema."),
    click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Predictions at most."),
    as_of_option,
    name="predict",
)
def predict(face: Face, name: str, relation: str, limit: int, as_of: date | None) -> None:
    """Relations that nobody states but that follow from others.

    Each with its confidence and what it follows from. Inferred: no answer is taken from them.
    """
    from ..core.errors import UsageError
    from ..kg.as_of import as_of as store_as_of
    from ..kg.entity_names import look_up
    from ..kg.link_prediction import LinkPredictor

    with face.workspace() as workspace:
        schema = workspace.vocabulary.schema
        if relation and relation not in schema.relations:
            hint = f"There are: {', '.join(schema.relations)}"
            raise UsageError(f"no relation {relation!r} in the schema", where="--relation", hint=hint)
        found = look_up(workspace.store, name)
        predictor = LinkPredictor(store_as_of(workspace.store, as_of).all_relations(), schema)
    predictions = predictor.predictions(found.id, limit, relation)

    def render(out: Console) -> None:
        for guess in predictions:
            verb = schema.relation_label(guess.relation)
            out.print(f"inferred {guess.score:.2f}  {guess.head.name} {verb} {guess.tail.name}", markup=False)
            out.print(f"    because {guess.why}", style="dim", markup=False)
        if not predictions:
            out.print(f"Nothing follows for {found.name.rstrip('.')}.", markup=False)

    face.show(predictions, render)


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
    from ..kg.as_of import as_of as store_as_of
    from ..kg.entity_names import look_up
    from ..kg.paths import best_paths
    from .printing import print_relation, sources_of

    with face.workspace() as workspace:
        a, b = look_up(workspace.store, start), look_up(workspace.store, goal)
        schema = workspace.vocabulary.schema
        paths = best_paths(store_as_of(workspace.store, as_of), a.id, b.id, schema, limit)
        names = workspace.sources.short_names(sources_of(chain.from_iterable(paths)))

    def render(out: Console) -> None:
        for number, found in enumerate(paths, 1):
            out.print(f"path {number}", style="bold")
            for relation in found:
                print_relation(out, relation, names)
        if not paths:
            out.print(f"No path between {a.name} and {b.name}.", markup=False)

    face.show(paths, render)


@command(
    click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Groups at most."),
    click.option("--level", type=click.IntRange(min=0), default=0, show_default=True, help="0: the coarsest groups."),
    click.option("--reports", is_flag=True, help="Have the configured model write the reports of this level."),
    click.option("--dry-run", is_flag=True, help="With --reports: only say what they would take."),
    click.option("--max-cost", type=float, help="Stop cleanly before spending more than this many US dollars."),
    name="communities",
)
def communities(face: Face, limit: int, level: int, reports: bool, dry_run: bool, max_cost: float | None) -> None:
    """Groups of entities that are related mostly to each other.

    Each with its relations, figures and risks, and their pages. Found when first asked for and again after a write;
    without --reports by rules alone, at no cost.
    """
    from ..kg.communities.current import current_communities

    with face.workspace(max_cost=max_cost) as workspace:
        estimate = _announced(face, workspace, level) if reports or dry_run else None
        if dry_run:
            face.show(estimate, lambda out: None)
            return
        if reports:
            found = _written(face, workspace, level)
        else:
            found = current_communities(workspace.store, workspace.vocabulary.schema)
    of_level = [community for community in found.groups if community.level == level]
    shown, more = of_level[:limit], len(of_level) - limit
    data = {"version": found.version, "method": found.method, "communities": shown}
    face.show(data, lambda out: _print_communities(out, found, shown, more))


def _print_communities(out: Console, found: Communities, shown: Sequence[Community], more: int) -> None:
    """Title, size and report of each, and how many more there are."""
    if not shown:
        out.print("No communities: there are too few relations.")
    for community in shown:
        parts = sum(other.parent == community.id for other in found.groups)
        inside = f", {parts} groups within" if parts else ""
        out.print(f"{community.title}  ({len(community.entities)} members{inside})", style="bold", markup=False)
        for line in community.report.splitlines():
            out.print(f"  {line}", markup=False)
        out.print(f"  report by {community.author}\n", style="dim", markup=False)
    if more > 0:
        out.print(f"{more} more: --limit shows them", style="dim")
    if found.method == "louvain":
        leiden = 'Found by Louvain; Leiden comes with: pip install "cliquerag[communities]"'
        out.print(leiden, style="dim", markup=False)


def _announced(face: Face, workspace: Workspace, level: int) -> ReportEstimate:
    """What the reports will take, said before anything is spent."""
    from ..kg.communities.model_reports import estimate_reports

    estimate = estimate_reports(workspace.store, _model_of(workspace).name, workspace.vocabulary.schema, level)
    money = "unknown" if estimate.cost is None else f"about ${estimate.cost:.2f}"
    tokens = f"{estimate.input_tokens:,} tokens in, about {estimate.output_tokens:,} out"
    face.say(f"{estimate.calls} reports to write: {estimate.calls} calls, {tokens}, cost {money}")
    return estimate


def _written(face: Face, workspace: Workspace, level: int) -> Communities:
    """The reports of a level by the configured model; what it has written already is kept."""
    from rich.progress import Progress

    from ..kg.communities.model_reports import write_model_reports

    model = _model_of(workspace)
    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("writing reports", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        found = write_model_reports(workspace.store, model, workspace.vocabulary.schema, level, show)
    usage = getattr(model, "usage", None)
    if usage and usage.calls:
        money = "" if usage.cost is None else f", ${usage.cost:.2f}"
        face.say(f"{usage.calls} calls, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{money}")
    return found


def _model_of(workspace: Workspace) -> LanguageModel:
    from ..core.errors import UsageError

    model = workspace.components.language_model
    if model is None:
        hint = "Set CLIQUERAG_MODEL, or leave out --reports: the rules write reports without one"
        raise UsageError("reports by a model need a model", hint=hint)
    return model


@command(name="merges")
def merges(face: Face) -> None:
    """Every two names taken for one, with reason and score.

    `undo ID` takes one back.
    """
    with face.workspace() as workspace:
        found = workspace.store.merges()
        names = workspace.store.entity_names([m.entity for m in found] + [m.into for m in found])
    rows, texts = [], []
    for merge in found:
        name, into = names.get(merge.entity, ""), names.get(merge.into, "")
        rows.append({**as_plain(merge), "name": name, "into_name": into})
        undone = "  undone" if merge.undone else ""
        texts.append(f"{merge.id}  {name} = {into}  ({merge.reason}, {merge.score:.2f}){undone}")
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
    click.option("--workers", type=click.IntRange(min=1), help="Processes that make the files of DIR.neo4j."),
    as_of_option,
    name="export",
)
def export(face: Face, target: str, workers: int | None, as_of: date | None) -> None:
    """Write the whole graph to a file, a folder or another store."""
    from ..kg.as_of import as_of as store_as_of
    from ..kg.export import export_graph

    with face.workspace(workers=workers) as workspace:
        store, schema = store_as_of(workspace.store, as_of), workspace.vocabulary.schema
        written = export_graph(store, target, schema, workspace.settings.workers)
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
    from .printing import print_answered

    answered = _asked_in_browser(face.url, given, query)

    def render(out: Console) -> None:
        for found in answered:
            print_answered(out, found)

    face.show(answered, render)


def _asked_in_browser(url: str | None, given: Sequence[str], only: str) -> list[Answered]:
    """The questions of the Browser tour, asked of a Neo4j workspace; ``given`` are parameters, NAME=VALUE."""
    from ..components import make_schema
    from ..core.errors import UsageError
    from ..kg.engines.neo4j.tour import run_tour
    from ..kg.engines.opening import open_store
    from ..settings import resolve_settings

    settings = resolve_settings({"workspace": url}).settings
    address = settings.workspace
    if address.startswith("sqlite:"):
        hint = "Name one with --workspace neo4j://HOST:7687; `cliquerag graph export --to` moves a workspace there"
        raise UsageError("the tour needs a workspace on a Neo4j server", where=address, hint=hint)
    if wrong := [text for text in given if "=" not in text]:
        raise UsageError(f"not of the form NAME=VALUE: {', '.join(wrong)}", where="--set")
    # The errors of a wrong address, a stranger's database, no workspace.
    open_store(address, create=False, schema=make_schema(settings)).close()
    return run_tour(address, dict(text.split("=", 1) for text in given), only)


_ARROWS: Mapping[str, str] = {"up": "▲", "down": "▼", "flat": "▬", "": "·"}
_SIGNS = {1: "+", -1: "−", 0: "·"}


@command(
    click.argument("company", default=""),
    click.option("--metric", multiple=True, help="Only this figure (revenue, gross margin); repeat for several."),
    click.option("--period", multiple=True, help="Only this period (FY2022, Q2 2024); repeat for several."),
    click.option("--cause", multiple=True, help="Only with a cause of this class (currency, price, volume ...)."),
    click.option("--source", multiple=True, help="Only this document; repeat for several."),
    click.option("--limit", type=click.IntRange(min=1), default=40, show_default=True, help="Drivers at most."),
    click.option("--html", type=click.Path(path_type=Path), help="Draw them into this file, with waterfalls."),
    as_of_option,
    name="drivers",
)
def drivers(
    face: Face,
    company: str,
    metric: tuple[str, ...],
    period: tuple[str, ...],
    cause: tuple[str, ...],
    source: tuple[str, ...],
    limit: int,
    html: Path | None,
    as_of: date | None,
) -> None:
    """What moved a figure: causes with sign and class.

    COMPANY may be left out: "whom did currency hurt?" is `drivers --cause currency`.
    """
    from ..core.errors import UsageError

    with face.workspace() as workspace:
        try:
            found = workspace.drivers(
                company or None, metric, period, category=cause, sources=source or None, as_of=as_of, limit=limit
            )
        except ValueError as error:
            raise UsageError(str(error), where="--period") from error
        names = workspace.sources.short_names({driver.document for driver in found})
        if html:
            from ..views.drivers_page import drivers_html

            title = " ".join(filter(None, ("Drivers", company, *metric, *period, *cause)))
            html.write_text(drivers_html(found, title, names), encoding="utf-8")
            face.say(f"Written: {html}")

    def render(out: Console) -> None:
        for driver in found:
            _print_driver(out, driver, names)
        if not found:
            out.print("No drivers: no sentence says what moved such a figure.")

    face.show(found, render)


def _print_driver(out: Console, driver: Driver, names: Mapping[str, str]) -> None:
    amounts = [quantity.text for quantity in (driver.change, driver.percent, driver.level) if quantity]
    about = [driver.company, str(driver.period or ""), *amounts, "expected" if driver.outlook else ""]
    head = f"{_ARROWS[driver.direction]} {driver.label}  ({', '.join(filter(None, about))})"
    out.print(head, style="bold", markup=False)
    for cause in driver.causes:
        _print_cause(out, cause, depth=1)
    place = names.get(driver.document, driver.document)
    page = f" p. {driver.page}" if driver.page else ""
    out.print(f"    {' '.join(driver.text.split())}", style="dim", markup=False)
    out.print(f"    {place}{page}\n", style="dim", markup=False)


def _print_cause(out: Console, cause: Cause, depth: int) -> None:
    from ..kg.extraction.drivers.readings import category_name

    kinds = [category_name(cause.category).lower(), cause.role if cause.role != "cause" else ""]
    chips = ", ".join(filter(None, kinds))
    line = f"{'    ' * depth}{_SIGNS[cause.sign]} {' '.join(cause.text.split())}"
    out.print(f"{line}  [{chips}]" if chips else line, markup=False)
    for behind in cause.causes:
        _print_cause(out, behind, depth + 1)


for _command in (entity, path, predict, drivers, communities, merges, undo, export, import_, tour):
    graph.add_command(_command)

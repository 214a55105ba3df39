"""cliquerag graph communities: groups that are derived from the graph, and reports about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .common import Face, command, console

if TYPE_CHECKING:
    from rich.console import Console

    from ..kg.graph import Communities, Community
    from ..workspace import Workspace


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
    from ..graphs import report_communities

    with face.workspace(max_cost=max_cost) as workspace:
        estimate = _announced(face, workspace, level) if reports or dry_run else None
        if dry_run:
            face.show(estimate, lambda out: None)
            return
        found = _written(face, workspace, level) if reports else report_communities(workspace)
    shown = [community for community in found.groups if community.level == level][:limit]
    data = {"version": found.version, "method": found.method, "communities": shown}
    face.show(data, lambda out: print_communities(out, found, shown))


def print_communities(out: Console, found: Communities, shown: list[Community]) -> None:
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
    more = sum(c.level == shown[0].level for c in found.groups) - len(shown) if shown else 0
    if more:
        out.print(f"{more} more: --limit shows them", style="dim")
    if found.method == "louvain":
        out.print(
            'Found by Louvain; Leiden comes with: pip install "cliquerag[communities]"', style="dim", markup=False
        )


def _announced(face: Face, workspace: Workspace, level: int) -> object:
    """What the reports will take, said before anything is spent."""
    from ..graphs import estimate_reports

    estimate = estimate_reports(workspace, level)
    money = "unknown" if estimate.cost is None else f"about ${estimate.cost:.2f}"
    tokens = f"{estimate.input_tokens:,} tokens in, about {estimate.output_tokens:,} out"
    face.say(f"{estimate.calls} reports to write: {estimate.calls} calls, {tokens}, cost {money}")
    return estimate


def _written(face: Face, workspace: Workspace, level: int) -> Communities:
    from rich.progress import Progress

    from ..graphs import write_reports

    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("writing reports", total=None)
        found = write_reports(workspace, level, lambda done, total: bar.update(task, completed=done, total=total))
    usage = getattr(workspace.components.language_model, "usage", None)
    if usage and usage.calls:
        money = "" if usage.cost is None else f", ${usage.cost:.2f}"
        face.say(f"{usage.calls} calls, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{money}")
    return found

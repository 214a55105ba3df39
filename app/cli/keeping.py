"""cliquerag docs, remove, enrich and status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .common import Face, command, counted, lines

if TYPE_CHECKING:
    from rich.console import Console


@command()
def docs(face: Face) -> None:
    """List the documents."""
    with face.workspace() as workspace:
        records = workspace.documents()

    def render(out: Console) -> None:
        for r in records:
            dates = (r.period.label if r.period else "", f"published {r.published}" if r.published else "")
            about = (
                ", ".join(r.companies),
                r.kind,
                *dates,
                counted(r.pages, "pages"),
                counted(r.chunks, "chunks"),
            )
            out.print(r.source, markup=False, style="bold")
            out.print("    " + " | ".join(part for part in about if part), markup=False)
        if not records:
            out.print("No documents yet. Add some with `cliquerag add FOLDER`.")

    face.show(records, render)


@command(click.argument("sources", nargs=-1, required=True))
def remove(face: Face, sources: tuple[str, ...]) -> None:
    """Remove documents and all that came from them. SOURCE is the name that `docs` shows, a path or its end."""
    with face.workspace() as workspace:
        named = {name: workspace.source_named(name) for name in sources}
        removed = {source or name: source is not None and workspace.remove(source) for name, source in named.items()}
    for source, done in removed.items():
        if not done:
            face.say(f"Error: {source}: no such document. `cliquerag docs` lists them")
    face.failed = not all(removed.values())
    face.show(removed, lines(f"removed {source}" for source, done in removed.items() if done))


@command(click.option("--extractor", default="llm", show_default=True, help="llm or rules."))
def enrich(face: Face, extractor: str) -> None:
    """Read the graph again with another extractor.

    A transaction a document; what is done is skipped.
    """
    with face.workspace() as workspace:
        reports = workspace.enrich(extractor, progress=lambda stage, share: face.say(f"{stage}  {share:.0%}"))

    face.show(reports, lines(f"{r.outcome:10} {r.source}: {r.statements} relations" for r in reports))


@command()
def status(face: Face) -> None:
    """Counts, and what the workspace runs on."""
    with face.workspace() as workspace:
        state = workspace.status()
    face.show(state, lines(f"{name:12} {value}" for name, value in state.items()))

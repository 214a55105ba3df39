"""cliquerag docs, remove, enrich and status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..core.errors import UsageError
from .common import Face, command, counted, lines

if TYPE_CHECKING:
    from rich.console import Console

    from ..ingest.document import Metadata


@command(
    click.option("--unsure", is_flag=True, help="Only those whose company is not certain."),
    click.option("--set", "source", metavar="SOURCE", help="Mend what is known of this document, with the next four."),
    click.option("--company", multiple=True, help="Whom it is about; repeat for several."),
    click.option("--period", help="Its period (FY2023, Q2 2024)."),
    click.option("--kind", help="What it is (10-K, earnings call ...)."),
    click.option("--published", help="Its date, YYYY-MM-DD."),
)
def docs(face: Face, unsure: bool, source: str | None, **said: Any) -> None:
    """List the documents, or mend what is known of one.

    What is mended lasts: facts and relations of the document follow, and a newer version of its file keeps it.
    """
    said["company"] = list(said["company"]) or None
    if source is None and any(said.values()):
        raise UsageError("it is not said of which document", hint="Name it with --set SOURCE")
    with face.workspace() as workspace:
        if source is not None:
            report = workspace.set_about(source, **said)
            face.show(report, lines([f"{report.source}: {_about(report.metadata)}"]))
            return
        records = [record for record in workspace.documents() if record.unsure or not unsure]
        everything = bool(records) or bool(workspace.documents())

    def render(out: Console) -> None:
        for record in records:
            size = (counted(record.pages, "pages"), counted(record.chunks, "chunks"))
            out.print(record.source, markup=False, style="bold")
            out.print("    " + " | ".join(filter(None, (_about(record.metadata), *size))), markup=False)
            if record.unsure:
                out.print("    " + doubt(record.metadata), markup=False, style="yellow")
        if not everything:
            out.print("No documents yet. Add some with `cliquerag add FOLDER`.")

    face.show(records, render)


def _about(metadata: Metadata) -> str:
    """Whom, what and when, as far as is known."""
    period = metadata.period.label if metadata.period else ""
    published = f"published {metadata.published}" if metadata.published else ""
    return " | ".join(filter(None, (", ".join(metadata.companies), metadata.kind, period, published)))


def doubt(metadata: Metadata) -> str:
    """What is not certain of a document, and how it is mended."""
    candidates = metadata.how.get("candidates", "")
    perhaps = f" (perhaps {candidates})" if candidates else ""
    return f"its company is not certain{perhaps}: `cliquerag docs --set SOURCE --company NAME` says it"


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

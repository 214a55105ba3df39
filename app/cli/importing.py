"""cliquerag graph import: what LightRAG has indexed."""

from __future__ import annotations

from pathlib import Path

import click

from .common import Face, command, console, lines


@command(
    click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False)),
    name="import",
)
def import_(face: Face, folder: Path) -> None:
    """Bring the working directory of a LightRAG into the workspace.

    Its documents, chunks, entities and relations. Texts stay as they are; every relation keeps its source chunk and
    description. Nothing is asked of a model.
    """
    from rich.progress import Progress

    from ..indexing.importers import import_lightrag

    with face.workspace(create=True) as workspace, Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("importing", total=None)
        found = import_lightrag(workspace, folder, lambda done, total: bar.update(task, completed=done, total=total))
        reports = list(found)
    texts = [
        f"{r.outcome:10} {r.source}"
        + (
            f" (chunks {r.chunks}, entities {r.entities}, statements {r.statements})"
            if r.outcome != "unchanged"
            else ""
        )
        for r in reports
    ]
    lost = sum(sum(report.rejected.values()) for report in reports)
    texts += [f"{lost} relations kept out: none of their source chunks is there"] if lost else []
    face.show(reports, lines(texts or ["No documents in it."]))

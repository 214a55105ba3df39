"""cliquerag add and cliquerag graph import."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.period import label_of
from .common import (
    Face,
    bar_of_documents,
    chunker_option,
    command,
    console,
    counted,
    hint_options,
    index_options,
    lines,
)
from .keeping import doubt

if TYPE_CHECKING:
    from rich.console import Console

    from ..indexing.report import AddReport, Estimate
    from ..sources import FoundFiles
    from ..workspace import Workspace

_STAGES = {"read": (0.0, 0.15), "chunk": (0.15, 0.85), "facts": (0.85, 0.9), "graph": (0.9, 0.95), "store": (0.95, 1.0)}
"""Shares of the wall time of a long filing at which each stage begins and ends."""


@command(
    click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path)),
    hint_options,
    click.option("--extractor", help="rules (free) or llm (the configured model)."),
    chunker_option(),
    index_options,
    click.option("--dry-run", is_flag=True, help="Only say what it would take: pages, chunks, calls, tokens, money."),
    click.option("--max-cost", type=float, help="Stop cleanly before spending more than this many US dollars."),
    click.option("--workers", type=click.IntRange(min=1), help="Processes that read documents."),
    click.option("--follow-links", is_flag=True, help="Also take what symbolic links lead to outside of a folder."),
)
def add(
    face: Face,
    paths: tuple[Path, ...],
    company: tuple[str, ...],
    period: str | None,
    kind: str | None,
    published: str | None,
    dry_run: bool,
    follow_links: bool,
    **settings: Any,
) -> None:
    """Read files and folders of documents, mail and archives.

    PDF, Word, Excel, PowerPoint, HTML, Markdown, mail, transcripts, filings, text, ZIP.

    A file that is stored already, unchanged, costs nothing. A bad file is named and the others are added (exit code 1).
    """
    from ..sources import find_files

    with face.workspace(create=not dry_run, **settings) as workspace:
        found = find_files(paths, follow_links=follow_links, max_mb=workspace.settings.max_file_mb)
        files = found.files
        say_left_out(face, found)
        if dry_run:
            show_estimates(face, [_estimate(workspace, path) for path in files])
            return
        hints = {"company": list(company) or None, "period": period, "kind": kind, "published": published}
        reports = _add_with_progress(face, workspace, files, hints)
    face.failed |= any(not report.ok for report in reports) or not reports
    face.show(reports, lambda out: print_reports(out, reports))


def say_left_out(face: Face, found: FoundFiles) -> None:
    """Say what lies there and is not read."""
    links = found.links_out
    if found.left_out:
        kinds = ", ".join(f"{ending} {count}" for ending, count in found.left_out.most_common())
        face.say(f"Left out, of kinds that are not read: {kinds}")
    if links:
        others = f" and {len(links) - 1} more" if len(links) > 1 else ""
        face.say(f"Left out: {links[0]}{others}: links out of the folder. --follow-links takes what they lead to")


def _add_with_progress(
    face: Face, workspace: Workspace, files: Sequence[Path], hints: Mapping[str, Any]
) -> list[AddReport]:
    reports: list[AddReport] = []
    with bar_of_documents("reading", len(files)) as (bar, task):

        def show(stage: str, share: float) -> None:
            name = files[len(reports)].name[:40]
            bar.update(task, completed=len(reports) + _share_done(stage, share), description=f"{name}: {stage}")

        try:
            for report in workspace.add_all(files, progress=show, **hints):
                reports.append(report)
                bar.update(task, completed=len(reports))
                if not report.ok:
                    face.say(f"Error: {report.error}")
        except KeyboardInterrupt:
            face.failed = True
            face.say(f"Error: interrupted after {len(reports)} of {len(files)} files. They stay; run it again to go on")
    return reports


def _share_done(stage: str, share: float) -> float:
    """Of a document, so that the time left moves within it."""
    start, end = _STAGES.get(stage, _STAGES["read"])
    return start + (end - start) * share


def print_reports(out: Console, reports: Sequence[AddReport]) -> None:
    """Two lines a document, then what was not read or left out."""
    if not reports:
        out.print("Nothing to read there: no PDF, office file, HTML, Markdown, mail, transcript or text.")
    for report in reports:
        out.print(f"{report.outcome:10} {report.source}", markup=False, style="bold")
        if report.outcome in ("added", "replaced"):
            out.print(f"{'':10} {_summary(report)}", markup=False)
            _print_gaps(out, report)
    if len(reports) > 1:
        _print_by_format(out, reports)


def _print_by_format(out: Console, reports: Sequence[AddReport]) -> None:
    """One table of what was read: a row for each format."""
    from rich.table import Table

    by_format: dict[str, list[AddReport]] = defaultdict(list)
    for report in reports:
        by_format[report.coverage.reader or report.outcome].append(report)
    table = Table(box=None, pad_edge=False)
    table.add_column("read as")
    for head in _counted_in(reports[0]):
        table.add_column(head, justify="right")
    for name, own in [*sorted(by_format.items()), ("all", list(reports))]:
        counts = Counter[str]()
        for report in own:
            counts.update(_counted_in(report))
        table.add_row(name, *(f"{count:,}" for count in counts.values()))
    out.print()
    out.print(table)


def _counted_in(report: AddReport) -> dict[str, int]:
    """Head of a column -> what is counted there of one document."""
    read = report.coverage
    return {
        "files": 1,
        "pages": read.pages,
        "chunks": report.chunks,
        "tables": read.tables,
        "figures": read.figures,
        "facts": report.facts,
        "relations": report.statements,
    }


def _summary(report: AddReport) -> str:
    """Whom and what it is about as far as is known, what was read, and how long it took."""
    meta = report.metadata
    about = (", ".join(meta.companies), meta.kind, label_of(meta.period))
    counts = {
        "pages": report.coverage.pages,
        "chunks": report.chunks,
        "tables": report.coverage.tables,
        "figures": report.coverage.figures,
        "facts": report.facts,
        "relations": report.statements,
    }
    read = ", ".join(filter(None, (counted(count, name) for name, count in counts.items())))
    return f"{' | '.join(filter(None, about))}: {read} ({sum(report.seconds.values()):.1f} s)"


def _print_gaps(out: Console, report: AddReport) -> None:
    """What is not certain, was not read, or left out: nothing is dropped silently."""
    if report.metadata.unsure or report.metadata.guessed_period:
        out.print(f"{'':10} {doubt(report.metadata)}", markup=False, style="yellow")
    for page, why in report.coverage.pages_failed.items():
        out.print(f"{'':10} page {page} not read: {why}", markup=False, style="yellow")
    for note in report.coverage.notes:
        out.print(f"{'':10} {note}", markup=False, style="yellow")
    rules = ", ".join(f"{rule} {count}" for rule, count in sorted(report.coverage.dropped.items()) if count)
    if rules:
        out.print(f"{'':10} lines left out or marked: {rules}", markup=False, style="dim")


def _estimate(workspace: Workspace, path: Path) -> Estimate:
    from ..core.errors import CliqueRAGError, DocumentError
    from ..indexing.pipeline import describe_failure
    from ..indexing.report import Estimate

    try:
        return workspace.estimate(path)
    except DocumentError as error:
        failure = str(error)
    except CliqueRAGError:  # the store or the model, not this document
        raise
    except Exception as error:  # one document that breaks a reader must not cost the others
        failure = describe_failure(path, error)
    return Estimate(workspace.sources.source_of(path), 0, 0, 0, 0, 0, 0, 0.0, error=failure)


def show_estimates(face: Face, estimates: Sequence[Estimate]) -> None:
    """A row a document."""
    from rich.table import Table

    def render(out: Console) -> None:
        if not estimates:
            out.print("nothing is left to ask a model")
            return
        table = Table(box=None, pad_edge=False)
        table.add_column("document")
        for head in ("pages", "chunks", "tokens", "calls", "input tokens", "output tokens", "US$"):
            table.add_column(head, justify="right")
        for e in estimates:
            cost = "unknown" if e.cost is None else f"{e.cost:.2f}"
            row = (e.pages, e.chunks, e.tokens, e.calls, e.input_tokens, e.output_tokens)
            table.add_row(e.error or e.source, *(f"{number:,}" for number in row), cost)
        out.print(table)

    face.failed = any(e.error for e in estimates)
    face.show(estimates, render)


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

    from ..indexing.lightrag import import_lightrag

    with face.workspace(create=True) as workspace, Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("importing", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        reports = list(import_lightrag(workspace, folder, show))
    texts = [_imported(report) for report in reports]
    lost = sum(sum(report.rejected.values()) for report in reports)
    if lost:
        texts.append(f"{lost} relations kept out: none of their source chunks is there")
    face.show(reports, lines(texts or ["No documents in it."]))


def _imported(report: AddReport) -> str:
    done = f"{report.outcome:10} {report.source}"
    if report.outcome == "unchanged":
        return done
    return f"{done} (chunks {report.chunks}, entities {report.entities}, statements {report.statements})"

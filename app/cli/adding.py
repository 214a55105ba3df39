"""cliquerag add, graph import, and read and load: bundles read on any machine and put into a workspace."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
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
    from rich.progress import Progress, TaskID

    from ..indexing.reading import ReadReport
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
    """A row a document, and one of all together."""
    from rich.table import Table

    from ..indexing.report import total_of

    def render(out: Console) -> None:
        if not estimates:
            out.print("nothing is left to ask a model")
            return
        table = Table(box=None, pad_edge=False)
        table.add_column("document")
        for head in ("pages", "chunks", "tokens", "calls", "input tokens", "output tokens", "US$"):
            table.add_column(head, justify="right")
        rows = [(e.error or e.source, e) for e in estimates]
        if len(rows) > 1:
            rows.append(("all", total_of(estimates)))
        for name, e in rows:
            cost = "unknown" if e.cost is None else f"{e.cost:.2f}"
            spread = f" ± {e.output_spread:,}" if e.output_spread else ""
            counts = (e.pages, e.chunks, e.tokens, e.calls, e.input_tokens)
            table.add_row(name, *(f"{number:,}" for number in counts), f"{e.output_tokens:,}{spread}", cost)
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


@command(
    click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path)),
    click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where the bundles go."),
    click.option("--shard", metavar="I/N", help="Only this share of the documents: 0/3, 1/3 and 2/3 are all of them."),
    click.option("--workers", type=click.IntRange(min=1), help="Processes that read documents."),
    click.option("--ray", "cluster", metavar="ADDRESS", help='By all machines of a Ray cluster: "auto", host:6379.'),
    click.option("--root", metavar="DIR", type=click.Path(path_type=Path), help="Folder that sources are named from."),
    hint_options,
    click.option("--extractor", help="rules (free) or llm (the configured model)."),
    chunker_option(),
    click.option("--max-cost", type=float, help="Stop cleanly before spending more than this many US dollars."),
    click.option("--follow-links", is_flag=True, help="Also take what symbolic links lead to outside of a folder."),
)
def read(
    face: Face,
    paths: tuple[Path, ...],
    out: Path,
    shard: str | None,
    cluster: str | None,
    root: Path | None,
    company: tuple[str, ...],
    period: str | None,
    kind: str | None,
    published: str | None,
    follow_links: bool,
    **settings: Any,
) -> None:
    """Read documents into bundles, files for any workspace (see load).

    Reading is all that needs no workspace: text, chunks, vectors, facts, relations. A document whose bundle is there
    costs a look. Sources are named as `cliquerag add` to the workspace would name them, or from --root. A bad file is
    named and the others are read (exit code 1).
    """
    from ..indexing.ray_reading import read_by_ray
    from ..indexing.reading import BundleFolder, Shard, jobs_of, read_jobs, source_folder
    from ..ingest.about.given import DocumentHints
    from ..settings import resolve_settings
    from ..sources import find_files

    resolved = resolve_settings({"workspace": face.url, **settings}).settings
    hints = DocumentHints.of(list(company) or None, period, kind, published)
    share = Shard.parse(shard) if shard else Shard()
    found = find_files(paths, follow_links=follow_links, max_mb=resolved.max_file_mb)
    say_left_out(face, found)
    jobs = jobs_of(found.files, hints, root.absolute() if root else source_folder(resolved), share)
    reports: list[ReadReport] = []
    # What Ray says of the machines of a cluster, it says on standard output, where the result belongs.
    with redirect_stdout(sys.stderr), _shown(face, "reading", len(jobs)) as (bar, task):
        folder = BundleFolder(out)
        found_by = read_by_ray(jobs, folder, resolved, cluster) if cluster else read_jobs(jobs, folder, resolved)
        for report in found_by:
            reports.append(report)
            bar.update(task, advance=1, description=f"{_name(report.source)} {report.host if cluster else ''}")
            if not report.ok:
                face.say(f"Error: {report.error}")
    face.failed |= any(not report.ok for report in reports) or not found.files
    face.show(reports, lambda shown: _print_read(shown, reports, out))


@command(click.argument("folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path)))
def load(face: Face, folders: tuple[Path, ...]) -> None:
    """Put bundles into a workspace, in any order.

    What is stored already costs a look. When all are in, it is decided anew which names mean one entity, so that the
    graph is the same whatever the order. A damaged bundle is named and the others are loaded (exit code 1).
    """
    from ..indexing.loading import Loading

    reports: list[AddReport] = []
    with _shown(face, "looking", None) as (bar, task):
        loading = Loading.of(folders, lambda done, all_of_them: bar.update(task, completed=done, total=all_of_them))
    with face.workspace(create=True) as workspace, _shown(face, "loading", len(loading)) as (bar, task):
        for report in loading.into(workspace.store, lambda: workspace.components.tools.extractor):
            reports.append(report)
            bar.update(task, advance=1, description=_name(report.source))
            if not report.ok:
                face.say(f"Error: {report.error}")
    face.failed |= any(not report.ok for report in reports) or not reports
    face.show(reports, lambda shown: _print_loaded(shown, reports))


@contextmanager
def _shown(face: Face, doing: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    """A bar of documents with the time that is left; an interruption says what stays."""
    with bar_of_documents(doing, total) as shown:
        try:
            yield shown
        except KeyboardInterrupt:
            face.failed = True
            face.say("Error: interrupted. What is done stays; run it again to go on")


def _name(source: str) -> str:
    return Path(source).name[-40:]


def _print_read(out: Console, reports: Sequence[ReadReport], folder: Path) -> None:
    """A line for each document that was read, then a count of all."""
    if not reports:
        out.print("Nothing to read there.")
        return
    for report in reports:
        if report.outcome != "read":
            continue
        counts = {"pages": report.pages, "chunks": report.chunks, "facts": report.facts, "relations": report.statements}
        read = ", ".join(filter(None, (counted(count, name) for name, count in counts.items())))
        seconds = sum(report.seconds.values())
        out.print(f"read       {report.source}: {read} ({seconds:.1f} s)", markup=False)
    outcomes = Counter(report.outcome for report in reports)
    counted_outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
    hosts = Counter(report.host for report in reports if report.outcome == "read")
    if len(hosts) > 1:
        out.print(f"By {', '.join(f'{host}: {count:,}' for host, count in sorted(hosts.items()))}", markup=False)
    megabytes = sum(report.bytes for report in reports) / 1e6
    out.print(f"{counted_outcomes}. {megabytes:,.1f} MB of bundles in {folder}", markup=False, style="bold")


def _print_loaded(out: Console, reports: Sequence[AddReport]) -> None:
    if not reports:
        out.print("No bundles there: `cliquerag read PATH... --out DIR` makes them.")
        return
    print_reports(out, reports)

"""cliquerag read and cliquerag load: documents read to bundles, on any machine, and bundles put into a workspace."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .adding import print_reports, say_left_out
from .common import Face, bar_of_documents, chunker_option, command, counted, hint_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from ..indexing.reading import ReadReport
    from ..indexing.report import AddReport


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

"""cliquerag report: a report on a question, or a ready one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..core.errors import UsageError
from .common import CHECKED_BY, Face, command, lines, scope_options

if TYPE_CHECKING:
    from ..core.scope import Scope
    from ..reports.parts import Report
    from ..workspace import Workspace

_ENDINGS = {".html": ".html", ".htm": ".html", ".docx": ".docx", ".md": ".md"}
_FILE = click.Path(path_type=Path, dir_okay=False)


@command(
    click.argument("question", default=""),
    scope_options,
    click.option("--ready", metavar="NAME|FILE", help="A ready report by name (--list), or a TOML file of your own."),
    click.option("--list", "listing", is_flag=True, help="List the ready reports."),
    click.option("--language", type=click.Choice(["en", "zh"]), help="Default: that of the question or documents."),
    click.option("--words", type=click.IntRange(50, 5000), default=900, help="Words of a report by a model (900)."),
    click.option(
        "--web", metavar="URL", default="", help="Read the web too: a SearXNG; pages are stored as documents."
    ),
    click.option("--model", help="Language model of the configured endpoint."),
    CHECKED_BY,
    click.option("--html", type=_FILE, help="Write it as one HTML page."),
    click.option("--docx", type=_FILE, help="Write it for a word processor."),
    click.option("--md", type=_FILE, help="Write it as Markdown."),
)
def report(
    face: Face,
    question: str,
    scope: Scope | None,
    ready: str | None,
    listing: bool,
    language: str | None,
    words: int,
    web: str,
    model: str | None,
    checked_by: str | None,
    html: Path | None,
    docx: Path | None,
    md: Path | None,
) -> None:
    """A report with sections, tables and sources.

    QUESTION is answered from a menu of all sections that its sides find, each read whole; without a model in
    quotations and tables. A report that was broken off goes on where it stopped.

    Ready reports (--ready brief, quarter, peers, disputes, diff) are made of --company and --period, or of two
    documents (--source OLDER --source NEWER).
    """
    paths = [path for path in (html, docx, md) if path]
    for path in paths:
        _check_path(path)
    with face.workspace(model=model, checked_by=checked_by) as workspace:
        if listing:
            _list(face, workspace)
            return
        if not question and not ready:
            hint = (
                'Ask: "Report on Acme\'s suppliers and litigation"; or name a ready one: --ready brief --company Acme'
            )
            raise UsageError("nothing to report on", hint=hint)
        made = workspace.report(
            question, scope, ready=ready or "", language=language, words=words, web=web, progress=_progress(face)
        )
        _write(face, workspace, made, paths)
        from ..views.report_files import report_text

        face.show(made, lines([report_text(made)]))


def _list(face: Face, workspace: Workspace) -> None:
    from ..reports.sections import in_language, ready_reports

    found = ready_reports(workspace.settings.reports)
    data = [{"name": one.name, "needs": one.needs, "about": in_language(one.about, "en")} for one in found.values()]
    face.show(data, lines(f"{one['name']:<12}{one['about']} (needs {one['needs']})" for one in data))


def _progress(face: Face) -> Callable[[str, int, int], None]:
    def tell(title: str, done: int, of: int) -> None:
        face.say(f"{done + 1}/{of} {title}")

    return tell


def _check_path(path: Path) -> None:
    """Raises UsageError before anything is read where the report could not be written in the end."""
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError("a report is .html, .docx or .md", where=str(path))
    if not path.absolute().parent.is_dir():
        raise UsageError("there is no such folder", where=str(path.parent), hint="Make it, or name another")


def _write(face: Face, workspace: Workspace, made: Report, paths: list[Path]) -> None:
    from ..views.report_files import WRITERS

    for path in paths:
        written = WRITERS[_ENDINGS[path.suffix.lower()]](made, workspace.path_of)
        path.write_bytes(written if isinstance(written, bytes) else written.encode("utf-8"))
        face.say(f"Written: {path}")

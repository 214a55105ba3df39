"""cliquerag setup, the one step after pip install, and cliquerag demo, the first thing to look at."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ..core.anchor import at_place
from .adding import print_reports
from .common import Face, command, console

if TYPE_CHECKING:
    from rich.console import Console

    from ..demo import Asked, Tour
    from ..installing import Part
    from ..retrieval.search.evidence import Answer


@command(
    click.argument("parts", nargs=-1),
    click.option("--yes", "-y", is_flag=True, help="Do not ask."),
    click.option("--dry-run", is_flag=True, help="Only say what would be fetched, how large it is, and why."),
)
def setup(face: Face, parts: tuple[str, ...], yes: bool, dry_run: bool) -> None:
    """Fetch what pip leaves out: the embedding model, and PARTS.

    PARTS are the extras named (office, ...).

    Says what, how large and why, and asks before anything is fetched.
    """
    from importlib import invalidate_caches

    from ..core.plain import as_plain
    from ..installing import install, wanted_parts

    wanted = wanted_parts(parts)
    missing = [part for part in wanted if not part.installed]
    for part in wanted:
        _say(face, part)
    is_wanted = bool(missing) and not dry_run
    if is_wanted and (yes or _agreed(missing)):
        for part in missing:
            install(part)
            face.say(f"Installed: {part.name}")
        invalidate_caches()
    rows = [as_plain(part) | {"installed": part.installed, "command": part.command} for part in wanted]
    left = [part.name for part in wanted if not part.installed]
    told = "Everything is there. Next: cliquerag demo, or cliquerag add FOLDER"
    if left:
        told = f"Not installed: {', '.join(left)}. Without it search is by words and the graph alone."
    face.failed |= bool(left) and not dry_run
    face.show(rows, lambda out: out.print(told, markup=False))


def _say(face: Face, part: Part) -> None:
    state = "installed" if part.installed else f"{part.megabytes} MB to download"
    out = console(stderr=True)
    out.print(f"{part.name}  {state}", markup=False, style="bold")
    out.print(f"    {part.why}", markup=False)
    out.print(f"    {part.why_zh}", markup=False, style="dim")
    if not part.installed:
        out.print(f"    {' '.join(part.command)}", markup=False, style="dim")


def _agreed(missing: list[Part]) -> bool:
    total = sum(part.megabytes for part in missing)
    return click.confirm(f"Fetch {total} MB now?", default=True, err=True)


@command(click.option("--keep", metavar="FOLDER", default="cliquerag-demo", show_default=True, help="Where it is put."))
def demo(face: Face, keep: str) -> None:
    """Ask five questions of four invented documents in three modes.

    They are added to a workspace of their own.
    """
    from ..demo import run_tour

    out = console(stderr=face.as_json)
    tour = run_tour(keep, face.url, lambda reports: print_reports(out, reports), lambda asked: _print_asked(out, asked))
    face.show(tour, lambda _: _print_next(out, tour))


def _print_asked(out: Console, asked: Asked) -> None:
    from rich.table import Table

    out.print(f"\n{asked.question}", style="bold")
    table = Table(expand=True, show_lines=False)
    for mode in asked.answers:
        table.add_column(mode, ratio=1, overflow="fold")
    table.add_row(*map(_cell, asked.answers.values()))
    out.print(table)


def _cell(answer: Answer) -> str:
    from rich.markup import escape

    places: dict[str, list[str]] = {}
    for citation in answer.citations:
        place = at_place(PurePath(citation.source).name, citation)
        places.setdefault(place, []).append(f"[{citation.number}]")
    told = "\n".join(f"{''.join(numbers)} {place}" for place, numbers in places.items())
    return f"{escape(answer.text)}\n\n[dim]{escape(told)}[/dim]"


def _print_next(out: Console, tour: Tour) -> None:
    url = tour.workspace
    out.print("\nWhere to go next", style="bold")
    for line in (
        f'cliquerag ask "Who supplies Halvern Robotics?" --workspace {url} --show-context',
        f'cliquerag graph entity "Halvern Robotics" --workspace {url}',
        f'cliquerag graph path "Atacama Minerals" "Meridian Freight" --workspace {url}',
        "cliquerag add FOLDER                    your own documents, into sqlite:///cliquerag.db",
        "cliquerag doctor                        what is installed, what would make it better",
        f"cliquerag web --workspace {url}    all of this in the browser",
    ):
        out.print(f"  {line}", markup=False)

"""cliquerag demo: the whole road on documents of our own."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ..core.source_names import at_place
from .adding import print_reports
from .common import Face, command, console

if TYPE_CHECKING:
    from rich.console import Console

    from ..demo import Asked, Tour
    from ..retrieval.search.evidence import Answer


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

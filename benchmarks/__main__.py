"""``python -m benchmarks [NAME...]``: run benchmarks by name, list them, or compare with the kept figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from cliquerag.cli.common import Face, command, lines
from cliquerag.cli.comparing import reports_as_text

from . import registry
from .run import run_all

if TYPE_CHECKING:
    from rich.console import Console

_FOLDER = click.Path(path_type=Path, file_okay=False)


@command(
    click.argument("names", nargs=-1, metavar="[NAME]..."),
    click.option("--data", type=_FOLDER, help="Folder of the data sets; default: CLIQUERAG_BENCH_DATA."),
    click.option("--write", type=_FOLDER, help="Add the results to this folder (docs)."),
    click.option("--resume", is_flag=True, help="With all: leave out what --write holds from this commit and day."),
    click.option("--size", type=click.IntRange(min=10), help="For benchmarks that make their own data in any size."),
    click.option("--check", "kept", type=_FOLDER, help="Compare with the results kept in this folder (docs) instead."),
)
def main(
    face: Face,
    names: tuple[str, ...],
    data: Path | None,
    write: Path | None,
    resume: bool,
    size: int | None,
    kept: Path | None,
) -> None:
    """Run benchmarks by name, or "all"; without a name, list them.

    "all" are those that can run here. The list says how many minutes each takes and what is absent. Each result is
    kept before the next begins. --check names what got worse beyond noise since it was kept.
    """
    if kept:
        _check(face, names, data, kept)
    elif names == ("all",):
        _run_all(face, data, write, resume)
    elif names:
        _run(face, names, data, write, size)
    else:
        listing = registry.available(data)
        face.show(listing, _listing(listing))


def _run(face: Face, names: tuple[str, ...], data: Path | None, write: Path | None, size: int | None) -> None:
    reports = []
    for name in names:
        reports.append(registry.run_benchmark(name, data, size))
        if write:
            registry.write_report(reports[-1], write)
    face.show(reports, reports_as_text(reports))


def _run_all(face: Face, data: Path | None, write: Path | None, resume: bool) -> None:
    outcomes = list(run_all(data, write, resume=resume, say=face.say))
    failed = [outcome for outcome in outcomes if outcome.state in ("failed", "too slow")]
    face.failed = bool(failed)
    shown = failed if write else outcomes
    face.show(outcomes, lines(f"{outcome.name}: {outcome.state}\n{outcome.said}\n" for outcome in shown))


def _check(face: Face, names: tuple[str, ...], data: Path | None, kept: Path) -> None:
    worse = registry.check(names, data, kept, face.say)
    face.failed = bool(worse)
    face.show(worse, lines(worse or ["Nothing got worse."]))


def _listing(listing: Mapping[str, str]) -> Callable[[Console], None]:
    """Names and what stands beside them, which may run over lines."""

    def render(out: Console) -> None:
        from rich.markup import escape
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        for name, told in listing.items():
            table.add_row(name, escape(told))
        out.print(table)

    return render


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")

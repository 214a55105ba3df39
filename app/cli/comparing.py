"""cliquerag compare, eval, bench and bench-check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Face, command, lines

if TYPE_CHECKING:
    from rich.console import Console

    from ..evaluation.benchmark import Report

_FOLDER = click.Path(path_type=Path, file_okay=False)


@command(
    click.argument("questions", type=click.Path(path_type=Path)),
    click.option("--modes", default="vector,graph,hybrid", show_default=True, help="Modes to compare, with commas."),
    click.option("--out", default="comparison", show_default=True, type=_FOLDER, help="Folder for CSV, JSON and HTML."),
    click.option("--preset", type=click.Choice(["hybridrag-paper"]), help="Settings of a published baseline."),
    click.option("--model", help="Language model of the configured endpoint."),
)
def compare(face: Face, questions: Path, modes: str, out: Path, preset: str | None, model: str | None) -> None:
    """Answer the same questions in several modes and compare.

    Says which is better, and by how much. QUESTIONS is CSV or JSONL: question, and optionally answer, source, page,
    type. Stopped, the same command goes on. hybrid+section and hybrid+page read the first hits with their section or
    page. LightRAG's modes, over the same chunks and triples, are lightrag:mix, lightrag:naive and so on (extra
    "lightrag").
    """
    from ..comparing import compare_modes

    with face.workspace(model=model) as workspace:
        comparison = compare_modes(workspace, questions, modes.split(","), out, preset, face.say)
    face.show(comparison.as_dict(), lambda out: out.print(comparison.as_text(out.width), markup=False, soft_wrap=True))


@command(
    click.argument("answers", type=click.Path(path_type=Path)),
    click.option("--model", help="Language model of the configured endpoint, as the judge."),
    click.option("--judge", type=click.Choice(["auto", "rules"]), default="auto", show_default=True,
                 help="auto: the configured model, else rules."),
    name="eval",
)  # fmt: skip
def evaluate(face: Face, answers: Path, model: str | None, judge: str) -> None:
    """Score a file of answers.

    ANSWERS is CSV or JSONL: question, answer, reference, contexts. The table says who judged, and what could not be
    measured.
    """
    from ..comparing import evaluate_file

    report = evaluate_file(answers, rules=judge == "rules", model=model)
    face.show(report, reports_as_text([report]))


@command(
    click.argument("names", nargs=-1),
    click.option("--data", type=_FOLDER, help="Folder of the data sets; default: CLIQUERAG_BENCH_DATA."),
    click.option("--write", type=_FOLDER, help="Add the results to this folder (docs)."),
    click.option("--resume", is_flag=True, help="With all: leave out what --write holds from this commit and day."),
    click.option("--size", type=click.IntRange(min=10), help="For benchmarks that make their own data in any size."),
)
def bench(
    face: Face, names: tuple[str, ...], data: Path | None, write: Path | None, resume: bool, size: int | None
) -> None:
    """Run benchmarks by name, or "all"; without a name, list them.

    "all" are those that can run here. The list says how many minutes each takes and what is absent. Each result is
    kept before the next begins.
    """
    from ..evaluation import registry

    if names == ("all",):
        _bench_all(face, data, write, resume)
    elif names:
        reports = []
        for name in names:
            reports.append(registry.run_benchmark(name, data, size))
            if write:
                registry.write_report(reports[-1], write)
        face.show(reports, reports_as_text(reports))
    else:
        listing = registry.available(data)
        face.show(listing, _listing(listing))


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


def _bench_all(face: Face, data: Path | None, write: Path | None, resume: bool) -> None:
    from ..benching import run_all

    outcomes = list(run_all(data, write, resume=resume, say=face.say))
    failed = [outcome for outcome in outcomes if outcome.state in ("failed", "too slow")]
    face.failed = bool(failed)
    shown = failed if write else outcomes
    face.show(outcomes, lines(f"{outcome.name}: {outcome.state}\n{outcome.said}\n" for outcome in shown))


@command(
    click.argument("names", nargs=-1),
    click.option("--data", type=_FOLDER, help="Folder of the data sets; default: CLIQUERAG_BENCH_DATA."),
    click.option("--kept", default="docs", show_default=True, type=_FOLDER, help="Folder of the kept results."),
    name="bench-check",
)
def bench_check(face: Face, names: tuple[str, ...], data: Path | None, kept: Path) -> None:
    """Compare today's figures with the kept ones.

    Names what got worse beyond noise.
    """
    from ..evaluation import registry

    worse = registry.check(names, data, kept, face.say)
    face.failed = bool(worse)
    face.show(worse, lines(worse or ["Nothing got worse."]))


def reports_as_text(reports: Iterable[Report]) -> Callable[[Console], None]:
    """A renderer of tables as wide as the terminal."""
    from ..evaluation.tables import as_text

    def render(out: Console) -> None:
        for report in reports:
            text = "\n\n".join(filter(None, ("\n".join(report.notes), as_text(report, out.width))))
            out.print(text, markup=False, soft_wrap=True)
            out.print()

    return render

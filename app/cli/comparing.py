"""cliquerag compare, eval, bench and bench-check."""

from __future__ import annotations

from pathlib import Path

import click

from .common import Face, command, lines

_FOLDER = click.Path(path_type=Path, file_okay=False)


@command(
    click.argument("questions", type=click.Path(path_type=Path)),
    click.option("--modes", default="vector,graph,hybrid", show_default=True, help="Modes to compare, with commas."),
    click.option("--out", default="comparison", show_default=True, type=_FOLDER, help="Folder for CSV, JSON and HTML."),
    click.option("--preset", type=click.Choice(["hybridrag-paper"]), help="Settings of a published baseline."),
    click.option("--model", help="Language model of the configured endpoint."),
)
def compare(face: Face, questions: Path, modes: str, out: Path, preset: str | None, model: str | None) -> None:
    """Answer the same questions in several modes and say which is better, and by how much.

    QUESTIONS is CSV or JSONL: question, and optionally answer, source, page, type.
    """
    from ..comparing import compare_modes

    with face.workspace(model=model) as workspace:
        comparison = compare_modes(workspace, questions, modes.split(","), out, preset, face.say)
    face.show(comparison.as_dict(), lines([comparison.as_text()]))


@command(click.argument("answers", type=click.Path(path_type=Path)), name="eval")
def evaluate(face: Face, answers: Path) -> None:
    """Score a file of answers (CSV or JSONL: question, answer, reference, contexts)."""
    from ..evaluation.compare import evaluate_answers
    from ..evaluation.tables import as_text

    report = evaluate_answers(answers)
    face.show(report, lines([as_text(report)]))


@command(
    click.argument("names", nargs=-1),
    click.option("--data", type=_FOLDER, help="Folder of the data sets; default: CLIQUERAG_BENCH_DATA."),
    click.option("--write", type=_FOLDER, help="Add the results to this folder (docs)."),
)
def bench(face: Face, names: tuple[str, ...], data: Path | None, write: Path | None) -> None:
    """Run benchmarks; without a name, list them and say which data sets are there."""
    from ..evaluation import registry
    from ..evaluation.tables import as_text

    if not names:
        listing = registry.available(data)
        face.show(listing, lines(f"{name:20} {state}" for name, state in listing.items()))
        return
    reports = [registry.run_benchmark(name, data) for name in names]
    if write:
        for report in reports:
            registry.write_report(report, write)
    face.show(reports, lines(as_text(report) for report in reports))


@command(
    click.argument("names", nargs=-1),
    click.option("--data", type=_FOLDER, help="Folder of the data sets; default: CLIQUERAG_BENCH_DATA."),
    click.option("--kept", default="docs", show_default=True, type=_FOLDER, help="Folder of the kept results."),
    name="bench-check",
)
def bench_check(face: Face, names: tuple[str, ...], data: Path | None, kept: Path) -> None:
    """Compare today's figures with the kept ones and name what got worse beyond noise."""
    from ..evaluation import registry

    worse = registry.check(names, data, kept)
    face.failed = bool(worse)
    face.show(worse, lines(worse or ["Nothing got worse."]))

"""cliquerag compare and eval."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Face, command

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


def reports_as_text(reports: Iterable[Report]) -> Callable[[Console], None]:
    """A renderer of tables as wide as the terminal."""
    from ..evaluation.tables import as_text

    def render(out: Console) -> None:
        for report in reports:
            text = "\n\n".join(filter(None, ("\n".join(report.notes), as_text(report, out.width))))
            out.print(text, markup=False, soft_wrap=True)
            out.print()

    return render

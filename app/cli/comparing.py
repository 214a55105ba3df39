"""cliquerag compare and eval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import UsageError
from .common import Face, command

if TYPE_CHECKING:
    from rich.console import Console

    from ..evaluation.benchmark import Report
    from ..evaluation.compare import Comparison, Preset
    from ..evaluation.questions import Question
    from ..workspace import Workspace

_FOLDER = click.Path(path_type=Path, file_okay=False)


@command(
    click.argument("questions", type=click.Path(path_type=Path), required=False),
    click.option("--cases", is_flag=True, help="Ask the questions whose answers somebody found bad, not a file's."),
    click.option("--modes", default="vector,graph,hybrid", show_default=True, help="Modes to compare, with commas."),
    click.option("--out", default="comparison", show_default=True, type=_FOLDER, help="Folder for CSV, JSON and HTML."),
    click.option("--preset", type=click.Choice(["hybridrag-paper"]), help="Settings of a published baseline."),
    click.option("--model", help="Language model of the configured endpoint."),
)
def compare(
    face: Face, questions: Path | None, cases: bool, modes: str, out: Path, preset: str | None, model: str | None
) -> None:
    """Answer the same questions in several modes and compare.

    Says which is better, and by how much. QUESTIONS is CSV or JSONL: question, and optionally answer, source, page,
    type. Stopped, the same command goes on. hybrid+section and hybrid+page read the first hits with their section or
    page. LightRAG's modes, over the same chunks and triples, are lightrag:mix, lightrag:naive and so on (extra
    "lightrag").
    """
    from ..evaluation.compare import PRESETS, write_comparison
    from ..evaluation.systems import check_columns
    from ..views.comparison_page import comparison_html

    names = (mode.strip() for mode in modes.split(","))
    columns = list(dict.fromkeys(name for name in names if name))
    with ExitStack() as opened:
        workspace = opened.enter_context(face.workspace(model=model))
        check_columns(columns)
        asked = _asked(workspace, questions, cases)
        if preset:
            workspace = opened.enter_context(_as_preset(face, workspace, PRESETS[preset], out / f"{preset}.db"))
        comparison = _compared(face, workspace, asked, columns, out, preset)
    page = out / "comparison.html"
    written = write_comparison(comparison, out)
    page.write_text(comparison_html(comparison), encoding="utf-8")
    for path in (*written, page):
        face.say(f"Written: {path}")
    face.show(comparison.as_dict(), lambda out: out.print(comparison.as_text(out.width), markup=False, soft_wrap=True))


def _asked(workspace: Workspace, questions: Path | None, cases: bool) -> list[Question]:
    """The questions of a file, or those whose answers somebody found bad. Raises UsageError where there are none."""
    from ..evaluation.questions import read_questions
    from ..feedback.cases import cases_of

    if cases == bool(questions):
        raise UsageError("what is to be asked?", hint="Give a file of questions, or --cases")
    if questions:
        return read_questions(questions)
    found = [case.as_question() for case in cases_of(workspace.feedback.log)] if workspace.feedback.has_log else []
    if not found:
        raise UsageError(
            "no answer was found bad yet", hint="A thumb down makes a case: `cliquerag feedback say ID down`"
        )
    return found


def _compared(
    face: Face, workspace: Workspace, asked: Sequence[Question], columns: list[str], out: Path, preset: str | None
) -> Comparison:
    """Every question in every column; what an earlier run found in ``out`` is not asked again."""
    from ..core.errors import without_credentials
    from ..evaluation.compare import PRESETS, compare
    from ..evaluation.judge import ModelJudge
    from ..evaluation.systems import Systems
    from ..querying import order_named

    components = workspace.components
    order = order_named(PRESETS[preset].order if preset else workspace.settings.order)
    companies: dict[str, None] = {}
    for record in workspace.documents():
        companies.update(dict.fromkeys(record.companies))
    changing_answers = {
        "workspace": without_credentials(workspace.settings.workspace),
        "version": str(workspace.store.version()),
        "model": without_credentials(workspace.settings.model) or "extractive",
        "preset": preset or "none",
        "order": order,
        "parent": workspace.settings.parent,
    }
    model = components.language_model
    with closing(Systems(workspace, components, out / "lightrag", order)) as systems:
        systems.prepare(columns, asked[0].question)
        return compare(
            asked,
            columns,
            systems.ask,
            search=systems.search,
            judge=ModelJudge(model) if model else None,
            embedder=workspace.embedder,
            companies=list(companies),
            out=out,
            settings=changing_answers,
            progress=lambda done, total, what: face.say(f"{done}/{total}  {what}"),
        )


def _as_preset(face: Face, workspace: Workspace, preset: Preset, path: Path) -> Workspace:
    """The workspace's files read again, from where they were added, into a store of its own."""
    from ..core.errors import DocumentError
    from ..core.private_files import make_private_folder
    from ..kg.engines.opening import sqlite_url
    from ..workspace import Workspace

    make_private_folder(path.parent)
    copy = Workspace(sqlite_url(path.absolute()), **_kept_settings(workspace), **preset_settings(preset))
    cut_as_preset(copy, preset)
    for record in workspace.documents():
        try:
            copy.add(workspace.path_of(record.source))
        except DocumentError as error:
            face.say(f"Left out of the preset: {error}")
    return copy


def _kept_settings(workspace: Workspace) -> dict[str, Any]:
    """The models that the workspace is asked with."""
    return {"embedder": workspace.settings.embedder, "model": workspace.settings.model}


def preset_settings(preset: Preset) -> dict[str, Any]:
    """Settings of a workspace that is to be asked as the preset asks."""
    return {"chunker": preset.chunker, "order": preset.order, "parent": preset.parent}


def cut_as_preset(workspace: Workspace, preset: Preset) -> None:
    """Documents that are added from now on are cut as the preset cuts them."""
    from ..ingest.chunkers import make_chunker

    options = ",".join(f"{name}={value}" for name, value in preset.chunker_options.items())
    chunker = make_chunker(preset.chunker, **preset.chunker_options)
    tools = workspace.components.tools
    workspace.components.tools = replace(tools, chunker=chunker, chunker_name=f"{preset.chunker}({options})")


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
    from ..components import make_embedder, make_language_model
    from ..evaluation.judge import ModelJudge
    from ..evaluation.scoring import evaluate_answers
    from ..settings import resolve_settings

    settings = resolve_settings({"model": model}).settings
    judging = None if judge == "rules" else make_language_model(settings)
    report = evaluate_answers(answers, judge=ModelJudge(judging) if judging else None, embedder=make_embedder(settings))
    face.show(report, reports_as_text([report]))


def reports_as_text(reports: Iterable[Report]) -> Callable[[Console], None]:
    """A renderer of tables as wide as the terminal."""
    from ..evaluation.benchmark import as_text

    def render(out: Console) -> None:
        for report in reports:
            text = "\n\n".join(filter(None, ("\n".join(report.notes), as_text(report, out.width))))
            out.print(text, markup=False, soft_wrap=True)
            out.print()

    return render

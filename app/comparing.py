"""Comparison of modes on a workspace, or on a copy of it built as a published baseline builds its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .columns import Columns, check_columns
from .components import make_embedder, make_language_model
from .core.errors import DocumentError, UsageError
from .core.private_files import make_private_folder
from .evaluation.compare import PRESETS, Preset, compare, evaluate_answers, write_comparison
from .evaluation.comparison import Comparison
from .evaluation.model_judge import ModelJudge
from .evaluation.questions import read_questions
from .ingest.chunkers import make_chunker
from .kg.engines.opening import sqlite_url
from .settings import resolve_settings
from .views.comparison_page import comparison_html
from .workspace import Workspace

if TYPE_CHECKING:
    from .evaluation.benchmark import Report
    from .retrieval.answer.context import Order


def compare_modes(
    workspace: Workspace,
    questions: Path,
    modes: Sequence[str],
    out: Path,
    preset: str | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Comparison:
    """Ask every question of the file in every mode and write CSV, JSON and an HTML report into ``out``.

    Stopped and started again it goes on where it was. ``preset`` reads the workspace's files again, from where they
    were added, into a store of its own in ``out``. ``modes`` are columns as :mod:`.columns` has them. Raises
    UsageError: unreadable questions, an unknown mode or preset.
    """
    asked = read_questions(questions)
    modes = list(dict.fromkeys(name for mode in modes if (name := mode.strip())))
    check_columns(modes)
    with ExitStack() as open_parts:
        if preset:
            workspace = open_parts.enter_context(_as_preset(workspace, _preset(preset), out / f"{preset}.db", say))
        order = cast("Order", PRESETS[preset].order if preset else workspace.settings.order)
        columns = open_parts.enter_context(closing(Columns(workspace, out / "lightrag", order)))
        columns.prepare(modes, asked[0].question)
        model = workspace.components.language_model
        comparison = compare(
            asked,
            modes,
            columns.ask,
            search=columns.search,
            judge=ModelJudge(model) if model else None,
            embedder=workspace.embedder,
            companies=list(dict.fromkeys(name for record in workspace.documents() for name in record.companies)),
            out=out,
            settings=_described(workspace, preset, order),
            progress=lambda done, total, what: say(f"{done}/{total}  {what}"),
        )
    report = out / "comparison.html"
    written = write_comparison(comparison, out)
    report.write_text(comparison_html(comparison), encoding="utf-8")
    for path in (*written, report):
        say(f"Written: {path}")
    return comparison


def evaluate_file(answers: Path, *, rules: bool = False, **settings: str | None) -> Report:
    """Score finished answers by the configured model and embedder; by rules where there is no model, or on request."""
    resolved = resolve_settings(settings).settings
    model = None if rules else make_language_model(resolved)
    return evaluate_answers(answers, judge=ModelJudge(model) if model else None, embedder=make_embedder(resolved))


def _described(workspace: Workspace, preset: str | None, order: str) -> dict[str, str]:
    """Whatever changes the answers."""
    return {
        "workspace": workspace.settings.workspace,
        "version": str(workspace.store.version()),
        "model": workspace.settings.model or "extractive",
        "preset": preset or "none",
        "order": order,
        "parent": workspace.settings.parent,
    }


def _preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"no preset {name!r}", hint=f"There are: {', '.join(PRESETS)}")
    return PRESETS[name]


def _as_preset(workspace: Workspace, preset: Preset, path: Path, say: Callable[[str], None]) -> Workspace:
    make_private_folder(path.parent)
    copy = Workspace(sqlite_url(path.absolute()), embedder=workspace.settings.embedder, chunker=preset.chunker)
    chunker = make_chunker(preset.chunker, **preset.chunker_options)
    options = ",".join(f"{name}={value}" for name, value in preset.chunker_options.items())
    copy.components.tools = replace(copy.components.tools, chunker=chunker, chunker_name=f"{preset.chunker}({options})")
    for record in workspace.documents():
        try:
            copy.add(workspace.path_of(record.source))
        except DocumentError as error:
            say(f"Left out of the preset: {error}")
    return copy

"""Comparison of modes on a workspace, or on a copy of it built as a published baseline builds its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .core.errors import DocumentError, UsageError
from .evaluation.compare import PRESETS, Preset, compare, write_comparison
from .evaluation.comparison import Comparison
from .evaluation.judge import Judge
from .evaluation.model_judge import ModelJudge
from .evaluation.questions import read_questions
from .ingest.chunkers import make_chunker
from .retrieval.search import mode_named
from .workspace import Workspace

if TYPE_CHECKING:
    from .retrieval.context import Order


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
    were added, into a store of its own in ``out``. Raises UsageError: unreadable questions, an unknown preset.
    """
    asked = read_questions(questions)
    for mode in modes:
        mode_named(mode)
    with ExitStack() as open_parts:
        if preset:
            workspace = open_parts.enter_context(_as_preset(workspace, _preset(preset), out / f"{preset}.db", say))
        order = cast("Order", PRESETS[preset].order if preset else workspace.settings.order)
        model = workspace.language_model
        judge: Judge | None = ModelJudge(model) if model else None
        comparison = compare(
            asked,
            modes,
            lambda question, mode: workspace.ask(question, mode=mode, order=order),
            search=lambda question, mode: workspace.search(question, mode=mode),
            judge=judge,
            embedder=workspace.embedder,
            out=out,
            settings=_described(workspace, preset, order),
            progress=lambda done, total, what: say(f"{done}/{total}  {what}"),
        )
    for path in write_comparison(comparison, out):
        say(f"Written: {path}")
    return comparison


def _described(workspace: Workspace, preset: str | None, order: str) -> dict[str, str]:
    """Whatever changes the answers."""
    return {
        "workspace": workspace.settings.workspace,
        "version": str(workspace.store.version()),
        "model": workspace.settings.model or "extractive",
        "preset": preset or "none",
        "order": order,
    }


def _preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"no preset {name!r}", hint=f"There are: {', '.join(PRESETS)}")
    return PRESETS[name]


def _as_preset(workspace: Workspace, preset: Preset, path: Path, say: Callable[[str], None]) -> Workspace:
    path.parent.mkdir(parents=True, exist_ok=True)
    copy = Workspace(f"sqlite:///{path.absolute()}", embedder=workspace.settings.embedder, chunker=preset.chunker)
    chunker = make_chunker(preset.chunker, **preset.chunker_options)
    options = ",".join(f"{name}={value}" for name, value in preset.chunker_options.items())
    copy.tools = replace(copy.tools, chunker=chunker, chunker_name=f"{preset.chunker}({options})")
    for record in workspace.documents():
        try:
            copy.add(workspace.path_of(record.source))
        except DocumentError as error:
            say(f"Left out of the preset: {error}")
    return copy

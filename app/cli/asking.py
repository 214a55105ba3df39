"""cliquerag ask and cliquerag search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common import Face, command, scope_of, scope_options

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console

    from ..retrieval.context import Order
    from ..retrieval.evidence import Answer, Evidence

_MODE = click.option("--mode", help="hybrid (default), vector, graph, local, global or auto.")


@command(
    click.argument("question"),
    scope_options,
    _MODE,
    click.option("--model", help="Language model of the configured endpoint."),
    click.option(
        "--order", type=click.Choice(["vector-first", "graph-first"]), help="Which context the model reads first."
    ),
    click.option("--show-context", is_flag=True, help="Print what the answer was made from."),
    click.option("--explain", is_flag=True, help="Print how it was searched."),
    click.option("--html", type=click.Path(path_type=Path), help="Write the answer with pictures of the cited pages."),
)
def ask(
    face: Face,
    question: str,
    company: tuple[str, ...],
    period: tuple[str, ...],
    kind: tuple[str, ...],
    source: tuple[str, ...],
    as_of: date | None,
    mode: str | None,
    model: str | None,
    order: Order | None,
    show_context: bool,
    explain: bool,
    html: Path | None,
) -> None:
    """Answer a question, every sentence with its page."""
    with face.workspace(model=model) as workspace:
        scope = scope_of(company, period, kind, source, as_of)
        answer = workspace.ask(question, mode=mode, scope=scope, order=order)
        if html:
            from ..answer_page import answer_html

            html.write_text(answer_html(question, answer, workspace.path_of), encoding="utf-8")
            face.say(f"Written: {html}")
    face.show(answer, lambda out: print_answer(out, answer, show_context, explain))


def print_answer(out: Console, answer: Answer, show_context: bool = False, explain: bool = False) -> None:
    """The text, its citations, and on demand the context and the trace."""
    from rich.markup import escape

    out.print(escape(answer.text))
    if answer.citations:
        out.print()
    for citation in answer.citations:
        mark = "" if citation.checked else "  (not found word for word)"
        out.print(
            f"[{citation.number}] {escape(citation.source)}{_page(citation.page)}{mark}", markup=False, style="cyan"
        )
        out.print(f"    {_short(citation.text)}", markup=False, style="dim")
    written = "extractive, no language model" if answer.model == "extractive" else answer.model
    out.print(f"\n({answer.mode}; {written})", style="dim")
    if show_context:
        for name, leg in (("vector context", answer.context.vector), ("graph context", answer.context.graph)):
            out.print(f"\n--- {name}", style="bold")
            print_evidence(out, leg)
    if explain:
        _print_trace(out, answer.trace)


@command(
    click.argument("question"),
    scope_options,
    _MODE,
    click.option("-k", type=click.IntRange(min=1), help="How many (10)."),
    click.option("--explain", is_flag=True, help="Print how it was searched."),
)
def search(
    face: Face,
    question: str,
    company: tuple[str, ...],
    period: tuple[str, ...],
    kind: tuple[str, ...],
    source: tuple[str, ...],
    as_of: date | None,
    mode: str | None,
    k: int | None,
    explain: bool,
) -> None:
    """The best evidence for a question, without any model call."""
    from ..retrieval.trace import Trace

    trace = Trace()
    with face.workspace() as workspace:
        scope = scope_of(company, period, kind, source, as_of)
        found = workspace.search(question, mode=mode, k=k, scope=scope, trace=trace)

    def render(out: Console) -> None:
        print_evidence(out, found)
        if explain:
            _print_trace(out, trace.data)

    face.show({"evidence": found, "trace": trace.data} if explain else found, render)


def print_evidence(out: Console, found: Sequence[Evidence]) -> None:
    """Numbered, with page and a few lines of each."""
    if not found:
        out.print("Nothing found.")
    for rank, evidence in enumerate(found, 1):
        head = " > ".join(evidence.headings[-2:])
        out.print(
            f"{rank:>2}. {evidence.kind}  {evidence.source}{_page(evidence.page)}  {head}", markup=False, style="cyan"
        )
        out.print(f"    {_short(evidence.text, 320)}", markup=False)


def _page(page: int | None) -> str:
    return f", page {page}" if page else ""


def _short(text: str, width: int = 220) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _print_trace(out: Console, trace: Any) -> None:
    import json

    from ..core.plain import as_plain

    out.print("\n--- how it was searched", style="bold")
    out.print(json.dumps(as_plain(trace), ensure_ascii=False, indent=1), markup=False)

"""cliquerag ask, chat and search."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from ..core.anchor import at_page, at_place
from ..core.errors import UsageError
from ..core.ids import stable_id
from ..core.plain import shortened
from .common import CHECKED_BY, Face, command, console, echo, echo_json, mode_option, scope_options
from .printing import print_trace

if TYPE_CHECKING:
    from rich.console import Console

    from ..core.scope import Scope
    from ..models.language import Message
    from ..retrieval.answer.context import Order
    from ..retrieval.search.context_expansion import Parent
    from ..retrieval.search.evidence import Answer, Citation, Evidence, Expected
    from ..workspace import Workspace

_MODE = mode_option()
_MODEL = click.option("--model", help="Language model of the configured endpoint.")
_ORDER = click.option(
    "--order", type=click.Choice(["vector-first", "graph-first"]), help="Which context the model reads first."
)
_PARENT = click.option(
    "--parent", type=click.Choice(["auto", "none", "section", "page"]), help="What is read for the first hits."
)
_ALL_TEXT = click.option(
    "--all-text", is_flag=True, help="Search contents pages, disclaimers, contacts and covers too."
)
_SESSION = click.option(
    "--session", type=click.Path(dir_okay=False, path_type=Path), help="Go on from the questions in this file."
)


@command(
    click.argument("question"),
    scope_options,
    _MODE,
    _MODEL,
    CHECKED_BY,
    _ORDER,
    _PARENT,
    _SESSION,
    click.option(
        "--expect",
        type=click.Choice(["number", "boolean", "name", "names", "date", "text"]),
        help="Answer with a value of this kind, or N/A.",
    ),
    _ALL_TEXT,
    click.option("--stream/--no-stream", default=None, help="Print as the answer comes (on a terminal it does)."),
    click.option("--show-context", is_flag=True, help="Print what the answer was made from."),
    click.option("--explain", is_flag=True, help="Print how it was searched."),
    click.option("--html", type=click.Path(path_type=Path), help="Write the answer with pictures of the cited pages."),
    click.option("--open", "opened", type=click.IntRange(min=1), metavar="N", help="Show what [N] cites, marked."),
)
def ask(
    face: Face,
    question: str,
    scope: Scope | None,
    mode: str | None,
    model: str | None,
    checked_by: str | None,
    order: Order | None,
    parent: Parent | None,
    session: Path | None,
    expect: Expected | None,
    all_text: bool,
    stream: bool | None,
    show_context: bool,
    explain: bool,
    html: Path | None,
    opened: int | None,
) -> None:
    """Answer a question, every sentence with its page."""
    streams = not (face.as_json or expect) and (sys.stdout.isatty() if stream is None else stream)
    history, whose = read_session(session), session_name(session)
    with face.workspace(model=model, checked_by=checked_by) as workspace:
        if streams:
            told = workspace.stream(
                question, mode, scope, order=order, history=history, parent=parent, session=whose, all_text=all_text
            )
            answer = _told(told, echo)
        else:
            answer = workspace.ask(
                question, mode, scope, order=order, history=history, parent=parent, expect=expect, session=whose,
                all_text=all_text,
            )  # fmt: skip
        write_session(session, [*history, *turns_of(question, answer.text)])
        _show_pages(face, workspace, question, answer, html, opened)
        names = names_in(workspace, answer)

    def render(out: Console) -> None:
        if answer.typed is not None and answer.model == "extractive":
            out.print(answer.typed.text, markup=False, style="bold")
        if not streams:
            out.print(answer.text, markup=False)
        print_sources(out, answer, names, show_context, explain)

    face.show(answer, render)


@command(scope_options, _MODE, _MODEL, CHECKED_BY, _ORDER, _PARENT, _SESSION)
def chat(
    face: Face,
    scope: Scope | None,
    mode: str | None,
    model: str | None,
    checked_by: str | None,
    order: Order | None,
    parent: Parent | None,
    session: Path | None,
) -> None:
    """Ask one question after another.

    A follow-up ("and in 2022?") goes on from the one before. An empty line, "exit" or the end of the input ends it.
    "/open 1" shows what [1] cites; "/up", "/down WHY" and "/pin 1" say what the answer was worth, where feedback is
    noted (CLIQUERAG_FEEDBACK=on). With --json, one JSON document a line.
    """
    history, whose, last = read_session(session), session_name(session), None
    with face.workspace(model=model, checked_by=checked_by) as workspace:
        for question in _questions(prompts=sys.stdin.isatty() and not face.as_json):
            if question.startswith("/"):
                _say_of_answer(face, workspace, last, question)
                continue
            asked = workspace.ask if face.as_json else workspace.stream
            told = asked(question, mode, scope, order=order, history=history, parent=parent, session=whose)
            answer = _told(told, echo)
            last = (question, answer)
            history += turns_of(question, answer.text)
            write_session(session, history)
            if face.as_json:
                echo_json(answer, indent=None)
            else:
                print_sources(console(), answer, names_in(workspace, answer))


def _say_of_answer(face: Face, workspace: Workspace, last: tuple[str, Answer] | None, line: str) -> None:
    """ "/open 1", "/up", "/down WHY", "/pin 1" on the last answer; what is wrong with it does not end the chat."""
    from ..core.errors import CliqueRAGError
    from ..feedback.recorder import ANSWER_ID

    word, _, rest = line[1:].partition(" ")
    try:
        if last is None or word not in ("open", "up", "down", "pin"):
            raise UsageError(f"{line} says nothing here", hint='There are "/open 1", "/up", "/down WHY" and "/pin 1"')
        number = int(rest) if rest.strip().isdecimal() else None
        if word == "open":
            _show_pages(face, workspace, *last, None, number or 1)
            return
        kind, verdict = ("pin", "") if word == "pin" else ("thumb", word)
        note = "" if number is not None else rest.strip()
        noted = str(last[1].trace.get(ANSWER_ID, ""))
        workspace.feedback.signal(kind, noted, citation=number, verdict=verdict, note=note)
        face.say("Noted")
    except CliqueRAGError as error:
        face.say(f"Error: {error}")


def _questions(prompts: bool) -> Iterator[str]:
    """Lines of the input until an empty one, "exit" or its end."""
    while True:
        if prompts:
            click.echo("\n? ", nl=False)
        question = sys.stdin.readline().strip()
        if question.lower() in ("", "exit", "quit", "退出"):
            return
        yield question


def _told(answer: Answer | Iterator[str | Answer], say: Callable[..., None]) -> Answer:
    """The whole answer; of a stream the pieces are printed as they come."""
    from ..retrieval.search.evidence import Answer

    if isinstance(answer, Answer):
        return answer
    for piece in answer:
        if isinstance(piece, Answer):
            say()
            return piece
        say(piece, nl=False)
    raise AssertionError("a stream ends with its answer")


def _show_pages(
    face: Face, workspace: Workspace, question: str, answer: Answer, html: Path | None, opened: int | None
) -> None:
    """The answer as a page, where asked for, and what one citation points to."""
    if not (html or opened):
        return
    from ..feedback.recorder import ANSWER_ID
    from ..views.answer_page import Sources, answer_html, open_citation

    if html:
        html.write_text(answer_html(question, answer, Sources.of(workspace)), encoding="utf-8")
        face.say(f"Written: {html}")
    if opened:
        path, in_browser = open_citation(question, answer, opened, Sources.of(workspace))
        if name := answer.trace.get(ANSWER_ID):
            workspace.feedback.signal("opened", name, citation=opened)
        face.say(f"{'Opened' if in_browser else 'No browser here; the page is'}: {path}")


def names_in(workspace: Workspace, answer: Answer) -> dict[str, str]:
    """Short names of all the documents that an answer shows."""
    cited, found = answer.citations, answer.context.evidence
    shown: list[Citation | Evidence] = [*cited, *found]
    return workspace.sources.short_names(one.source for one in shown)


def print_sources(
    out: Console, answer: Answer, names: Mapping[str, str], show_context: bool = False, explain: bool = False
) -> None:
    """What the text of an answer cites, and on demand the context and the trace; ``names`` of sources are shown."""
    if answer.citations:
        out.print()
    for citation in answer.citations:
        mark = "" if citation.checked else "  (not found word for word)"
        where = at_place(names[citation.source], citation)
        out.print(f"[{citation.number}] {where}{mark}", markup=False, style="cyan")
        out.print(f"    {shortened(citation.text, 220)}", markup=False, style="dim")
    written = "extractive, no language model" if answer.model == "extractive" else answer.model
    noted = f"; answer {name[:8]}" if (name := answer.trace.get("answer id")) else ""
    out.print(f"\n({answer.mode}; {written}{noted})", style="dim")
    for pin in answer.trace.get("pins", ()):
        out.print(
            f"Pinned for this question: {at_page(names.get(pin['source'], pin['source']), pin['page'])}",
            markup=False,
            style="dim",
        )
    if show_context:
        for name, leg in (("vector context", answer.context.vector), ("graph context", answer.context.graph)):
            out.print(f"\n--- {name}", style="bold")
            print_evidence(out, leg, names)
    if explain:
        print_trace(out, answer.trace)


@command(
    click.argument("question"),
    scope_options,
    _MODE,
    _PARENT,
    _ALL_TEXT,
    click.option("-k", type=click.IntRange(min=1), help="How many (10)."),
    click.option("--explain", is_flag=True, help="Print how it was searched."),
)
def search(
    face: Face,
    question: str,
    scope: Scope | None,
    mode: str | None,
    parent: Parent | None,
    all_text: bool,
    k: int | None,
    explain: bool,
) -> None:
    """The best evidence for a question, without any model call."""
    from ..core.language import language_of
    from ..prompts.messages import message
    from ..retrieval.search.evidence import Trace

    trace = Trace()
    with face.workspace() as workspace:
        found = workspace.search(question, mode=mode, k=k, scope=scope, trace=trace, parent=parent, all_text=all_text)
        names = workspace.sources.short_names(item.source for item in found)

    absent = ", ".join(trace.data.get("absent", ()))
    if absent:
        face.say(message("subject_elsewhere", language_of(question), name=absent))

    def render(out: Console) -> None:
        print_evidence(out, found, names)
        if explain:
            print_trace(out, trace.data)

    face.show({"evidence": found, "trace": trace.data} if explain else found, render)


def print_evidence(out: Console, found: Sequence[Evidence], names: Mapping[str, str]) -> None:
    """Numbered, with page and a few lines of each."""
    if not found:
        out.print("Nothing found.")
    for rank, evidence in enumerate(found, 1):
        head = " > ".join(evidence.headings[-2:])
        where = at_place(names[evidence.source], evidence)
        pinned = "  pinned" if evidence.why.get("pin") else ""
        out.print(f"{rank:>2}. {evidence.kind}  {where}  {head}{pinned}", markup=False, style="cyan")
        out.print(f"    {shortened(evidence.text, 320)}", markup=False)


# --- a conversation kept in a file, so that a question can go on from the one before


def read_session(path: Path | None) -> list[Message]:
    """The messages of a session file, oldest first; none where there is no file yet. Raises UsageError."""
    from ..models.language import Message

    if path is None or not path.exists():
        return []
    try:
        return [Message(turn["role"], str(turn["content"])) for turn in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError("is no session file", where=str(path), hint="Name another file, or delete it") from error


def write_session(path: Path | None, messages: Sequence[Message]) -> None:
    """Keep the messages; nothing without a file. The file is replaced whole, so that it is never half written."""
    if path is None:
        return
    turns = [{"role": message.role, "content": message.content} for message in messages]
    waiting = path.with_name(f"{path.name}.new")
    waiting.write_text(json.dumps(turns, ensure_ascii=False, indent=1), encoding="utf-8")
    waiting.replace(path)


def session_name(path: Path | None) -> str:
    """The session that a file stands for, in the log of use; without a file one that is new."""
    return stable_id("session", path.absolute()) if path else uuid4().hex


def turns_of(question: str, answer: str) -> list[Message]:
    """A question and its answer as the next two messages."""
    from ..models.language import Message

    return [Message("user", question), Message("assistant", answer)]

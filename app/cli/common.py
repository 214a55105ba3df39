"""What every command shares: --workspace, --json, honest exit codes, a clear line for an error, a safe terminal."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..core.errors import CliqueRAGError, UsageError
from ..core.records import dataclass

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console
    from rich.progress import Progress, TaskID
    from rich.segment import Segment

    from ..workspace import Workspace

FAILED, WRONG_USE = 1, 2
_SECONDS_BETWEEN_LINES = 30.0
_SCOPE = "scope_"
"""Begins the names of the options that make up a scope."""
Function = TypeVar("Function", bound=Callable[..., Any])
_WORKSPACE = click.option(
    "--workspace", metavar="URL", help="Or a file (name.db). Default: CLIQUERAG_WORKSPACE, then sqlite:///cliquerag.db."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")


class _NamedOption(click.Option):
    """An option whose help lists the names there are; they are looked up only when it is shown: that imports much."""

    def __init__(self, *args: Any, names: Callable[[], Sequence[str]], note: str = "", **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._names = names
        self._note = note

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        *names, last = self._names()
        self.help = f"{', '.join(names)} or {last}.{self._note}"
        return super().get_help_record(ctx)


def chunker_option(**attributes: Any) -> Callable[[Function], Function]:
    """``--chunker NAME``."""

    def names() -> Sequence[str]:
        from ..ingest.chunkers import chunker_names

        return chunker_names()

    return click.option("--chunker", cls=_NamedOption, names=names, **attributes)


def index_options(command: Function) -> Function:
    """``--index-text`` and ``--chunk-vectors``."""

    def texts() -> Sequence[str]:
        from ..ingest.index_text.options import index_texts

        return index_texts()

    def vectors() -> Sequence[str]:
        from ..ingest.index_text.options import chunk_vectors

        return chunk_vectors()

    command = click.option("--chunk-vectors", cls=_NamedOption, names=vectors, note=" A share may follow: late:0.3.")(
        command
    )
    return click.option(
        "--index-text", cls=_NamedOption, names=texts, note=' What is searched, never what is cited; "+" joins several.'
    )(command)


def hint_options(command: Function) -> Function:
    """``--company``, ``--period``, ``--kind`` and ``--published``: what is known of a document before it is read."""
    options = (
        click.option("--company", multiple=True, help="Whom it is about; found in the document otherwise."),
        click.option("--period", help="Its period (FY2023, Q2 2024)."),
        click.option("--kind", help="What it is (10-K, earnings call ...)."),
        click.option("--published", help="Its date, YYYY-MM-DD."),
    )
    for option in reversed(options):  # the last one applied is shown first
        command = option(command)
    return command


def mode_option(**attributes: Any) -> Callable[[Function], Function]:
    """``--mode NAME``."""

    def names() -> Sequence[str]:
        from ..retrieval.search.modes import mode_names
        from ..settings import Settings

        return [f"{name} (default)" if name == Settings().mode else name for name in mode_names()]

    return click.option("--mode", cls=_NamedOption, names=names, **attributes)


CHECKED_BY = click.option(
    "--checked-by", metavar="WHO", help="Who judges a model's sentences: rules (default), model or model:NAME."
)


@dataclass(slots=True)
class Face:
    """How one call of a command talks to its user."""

    url: str | None = None
    as_json: bool = False
    failed: bool = False
    """Set by a command that did part of its work: the exit code will be 1."""

    @contextmanager
    def workspace(self, *, create: bool = False, **settings: Any) -> Iterator[Workspace]:
        """The workspace that the user named; one that is not there is made only by what adds to it."""
        from ..workspace import Workspace

        with Workspace(self.url, create=create, **settings) as workspace:
            yield workspace

    def show(self, data: Any, render: Callable[[Console], None]) -> None:
        """The result: one JSON document, or whatever ``render`` prints for people."""
        if self.as_json:
            echo_json(data)
        else:
            render(console())

    def say(self, text: str) -> None:
        """A remark, on standard error."""
        echo(text, err=True)


def echo(text: str = "", **options: Any) -> None:
    """As ``click.echo``, of texts that documents may have written."""
    click.echo(for_terminal(text), **options)


def echo_json(data: Any, indent: int | None = 2) -> None:
    """One JSON document on standard output; letters that its encoding does not have are escaped."""
    from ..core.plain import as_plain

    plain = as_plain(data)
    text = json.dumps(plain, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(plain, indent=indent)
    click.echo(COMMANDS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text))


def console(stderr: bool = False) -> Console:
    """A terminal that wraps at its own width, and at 110 columns when piped.

    It prints texts of documents as letters: its own colours are the only commands that reach the terminal.
    """
    from rich.console import Console

    class SafeConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=for_terminal(segment.text))

    stream = sys.stderr if stderr else sys.stdout
    return SafeConsole(stderr=stderr, highlight=False, width=None if stream.isatty() else 110)


@contextmanager
def bar_of_documents(doing: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    """A bar that counts documents, with the time that is left; ``total=None`` where it is not known yet."""
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        if bar.console.is_terminal:
            yield bar, task
        else:
            with _told_in_lines(bar, task):
                yield bar, task


@contextmanager
def _told_in_lines(bar: Progress, task: TaskID) -> Iterator[None]:
    """Where nobody watches a bar, in a log or a pipe: how far it is, in a line every half minute."""
    done = Event()

    def tell() -> None:
        while not done.wait(_SECONDS_BETWEEN_LINES):
            at = bar.tasks[task]
            of = "" if at.total is None else f" of {at.total:.0f}"
            left = "" if at.time_remaining is None else f", {timedelta(seconds=int(at.time_remaining))} left"
            bar.console.print(f"{int(at.completed)}{of} done{left}  {at.description}", markup=False)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def lines(texts: Iterable[str]) -> Callable[[Console], None]:
    """A renderer that prints each text on its own line, as it is."""

    def render(out: Console) -> None:
        for text in texts:
            out.print(text, markup=False)

    return render


def counted(count: int, things: str) -> str:
    """ "1 page", "2 pages"; empty for none.

    >>> counted(1, "pages"), counted(2, "pages"), counted(0, "pages")
    ('1 page', '2 pages', '')
    """
    return f"{count} {things if count > 1 else things[:-1]}" if count else ""


def command(*parameters: Callable[[Any], Any], **options: Any) -> Callable[[Callable[..., None]], click.Command]:
    """A click command with --workspace and --json whose function takes a Face first."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def run(workspace: str | None, as_json: bool, **arguments: Any) -> None:
            face = Face(workspace, as_json)
            with reported_errors(face):
                function(face, **_with_scope(arguments))
            if face.failed:
                sys.exit(FAILED)

        wrapped: Any = run
        for parameter in reversed((*parameters, _WORKSPACE, _JSON)):
            wrapped = parameter(wrapped)
        made: click.Command = click.command(**options)(wrapped)
        return made

    return decorate


@contextmanager
def reported_errors(face: Face) -> Iterator[None]:
    """A user's error is one line on standard error (and JSON where asked) and an exit code of 1, or 2 for wrong use."""
    try:
        yield
    except CliqueRAGError as error:
        report_error(error, face.as_json)
        sys.exit(WRONG_USE if isinstance(error, UsageError) else FAILED)
    except KeyboardInterrupt:
        hint = "What was stored before stays; the same command goes on from there"
        report_error(CliqueRAGError("interrupted", hint=hint), face.as_json)
        sys.exit(FAILED)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # a file or folder that cannot be written or read
        where = str(error.filename or "")
        report_error(CliqueRAGError(error.strerror or str(error), where=where, hint="Check the path"), face.as_json)
        sys.exit(FAILED)
    except Exception as error:  # ours: the traceback is for who mends it
        if face.as_json:
            echo_error(CliqueRAGError(f"an error in CliqueRAG ({type(error).__name__}: {error})"))
        raise


def report_error(error: CliqueRAGError, as_json: bool) -> None:
    """One line on standard error; where asked, the same as the one JSON document on standard output."""
    if as_json:
        echo_error(error)
    echo(f"Error: {error}", err=True)


def echo_error(error: CliqueRAGError) -> None:
    """An error as the one JSON document."""
    echo_json({"error": {"what": error.what, "where": error.where, "hint": error.hint}}, indent=None)


def as_of_option(function: Function, name: str = "as_of") -> Function:
    """--as-of, as the day that it names."""
    text = "Only what was published by this day (2024-03-31)."
    return click.option("--as-of", name, metavar="DATE", callback=_day, help=text)(function)


def _day(_context: click.Context, _parameter: click.Parameter, text: str | None) -> date | None:
    from datetime import date

    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a day such as 2024-03-31") from None


def scope_options(function: Function) -> Function:
    """--company, --period, --kind and --source, each as often as needed, and --as-of: the command gets a ``scope``."""
    function = as_of_option(function, f"{_SCOPE}as_of")
    for name, field, text in (
        ("source", "sources", "Only this document; repeat for several."),
        ("kind", "kinds", "Only this kind of document (10-K, earnings call ...)."),
        ("period", "periods", "Only this period (FY2023, Q2 2024, 2019-2021)."),
        ("company", "companies", "Only this company; repeat for several."),
    ):
        function = click.option(f"--{name}", f"{_SCOPE}{field}", multiple=True, help=text)(function)
    return function


def _with_scope(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the scope that the options name; None where they name nothing: the question says it."""
    given = {key.removeprefix(_SCOPE): value for key, value in arguments.items() if key.startswith(_SCOPE)}
    if not given:
        return arguments
    from ..core.scope import Scope

    others = {key: value for key, value in arguments.items() if not key.startswith(_SCOPE)}
    try:
        return {**others, "scope": Scope(**given) if any(given.values()) else None}
    except ValueError as error:
        raise UsageError(str(error), where="--period") from error


COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tabs and line ends, and those that turn the direction of writing round."""


def for_terminal(text: str) -> str:
    """The text as it may be printed: an escape sequence in it would rename the window, colour or clear the rest.

    >>> for_terminal("Acme\\x1b[2J rose")
    'Acme�[2J rose'
    """
    return COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text)

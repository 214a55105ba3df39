"""Questions answered by several processes on one workspace: each has it open by itself, one gives the questions out.

Answering is Python from end to end, so that threads of one process take turns; processes work side by side.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import CliqueRAGError, DocumentError, ModelError, StoreError, UsageError
from ..core.process import end_with_parent
from ..core.records import dataclass
from ..settings import Settings

if TYPE_CHECKING:
    from ..core.scope import Scope
    from ..models.language import Budget, Message
    from ..retrieval.search.context_expansion import Parent
    from ..retrieval.search.evidence import Answer
    from ..workspace import Workspace

_TAKEN, _PIECE, _DONE, _REFUSED, _BROKEN = "taken", "piece", "done", "refused", "broken"
_KINDS = (UsageError, DocumentError, StoreError, ModelError, CliqueRAGError)
"""Errors as they cross from one process to another; the narrower ones, which add nothing but a name, do not."""
_PATIENCE = 5.0
"""Seconds in which a process has to end when it is told to."""
_LOOK_UP = 1.0
"""Seconds after which a question that waits looks whether all is being ended."""
_log = logging.getLogger(__name__)


class Answering(Protocol):
    """What answers questions: a workspace, or several processes that have it open."""

    def ask(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        history: Sequence[Message] = (),
        parent: Parent | None = None,
        session: str = "",
    ) -> Answer:
        """As :meth:`.Workspace.ask`."""

    def stream(
        self,
        question: str,
        mode: str | None = None,
        scope: Scope | None = None,
        *,
        history: Sequence[Message] = (),
        session: str = "",
        answer_id: str = "",
        checked_by: str | None = None,
    ) -> Iterator[str | Answer]:
        """As :meth:`.Workspace.stream`."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A call of one of the workspace's methods."""

    method: str
    arguments: tuple[Any, ...]
    named: Mapping[str, Any]


class AnsweringProcesses:
    """``count`` processes, each with the workspace of these settings open, each answering one question at a time.

    A question waits until one of them is free. What they spend on models counts in one budget. One that ends costs the
    answer that it was at, a StoreError; another takes its place.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        from ..models.language import Budget

        if settings.workspace == "sqlite://":
            raise UsageError("a workspace in memory is no other process's", where="--processes", hint="Name a file")
        self.count = count
        self._settings = settings
        self._budget = Budget.across_processes(settings.max_cost) if settings.max_cost else None
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_open = True
        self._all: set[_Process] = set()
        for _ in range(count):
            self._start_one()

    @property
    def alive(self) -> int:
        """How many of them can answer."""
        with self._lock:
            return sum(process.is_alive for process in self._all)

    def ask(self, question: str, mode: str | None = None, scope: Scope | None = None, **named: Any) -> Answer:
        """As :meth:`.Workspace.ask`, by the next process that is free."""
        answer: Answer
        (answer,) = self._answers(_Request("ask", (question, mode, scope), named))
        return answer

    def stream(
        self, question: str, mode: str | None = None, scope: Scope | None = None, **named: Any
    ) -> Iterator[str | Answer]:
        """As :meth:`.Workspace.stream`, by the next process that is free."""
        return self._answers(_Request("stream", (question, mode, scope), named))

    def close(self) -> None:
        """End them all, with what they are at."""
        with self._lock:
            self._is_open = False
            ending, self._all = self._all, set()
        for process in ending:
            process.end()

    def _answers(self, request: _Request) -> Iterator[Any]:
        while True:
            with suppress(_NotTakenError):  # it had ended before, and nobody had noticed
                yield from self._answers_of(self._next_idle(), request)
                return

    def _answers_of(self, process: _Process, request: _Request) -> Iterator[Any]:
        try:
            yield from process.answers(request)
        finally:
            if process.is_answering:  # nobody listens to the rest of a stream: it is heard to its end all the same
                threading.Thread(target=self._hear_out, args=(process,), daemon=True).start()
            else:
                self._take_back(process)

    def _next_idle(self) -> _Process:
        while self._is_open:
            with suppress(Empty):
                process = self._idle.get(timeout=_LOOK_UP)
                if process.is_alive:
                    return process
                self._replace(process)
        raise StoreError("the processes that answer are being ended")

    def _hear_out(self, process: _Process) -> None:
        process.hear_out()
        self._take_back(process)

    def _take_back(self, process: _Process) -> None:
        if process.is_alive:
            self._idle.put(process)
        else:
            self._replace(process)

    def _replace(self, process: _Process) -> None:
        with self._lock:
            self._all.discard(process)
        process.end()
        self._start_one()

    def _start_one(self) -> None:
        with self._lock:
            if not self._is_open:
                return
            process = _Process(self._settings, self._budget)
            self._all.add(process)
        self._idle.put(process)


class _NotTakenError(Exception):
    """The process has ended before it took the question: another one can answer it, and nothing is paid twice."""


class _Process:
    """One process, from the side of the one that started it."""

    def __init__(self, settings: Settings, budget: Budget | None) -> None:
        context = get_context("spawn")  # libraries with threads of their own do not survive a fork
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_answer_questions, args=(theirs, settings, budget), daemon=True)
        self._process.start()
        theirs.close()
        self.is_answering = False
        self._is_lost = False

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive() and not self._is_lost

    def answers(self, request: _Request) -> Iterator[Any]:
        """What the call gives, piece by piece. Raises its errors, and StoreError where the process ends."""
        try:
            self._connection.send(request)
            self._connection.recv()
        except (EOFError, OSError) as error:
            self._is_lost = True
            raise _NotTakenError from error
        self.is_answering = True
        try:
            while True:
                kind, said = self._connection.recv()
                if kind != _PIECE:
                    break
                yield said
        except (EOFError, OSError) as error:
            self._is_lost, self.is_answering = True, False
            raise StoreError("the process that was answering has ended", hint="Ask again") from error
        self.is_answering = False
        if kind == _REFUSED:
            raise _error_of(said)
        if kind == _BROKEN:
            raise RuntimeError(said)

    def hear_out(self) -> None:
        """Receive the rest of an answer that nobody listens to any more."""
        try:
            while self._connection.recv()[0] == _PIECE:
                pass
        except (EOFError, OSError):
            self._is_lost = True
        self.is_answering = False

    def end(self) -> None:
        """End it, by force where it does not at once."""
        self._connection.close()
        self._process.join(0.1 if self.is_answering else _PATIENCE)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(_PATIENCE)


def _error_of(said: tuple[str, str, str, str]) -> CliqueRAGError:
    name, what, where, hint = said
    kind = next(kind for kind in _KINDS if kind.__name__ == name)
    return kind(what, where=where, hint=hint)


# --- in the processes


def _answer_questions(connection: Connection, settings: Settings, budget: Budget | None) -> None:
    """Answer one question after another, until the connection is closed."""
    from ..workspace import Workspace

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started this: it closes the connection
    end_with_parent()
    with Workspace(create=False, **asdict(settings)) as workspace:
        if budget:
            workspace.components.budget = budget
        _warm(workspace)
        with suppress(EOFError, OSError):
            while True:
                request = connection.recv()
                connection.send((_TAKEN, None))
                _answer(workspace, connection, request)


def _warm(workspace: Workspace) -> None:
    """Load what the first question would wait for; it will say what is wrong."""
    with suppress(CliqueRAGError):
        if workspace.documents():
            workspace.search("revenue", k=1)


def _answer(workspace: Workspace, connection: Connection, request: _Request) -> None:
    try:
        made = getattr(workspace, request.method)(*request.arguments, **request.named)
        for piece in made if request.method == "stream" else (made,):
            connection.send((_PIECE, piece))
        connection.send((_DONE, None))
    except CliqueRAGError as error:
        kind = next(kind for kind in _KINDS if isinstance(error, kind))
        connection.send((_REFUSED, (kind.__name__, error.what, error.where, error.hint)))
    except OSError:  # nobody is there any more
        raise
    except Exception as error:  # one question must not cost the others their process
        _log.exception("a question could not be answered")
        connection.send((_BROKEN, f"{type(error).__name__}: {error}"))

"""Questions on their way: each answered in a thread, its pieces kept for whoever listens."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import TYPE_CHECKING

from ..core.errors import CliqueRAGError, UsageError
from ..core.records import dataclass
from ..core.scope import Scope
from ..models.language import Message
from ..querying import check_question
from ..retrieval.search.modes import mode_named
from .understanding import understanding

if TYPE_CHECKING:
    from ..serving.processes import Answering
    from ..workspace import Workspace
    from .notebook import Notebook, Options, Turn

_AT_ONCE = 4
"""Questions answered side by side; the others wait: each takes a processor while it searches."""
_REMEMBERED = 6
"""Turns before a question that it may go on from."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Telling:
    """An answer as it comes. Written by the thread that answers, read by any number of pages."""

    pieces: list[str] = field(default_factory=list)
    done: bool = False


class Asking:
    """Answers the questions of all pages of a desk."""

    def __init__(self, workspace: Workspace, notebook: Notebook, answering: Answering) -> None:
        self._workspace = workspace
        self._answering = answering
        self._notebook = notebook
        at_once = max(_AT_ONCE, getattr(answering, "count", 1))
        self._threads = ThreadPoolExecutor(at_once, "asking")
        self._lock = threading.Lock()
        self._telling: dict[str, Telling] = {}

    def begin(self, question: str, options: Options, conversation: str = "", *, stands_alone: bool = False) -> Turn:
        """Take a question and start to answer it. Raises UsageError for what is none.

        One that ``stands_alone`` is not completed from the conversation: what was taken off it stays off.
        """
        check_question(question)
        scope_of(options)
        if options.mode:
            mode_named(options.mode)
        history = [] if stands_alone else self.history(conversation)
        turn = self._notebook.begin(conversation, question, options)
        telling = Telling()
        with self._lock:
            self._telling[turn.id] = telling
        self._threads.submit(self._answer, turn, telling, history)
        return turn

    def telling(self, turn: str) -> Telling | None:
        """The answer that is under way; None where it is not, or not any more."""
        with self._lock:
            return self._telling.get(turn)

    def history(self, conversation: str) -> list[Message]:
        """The conversation so far as messages, oldest first."""
        messages: list[Message] = []
        for turn in self._notebook.turns(conversation)[-_REMEMBERED:] if conversation else ():
            if turn.answer:
                messages += [Message("user", turn.question), Message("assistant", turn.answer.text)]
        return messages

    def close(self) -> None:
        """Finish what is under way, take nothing more."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _answer(self, turn: Turn, telling: Telling, history: list[Message]) -> None:
        try:
            scope = scope_of(turn.options)
            answer = None
            pieces = self._answering.stream(
                turn.question,
                turn.options.mode or None,
                scope,
                history=history,
                session=turn.conversation,
                answer_id=turn.id,
                checked_by=turn.options.checked_by or None,
            )
            for piece in pieces:
                if isinstance(piece, str):
                    telling.pieces.append(piece)
                else:
                    answer = piece
            assert answer is not None, "a stream ends with its answer"
            self._notebook.keep_answer(
                turn.id, answer, understanding(self._workspace, turn.question, turn.options, answer, scope)
            )
        except CliqueRAGError as error:
            self._notebook.keep_error(turn.id, str(error))
        except Exception as error:  # the thread ends here: the page has to hear of it
            _log.exception("a question could not be answered")
            self._notebook.keep_error(turn.id, f"an error in CliqueRAG ({type(error).__name__}: {error})")
        finally:
            telling.done = True
            with self._lock:
                self._telling.pop(turn.id, None)


def scope_of(options: Options) -> Scope | None:
    """What the options restrict a search to; None leaves it to the question. Raises UsageError for a wrong period."""
    given = (options.companies, options.periods, options.kinds, options.sources)
    if not any(given):
        return Scope.all() if options.everything else None
    try:
        return Scope(options.companies, options.periods, options.kinds, options.sources)  # type: ignore[arg-type]
    except ValueError as error:
        raise UsageError(str(error), where="period") from error

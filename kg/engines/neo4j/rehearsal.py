"""The plans of a write, made behind whoever opens a store to write.

A server that has just started takes five seconds of a processor for them, and the first document is read meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from .connection import Change, Graph


class Rehearsal:
    """A thread that runs the statements of a write with values of nothing, once."""

    def __init__(self, graph: Graph, statements: Sequence[Change]) -> None:
        self._graph, self._statements = graph, statements
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Returns at once."""
        self._thread = threading.Thread(target=self._run, name="cliquerag-plans", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until the server has all plans: a write that runs beside would have them made twice."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End after the statement that runs: the connection must not be closed under it."""
        self._ended.set()
        self.join()

    def _run(self) -> None:
        self._graph.rehearse(self._wanted())

    def _wanted(self) -> Iterator[Change]:
        for statement in self._statements:
            if not self._ended.is_set():
                yield statement

"""Work on many documents by several processes, of which any may be lost without costing more than what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any, Generic, TypeVar

from ..core.process import end_with_parent

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 2
"""Tasks under way for each process: enough to keep it busy, few enough to bound memory."""


@dataclass(frozen=True, slots=True)
class Pool(Generic[Task, Result]):
    """Processes that do ``work`` after each has run ``start`` with ``given``; both are functions of a module."""

    processes: int
    work: Callable[[Task], Result]
    lost: Callable[[Task], Result]
    """What stands for the result of a task that ends every process it is given to."""
    start: Callable[..., None]
    given: Sequence[Any] = ()

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Results in the order in which they are done; what ``work`` raises ends it.

        When a process dies (a library that crashes on a file, the memory that ran out), each task that was under way
        is tried once more, alone: the one that is to blame is told, and the others are done.
        """
        waiting = iter(tasks)
        while True:
            broken = yield from self._until_broken(waiting)
            if broken is None:
                return
            for task in broken:
                yield from self._alone(task)

    def _until_broken(self, waiting: Iterator[Task]) -> Any:
        """Results until the tasks end, then None; or the tasks that were under way when a process died."""
        running: dict[Future[Result], Task] = {}
        with self._executor(self.processes) as executor:
            try:
                while True:
                    for task in islice(waiting, AHEAD * self.processes - len(running)):
                        running[_submitted(executor, self.work, task)] = task
                    if not running:
                        return None
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        del running[future]
                        yield result
            except BrokenExecutor:
                return list(running.values())

    def _alone(self, task: Task) -> Iterator[Result]:
        with self._executor(1) as executor:
            try:
                result = executor.submit(self.work, task).result()
            except BrokenExecutor:
                result = self.lost(task)
        yield result

    def _executor(self, processes: int) -> ProcessPoolExecutor:
        # PDF libraries are not safe to fork with open files, nor to share between threads.
        return ProcessPoolExecutor(processes, get_context("spawn"), _start, (self.start, *self.given))


def _submitted(executor: ProcessPoolExecutor, work: Callable[[Task], Result], task: Task) -> Future[Result]:
    """The task's future; one that failed already where the pool broke since."""
    try:
        return executor.submit(work, task)
    except BrokenExecutor as error:
        failed: Future[Result] = Future()
        failed.set_exception(error)
        return failed


def _start(start: Callable[..., None], *given: Any) -> None:
    end_with_parent()
    start(*given)

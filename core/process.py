"""What concerns a process as a whole: its garbage collector while much is made, and its end with its parent."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread


@contextmanager
def collector_at_rest(*, for_good: bool = False) -> Iterator[None]:
    """Python's garbage collector waits while much is made that is kept: modules and rules, the words of a file.

    Looking through it again and again takes a tenth of the processor time: of a process's first question, which loads
    modules and rules, and of reading a PDF. What is kept ``for_good`` it does not look through when it goes on, either,
    but only together with all that is old: 20 ms of that question.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            are_put_aside = gc.get_freeze_count() > 0  # by somebody who wants to keep them there
            if for_good and not are_put_aside:
                gc.freeze()
                gc.unfreeze()  # puts them among the oldest
            gc.enable()


def end_with_parent() -> None:
    """End this process, from now on, when the one that started it is gone: killed, that cannot end it itself.

    Nothing may be lost by it: only what is written by the parent alone, or in transactions, belongs in such a process.
    """
    Thread(target=_wait_for_its_end, name="end with parent", daemon=True).start()


def _wait_for_its_end() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None, "the process was started by another"
    wait([parent.sentinel])
    os._exit(1)

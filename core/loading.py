"""Making much that lasts: modules and rules as long as the process, the words of a file until it is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Python's garbage collector waits while much is made that is kept anyway.

    Looking through it again and again takes a tenth of the processor time: of a process's first question, which loads
    modules and rules, and of reading a PDF.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

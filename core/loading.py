"""Loading what lasts as long as the process: modules, rules, vocabularies."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Python's garbage collector waits while modules and rules are loaded: what they make is kept anyway.

    Looking through it again and again took a tenth of the processor time of a process's first question.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

"""Keeps numpy's matrix library to one thread while we run several of our own.

OpenBLAS splits each small product over all cores and spins while it waits for them: on a busy machine a query vector
then costs ten times its processor time. One batch a thread needs no waiting. Other libraries are left as they are.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
"""As numpy's own wheels call it: from 2.0 on, before, and where integers are short."""

_lock = threading.Lock()
_users = 0
_before = 1


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it, numpy's products run in the calling thread. Safe for several threads; the last one out restores."""
    global _users, _before
    controls = _controls()
    if controls is None:
        yield
        return
    get, put = controls
    with _lock:
        if _users == 0:
            _before = get()
            put(1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                put(_before)


def controllable() -> bool:
    """Whether :func:`one_thread` has an effect here."""
    return _controls() is not None


@cache
def _controls() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """The functions that read and set the number of threads of the OpenBLAS in numpy's wheel."""
    import numpy

    home = Path(numpy.__file__).parent
    for path in [*home.parent.glob("numpy.libs/*openblas*"), *home.glob(".dylibs/*openblas*")]:
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for name in NAMES:
            if hasattr(library, name.format("set")):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None

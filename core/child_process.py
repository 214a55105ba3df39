"""What every process does that another one of ours has started."""

from __future__ import annotations

import os
from threading import Thread


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

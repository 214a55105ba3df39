"""What a search did, for those who ask why: scope, keywords, links, ranks of each route, times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Trace:
    """Collects what a search did as plain data that JSON can hold.

    >>> trace = Trace()
    >>> trace.note("keywords", ["acme"])
    >>> trace.data
    {'keywords': ['acme']}
    """

    data: dict[str, Any] = field(default_factory=dict)

    def note(self, name: str, value: Any) -> None:
        """Keep a finding."""
        self.data[name] = value

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Keep the CPU milliseconds that a step of this thread took, the encoder's apart from the rest."""
        start = time.thread_time()
        yield
        times = self.data.setdefault("milliseconds", {})
        times[name] = round(times.get(name, 0.0) + (time.thread_time() - start) * 1000, 2)

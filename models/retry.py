"""When to ask an endpoint again: backoff with jitter, and rate limits that hold back every slot at once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 300.0
"""Seconds. An endpoint that wants a longer pause has run out of quota, and that is the user's to know."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with full jitter (Brooker 2015): uniform between 0 and ``first`` * 2**attempt seconds."""

    first: float = 1.0
    longest: float = 30.0

    def delay(self, attempt: int) -> float:
        return random.uniform(0, min(self.longest, self.first * 2**attempt))


class Gate:
    """Lets calls through, or holds all of them back until an endpoint's pause is over. Safe for several threads.

    They are let through one after another, within a tenth of the pause, so that they do not run into the next limit.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opens = 0.0

    def close_for(self, seconds: float) -> None:
        with self._lock:
            self._opens = max(self._opens, time.monotonic() + seconds)

    def wait(self) -> None:
        while (left := self._opens - time.monotonic()) > 0:
            time.sleep(left * random.uniform(1, 1.1))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks for in ``Retry-After`` (a number or a date) or ``retry-after-ms``.

    >>> retry_after({"retry-after": "2"})
    2.0
    >>> retry_after({}) is None
    True
    """
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after", "")
        if value.replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time()) if value else None
    except (TypeError, ValueError):
        return None

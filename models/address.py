"""An endpoint as settings name it: the model's name there, the address, the credentials that stood in it; how
long a call may take, how much may come back, and how long one waits that asks for patience.
"""

from __future__ import annotations

import math
import os
import random
import threading
import time
from collections.abc import Mapping
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ..core.errors import UsageError
from ..core.records import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """``url`` is without user and password, so that no log and no error has them; ``auth`` is what stood in it.

    An empty ``url`` is openai's own.
    """

    model: str
    url: str
    auth: tuple[str, str] | None = None

    def __str__(self) -> str:
        return f"{self.model} at {self.url or 'api.openai.com'}"


def split_setting(setting: str) -> tuple[str, str]:
    """``MODEL@URL`` as (model, URL); the URL is empty where there is none. A model's name may have an @ of its own.

    >>> split_setting("@cf/baai/bge-m3@https://ann:secret@host/v1")
    ('@cf/baai/bge-m3', 'https://ann:secret@host/v1')
    """
    for scheme in ("@http://", "@https://"):
        model, found, rest = setting.partition(scheme)
        if found:
            return model, scheme[1:] + rest
    return setting, ""


def model_setting(model: str | None) -> str:
    """The language model that was given, else that of ``CLIQUERAG_MODEL``; "" where none is wanted."""
    return model or os.environ.get("CLIQUERAG_MODEL", "")


def read_address(model: str, url: str) -> Address:
    """The address of an endpoint; an empty URL is openai's own. Raises UsageError where the URL is none."""
    if not url:
        return Address(model, "")
    try:
        parts = _parts(url)
    except ValueError as error:
        hint = "Write http://HOST:PORT/v1 or https://HOST/v1"
        raise UsageError(f"this is no address: {error}", where=f"{model}@{url}", hint=hint) from None
    userinfo, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(model, url)
    user, _, password = userinfo.partition(":")
    plain = parts._replace(netloc=host)
    auth = unquote(user), unquote(password)
    return Address(model, urlunsplit(plain), auth)


def read_key(*variables: str) -> str:
    """The key in the first of these environment variables that is set; empty for none.

    Raises:
        UsageError: no request can carry it.
    """
    names = (name for name in variables if os.environ.get(name))
    name = next(names, "")
    key = os.environ.get(name, "").strip()
    if key.isascii() and key.isprintable():
        return key
    raise UsageError("this is no key", where=name, hint="There are characters in it that no key has")


def _parts(url: str) -> SplitResult:
    """Raises ValueError, with the reason."""
    if " " in url or not url.isprintable():
        raise ValueError("there is a space in it")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise ValueError("it begins with neither http:// nor https://")
    if not parts.hostname:
        raise ValueError("it names no host")
    if parts.port == 0:  # reading the port raises where it is no number
        raise ValueError("there is no port 0")
    return parts


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one call to a model. Raises UsageError where one is not above zero."""

    timeout: float = 300.0
    """Seconds in all, with every attempt and every wait: large models think for minutes, rate limits last one."""
    max_reply_mb: float = 32.0
    """Megabytes of a reply: three times those of the largest we ask for, 128 vectors of 4,096 numbers."""

    def __post_init__(self) -> None:
        for name in ("timeout", "max_reply_mb"):
            value = getattr(self, name)
            if not value > 0:
                raise UsageError(f"{name} must be above 0, not {value}", hint="Seconds, and megabytes")


PAUSE = 0.5
"""Seconds where an endpoint does not say how long: the first wait of openai's own backoff."""


class Gate:
    """Lets calls through, or holds all of them back until an endpoint's pause is over. Safe for several threads.

    They are let through one after another, within a tenth of the pause, so that they do not run into the next limit.
    Measured on top of openai's eight retries, eight threads at a server that takes one call a second and says
    Retry-After: with the gate 47 calls were refused and all 24 answered, without it 126 were refused and 6 never
    answered. At 10 calls a second 16 were refused instead of 40, in the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opens = 0.0

    def close_for(self, seconds: float) -> None:
        with self._lock:
            self._opens = max(self._opens, time.monotonic() + seconds)

    def wait(self, ends: float) -> None:
        """Until the gate opens, at most until ``ends`` (of ``time.monotonic``)."""
        while (now := time.monotonic()) < min(self._opens, ends):
            pause = (self._opens - now) * random.uniform(1, 1.1)
            time.sleep(min(pause, ends - now))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks for in ``retry-after-ms`` or ``Retry-After`` (a number or a date).

    >>> retry_after({"retry-after": "2"})
    2.0
    >>> retry_after({"retry-after": "nan"}) is None
    True
    """
    try:
        if "retry-after-ms" in headers:
            seconds = float(headers["retry-after-ms"]) / 1000
        else:
            seconds = _seconds(headers.get("retry-after", ""))
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isnan(seconds) else max(0.0, seconds)


def _seconds(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        from email.utils import parsedate_to_datetime

        return parsedate_to_datetime(value).timestamp() - time.time()

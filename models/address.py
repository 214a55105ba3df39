"""Where an endpoint is: the model's name there, the address, and the credentials that stood in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ..core.errors import UsageError


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

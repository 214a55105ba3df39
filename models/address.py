"""Where an endpoint is: the model's name there, the address, and the credentials that stood in it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

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
    """Raises UsageError where the URL is none."""
    if not url:
        return Address(model, "")
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname)
        named = named and parts.port != 0  # reading a port that is no number raises
    except ValueError:
        named = False
    if not named or not url.isprintable() or " " in url:
        raise UsageError("this is no address", where=f"{model}@{url}", hint="Write http://HOST:PORT/v1 or https://...")
    userinfo, at, host = parts.netloc.rpartition("@")
    if not at:
        return Address(model, url)
    user, _, password = userinfo.partition(":")
    return Address(model, urlunsplit(parts._replace(netloc=host)), (unquote(user), unquote(password)))

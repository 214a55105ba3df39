"""Errors that a user can cause, each of which says what was wrong, where, and what to do about it; and what must
not be printed in them: credentials in addresses, and keys.
"""

from __future__ import annotations

import os
import re

_USERINFO = re.compile(r"(://)[^\s/?#]*@")
_PARAMETER = re.compile(r"([?&](?:api[-_]?key|key|token|access_token|password)=)[^\s&#]+", re.IGNORECASE)
_KEYS = ("OPENAI_API_KEY", "RERANK_API_KEY")
_SHORTEST = 8
"""Characters: what is shorter ("none", "ollama") is no secret but a word, and is left in sentences."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\"'<>]{1,2000}(?<![.,:;)])")
_HOST_AND_PORT = re.compile(
    r"(?<![\w.-])(?:localhost|\[[0-9A-Fa-f:]{2,39}\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?![\w])"
)


def without_addresses(text: str) -> str:
    """The text without the addresses in it, for those who are served: what is behind a server is not their business.

    >>> without_addresses("http://10.0.0.5:8000/v1: no answer from 10.0.0.5:8000")
    'the endpoint: no answer from the endpoint'
    """
    text = _ADDRESS.sub("the endpoint", text)
    return _HOST_AND_PORT.sub("the endpoint", text)


def without_credentials(text: str) -> str:
    """The text with ``***`` for what opens a door: user and password of an address, its key parameters, our keys.

    A key is found by its beginning, for endpoints quote a key with its end starred out.

    >>> without_credentials("endpoint:bge@http://ann:secret@host/v1")
    'endpoint:bge@http://***@host/v1'
    """
    text = _USERINFO.sub(r"\1***@", text)
    text = _PARAMETER.sub(r"\1***", text)
    for name in _KEYS:
        key = os.environ.get(name, "")
        if len(key) >= _SHORTEST:
            text = re.sub(re.escape(key[:_SHORTEST]) + r"[^\s\"',]*", "***", text)
    return text


class CliqueRAGError(Exception):
    """Base of every error that is reported to the user as one clear line, never as a traceback.

    Credentials and keys are cut out of it, wherever it was raised.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = without_credentials(what), without_credentials(where), hint
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}. {self.hint}" if self.hint else text


class UsageError(CliqueRAGError):
    """A wrong argument, option or setting (exit code 2)."""


class DocumentError(CliqueRAGError):
    """A document that cannot be read: missing, empty, encrypted, truncated, without text."""


class StoreError(CliqueRAGError):
    """A workspace that cannot be opened, read or written."""


class ModelError(CliqueRAGError):
    """A language or embedding model that is absent, unreachable or answers nonsense."""

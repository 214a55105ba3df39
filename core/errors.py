"""Errors that a user can cause. Each says what was wrong, where, and what to do about it."""

from __future__ import annotations

from .redaction import without_credentials


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

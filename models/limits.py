"""How long a call to an endpoint may take, and how much may come back: an endpoint is not trusted to stop by itself."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.errors import UsageError


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

"""Extraction without a model: names by spelling and word lists, relations by patterns kept as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .extractor import RulesExtractor, guess_language

__all__ = ["RulesExtractor", "guess_language"]


def __getattr__(name: str) -> Any:
    """Load the extractor when it is asked for: a question needs one of the files beside it alone."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import extractor

    return getattr(extractor, name)

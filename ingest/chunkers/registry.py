"""Finds a chunker by its name, with its options checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from ...core.errors import UsageError
from ..chunk import Chunker

_OURS = ("auto", "clique", "fixed", "recursive", "semantic", "structure", "length")
_CHUNKERS: dict[str, Callable[..., Chunker]] = {}
_Factory = TypeVar("_Factory", bound=Callable[..., Chunker])


def register(name: str) -> Callable[[_Factory], _Factory]:
    """Class decorator: makes a chunker known under a name, for ``chunk(text, chunker=name)`` and all settings.

    >>> from cliquerag.ingest.chunk import Span
    >>> @register("whole")
    ... class Whole:
    ...     def chunk(self, text, sentences, vectors):
    ...         return [Span(0, len(sentences))] if sentences else []
    >>> make_chunker("whole").chunk("", [], None)
    []
    """

    def add(factory: _Factory) -> _Factory:
        _CHUNKERS[name] = factory
        return factory

    return add


def chunker_names() -> list[str]:
    """All known names, ours first."""
    return [*_OURS, *sorted(set(_CHUNKERS) - set(_OURS))]


def make_chunker(name: str = "clique", **options: Any) -> Chunker:
    """The chunker of that name; ``options`` are the fields of its class.

    Raises:
        UsageError: no chunker of that name, or an option it does not have or cannot use.

    >>> make_chunker("fixed", target=100)
    FixedChunker(target=100, overlap=0)
    """
    if name not in _CHUNKERS and name in _OURS:
        import_module(f".{name}", __package__)
    factory = _CHUNKERS.get(name)
    if factory is None:
        raise UsageError("no such chunker", where=name, hint=f"Known are {', '.join(chunker_names())}")
    try:
        return factory(**options)
    except (TypeError, ValueError) as error:
        known = ", ".join(f.name for f in fields(factory)) if is_dataclass(factory) else ""
        raise UsageError(
            f"cannot use these options: {error}",
            where=f"chunker {name}",
            hint=f"Its options are {known}" if known else "",
        ) from error

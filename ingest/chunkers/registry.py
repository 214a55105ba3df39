"""Finds a chunker by its name, with its options checked. Every module of this package registers its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from ...core.errors import UsageError
from ..chunk import Chunker

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
    """All known names, in alphabetical order."""
    _load_chunkers()
    return sorted(_CHUNKERS)


def make_chunker(name: str = "clique", **options: Any) -> Chunker:
    """The chunker of that name; ``options`` are the fields of its class.

    Raises:
        UsageError: no chunker of that name, or an option it does not have or cannot use.

    >>> make_chunker("fixed", target=100)
    FixedChunker(target=100, overlap=0)
    """
    _load_chunkers()
    factory = _CHUNKERS.get(name)
    if factory is None:
        raise UsageError("no such chunker", where=name, hint=f"Known are {', '.join(chunker_names())}")
    try:
        return factory(**options)
    except (TypeError, ValueError) as error:
        hint = f"Its options are {', '.join(_options(factory))}" if is_dataclass(factory) else ""
        raise UsageError(f"cannot use these options: {error}", where=f"chunker {name}", hint=hint) from error


def _options(factory: Any) -> list[str]:
    return [field.name for field in fields(factory)]


@cache
def _load_chunkers() -> None:
    """Import every module of this package: each registers its chunker."""
    package = import_module(__package__)
    for module in iter_modules(package.__path__):
        import_module(f"{__package__}.{module.name}")

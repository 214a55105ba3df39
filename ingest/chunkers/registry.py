"""Finds a chunker by its name, with its options checked, or by the kind of document.

Every module of this package registers its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.errors import UsageError
from ...core.records import dataclass
from ...core.rules import load_rules
from ..chunk import Chunker, Sentence, Span

if TYPE_CHECKING:
    import numpy as np

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


def chunker_for(kind: str) -> Chunker:
    """The chunker of ``kinds.toml`` for a kind of document.

    >>> chunker_for("earnings call").target, chunker_for("10-K").target
    (60, 85)
    """
    table = load_rules(__package__, "kinds.toml")
    options = dict(table["kinds"].get(kind, table["default"]))
    return make_chunker(options.pop("chunker"), **options)


@register("auto")
@dataclass(frozen=True, slots=True)
class AutoChunker:
    """Leaves the choice to the kind of document; a text without a kind gets the default."""

    kind: str = ""

    def of(self, kind: str) -> AutoChunker:
        """For a document of that kind, unless a kind is set already."""
        return replace(self, kind=self.kind or kind)

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap."""
        return chunker_for(self.kind).chunk(text, sentences, vectors)

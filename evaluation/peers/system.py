"""An engine as the cost benchmark sees it, and those that there are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from ..ours import OURS

Text = tuple[str, str]
"""(name, text) of a document."""


class System(Protocol):
    """An index in a folder that talks to an OpenAI-compatible endpoint. Opening one that was killed continues it."""

    def add(self, documents: Sequence[Text]) -> None:
        """Index documents; on return they are kept."""

    def search(self, question: str) -> None:
        """Find evidence; keywords that a model would give are supplied where the engine asks for them."""

    def ask(self, question: str) -> None:
        """Search and answer by the model."""

    def close(self) -> None: ...


_SYSTEMS = {
    OURS: ("ours_cost", "OursSystem", ()),
    "LightRAG": ("lightrag_cost", "LightRAGSystem", ("lightrag",)),
    "nano-graphrag": ("nano_cost", "NanoSystem", ("nano_graphrag", "graspologic", "hnswlib")),
}
"""Name -> module and class here, and the packages that it needs."""


def installed() -> list[str]:
    """The systems that can run."""
    return [name for name, (*_, packages) in _SYSTEMS.items() if all(map(find_spec, packages))]


def absent() -> list[str]:
    """The systems whose packages are not installed."""
    return [name for name in _SYSTEMS if name not in installed()]


def opened(name: str, folder: Path, url: str) -> System:
    """The system on a folder of its own, talking to the endpoint."""
    module, attribute, _ = _SYSTEMS[name]
    made = getattr(import_module(f".{module}", __package__), attribute)
    return cast(System, made(folder, url))

"""CliqueRAG: question answering over financial documents with a knowledge graph.

>>> from cliquerag import Scope
>>> Scope(companies="Acme").companies
('Acme',)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .core.scope import Scope as Scope
    from .one_shot import chunk as chunk
    from .one_shot import extract as extract
    from .one_shot import tables as tables
    from .workspace import Workspace as Workspace

# Loaded on first use: importing one layer costs no more than that layer.
_MODULES = {
    "Workspace": ".workspace",
    "Scope": ".core.scope",
    "chunk": ".one_shot",
    "extract": ".one_shot",
    "tables": ".one_shot",
}
__all__ = ["Scope", "Workspace", "chunk", "extract", "tables"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'cliquerag' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)

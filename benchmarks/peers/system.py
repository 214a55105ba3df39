"""An engine as the cost benchmark sees it, and those that there are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from cliquerag.core.errors import UsageError

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
    "Microsoft GraphRAG": ("graphrag_cost", "GraphRAGSystem", ("graphrag",)),
}
"""Name -> module and class here, and the packages that it needs."""


PYTHONS = "CLIQUERAG_BENCH_PYTHONS"
"""Environment variable: interpreters of other environments, divided as in PATH. Some engines cannot share one."""


def interpreters() -> dict[str, str]:
    """Each system that can run -> the interpreter that has its packages."""
    found = dict.fromkeys(installed(), sys.executable)
    for python in filter(None, os.environ.get(PYTHONS, "").split(os.pathsep)):
        found = dict.fromkeys(_installed_for(python), python) | found
    return {name: found[name] for name in _SYSTEMS if name in found}


def installed() -> list[str]:
    """The systems that can run in this process."""
    return [name for name, (*_, packages) in _SYSTEMS.items() if all(map(find_spec, packages))]


def absent() -> list[str]:
    """The systems whose packages are nowhere."""
    return [name for name in _SYSTEMS if name not in interpreters()]


def opened(name: str, folder: Path, url: str) -> System:
    """The system on a folder of its own, talking to the endpoint."""
    module, attribute, _ = _SYSTEMS[name]
    made = getattr(import_module(f".{module}", __package__), attribute)
    return cast(System, made(folder, url))


@lru_cache
def _installed_for(python: str) -> list[str]:
    """What another interpreter has, which has to have this package too."""
    told = subprocess.run([python, "-m", __name__], capture_output=True, text=True, check=False)
    if told.returncode:
        raise UsageError(f"{PYTHONS} names an interpreter that cannot run this package", where=python)
    return list(json.loads(told.stdout))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(installed()))

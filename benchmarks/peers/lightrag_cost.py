"""LightRAG with its default storages for the cost benchmark.

Its model function shares one HTTP client; the adapter that LightRAG ships opens one a call and would cost more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cliquerag.evaluation.lightrag import LightRAGEngine

from .endpoint import model_function
from .invented import HashEmbedder
from .system import Text


class LightRAGSystem:
    """Default settings, but that similarity never leaves places of its result empty: hashed vectors are less alike."""

    def __init__(self, folder: Path, url: str) -> None:
        self._engine = LightRAGEngine(folder, HashEmbedder(), model=model_function(url), least_similarity=-1.0)

    def add(self, documents: Sequence[Text]) -> None:
        self._engine.add(documents)

    def search(self, question: str) -> None:
        self._engine.find(question, "mix", low=re.findall(r"[A-Z][a-z]+ Corp", question), high=["margins", "outlook"])

    def ask(self, question: str) -> None:
        self._engine.answer(question, "mix")

    def close(self) -> None:
        self._engine.close()

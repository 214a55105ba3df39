"""Enriching by a model goes document by document: what was stored before it stopped is not asked for again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import ModelError
from cliquerag.indexing.mending import enrich_documents
from cliquerag.kg.triple import Extraction, Passage, Triple


class Stopping:
    """An extractor whose model is gone after so many documents."""

    name, version = "llm", "1.test"

    def __init__(self, documents: int) -> None:
        self.left, self.read = documents, []

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        if not self.left:
            raise ModelError("the budget of $1.00 is used up")
        self.left -= 1
        self.read.append(passages[0].text[:6])
        sentence = passages[0].text
        triple = Triple("Acme", "company", "sues", "Bolt", "company", sentence, 0, len(sentence))
        return [Extraction((), (triple,), ()), *(Extraction() for _ in passages[1:])]


def test_it_goes_on_where_it_stopped() -> None:
    with Workspace("sqlite://", embedder="none") as workspace:
        for number in range(4):
            workspace.add_text(f"Note {number}: Acme will go to court against Bolt.", source=f"{number}.txt")
        first = Stopping(2)
        with pytest.raises(ModelError):
            list(enrich_documents(workspace.store, first))
        assert len(workspace.store.statements(documents=["0.txt", "1.txt"])) == 2
        assert workspace.store.statements(documents=["2.txt", "3.txt"]) == []
        second = Stopping(9)
        outcomes = [report.outcome for report in enrich_documents(workspace.store, second)]
        assert outcomes == ["unchanged", "unchanged", "added", "added"]
        assert first.read + second.read == ["Note 0", "Note 1", "Note 2", "Note 3"]
        assert [r.outcome for r in enrich_documents(workspace.store, Stopping(0))] == ["unchanged"] * 4

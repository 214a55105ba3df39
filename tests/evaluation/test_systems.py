"""Columns of a comparison: our modes as they are, LightRAG's answered from its own evidence."""

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import UsageError
from cliquerag.evaluation import lightrag
from cliquerag.evaluation.systems import Systems, check_columns
from cliquerag.retrieval.search.evidence import Evidence

TEXT = "Acme Inc. reported revenue of $340 million in 2023."


@pytest.fixture
def ws():
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(TEXT, source="note.txt")
        yield workspace


class Twin:
    def __init__(self):
        self.asked = []

    def search(self, store, embedder, question, *, mode, k, scope=None, trace=None):
        self.asked.append(mode)
        return [Evidence("chunk", TEXT, 1.0, "note.txt", end=len(TEXT))]

    def close(self):
        self.asked.append("closed")


def test_our_modes_are_the_workspaces_own(ws, tmp_path):
    systems = Systems(ws, ws.components, tmp_path, "vector-first")
    assert systems.ask("What was Acme's revenue in 2023?", "vector").mode == "vector"
    assert systems.search("revenue", "graph") == ws.search("revenue", mode="graph")
    systems.close()
    assert not list(tmp_path.iterdir()), "LightRAG is not started unasked"


def test_a_column_may_read_the_first_hits_larger(tmp_path):
    sales = "Sales of the year rose by four per cent to 340 million, since the northern plants ran at full load. " * 12
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text(f"{sales}\n\nCosts of pulp fell.", source="note.txt")
        systems = Systems(ws, ws.components, tmp_path, "vector-first")
        small, large = (systems.search("costs of pulp", name)[0] for name in ("vector", "vector+section"))
        asked = systems.ask("What happened to the costs of pulp?", "vector+section")
    assert len(large.text) > len(small.text) and small in large.children
    assert any(item.children for item in asked.context.vector)
    with pytest.raises(UsageError, match="no parent 'chapter'"):
        check_columns(["hybrid+chapter"])


def test_lightrag_answers_from_its_evidence_without_our_facts(ws, tmp_path):
    systems, twin = Systems(ws, ws.components, tmp_path, "vector-first"), Twin()
    systems.__dict__["_twin"] = twin
    answer = systems.ask("What was Acme's revenue in 2023?", "lightrag:naive")
    assert answer.mode == "naive" and "$340 million" in answer.text
    assert [item.kind for item in answer.context.evidence] == ["chunk"]
    assert systems.search("revenue", "lightrag")[0].source == "note.txt"
    systems.close()
    assert twin.asked == ["naive", "mix", "closed"]


def test_unknown_modes_and_engines_are_said(monkeypatch):
    monkeypatch.setattr(lightrag, "check_installed", lambda: None)
    check_columns(["vector", "mix", "lightrag", "lightrag:global"])
    with pytest.raises(UsageError, match=r"LightRAG has no mode 'vector'. There are: mix, naive"):
        check_columns(["lightrag:vector"])
    with pytest.raises(UsageError, match="no mode 'graphrag:local'"):
        check_columns(["graphrag:local"])


def test_lightrag_needs_the_embedder(ws, tmp_path):
    with pytest.raises(UsageError, match="embedder"):
        Systems(ws, ws.components, tmp_path, "vector-first").search("revenue", "lightrag:mix")

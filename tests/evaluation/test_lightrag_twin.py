"""LightRAG filled from a store: what it is given, and how what it finds comes back. The real one where installed."""

from importlib.util import find_spec
from typing import ClassVar

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.evaluation import lightrag
from cliquerag.evaluation.lightrag import LightRAGEngine, LightRAGTwin, passages_of
from support.stores import SCHEMA

from benchmarks.ours import stored, text_documents
from benchmarks.peers.invented import HashEmbedder

PAGES = ["Acme Inc. acquired Beta Corp. in 2021 for cash.", "Gamma Ltd. supplies Acme Inc. with pumps and valves."]
QUESTION = "Whom did Acme Inc. acquire?"


@pytest.fixture
def store():
    with stored(text_documents({"10-K.pdf": PAGES}), HashEmbedder()) as store:
        yield store


class Engine:
    """Keeps what it is given and finds the second chunk first."""

    made: ClassVar[list["Engine"]] = []

    def __init__(self, folder, embedder):
        self.folder, self.given, self.linked, self.asked = folder, None, None, []
        folder.mkdir(exist_ok=True)
        Engine.made.append(self)

    def insert(self, custom_kg):
        self.given = custom_kg

    def link(self, entities, relations):
        self.linked = entities, relations

    def find(self, question, mode, *, low, high, k):
        self.asked.append((mode, tuple(low)))
        relation = {"src_id": "Acme", "tgt_id": "Beta", "description": "bought", "file_path": "10-K.pdf<SEP>b.pdf"}
        return {"chunks": [{"content": f" {PAGES[1]}\n", "file_path": "10-K.pdf"}], "relationships": [relation]}

    def close(self):
        pass


@pytest.fixture
def twin(store, tmp_path, monkeypatch):
    monkeypatch.setattr(Engine, "made", [])
    monkeypatch.setattr(lightrag, "LightRAGEngine", Engine)
    return LightRAGTwin(store, HashEmbedder(), tmp_path / "lightrag", SCHEMA)


def test_it_is_given_the_chunks_and_triples_of_the_store(twin, store):
    given, (entities, relations) = Engine.made[0].given, Engine.made[0].linked
    assert [row["content"] for row in given["chunks"]] == [c.text for c in store.chunks_of("10-K.pdf")]
    assert len(given["relationships"]) == len(list(store.all_relations())) >= 2
    (acme,) = (name for name in entities if name.startswith("Acme"))
    assert len(entities[acme]) == 2, "every chunk that names it"
    assert all(first <= last for first, last in relations)


def test_what_it_finds_has_our_pages(twin, store):
    found = twin.search(store, None, QUESTION, mode="mix", k=5)
    assert [(item.kind, item.source, item.page) for item in found] == [
        ("chunk", "10-K.pdf", 2),
        ("relation", "10-K.pdf", None),
    ]
    assert passages_of(found) == found[:1]
    ((mode, low),) = Engine.made[0].asked
    assert mode == "mix" and any(name.startswith("Acme") for name in low)


def test_a_folder_of_the_same_state_is_used_again(twin, store):
    again = LightRAGTwin(store, HashEmbedder(), Engine.made[0].folder, SCHEMA)
    assert again.engine.given is None
    store.remove("10-K.pdf")
    assert LightRAGTwin(store, HashEmbedder(), Engine.made[0].folder, SCHEMA).engine.given is not None


@pytest.mark.skipif(find_spec("lightrag") is not None, reason="lightrag is installed")
def test_absence_is_said(tmp_path):
    with pytest.raises(UsageError, match=r"pip install 'cliquerag\[lightrag\]'"):
        LightRAGEngine(tmp_path, HashEmbedder())


def test_the_real_one(store, tmp_path):
    pytest.importorskip("lightrag")
    twin = LightRAGTwin(store, HashEmbedder(), tmp_path / "lightrag", SCHEMA)
    try:
        for mode in ("mix", "naive", "local"):
            found = passages_of(twin.search(store, None, QUESTION, mode=mode, k=5))
            assert {(item.source, item.page) for item in found} <= {("10-K.pdf", 1), ("10-K.pdf", 2)} and found
    finally:
        twin.close()

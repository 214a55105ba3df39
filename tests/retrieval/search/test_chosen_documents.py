"""Where a store is too large to be scored in full: which documents are searched, and which their names add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from cliquerag.core.scope import Scope
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.index.corpus import corpus_of
from cliquerag.retrieval.search.pipeline import plan_question
from cliquerag.retrieval.search.query import make_query
from cliquerag.retrieval.search.retrievers import passages
from cliquerag.retrieval.search.weights import FILING_WEIGHTS
from support.library import WordEmbedder, library

from benchmarks.asking import search, shipped_vocabulary

EMBEDDER = WordEmbedder()
QUESTION = "In which valley was the founder of Quarrel Bank born?"
_SAID = "The founder of a bank was born in valley {}, and in which valley its founder was born is said here."
_FILING = " ".join(_SAID.format(number) for number in range(200))
TEXTS = {
    "filing a.txt": _FILING,
    "filing b.txt": _FILING.replace("bank", "firm of a bank"),
    "Quarrel Bank.txt": "Quarrel Bank is a bank. The founder of Quarrel Bank was Odette Varga.",
    "Odette Varga.txt": "Odette Varga was a painter. She grew up at Hollin Mere.",
} | {f"Town {chr(65 + i)}.txt": f"Town {chr(65 + i)} has a mill and {i + 2} streets." for i in range(20)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    made = library(TEXTS, graph=True)
    yield made
    made.close()


def _chunks(store: Store) -> Mapping[str, int]:
    return {record.source: record.chunks for record in store.documents()}


def test_a_long_filing_leaves_room_for_short_texts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max(_chunks(store).values())
    assert longest > 10
    monkeypatch.setattr(passages, "MOST_CHOSEN", longest + 3)
    monkeypatch.setattr(passages, "FIRST_HITS", 2 * longest + 10)
    plan = plan_question(store, QUESTION, shipped_vocabulary(), Scope.all())
    query = make_query(plan, EMBEDDER, FILING_WEIGHTS, short=False)
    chosen = passages.choose_documents(store, corpus_of(store).catalogue, query, plan.selection)
    assert len([source for source in chosen if source.startswith("filing")]) == 1
    assert "Quarrel Bank.txt" in chosen


def test_a_short_text_with_a_first_hit_is_chosen_though_filings_take_all_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = _chunks(store)
    monkeypatch.setattr(passages, "MOST_CHOSEN", chunks["filing a.txt"] + chunks["filing b.txt"])
    monkeypatch.setattr(passages, "MOST_DOCUMENTS", 2)
    monkeypatch.setattr(passages, "FIRST_HITS", sum(chunks.values()))
    plan = plan_question(
        store, "Was Odette Varga the founder of a bank in a valley?", shipped_vocabulary(), Scope.all()
    )
    query = make_query(plan, EMBEDDER, FILING_WEIGHTS, short=False)
    first = [store.sources_of([hit.id])[hit.id] for hit in store.matching(list(query.terms), 10)]
    assert "Odette Varga.txt" in first
    chosen = passages.choose_documents(store, corpus_of(store).catalogue, query, plan.selection)
    assert {"filing a.txt", "filing b.txt", "Odette Varga.txt"} <= set(chosen)


def test_a_name_adds_the_document_that_it_leads_to(store: Store) -> None:
    corpus = corpus_of(store)
    assert passages.documents_linked_to(store, corpus, ["filing a.txt", "Quarrel Bank.txt"], None) == [
        "Odette Varga.txt"
    ]
    assert passages.documents_linked_to(store, corpus, ["Quarrel Bank.txt"], {"Town A.txt"}) == []
    assert passages.documents_linked_to(store, corpus, ["filing a.txt"], None) == []


def test_a_large_store_is_followed_over_names(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "MOST_CHUNKS", 5)
    monkeypatch.setattr(passages, "choose_documents", lambda *_: ("Quarrel Bank.txt", "Town A.txt"))
    assert "Odette Varga.txt" not in [item.source for item in search(store, EMBEDDER, QUESTION, mode="vector")]
    assert "Odette Varga.txt" in [item.source for item in search(store, EMBEDDER, QUESTION, mode="hybrid")]

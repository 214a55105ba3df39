"""What a search asks of the store: each thing once, and nothing that does not come into its result."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from cliquerag.retrieval.question.entity_linking import keys_of
from cliquerag.retrieval.search.retrievers.asked_relations import asked_of
from cliquerag.retrieval.search.weights import best_first

from benchmarks.asking import plan_of, search
from benchmarks.ours import make_bundle, stored, text_documents
from benchmarks.peers.invented import HashEmbedder

TEXT = (
    "Halvern Inc. acquired Bolt Ltd. in 2021. Halvern Inc. supplies fluxometers to Crux Corp. "
    "Demand for fluxometers of Halvern Inc. rose, and Halvern Inc. competes with Vexel Corp. in fluxometers."
)


@pytest.fixture
def store():
    texts = {f"note {number}.txt": f"{TEXT} Plant {number} was closed." for number in range(3)}
    with stored(text_documents(texts), HashEmbedder()) as opened:
        yield opened


@pytest.fixture
def asked(store, monkeypatch):
    """Method of the store -> what it was asked for, call by call."""
    calls: dict[str, list[tuple]] = {}

    def watch(name: str) -> None:
        method = getattr(store, name)

        def noted(*values, **options):
            calls.setdefault(name, []).append((values, options))
            return method(*values, **options)

        monkeypatch.setattr(store, name, noted)

    for name in ("sentence_vectors", "mentions", "matching"):
        watch(name)
    return calls


def test_vectors_of_sentences_are_read_once_a_search(store, asked) -> None:
    found = search(store, HashEmbedder(), "What does Halvern say about fluxometers and plants?")
    assert any(item.kind == "relation" for item in found)
    read = Counter(id for (ids, *_), _ in asked["sentence_vectors"] for id in ids)
    assert read and set(read.values()) == {1}


def test_mentions_that_lead_to_no_passage_are_not_read(store, asked) -> None:
    search(store, HashEmbedder(), "What does Halvern say about fluxometers and plants?")
    assert "mentions" not in asked


def test_whom_reports_name_and_whether_a_word_is_printed_is_looked_up_once(store, asked) -> None:
    search(store, HashEmbedder(), "What does Halvern say about fluxometers?")
    looked_up = asked.pop("matching")
    first = len(looked_up)
    search(store, HashEmbedder(), "What does Halvern say about plants and fluxometers?")
    assert first >= 2
    assert not any(call in looked_up for call in asked.pop("matching", []))
    (note,) = text_documents({"another.txt": TEXT})
    store.put(make_bundle(note, HashEmbedder(), None))
    search(store, HashEmbedder(), "What does Halvern say about fluxometers?")
    assert len(asked["matching"]) == first


def test_names_for_an_engine_that_reads_ahead_are_worked_out_as_they_are_read() -> None:
    keys = keys_of("Who audits Acme Corp.?")
    assert iter(keys) is keys
    assert "acme" in set(keys)


@pytest.mark.parametrize("count", [0, 1, 7, 40, 99])
def test_the_first_of_scores_are_those_of_a_stable_sort(count: int) -> None:
    scores = np.random.default_rng(3).integers(0, 9, 40).astype(np.float32)
    scores[::5] = -np.inf
    assert best_first(scores, count).tolist() == np.argsort(-scores, kind="stable")[:count].tolist()


def test_the_relations_that_a_question_asks_for_are_read_once_a_plan(store) -> None:
    plan = plan_of(store, "Whom did Halvern acquire?")
    assert asked_of(plan) is asked_of(plan)
    assert asked_of(replace(plan)) is not asked_of(plan)

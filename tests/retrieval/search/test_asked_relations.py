"""The relations that a question asks for, in one step and in two, and the passages that the graph leads to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.retrievers.asked_relations import (
    named_entities,
    read_asked_relations,
    relations_asked,
)
from support.library import WordEmbedder, library

from benchmarks.asking import plan_of, search

EMBEDDER = WordEmbedder()
TEXTS = {
    "acme.txt": "Acme Corporation acquired Bolt Systems Inc. in 2021 for $40 million. Acme makes bars.",
    "bolt.txt": "Bolt Systems Inc. acquired Crux Limited in 2019. Bolt Systems Inc. is a maker of bolts.",
    "people.txt": "Ann Lee is chief executive officer of Acme Corporation. She likes opera.",
} | {f"steel{i}.txt": f"Steel prices rose in year {i}. Steel bars and bolts were sold." for i in range(12)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


@pytest.mark.parametrize(
    ("question", "relation", "end"),
    [
        ("Who acquired Bolt Systems?", "sells_to", "head"),
        ("Which companies did Acme acquire?", "acquires", "either"),
        ("Who audits Acme?", "audits", "either"),
        ("Since when has Ann Lee been chief financial officer of Acme?", "holds_role", "either"),
        ("Who retired from Acme?", "leaves", "either"),
        ("Acme由谁审计?", "audits", "either"),
        ("谁收购了Bolt?", "acquires", "either"),
        ("To whom did Acme sell the mill?", "sells_to", "either"),
    ],
)
def test_the_words_of_a_question_say_which_relation_is_meant(question: str, relation: str, end: str) -> None:
    assert read_asked_relations(question).all[relation] == end


@pytest.mark.parametrize("question", ["What was Acme's revenue in 2022?", "How did margins develop?", ""])
def test_a_question_about_figures_asks_for_no_relation(question: str) -> None:
    assert read_asked_relations(question).kinds == ()


def _told(store: Store, question: str) -> set[tuple[str, str, str]]:
    plan = plan_of(store, question)
    steps = relations_asked(plan, read_asked_relations(plan.asked.trimmed), named_entities(plan))
    return {(r.head.name, r.relation, r.tail.name) for r in (*steps.first, *steps.second)}


def test_only_the_relation_asked_is_followed(store: Store) -> None:
    told = _told(store, "Which companies did Acme Corporation acquire?")
    assert ("Acme Corporation", "acquires", "Bolt Systems Inc.") in told
    assert not any(relation == "leads" for _, relation, _ in told)


def test_a_second_step_starts_from_where_the_first_one_leads(store: Store) -> None:
    told = _told(store, "Who leads the company that acquired Bolt Systems Inc.?")
    assert ("Ann Lee", "leads", "Acme Corporation") in told


def test_the_graph_leads_to_the_passage_that_states_the_relation(store: Store) -> None:
    found = search(store, EMBEDDER, "Who leads the company that acquired Bolt Systems Inc.?", mode="graph")
    assert "people.txt" in [item.source for item in found[:4]]
    hybrid = search(store, EMBEDDER, "Who leads the company that acquired Bolt Systems Inc.?", mode="hybrid")
    assert "people.txt" in [item.source for item in hybrid]


def test_a_theme_leads_to_passages_where_nobody_is_named(store: Store) -> None:
    found = search(store, EMBEDDER, "steel prices rose", mode="graph")
    assert found and found[0].source.startswith("steel") and found[0].why["theme"] > 0


def test_what_nothing_leads_to_is_not_the_graphs(store: Store) -> None:
    assert search(store, EMBEDDER, "zebra crossings in the fog", mode="graph") == []

"""Questions about one kind of relation: the graph's statements answer, and other sentences do not."""

from __future__ import annotations

import pytest
from cliquerag.core.scope import Scope
from cliquerag.retrieval.answer.extractive.requirements.relation import read_relation
from cliquerag.retrieval.answer.remarks import not_stated
from support.bundles import bundle
from support.stores import open_store

from benchmarks.asking import answer_question, plan_of


@pytest.fixture(scope="module")
def store():
    made = open_store("sqlite://")
    made.put(
        bundle(
            "acme.txt",
            "[Acme Inc.] competes_with [Bolt] in pumps.",
            "Competitors of [Acme Inc.] are many, and who they are changes.",
            "[Dart] supplies [Acme Inc.] with steel.",
            "[Acme Inc.] supplies [Crux] with pumps.",
            "Mary Jones led the supply chain of [Wolf Foods] before she joined [Acme Inc.] as an officer.",
            "[东山钢铁] competes_with [南海钢铁] 。",
            "We supply pumps to [Yoyo] in Ohio.",
        )
    )
    made.put(bundle("zeta.txt", "[Zeta] competes_with [Acme Inc.] in valves.", company="Zeta"))
    yield made
    made.close()


def answered(store, question):
    return answer_question(store, None, None, question)


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("Who are Acme's main competitors?", ["Bolt", "Zeta"], ["many", "Crux"]),
        ("Which companies compete with Acme?", ["Bolt", "Zeta"], ["many"]),
        ("Who supplies Acme?", ["Dart"], ["Crux", "Mary"]),
        ("Who are the customers of Acme?", ["Crux"], ["Dart"]),
        ("东山钢铁的主要竞争对手有哪些？", ["南海钢铁"], ["Bolt"]),
        ("Does Acme supply Crux?", ["with pumps"], ["Mary", "Dart"]),
        ("Is Bolt a competitor of Acme?", ["in pumps"], ["Zeta"]),
    ],
)
def test_the_relations_asked_for_are_the_answer(store, question, said, unsaid):
    answer = answered(store, question)
    assert all(word in answer.text for word in said) and not any(word in answer.text for word in unsaid)
    assert len(answer.citations) == len(answer.text.splitlines())


def test_a_refusal_names_somebody_and_the_same_in_capitals_once(store):
    names = ["Halvern Robotics, Inc.", "HALVERN ROBOTICS, INC.", "Bolt"]
    assert "of Halvern Robotics, Inc., Bolt (" in not_stated(plan_of(store, "Who supplies Bolt?"), names)


def test_two_names_need_a_relation_or_a_passage_of_both(store):
    for question in ("Does Wolf Foods supply Acme?", "Is Dart a competitor of Acme?"):
        answer = answered(store, question)
        assert answer.text.startswith("No document here states this of ") and not answer.citations
    assert "We supply" in answered(store, "Does Acme supply Yoyo?").text


def test_a_question_that_asks_more_is_not_answered_by_relations_alone(store):
    asked = "Who are Acme's customers?", "Which customers paid Acme in advance for pumps?"
    assert [bool(read_relation(plan_of(store, question)).evidence) for question in asked] == [True, False]


def test_the_scope_given_bounds_what_is_stated(store):
    found = read_relation(plan_of(store, "Who are Acme's competitors?", Scope(sources=("zeta.txt",))))
    assert {item.source for item in found.evidence} == {"zeta.txt"}


def test_where_the_graph_knows_none_a_sentence_has_to_speak_of_such_a_relation(store):
    assert "supply chain" not in answered(store, "Who supplies Wolf Foods?").text

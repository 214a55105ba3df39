"""Questions about relations that no statement of the graph answers: the sentence is read that holds what is wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.kg.store import Store
from cliquerag.retrieval.answer.extractive.relations.reading.request import read_request
from support.library import answer_text, filing, library

from benchmarks.asking import answer_question, plan_of

_FILLER = {
    f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills in the northern towns."
    for i in range(12)
}
TEXTS = {
    "deals.txt": filing(
        "Acme Corporation",
        2022,
        "The homeowner services business was a small part of what we do. On December 9, 2021, the Company sold all of "
        "its equity interests in the homeowner services business to funds advised by Marlow Partners LLP. The total "
        "consideration was approximately $1.2 billion in cash. We expect to open four stores in the coming year.",
    ),
    "careers.txt": filing(
        "Bolt Systems Inc.",
        2022,
        "Ms. Jane Roe is Chief Financial Officer of Bolt Systems Inc. Prior to joining Bolt Systems, she served as "
        "Treasurer of Crux Airways from 2012 to 2018. Our stores are open on Sundays.",
    ),
} | _FILLER


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


def test_the_buyer_and_the_price_are_told_though_they_stand_in_two_sentences(store: Store) -> None:
    answer = answer_text(store, "Who bought the homeowner services business of Acme, and at what price?")
    assert "Marlow Partners" in answer and "$1.2 billion" in answer


def test_an_earlier_employer_is_told_of_whoever_is_named_or_holds_the_office(store: Store) -> None:
    assert "Crux Airways" in answer_text(store, "Where did Jane Roe work before Bolt Systems?")
    assert "Crux Airways" in answer_text(store, "Which airline did the CFO of Bolt Systems work for before she joined?")


def test_who_is_nowhere_named_is_not_answered_with_another(store: Store) -> None:
    answer = answer_question(store, None, None, "Which business did Acme sell to Zenith Holdings?")
    assert answer.trace.get("not found") or "Marlow" not in answer.text


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What did Acme pay for the stores and when?", {"amount", "time"}),
        ("Who bought the homeowner services business of Acme?", {"somebody", "company"}),
        ("How big is Acme's stake in Crux?", {"share"}),
        ("Who runs Bolt Systems?", {"somebody", "person"}),
        ("谁收购了这家公司，价格是多少？", {"somebody", "amount"}),
    ],
)
def test_what_a_question_wants_to_be_told(store: Store, question: str, wanted: set[str]) -> None:
    request = read_request(plan_of(store, question))
    assert request is not None
    assert request.wanted == wanted


@pytest.mark.parametrize(
    "question", ["Why did Acme's sales fall?", "What was Acme's revenue in 2022?", "What are the risks of the deal?"]
)
def test_other_questions_are_none_about_relations(store: Store, question: str) -> None:
    assert read_request(plan_of(store, question)) is None

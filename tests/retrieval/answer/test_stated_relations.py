"""Answers from the graph without a model: names, times, complete lists, two steps, and what several share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.kg.store import Store
from support.library import library

from benchmarks.asking import answer_question

TEXTS = {
    "acme.txt": (
        "Acme Corporation acquired Bolt Systems Inc. in March 2021. The purchase price was $40 million in cash. "
        "Acme Corporation acquired Crux Limited in June 2022 for $15 million. "
        "Acme Corporation announced that it will acquire Dart Foods Inc. in 2023."
    ),
    "people.txt": "Ann Lee is chief executive officer of Acme Corporation. She likes the opera.",
    "partners.txt": "Acme Corporation partners with Elm Works Inc. on steel. "
    "Fern Corporation partners with Elm Works Inc.",
} | {f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills." for i in range(12)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


def _answer(store: Store, question: str, mode: str = "hybrid") -> str:
    return answer_question(store, None, None, question, mode=mode).text


def test_a_complete_list_has_every_statement_and_the_price_that_stands_behind(store: Store) -> None:
    answer = _answer(store, "Which companies did Acme Corporation acquire, and at what prices?")
    assert "Acme Corporation acquires Bolt Systems Inc. (2021-03)" in answer and "$40 million" in answer
    assert "Acme Corporation acquires Crux Limited (2022-06)" in answer and "$15 million" in answer
    assert "Dart" not in answer


def test_the_year_asked_leaves_out_the_others(store: Store) -> None:
    answer = _answer(store, "Which companies did Acme Corporation acquire in 2022?")
    assert "Crux" in answer and "Bolt" not in answer


def test_what_is_only_planned_is_told_where_it_is_asked_for(store: Store) -> None:
    assert "Dart Foods" in _answer(store, "Which company does Acme Corporation plan to acquire?")


def test_a_second_step_is_answered(store: Store) -> None:
    answer = answer_question(store, None, None, "Who leads the company that acquired Crux Limited?")
    assert "Ann Lee leads Acme Corporation" in answer.text
    assert [citation.source for citation in answer.citations] == ["people.txt"]


def test_what_two_companies_share(store: Store) -> None:
    answer = _answer(store, "Which partner do Acme Corporation and Fern Corporation share?")
    assert "Elm Works Inc." in answer and "acquires" not in answer


def test_words_and_vectors_alone_answer_without_the_graph(store: Store) -> None:
    assert " acquires " not in _answer(store, "Which companies did Acme Corporation acquire?", "vector")


def test_a_relation_between_two_that_is_not_there_is_not_made_up(store: Store) -> None:
    assert "acquires" not in _answer(store, "Since when has Fern Corporation been audited by Elm Works Inc.?")


@pytest.mark.parametrize("question", ["Why did steel prices rise?", "What was Acme Corporation's revenue in 2021?"])
def test_other_questions_are_not_answered_by_relations(store: Store, question: str) -> None:
    assert " acquires " not in _answer(store, question)

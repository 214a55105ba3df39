from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.core.scope import Scope
from cliquerag.kg.store import Store
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.wording.answer_type import form_fit, holds_amount, looks_ahead
from support.library import library

from benchmarks.asking import search

CALL = (
    "Good morning and welcome to the call. Revenue for the quarter was $453 million, above our guidance range. "
    "Revenue is what we are proudest of. We expect revenue between $470 million and $490 million next quarter."
)


@pytest.fixture(scope="module")
def call() -> Iterator[Store]:
    store = library({"call.txt": CALL})
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "beginning"), [("What was the revenue?", "Revenue for"), ("What revenue is expected?", "We expect")]
)
def test_results_and_guidance_are_told_apart(call: Store, question: str, beginning: str) -> None:
    best = search(call, None, question, scope=Scope(sources=("call.txt",)))[0]
    start, end = best.highlights[0]
    assert call.text("call.txt")[start:end].startswith(beginning)


def test_what_is_held_against_expectations_is_a_result() -> None:
    assert not looks_ahead("Earnings of $2.08 were above the midpoint of our guidance.")
    assert not looks_ahead("Sales grew 4% as expected.") and not looks_ahead("净利润5亿元,高于市场预期。")
    assert looks_ahead("For the full year we guide to sales of 605 to 645 million.") and looks_ahead(
        "预计全年净利润5亿元。"
    )


def test_terms_of_accounting_are_no_outlook() -> None:
    for text in (
        "Expected credit losses were $3 million.",
        "The expected return on plan assets was 5%.",
        "预计负债为3亿元。",
    ):
        assert not looks_ahead(text) and not read_question(text).outlook
    assert not read_question("Which projects did it finish?").outlook
    assert read_question("预计全年收入是多少?").outlook and read_question("What capex does it guide to?").outlook


def test_an_amount_is_more_than_a_year_or_a_count() -> None:
    assert holds_amount("Costs fell by 3%.") and holds_amount("约5.2亿元") and holds_amount("a $3 dividend")
    assert not holds_amount("In 2023 we opened 12 stores.")


def test_a_sentence_is_worth_more_in_the_form_that_is_asked() -> None:
    guidance, result = "We expect sales of $5 million in the second quarter.", "Sales were $5 million."
    outlook, reported = read_question("What sales does Acme expect?"), read_question("How much were sales?")
    assert form_fit(outlook, True, guidance) > form_fit(outlook, True, result)
    assert form_fit(reported, True, guidance) < 0 < form_fit(reported, True, result)
    assert form_fit(reported, True, result) > form_fit(reported, True, "Sales rose.") == 0
    assert form_fit(read_question("Who leads Acme?"), False, guidance) == 0

"""Questions over many companies: ranks with ties, counts, averages, places."""

from decimal import Decimal

import pytest
from cliquerag.retrieval.numbers import answer_numbers, explain_numbers
from support.number_store import fact, number_store

REVENUE = {"Alpha": "50", "Beta": "70", "Gamma": "70", "Delta": "20"}
CITIES = {"Alpha": "1 Main St, Austin", "Beta": "2 Oak Rd, Boston", "Gamma": "3 Elm Av, Boston", "Delta": "Austin"}


@pytest.fixture(scope="module")
def store():
    store = number_store(
        **{
            name.lower(): (name, "FY2019", [
                fact("revenue", "FY2019", REVENUE[name]),
                fact("revenue", "FY2018", "999"),
                fact("registered address", "FY2019", CITIES[name]),
            ])
            for name in REVENUE
        }
    )  # fmt: skip
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which company had the highest revenue in 2019?", ["1. Beta", "1. Gamma"]),
        ("Which three companies had the highest revenue in 2019?", ["1. Beta", "1. Gamma", "3. Alpha"]),
        ("Which company had the lowest revenue in 2019?", ["1. Delta"]),
        ("Which company had the 3rd highest revenue in 2019?", ["3. Alpha"]),
        ("Which company registered in Austin had the highest revenue in 2019?", ["1. Alpha"]),
    ],
)
def test_ranks(store, question, lines):
    assert [line.partition(":")[0] for line in answer_numbers(store, question).text.splitlines()] == lines


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many companies had revenue of more than $30 million in 2019?", 3),
        ("What was the average revenue of all companies in 2019?", Decimal("52.5")),
    ],
)
def test_counts_and_averages(store, question, value):
    assert answer_numbers(store, question).value == value


def test_every_company_listed_is_cited(store):
    answer = answer_numbers(store, "Which three companies had the highest revenue in 2019?")
    assert [c.source for c in answer.citations] == ["beta", "gamma", "alpha"]


def test_a_year_without_facts_is_declined(store):
    assert explain_numbers(store, "Which company had the highest revenue in 2011?").missing == ("revenue",)

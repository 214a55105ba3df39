"""The figure that a sentence names is asked for, whatever the sentence says around it."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from cliquerag.retrieval.search.query import make_query
from cliquerag.retrieval.search.weights import Weights
from support.number_store import fact, number_store

from benchmarks.asking import answer_numbers, plan_of

BARE = "What was Acme's operating income in FY2022?"
ROWS = [
    fact("operating income", "FY2022", "11"),
    fact("operating income", "FY2021", "9"),
    fact("selling general and administrative", "FY2022", "5"),
    fact("capital expenditures", "FY2022", "3"),
]


@pytest.fixture(scope="module")
def store():
    with closing(number_store(report=("Acme Inc.", "FY2022", ROWS))) as opened:
        yield opened


@pytest.mark.parametrize(
    "asked",
    [
        "Need Acme's operating income in FY2022 for slide 12.",
        "Trying to reconcile Acme's operating income in FY2022 with my model, so I need the number.",
        "Any chance you can dig up Acme's operating income in FY2022?",
        "Do we know Acme's operating income in FY2022?",
        "It is Acme's operating income in FY2022 that interests me.",
        "What did Acme's operating income in FY2022 come in at?",
        "How much did Acme's operating income in FY2022 amount to?",
        "Acme's operating income in FY2022 stood at what level?",
        "Acme's operating income in FY2022 pls",
        "Can Acme's operating income in FY2022 be looked up?",
        "Remind me of Acme's operating income in FY2022 again?",
        "Acme's operating income in FY2022 - any idea?",
        "Put Acme's operating income in FY2022 in a single line.",
        "Has Acme's operating income in FY2022 been disclosed?",
        "I need Acme's operating income in FY2022 for a report on margins.",
        "For a slide on margins I need Acme's operating income in FY2022.",
    ],
)
def test_a_sentence_around_a_figure_asks_for_it(store, asked):
    assert plan_of(store, asked).asked.trimmed == BARE


@pytest.mark.parametrize(
    "asked",
    [
        "What drove Acme's operating income in FY2022?",
        "Drivers of Acme's operating income in FY2022",
        "Acme's operating income in FY2022 by segment",
        "What did Acme's operating income in FY2022 include?",
        "Is Acme's operating income in FY2022 seasonal?",
        "Did Acme's operating income grow in FY2022?",
        "Was Acme's operating income in FY2022 positive?",
        "What was the change in Acme's operating income in FY2022?",
        "Who audited Acme's operating income in FY2022?",
        "Need cloud operating income of Acme in FY2022",
        "Compare Acme's operating income in FY2022 with the budget",
    ],
)
def test_what_wants_something_else_of_a_figure_stays(store, asked):
    assert plan_of(store, asked).asked.trimmed != BARE


def test_an_english_figure_in_a_chinese_question_is_found(store):
    found = answer_numbers(store, "Acme的operating income在FY2022是多少？")
    assert found is not None
    assert found.value == 11


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("Acme 2022财年的销售及管理费用是多少？", 5),
        ("Acme 2022财年的资本支出是多少？", 3),
        ("What was Acme's op income in FY2022?", 11),
        ("We still lack the FY2022 operating income for Acme.", 11),
        ("Looking for Acme's selling, general and administrative expenses in FY2022, thx", 5),
    ],
)
def test_short_foreign_and_misspelt_names_of_figures(store, asked, value):
    found = answer_numbers(store, asked)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("How did currency hit Acme's margins?", "How did currency hit the company's margins?"),
        ("How old is the Acme CFO?", "How old is the company CFO?"),
        ("Who left the board in 2021?", "Who left the board in 2021?"),
    ],
)
def test_the_vector_of_a_question_is_that_of_it_without_the_company_that_it_is_about(store, asked, told):
    plan = plan_of(store, asked)
    assert plan.as_told == told
    encoder = Recorder()
    make_query(plan, encoder, Weights(), short=False)
    assert encoder.texts[0] == told


class Recorder:
    """An encoder that notes what it reads."""

    name, dim = "recorder", 2

    def __init__(self):
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        return np.ones((len(texts), 2), np.float32)

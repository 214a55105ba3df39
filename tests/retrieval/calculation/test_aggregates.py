"""Questions over many companies: ranks with ties, counts, averages, places."""

from contextlib import closing
from decimal import Decimal

import pytest
from cliquerag.core.anchor import Anchor
from support.number_store import fact, number_store

from benchmarks.asking import answer_numbers, explain_numbers

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
        ("Which company has the lowest revenue?", ["1. Delta, FY2019"]),
        ("Which of these companies has the lowest revenue?", ["1. Delta, FY2019"]),
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


COSTS = {"Alpha": "40", "Beta": "35", "Gamma": "63", "Delta": "19"}


@pytest.fixture(scope="module")
def wide():
    """Two years of revenue and cost; by margin Beta, Alpha, Gamma, Delta in 2019."""
    store = number_store(
        **{
            f"{name.lower()}{year}": (name, f"FY{year}", [
                fact("revenue", f"FY{year}", REVENUE[name], company=name),
                fact("cost of revenue", f"FY{year}", COSTS[name] if year == 2019 else "10", company=name),
            ])
            for name in REVENUE
            for year in (2018, 2019)
        }
    )  # fmt: skip
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("Which company had the highest gross margin in 2019?", ["Beta"]),
        ("Which two companies had the lowest gross margin in 2019?", ["Delta", "Gamma"]),
        ("2019年毛利率最高的3家上市公司是？", ["Beta", "Alpha", "Gamma"]),
        ("在所有营业成本高于50000000的公司中，2019年谁的营业收入最高？", ["Gamma"]),
        ("2018-2019年哪些家上市公司营业收入均位列前三？", ["Beta", "Gamma", "Alpha"]),
    ],
)
def test_ranks_by_a_formula_under_a_condition_and_in_every_year(wide, question, companies):
    answer = answer_numbers(wide, question)
    assert answer is not None, explain_numbers(wide, question).declined
    assert [figure.company for figure in answer.figures] == companies
    assert len(answer.citations) >= len(companies)


def test_a_statistic_stays_within_the_scope(wide):
    from cliquerag.core.scope import Scope

    answer = answer_numbers(
        wide, "Which company had the highest revenue in 2019?", scope=Scope(companies=("Alpha", "Delta"))
    )
    assert [figure.company for figure in answer.figures] == ["Alpha"]


def _years(before: str, now: str, currency: str = "USD"):
    return [
        fact("revenue", "FY2018", before, unit=currency, anchors=(Anchor(1),)),
        fact("revenue", "FY2019", now, unit=currency, anchors=(Anchor(1),)),
    ]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Which company had the largest increase in revenue in 2019?", "1. Beta: USD 30 million [1][2]"),
        ("Which company grew revenue fastest?", "1. Alpha, FY2019: 200 % [1][2]"),
        ("2019年营业收入增长最快的公司是哪家？", "1. Alpha: 200% [1][2]"),
        ("Which company had the slowest revenue growth in 2019?", "1. Beta: 20 % [1][2]"),
        ("Which company had the highest revenue in 2019?", "1. Beta: USD 180 million [1]"),
        ("Rank the companies by revenue in 2019", "1. Beta: USD 180 million [1]\n2. Alpha: USD 30 million [2]"),
    ],
)
def test_companies_are_ranked_by_how_a_figure_changed(question, line):
    store = number_store(a=("Alpha", "FY2019", _years("10", "30")), b=("Beta", "FY2019", _years("150", "180")))
    assert answer_numbers(store, question).text == line


def test_figures_in_other_currencies_stand_side_by_side():
    own = _years("10", "30", "EUR")
    store = number_store(a=("Alpha", "FY2019", own), b=("Beta", "FY2019", _years("150", "180")))
    answer = answer_numbers(store, "Which company had the highest revenue in 2019?")
    assert answer.text == "Alpha: EUR 30 million [1]\nBeta: USD 180 million [2]"
    assert answer.notes == ("not ranked: the companies report in different currencies",)
    assert answer_numbers(store, "What was the average revenue of all companies in 2019?") is None
    assert answer_numbers(store, "Which company grew revenue fastest?").text.startswith("1. Alpha, FY2019: 200 %")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Which companies had revenue above 20 million dollars in 2019?",
            "1. Beta: USD 180 million [1]\n2. Alpha: USD 30 million [2]",
        ),
        ("Which companies grew revenue by more than 50% in 2019?", "1. Alpha: 200 % [1][2]"),
        ("Which companies lost money?", "1. Gamma, FY2019: USD -5 million [1]"),
        ("How many companies lost money in 2019?", "1 (Gamma) [1]"),
        ("How many companies had revenue above 20 million dollars?", "2 (Alpha, Beta) [1][2]"),
    ],
)
def test_companies_beyond_a_mark(question, text):
    with closing(_three_companies()) as store:
        assert answer_numbers(store, question).text == text


@pytest.mark.parametrize(
    "question",
    [
        "Which companies made losses on derivatives?",
        "Which companies earned money from licences?",
        "Which companies reported a loss of market share?",
    ],
)
def test_what_companies_lost_or_earned_by_something_is_no_net_income(question):
    with closing(_three_companies()) as store:
        assert answer_numbers(store, question) is None


def test_companies_whose_figure_is_not_known_are_named_where_others_are_held_against_a_mark():
    with closing(_three_companies()) as store:
        answer = answer_numbers(store, "How many companies had revenue above 20 million dollars in 2019?")
        assert answer.notes == ("not stated in these documents, as far as the search can tell: revenue (Gamma)",)
        assert answer_numbers(store, "Which company had the highest revenue in 2019?").notes == ()


@pytest.mark.parametrize("asked", ["Which companies had", "How many companies had"])
def test_amounts_in_other_currencies_are_not_held_against_one_mark(asked):
    own = _years("10", "30", "CNY")
    with closing(number_store(a=("Alpha", "FY2019", own), b=("Beta", "FY2019", _years("150", "180")))) as store:
        assert answer_numbers(store, f"{asked} revenue above 20 million dollars in 2019?") is None


def _three_companies():
    loss = fact("net income", "FY2019", "-5", anchors=(Anchor(1),))
    return number_store(
        a=("Alpha", "FY2019", _years("10", "30")),
        b=("Beta", "FY2019", _years("150", "180")),
        c=("Gamma", "FY2019", [loss]),
    )

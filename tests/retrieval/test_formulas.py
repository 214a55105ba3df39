"""Ratios and growth from stored formulas: shown, cited, right; or absent where an input is."""

from dataclasses import replace
from decimal import Decimal

import pytest
from cliquerag.core.anchor import Anchor
from cliquerag.core.fact import Fact
from cliquerag.core.period import Period
from cliquerag.core.rules import load_rules
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer import answer_question
from cliquerag.retrieval.formulas import _INPUT, annual_fact, compute, compute_figures, formula_asked
from cliquerag.retrieval.question import read_question
from cliquerag.retrieval.verify import check_sentence
from support.shelf import Shelf, shelf_search

WHEN = ("depreciation and amortization", 2022)
TEXT = "Acme Inc. annual report. Operating income was good and so was the operating margin of fiscal 2022."


def fact(metric, period, text, **more):
    value = Decimal(text.replace(",", "").replace("(", "-").strip(")"))
    known = {"unit": "USD", "scale": Decimal(1000), "source_kind": "table", "source": "report", **more}
    return Fact("Acme", metric, metric.title(), Period.parse(period), text, value, anchors=(Anchor(3),), **known)


FACTS = [
    fact("operating income", "FY2022", "6,098", start=1, end=5),
    fact("revenue", "FY2022", "17,606", start=6, end=10),
    fact("revenue", "Q2 FY2022", "4,000"),
    fact("revenue", "FY2022", "9,000", dimensions=(("segment", "Cloud"),)),
    fact("operating income", "FY2021", "5,802", start=11, end=15),
    fact("revenue", "FY2021", "15,785", start=16, end=20),
    fact("cost of revenue", "FY2022", "2,165"),
    fact("inventory", "2022-12-31", "120"),
    fact("inventory", "2021-12-31", "100"),
    fact("total current assets", "2023-01-28", "2.5", scale=Decimal(1_000_000)),
    fact("total current liabilities", "2023-01-28", "1,250"),
    fact("cash from operations", "FY2022", "7,838"),
    fact("capital expenditures", "FY2022", "(442)"),
]


def store():
    shelf = Shelf(report=TEXT)
    shelf.known_facts = FACTS
    return shelf


def figures(question):
    return [figure.text for figure in compute_figures(store(), read_question(question), ["report"])]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was the FY2022 operating margin?", "Operating margin, FY2022: 6,098 / 17,606 = 34.6%"),
        ("What is the gross margin in 2022?", "Gross margin, FY2022: (17,606 - 2,165) / 17,606 = 87.7%"),
        ("Inventory turnover ratio for FY2022?", "Inventory turnover, FY2022: 2,165 / ((120 + 100) / 2) = 19.68"),
        ("How large is the working capital of FY2022?", "Working capital, FY2022: 2,500 - 1,250 = 1,250"),
        ("What is the FY2022 free cash flow?", "Free cash flow, FY2022: 7,838 - 442 = 7,396"),
        ("Revenue growth rate in FY2022?", "Growth of revenue, FY2022: (17,606 - 15,785) / 15,785 = 11.5%"),
        ("2022年的流动比率是多少？", "流动比率, FY2022: 2,500 / 1,250 = 2"),
    ],
)
def test_figures_by_hand(question, shown):
    assert figures(question) == [shown]


def test_a_development_shows_the_year_before():
    assert [line.split(":")[0] for line in figures("Did the operating margin improve in FY2022?")] == [
        "Operating margin, FY2021",
        "Operating margin, FY2022",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What is the return on equity in FY2022?",
        "What was the operating margin in FY2019?",
        "What was the operating margin?",
        "Who leads Acme in 2022?",
        "Did Acme broaden its range in 2022?",
    ],
)
def test_nothing_is_made_up(question):
    assert figures(question) == []


def test_the_longest_name_is_meant():
    assert formula_asked(read_question("the operating cash flow ratio of 2022")).name == "operating cash flow ratio"
    assert formula_asked(read_question("the free cash flow conversion of 2022")).name == "free cash flow conversion"


def test_whole_reported_figures_are_taken():
    assert annual_fact(FACTS, "revenue", 2022).text == "17,606"
    assert annual_fact(FACTS, "total current assets", 2022).text == "2.5", "a year that ends in January"


def test_a_part_does_not_pass_as_the_whole():
    parts = [fact("cost of revenue", "FY2022", text, scale=Decimal(1)) for text in ("(50)", "(9)")]
    assert annual_fact(parts, "cost of revenue", 2022) is None
    total = replace(fact("cost of revenue", "FY2022", "(59)"), label="Total costs of revenue")
    assert annual_fact([*parts, total], "cost of revenue", 2022) == total
    assert annual_fact([*parts, parts[0]], "cost of revenue", 2022) == parts[0], "printed twice"


def test_flows_are_not_taken_from_balance_sheets():
    assert annual_fact([fact("depreciation and amortization", "2022-12-31", "43")], *WHEN) is None
    assert annual_fact([fact("depreciation and amortization", "FY2022", "62")], *WHEN).text == "62"


def test_losses_keep_their_sign():
    loss = [fact("income tax", "FY2022", "743"), fact("income before tax", "FY2022", "(5,033)")]
    (figure,) = [compute(formula_asked(read_question("effective tax rate in 2022")), loss, 2022)]
    assert figure.shown == "743 / (-5,033) = -14.8%"


def test_the_answer_cites_every_cell_and_stands_its_own_check():
    answer = answer_question(store(), None, None, "What was the FY2022 operating margin?", search=shelf_search)
    assert answer.text == "Operating margin, FY2022: 6,098 / 17,606 = 34.6% [1][2]"
    # The page is the line's on the shelf, where each line is a page.
    assert [(c.text, c.page) for c in answer.citations] == [
        ("Operating Income, FY2022: 6,098", 1),
        ("Revenue, FY2022: 17,606", 1),
    ]
    assert answer.context.graph[0].kind == "fact" and "34.6%" in answer.context.graph[0].text
    assert check_sentence(answer.text, [c.text for c in answer.citations]).passed


def test_every_input_of_every_formula_is_a_metric_that_is_known():
    known = default_metrics().metrics
    rules = load_rules("cliquerag.retrieval", "formulas.toml")["formula"]
    inputs = {match[1] for rule in rules.values() for text in rule["expressions"] for match in _INPUT.finditer(text)}
    assert inputs - set(known) == set()

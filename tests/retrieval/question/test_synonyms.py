from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.core.rules import load_rules
from cliquerag.core.words import search_words
from cliquerag.retrieval.question.vocabulary.vocabulary import default_synonyms, load_synonyms


@pytest.mark.parametrize(
    ("question", "home", "word"),
    [
        ("What is the DPO?", "balance sheet", "accounts payable"),
        ("How high was capex?", "cash flow", "purchases of property"),
        ("What was the EPS?", "income statement", "diluted"),
        ("公司的资产负债率是多少", "balance sheet", "负债合计"),
    ],
)
def test_metrics_have_homes_and_other_words(question: str, home: str, word: str) -> None:
    found = default_synonyms().expand(question)
    assert found.homes[home] == 0.8
    assert word in found.text


def test_a_statement_that_is_named_comes_before_those_of_the_metric() -> None:
    homes = default_synonyms().expand("Using the cash flow statement, what was revenue?").homes
    assert homes["cash flow"] == 1.0 and homes["income statement"] == 0.3


@pytest.mark.parametrize(
    "question",
    [
        "Which region had the lowest revenue?",
        "What was revenue by segment?",
        "哪个产品的营业收入最高",
        "What drove the change of revenue?",
        "营业收入下降的原因是什么",
    ],
)
def test_the_statement_of_the_whole_is_a_weaker_hint_where_a_part_or_the_cause_is_asked(question: str) -> None:
    assert default_synonyms().expand(question).homes["income statement"] == 0.3
    assert default_synonyms().expand("What was revenue in the region?").homes["income statement"] == 0.8


def test_short_forms_are_not_found_inside_words() -> None:
    assert default_synonyms().expand("Does it steeps?").homes == {}


def test_rules_whose_words_are_asked_can_be_left_out() -> None:
    question = "What were accounts payable and trade payables?"
    assert default_synonyms().expand(question).words
    assert not default_synonyms().expand(question, only_missing=True).words


def test_every_home_is_a_class_of_pages() -> None:
    rules = load_rules("cliquerag.ingest.pieces", "classes.toml")
    classes = {rule["name"] for kind in ("statement", "section") for rule in rules[kind]}
    for rule in default_synonyms().rules:
        assert {*rule.homes, *rule.sections} <= classes, rule.asked.pattern
        assert rule.words == "" or search_words(rule.words)


def test_own_rules_are_added(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("[[rule]]\nasked = 'arpu'\nwords = 'average revenue per user'\n", encoding="utf-8")
    assert "average revenue per user" in load_synonyms(path).expand("What is the ARPU?").words
    assert load_synonyms(path).expand("capex").homes == {"cash flow": 0.8}


@pytest.mark.parametrize("wrong", ["[[rule]]\nwords = 'x'\n", "[[rule]]\nasked = '('\n", "no toml ="])
def test_wrong_rules_are_named(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(UsageError, match=r"own\.toml"):
        load_synonyms(path)


def test_a_statement_named_around_the_question_is_its_home() -> None:
    expand = default_synonyms().expand
    asked = "What is Acme's DPO?"
    assert expand(asked, around=f"{asked} Use the balance sheet.").homes["balance sheet"] == 1.0
    named = expand("How much does the income statement show?", around="Use the balance sheet.").homes
    assert "balance sheet" not in named


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Are Acme's workers unionised?", "collective bargaining"),
        ("Are Acme's workers unionised?", "employees"),
        ("What is Acme still negotiating with the government?", "discussions"),
        ("What did Acme do to rein in its operating expenses?", "cost savings"),
        ("What did Acme do with the money from its notes?", "proceeds"),
        ("Who are Acme's rivals?", "competitors"),
    ],
)
def test_what_people_say_is_looked_for_in_the_words_of_filings(question: str, word: str) -> None:
    assert word in default_synonyms().expand(question).text

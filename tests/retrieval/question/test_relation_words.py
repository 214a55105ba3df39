"""The words by which relations of a schema are asked for, and the end at which the one named stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag.kg.schema import Schema, load_schema
from cliquerag.retrieval.question.vocabulary.relation_words import ends_told, phrases_said

SCHEMA = load_schema()
OWN = """
[relations.insures]
inverse = "insured_by"
heads = ["company"]
tails = ["company", "facility"]
en = "insures"
zh = "承保"
asked = ["underwrites", "policy"]

[relations.shares_office_with]
heads = ["company"]
tails = ["company"]
symmetric = true
en = "shares an office with"
"""


def _asked(question: str, schema: Schema = SCHEMA) -> dict[str, str]:
    said = phrases_said(question, schema)
    return {phrase.relation: end for phrase, end in said.items() if not phrase.is_shared}


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Which companies does Acme depend on?", "depends_on"),
        ("What does Acme hedge?", "hedges"),
        ("What dividend was paid by Acme?", "pays_dividend"),
        ("Which critical audit matter did Acme have?", "audit_focus"),
        ("Which incentive plan is there at Acme?", "sponsors_plan"),
        ("What did Acme write down?", "impairs"),
        ("Who regulates Acme?", "regulates"),
        ("Which law is Acme subject to?", "subject_to"),
        ("Acme对冲什么？", "hedges"),
        ("Acme有什么激励计划？", "sponsors_plan"),
        ("Acme依赖谁？", "depends_on"),
    ],
)
def test_a_relation_is_asked_for_by_what_the_schema_says_of_it(question: str, relation: str) -> None:
    assert relation in _asked(question)


def test_nearly_every_relation_of_the_schema_can_be_asked_for_by_words_of_its_own() -> None:
    askable = {phrase.relation for text in _labels() for phrase in phrases_said(text, SCHEMA) if not phrase.is_shared}
    # "leads" and the like are words of any question: rows of asked_relations.toml say how these are asked for.
    assert set(SCHEMA.relations) - askable <= {
        "leads", "works_for", "covers", "issues", "develops", "operates_in", "sells_to", "listed_on",
        "holds_role", "merges_with", "produces",
    }  # fmt: skip


def _labels() -> list[str]:
    relations = SCHEMA.relations.values()
    names = [relation.name.replace("_", " ") for relation in relations]
    return [*names, *(relation.en for relation in relations), *(word for own in relations for word in own.asked)]


@pytest.mark.parametrize(
    "question",
    ["What plans does Acme have?", "How did margins develop?", "What was Acme's revenue?", "List all risks."],
)
def test_words_of_any_question_ask_for_no_relation(question: str) -> None:
    assert _asked(question) == {}


@pytest.mark.parametrize(
    ("question", "end"),
    [
        ("Who sued Acme?", "tail"),
        ("Whom did Acme sue?", "head"),
        ("By whom was Acme sued?", "tail"),
        ("Who has been sued by Acme?", "head"),
        ("Is Acme suing anybody?", "head"),
        ("Which companies sued Acme in 2022?", "tail"),
        ("Who sued Acme's chief executive?", "either"),
        ("Who sued the Acme foundation?", "either"),
        ("谁起诉了Acme？", "tail"),
        ("Acme起诉了谁？", "head"),
        ("Acme被谁起诉？", "tail"),
        ("谁被Acme起诉？", "head"),
        ("Acme的起诉对象是谁？", "either"),
    ],
)
def test_grammar_says_who_does_it_to_whom(question: str, end: str) -> None:
    assert _asked(question)["sues"] == end


def test_where_a_company_is_headquartered_shows_no_direction() -> None:
    assert _asked("Where is Acme headquartered?")["headquartered_in"] == "either"


def test_a_preposition_leads_to_the_object_of_its_verb() -> None:
    assert _asked("Which companies depend on Acme?")["depends_on"] == "tail"
    assert _asked("What does Acme depend on?")["depends_on"] == "head"
    assert _asked("Who backs Acme?") == {}
    assert _asked("Who employs Acme?")["works_for"] == "head"


@pytest.mark.parametrize(
    ("sentence", "relation", "ends"),
    [
        ("In May Acme agreed to acquire Bolt.", "acquires", {"head"}),
        ("In May Bolt acquired Acme.", "acquires", {"tail"}),
        ("Acme was acquired by Bolt.", "acquires", {"tail"}),
        ("Bolt was acquired by Acme.", "acquires", {"head"}),
        ("Acme makes bolts. An acquisition is planned.", "acquires", set()),
        ("2023年Acme收购了博特公司。", "acquires", {"head"}),
        ("Acme为博特公司的贷款提供担保。", "guarantees", {"head"}),
        ("博特公司为Acme提供担保。", "guarantees", {"tail"}),
    ],
)
def test_a_sentence_tells_the_end_as_a_question_does(sentence: str, relation: str, ends: set[str]) -> None:
    assert ends_told(sentence, relation, tuple(SCHEMA.relations.values())) == ends


def test_a_relation_of_the_users_own_is_asked_for_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    schema = load_schema(path)
    assert _asked("Who insures Acme?", schema) == {"insures": "tail"}
    assert _asked("Which plants does Acme insure?", schema)["insures"] == "head"
    assert _asked("Which companies underwrite Acme?", schema) == {"insures": "tail"}
    assert _asked("谁为Acme承保？", schema) == {"insures": "tail"}
    assert _asked("With whom does Acme share an office?", schema) == {"shares_office_with": "either"}
    assert "insures" not in _asked("Who insures Acme?")

"""The relations that a question asks for, in one step and in two, and the passages that the graph leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Evidence, Trace
from cliquerag.retrieval.search.query import make_query
from cliquerag.retrieval.search.retrievers.asked_relations import (
    asked_relations,
    asks_for_all,
    named_entities,
    read_asked_relations,
    relations_asked,
)
from cliquerag.retrieval.search.retrievers.base import SearchRequest
from cliquerag.retrieval.search.retrievers.graph import relation_evidence
from cliquerag.retrieval.search.weights import FILING_WEIGHTS
from support.library import WordEmbedder, library

from benchmarks.asking import plan_of, search

EMBEDDER = WordEmbedder()
TEXTS = {
    "acme.txt": "Acme Corporation acquired Bolt Systems Inc. in 2021 for $40 million. Acme makes bars.",
    "bolt.txt": "Bolt Systems Inc. acquired Crux Limited in 2019. Bolt Systems Inc. is a maker of bolts.",
    "people.txt": "Ann Lee is chief executive officer of Acme Corporation. She likes opera.",
} | {f"steel{i}.txt": f"Steel prices rose in year {i}. Steel bars and bolts were sold." for i in range(12)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


@pytest.mark.parametrize(
    ("question", "relation", "end"),
    [
        ("Who acquired Bolt Systems?", "sells_to", "head"),
        ("Which companies did Acme acquire?", "acquires", "either"),
        ("Who audits Acme?", "audits", "either"),
        ("Which firm signs off Acme's books?", "audits", "either"),
        ("Who is running Acme?", "leads", "either"),
        ("What lawsuits is Acme facing?", "sues", "tail"),
        ("Who brought the class action against Acme?", "sues", "tail"),
        ("Which suits has Acme filed?", "sues", "head"),
        ("Who faces a lawsuit by Acme?", "sues", "either"),
        ("Since when has Ann Lee been chief financial officer of Acme?", "holds_role", "either"),
        ("Who retired from Acme?", "leaves", "either"),
        ("What does Acme make?", "produces", "either"),
        ("Acme由谁审计?", "audits", "either"),
        ("谁收购了Bolt?", "acquires", "either"),
        ("To whom did Acme sell the mill?", "sells_to", "either"),
        ("Who is Acme's landlord?", "tenant_of", "head"),
        ("From whom does Acme rent the mill?", "tenant_of", "head"),
        ("Who does Acme lease the mill from?", "tenant_of", "head"),
        ("Who leases the mill to Acme?", "tenant_of", "head"),
        ("Who leases the mill from Acme?", "tenant_of", "tail"),
        ("Who are Acme's tenants?", "tenant_of", "tail"),
        ("Who manages Acme?", "external_manager_of", "either"),
    ],
)
def test_the_words_of_a_question_say_which_relation_is_meant(question: str, relation: str, end: str) -> None:
    assert read_asked_relations(question).all[relation] == end


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue in 2022?",
        "How much revenue did Acme make in 2022?",
        "What profit does Acme make?",
        "How did margins develop?",
        "How much is left under Acme's programme?",
        "",
    ],
)
def test_a_question_about_figures_asks_for_no_relation(question: str) -> None:
    assert read_asked_relations(question).kinds == ()


def _told(store: Store, question: str) -> set[tuple[str, str, str]]:
    plan = plan_of(store, question)
    steps = relations_asked(plan, read_asked_relations(plan.asked.trimmed), named_entities(plan))
    return {(r.head.name, r.relation, r.tail.name) for r in (*steps.first, *steps.second)}


def test_only_the_relation_asked_is_followed(store: Store) -> None:
    told = _told(store, "Which companies did Acme Corporation acquire?")
    assert ("Acme Corporation", "acquires", "Bolt Systems Inc.") in told
    assert not any(relation == "leads" for _, relation, _ in told)


def test_a_second_step_starts_from_where_the_first_one_leads(store: Store) -> None:
    told = _told(store, "Who leads the company that acquired Bolt Systems Inc.?")
    assert ("Ann Lee", "leads", "Acme Corporation") in told


def test_the_graph_leads_to_the_passage_that_states_the_relation(store: Store) -> None:
    found = search(store, EMBEDDER, "Who leads the company that acquired Bolt Systems Inc.?", mode="graph")
    assert "people.txt" in [item.source for item in found[:4]]
    hybrid = search(store, EMBEDDER, "Who leads the company that acquired Bolt Systems Inc.?", mode="hybrid")
    assert "people.txt" in [item.source for item in hybrid]


def test_a_theme_leads_to_passages_where_nobody_is_named(store: Store) -> None:
    found = search(store, EMBEDDER, "steel prices rose", mode="graph")
    assert found and found[0].source.startswith("steel") and found[0].why["theme"] > 0


def test_what_nothing_leads_to_is_not_the_graphs(store: Store) -> None:
    assert search(store, EMBEDDER, "zebra crossings in the fog", mode="graph") == []


CONTROLS = "Grant Thornton LLP, the accounting firm that audits Acme Corporation, attests to our controls."
SIGNATURE = "/s/ Grant Thornton LLP"
REPORT = (
    "FORM 10-K\n\nFor the fiscal year ended December 31, 2022\n\nACME CORPORATION\n\n(Exact name of registrant as "
    "specified in its charter)\n",
    f"Item 9A. Controls and Procedures\n\n{CONTROLS}",
    "Report of Independent Registered Public Accounting Firm\n\nTo the Shareholders of Acme Corporation\n\nOpinion on "
    "the Financial Statements\n\nIn our opinion, the financial statements present fairly the position of the Company."
    f"\n\n{SIGNATURE}\n\nWe have served as the Company's auditor since 2009.\n\nChicago, February 3, 2023",
)


def test_who_audits_is_shown_on_the_auditors_report() -> None:
    store = library({"ACME_2022_10K.pdf": REPORT})
    schema, question = load_schema(), "Which accounting firm audits Acme Corporation?"
    try:
        query = make_query(plan_of(store, question), EMBEDDER, FILING_WEIGHTS, short=False)
        firm, filer = (Entity(name, name, "company", name) for name in ("Grant Thornton LLP", "Acme Corporation"))
        told = tuple(_said(store, f"s{n}", firm, filer, words) for n, words in enumerate((CONTROLS, SIGNATURE)))
        audits = Relation(firm, "audits", filer, told)
        (shown,) = relation_evidence(store, query, [audits], (filer.id,), 10, schema)
        assert (shown.page, SIGNATURE in shown.text) == (3, True)
        (elsewhere,) = relation_evidence(store, query, [replace(audits, relation="advises")], (filer.id,), 10, schema)
        assert (elsewhere.page, CONTROLS in elsewhere.text) == (2, True), "the words of the question decide"
    finally:
        store.close()


def _said(store: Store, id: str, firm: Entity, filer: Entity, words: str) -> Statement:
    (chunk,) = (chunk for chunk in store.chunks_of("ACME_2022_10K.pdf") if words in chunk.text)
    start = chunk.start + chunk.text.index(words)
    return Statement(id, firm.id, "audits", filer.id, chunk.document, chunk.id, start, start + len(words), words)


@pytest.mark.parametrize("k", [10, 24])
def test_one_of_the_first_ten_places_of_hybrid_is_the_graphs(k: int) -> None:
    """Of the statements asked for the first leads to a missing page, what follows them costs passages."""
    deals = {
        f"deal{i}.txt": f"In 20{i}, Acme Corporation acquired Bolt{i} Systems Inc. of Ohio." for i in range(10, 18)
    }
    store = library({**TEXTS, **deals}, graph=True)
    try:
        found = search(store, EMBEDDER, "Which steel prices rose after what Acme Corporation acquired?", k=k)
        of_graph = [at for at, item in enumerate(found) if item.kind == "relation"]
        assert sum(at < 10 for at in of_graph) == 1
        assert len(found) == k and (k == 10 or len(of_graph) > 2), "the others come behind"
    finally:
        store.close()


def test_a_deal_of_another_year_takes_no_place() -> None:
    text = "Acme Corporation acquired Elm Works Inc. in March 2019. Acme Corporation acquired Fern Ltd. in May 2020."
    filled = library({**TEXTS, "elm.txt": text}, graph=True)
    question = "Which companies did Acme Corporation acquire in 2020?"
    plan = plan_of(filled, question)
    query = make_query(plan, EMBEDDER, FILING_WEIGHTS, short=False)
    request = SearchRequest("hybrid", plan, query, (), (), (), 10, Trace())
    told = [item.text for item in asked_relations(request).items]
    filled.close()
    assert any("acquires Fern" in text for text in told)
    assert not any("acquires Elm Works" in text for text in told)


def test_beside_the_relation_asked_no_other_takes_a_place() -> None:
    things = ("steel mills", "paper works", "ferry lines", "tea gardens", "glass ovens", "bakeries", "quarries", "dyes")
    strategy = [f"To acquire companies with {thing} is what Acme Corporation wants." for thing in things]
    pages = [
        *strategy,
        "Acme Corporation acquired Crux Limited in 2019.",
        "Acme Corporation competes with Dart Works Inc. for companies to acquire.",
    ]
    filled = library({"report.pdf": pages}, graph=True)
    found = search(filled, EMBEDDER, "Which companies did Acme Corporation acquire?", mode="hybrid", k=20)
    filled.close()
    told = _relations_first(found)
    assert not any(" competes with " in text for text in told)


def _relations_first(found: Sequence[Evidence]) -> list[str]:
    return [item.text for item in found if item.kind == "relation"]


def test_hybrid_reads_the_older_report_that_tells_a_deal() -> None:
    topics = ("sales", "cost", "cash", "price", "debt", "tax", "staff", "plants", "steel", "ore", "coal", "water")
    newest = [f"Acme Corporation 10-Q for June 30, 2023: what Acme did pay for {topic} did close." for topic in topics]
    older = ["Acme Corporation annual report 2021.", "Trillo was acquired for $40 million, and the deal closed in May."]
    reports = {"ACME_2021_10K.pdf": older, "ACME_2023Q2_10Q.pdf": newest}
    filled = library(reports, graph=True)
    question = "what did acme pay for trillo and when did it close"
    found = {mode: search(filled, EMBEDDER, question, mode=mode, k=10) for mode in ("vector", "hybrid")}
    filled.close()
    told = {mode: [item.id for item in items if "Trillo" in item.text] for mode, items in found.items()}
    assert told["hybrid"] and not told["vector"]


@pytest.mark.parametrize(
    ("question", "is_all"),
    [
        ("What acquisitions did Acme make?", True),
        ("Any acquisitions by Acme in 2021?", True),
        ("What acquired company is in Ohio?", False),
    ],
)
def test_what_there_are_of_a_kind_is_a_complete_list(question: str, is_all: bool) -> None:
    assert asks_for_all(question) is is_all

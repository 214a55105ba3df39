"""Community reports for broad questions, and paths between two names, as evidence and as answers without a model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.core.scope import Scope
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.retrievers.communities import asks_broadly, asks_for_connection
from support.bundles import bundle, fact
from support.stores import open_store

from benchmarks.asking import answer_question, search

BROAD = "What are the main relations across these companies?"


@pytest.fixture
def store():
    made = open_store("sqlite://")
    figure = replace(fact("acme.txt", "revenue", "12", 10**6), dimensions=())
    made.put(
        bundle(
            "acme.txt",
            "[Acme Inc.] supplies [Bolt] with steel.",
            "[Acme Inc.] sues [Crux] over a patent.",
            "[Crux] acquires [Dart] in spring.",
            "[Dart] competes_with [Bolt].",
            facts=[figure],
        )
    )
    made.put(bundle("zeta.txt", "[Zeta] partners_with [Yoyo].", "[Yoyo] sues [Xeno].", company="Zeta"))
    made.put(bundle("far.txt", "[Xeno] invests_in [Wolf].", "Nothing else of note.", company="Xeno"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "broad"),
    [
        (BROAD, True),
        ("What are the key risks in these filings?", True),
        ("Summarize the deals across all companies", True),
        ("这些公司的主要风险有哪些?", True),
        ("Which lawsuits and proceedings do all these companies report?", True),
        ("What trends do these reports have in common?", True),
        ("How do these companies compete with each other?", True),
        ("这些公司面临哪些竞争?", True),
        ("What risks does Acme see in China?", False),
        ("What risks does Acme's report of 2023 name?", False),
        ("Which of these companies had the largest revenue?", False),
        ("What was total revenue in 2023?", False),
        ("Which company sued Acme?", False),
    ],
)
def test_broad_questions_are_told_from_others(question, broad):
    assert asks_broadly(read_question(question)) is broad


@pytest.mark.parametrize(
    ("question", "connection"),
    [
        ("How is Acme connected to Wolf?", True),
        ("What is the relationship between Acme and Wolf?", True),
        ("甲公司与乙公司有什么关系?", True),
        ("How much did Acme pay for Wolf?", False),
    ],
)
def test_questions_about_connections_are_told_from_others(question, connection):
    assert asks_for_connection(read_question(question)) is connection


@pytest.mark.parametrize("mode", ["global", "hybrid", "graph", "auto"])
def test_a_broad_question_finds_each_report_claim_by_claim(store, mode):
    trace = Trace()
    found = [e for e in search(store, None, BROAD, mode=mode, k=12, trace=trace) if e.kind == "community"]
    assert trace.data["communities"]["derived now"] is True
    assert {e.source for e in found} == {"acme.txt"}  # the others are pairs
    assert all(e.page == 1 and e.end > e.start and e.headings == ("Acme Inc., Bolt, Crux",) for e in found)
    text = store.text("acme.txt")
    assert all(e.text.partition("\n")[2] == text[e.start : e.end] for e in found)


def test_vector_search_derives_nothing(store):
    search(store, None, BROAD, mode="vector")
    search(store, None, "Who supplies Bolt?", mode="hybrid")
    assert store.communities() is None


def test_the_scope_bounds_reports(store):
    found = search(store, None, BROAD, mode="global", scope=Scope(sources=("zeta.txt",)))
    assert not [e for e in found if e.kind == "community" and e.source != "zeta.txt"]


def test_the_answer_without_a_model_gives_each_claim_its_sentence(store):
    answer = answer_question(store, None, None, BROAD)
    title, *claims = answer.text.splitlines()
    assert title == "Acme Inc., Bolt, Crux"
    assert "- Acme Inc. sues Crux (FY2023, planned) [" in answer.text
    assert len(claims) == len(answer.citations) == 4
    assert {c.page for c in answer.citations} == {1}


def test_lawsuits_come_first_where_they_are_asked_for(store):
    found = search(store, None, "What lawsuits are there across these companies?", mode="global")
    assert [e.text.partition(" (")[0] for e in found if e.kind == "community"] == ["Acme Inc. sues Crux"]


def test_global_still_answers_narrow_questions(store):
    found = search(store, None, "Who acquires Dart in spring?", mode="global")
    assert found[0].kind == "community" and "Crux acquires Dart" in found[0].text


class TestPaths:
    def test_the_steps_between_two_names_in_order(self, store):
        found = search(store, None, "How is Zeta connected to Wolf?", mode="graph", scope=None)
        steps = [e for e in found if "path" in e.why]
        assert [e.text.partition(" (")[0] for e in steps] == [
            "Zeta partners with Yoyo",
            "Yoyo sues Xeno",
            "Xeno invests in Wolf",
        ]
        assert {e.headings for e in steps} == {("Zeta - Yoyo - Xeno - Wolf",)}

    def test_in_hybrid_the_path_leads_only_where_it_is_asked_for(self, store):
        kinds = [e.kind for e in search(store, None, "How is Zeta connected to Wolf?")]
        assert kinds[:3] == ["relation"] * 3 and "chunk" in kinds[3:]
        assert search(store, None, "What did Zeta and Wolf report?")[0].kind == "chunk"

    def test_the_answer_without_a_model_is_the_path(self, store):
        answer = answer_question(store, None, None, "How is Zeta connected to Wolf?")
        title, *steps = answer.text.splitlines()
        assert title == "Zeta - Yoyo - Xeno - Wolf" and len(steps) == 3
        assert [c.source for c in answer.citations] == ["zeta.txt", "zeta.txt", "far.txt"]

    def test_a_scope_that_is_given_holds_for_every_step(self, store):
        given = Scope(sources=("zeta.txt",))
        found = search(store, None, "How is Zeta connected to Wolf?", mode="graph", scope=given)
        assert not [e for e in found if "path" in e.why]

    def test_one_name_or_strangers_have_none(self, store):
        for question in ("What does Acme supply?", "How is Acme connected to Zeta?"):
            assert not [e for e in search(store, None, question, mode="graph") if "path" in e.why]


def test_the_trace_has_the_rank_in_every_route_of_the_graph(store):
    trace = Trace()
    search(store, None, "How is Acme connected to Dart?", mode="hybrid", trace=trace)
    rows = trace.data["graph ranking"]
    first = next(row for row in rows if row.get("path") == 1)
    assert first["text"].startswith("Acme Inc. ") and {"local", "global"} <= first.keys()
    trace = Trace()
    search(store, None, BROAD, mode="global", trace=trace)
    assert trace.data["graph ranking"][0]["report"] == 1

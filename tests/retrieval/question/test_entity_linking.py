from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from decimal import Decimal

from cliquerag.core.fact import Fact
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.question.entity_linking import capitalised_names, link_entities
from cliquerag.retrieval.search.index.titles import Homes
from cliquerag.retrieval.search.query import Query, make_query
from cliquerag.retrieval.search.retrievers.facts import (
    describe,
    fact_evidence,
    fact_pages,
    fact_spans,
    facts_asked,
    metrics_asked,
)
from cliquerag.retrieval.search.weights import Weights
from support.bundles import FY2023, bundle
from support.library import library
from support.stores import open_store

from benchmarks.asking import plan_of

STORE = open_store("sqlite://")
STORE.put(
    bundle("a.txt", "[Acme Inc.] supplies [Bolt Works]", "[Bolt Works] sues [Bolt]", "[光华电子] supplies [Acme Inc.]")
)


def query(text: str) -> Query:
    return make_query(plan_of(STORE, text), None, Weights(), short=False)


def names(question: str) -> list[tuple[str, str]]:
    return [(link.entity.name, link.how) for link in link_entities(STORE, question)]


def test_the_longest_name_is_linked() -> None:
    assert names("What does Bolt Works make?") == [("Bolt Works", "exact")]


def test_of_namesakes_the_one_that_is_called_just_so_is_meant() -> None:
    store = open_store("sqlite://")
    lines = ["[Bolt Corp.] supplies [Acme Inc.]"] * 3
    store.put(bundle("a.txt", *lines, "[Bolt Ltd.] sues [Acme Inc.]"))
    questions = ("Who leads Bolt Ltd.?", "Who leads Bolt Corp.?")
    found = [link_entities(store, question)[0].entity.name for question in questions]
    assert found == ["Bolt Ltd.", "Bolt Corp."]


def test_a_person_is_known_by_given_and_family_name_and_by_the_family_name_behind_a_form_of_address() -> None:
    store = open_store("sqlite://")
    people = ("Daniel J. O’Brien", "James B. Roe", "James")
    told = bundle("a.txt", *(f"[{person}] leads [Acme Inc.]" for person in people))
    typed = tuple(replace(one, type="person" if one.name in people else one.type) for one in told.graph.entities)
    store.put(replace(told, graph=replace(told.graph, entities=typed)))
    questions = {
        "Who was there before Daniel O'Brien?": "Daniel J. O’Brien",
        "Mr. O'Brien's successor?": "Daniel J. O’Brien",
        "When did James Roe join?": "James B. Roe",
        "Mr. Roe left when?": "James B. Roe",
        "On which boards does Jim Roe sit?": "James B. Roe",
    }
    found = {question: [link.entity.name for link in link_entities(store, question)] for question in questions}
    assert found == {question: [name] for question, name in questions.items()}


def test_possessives_and_legal_forms_do_not_matter() -> None:
    assert names("What are Acme's plans?") == [("Acme Inc.", "exact")]


def test_chinese_names_are_found_inside_a_sentence() -> None:
    assert names("光华电子向谁供货？") == [("光华电子", "exact")]


def test_a_latin_name_right_before_a_chinese_word_is_linked() -> None:
    assert names("请问Acme的收入是多少？") == [("Acme Inc.", "exact")]
    assert names("Bolt Works和光华电子有什么关系？") == [("Bolt Works", "exact"), ("光华电子", "exact")]


def test_a_misspelt_name_is_linked_to_its_like() -> None:
    assert names("What does Acmee make?") == [("Acme Inc.", "similar")]


def test_a_part_of_a_name_stands_for_the_one_that_has_it() -> None:
    texts = {
        "a.txt": "Vexel Automation SE competes with Norra Glass Inc. Ann Marie Lee is chief executive officer of "
        "Norra Glass Inc. Norra Steel Ltd. was acquired by Vexel Automation SE."
    }
    with closing(library(texts, graph=True)) as store:

        def meant(question: str) -> list[str]:
            return [link.entity.name for link in link_entities(store, question)]

        assert meant("Who are Vexel's rivals?") == ["Vexel Automation SE"]
        assert meant("Vexel's rivals?") == ["Vexel Automation SE"]
        assert meant("What does Ann Lee lead?") == ["Ann Marie Lee"]
        assert meant("Who owns Norra?") == [], "two firms begin so"
        assert meant("Who owns Automation?") == [], "no name begins so"


def test_ordinary_words_link_nothing() -> None:
    assert names("how do you bolt things down?") == []


def test_names_known_from_the_scope_are_linked() -> None:
    assert [link.entity.name for link in link_entities(STORE, "Who supplies it?", ["ACME INC"])] == ["Acme Inc."]


def metrics(asked: Query) -> list[str]:
    return metrics_asked(asked, default_metrics())


def test_metrics_by_their_longest_name_and_the_parts_of_a_ratio() -> None:
    assert metrics(query("What were total current assets?"))[0] == "total current assets"
    assert "accounts payable" in metrics(query("What is the DPO?"))
    assert metrics(query("2019年的营业收入是多少"))[0] == "revenue"
    assert metrics(query("Who leads the firm?")) == []


def fact(text: str, year: int = 2023, dimensions: tuple[tuple[str, str], ...] = ()) -> Fact:
    period = FY2023.shifted(year - 2023)
    return Fact("Acme Inc.", "revenue", "Net sales", period, text, Decimal(text), "USD", Decimal(10**6), dimensions,
                source_kind="table", source="f.txt", id=f"{text}-{year}")  # fmt: skip


def test_the_whole_figure_of_the_year_asked_comes_first() -> None:
    store = open_store("sqlite://")
    facts = [fact("90", 2022), fact("40", dimensions=(("segment", "Cloud"),)), fact("100")]
    store.put(bundle("f.txt", "Net sales rose.", facts=facts))
    asked = query("What was Acme's revenue in FY2023?")
    found = facts_asked(plan_of(store, asked.question.text), asked)
    assert fact_evidence(found, 3)[0].text == describe(facts[2])
    assert "segment Cloud" in describe(fact("40", dimensions=(("segment", "Cloud"),)))
    assert facts_asked(plan_of(store, "Who leads Acme?"), query("Who leads Acme?")) == []
    assert fact_pages(found, asked) == {}  # these stand on no page
    placed = [(2.0, replace(facts[2], start=20, end=23)), (1.95, replace(facts[1], start=5, end=7)),
              (1.9, replace(facts[0], start=9, end=11)), (1.2, replace(facts[1], start=1, end=3))]  # fmt: skip
    assert [(span.start, round(span.fit, 2)) for span in fact_spans(placed, asked)["f.txt"]] == [(20, 1.0), (5, 0.67)]


def test_homes_are_titles_of_passages_not_of_reports() -> None:
    store = open_store("sqlite://")
    for source, kind in (
        ("Steel Harbour", "other"),
        ("The Quill (film)", "other"),
        ("1999", "other"),
        ("r.pdf", "10-K"),
    ):
        store.put(bundle(source, "text", company="", kind=kind))
    homes = Homes.of(replace(record, pages=0, title="") for record in store.documents())
    assert set(homes.of_name) == {"steel harbour", "quill film", "quill"}
    assert homes.named_in("She saw the Quill in Steel Harbour's cinema.") == ["quill", "steel harbour"]
    assert homes.named_in("a quill of steel") == []


def test_a_word_of_asking_is_no_abbreviation() -> None:
    store = open_store("sqlite://")
    store.put(bundle("w.txt", "[WHO] supplies [Acme Inc.]"))
    assert "Who" not in [link.written for link in link_entities(store, "Who supplies Acme?")]
    assert "WHO" in [link.written for link in link_entities(store, "What does the WHO supply?")]
    store.close()


def test_the_plural_of_an_abbreviation_is_no_name() -> None:
    assert capitalised_names("How do these 10-Qs and SUVs affect Acme?", default_metrics()) == [("Acme", 35, 39)]

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.core.scope import Scope
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Page
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.chunk_evidence import Passage, as_evidence, by_best_sentence
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.modes import mode_names
from cliquerag.retrieval.search.query import FactSpan
from cliquerag.retrieval.search.retrievers import passages as vector_leg
from cliquerag.retrieval.search.scoring import Candidate
from cliquerag.retrieval.search.weights import Weights
from cliquerag.workspace import Workspace
from support.library import FILINGS, PASSAGES, WordEmbedder, library

from benchmarks.asking import search
from benchmarks.ours import make_bundle, text_documents

EMBEDDER = WordEmbedder()


@pytest.fixture(scope="module")
def filings() -> Iterator[Store]:
    store = library(FILINGS, graph=True)
    yield store
    store.close()


@pytest.fixture(scope="module")
def passages() -> Iterator[Store]:
    store = library(PASSAGES)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "source", "page"),
    [
        ("What is Acme's FY2022 DPO?", "ACME_2022_10K.pdf", 4),
        ("How much inventory did Zenith have at the end of FY2022?", "ZENITH_2022_10K.pdf", 4),
        ("Which legal battles did Acme report in FY2021?", "ACME_2021_10K.pdf", 3),
        ("Who is Acme's largest customer in FY2022?", "ACME_2022_10K.pdf", 2),
    ],
)
@pytest.mark.parametrize("embedder", [EMBEDDER, None])
def test_the_right_page_of_the_right_filing_comes_first(
    filings: Store, question: str, source: str, page: int, embedder: WordEmbedder | None
) -> None:
    best = search(filings, embedder, question)[0]
    assert (best.source, best.page) == (source, page)


def test_evidence_points_into_its_document(filings: Store) -> None:
    for item in search(filings, EMBEDDER, "What is Acme's FY2022 inventory?", mode="vector"):
        text = filings.text(item.source)
        assert text[item.start : item.end] == item.text and item.tokens > 0 and item.why
        assert item.highlights and all(item.start <= a < b <= item.end for a, b in item.highlights)


def test_pages_come_once_before_any_comes_twice(filings: Store) -> None:
    found = search(filings, EMBEDDER, "Acme FY2022", mode="vector", k=3)
    assert len({(item.source, item.page) for item in found}) == 3


def test_a_scope_is_kept_and_all_widens_it(filings: Store) -> None:
    one = search(filings, EMBEDDER, "total assets", scope=Scope(sources=("ZENITH_2022_10K.pdf",)))
    assert {item.source for item in one} == {"ZENITH_2022_10K.pdf"}
    everything = search(filings, EMBEDDER, "total assets of Acme in FY2022", k=20, scope=Scope.all())
    assert len({item.source for item in everything}) == 3


@pytest.mark.parametrize("scope", [None, Scope(sources=("ZENITH_2022_10K.pdf",)), Scope.all()])
def test_pages_that_state_the_figure_rise_in_every_scope(scope: Scope | None) -> None:
    with_facts = library(FILINGS, facts=True)
    question = "What were the inventories of Zenith in FY2022?"
    found = search(with_facts, EMBEDDER, question, scope=scope, k=20)
    raised = {(item.source, item.page): item.why["fact"] for item in found if item.why.get("fact")}
    assert set(raised) == {("ZENITH_2022_10K.pdf", 4)}
    assert max(raised.values()) > Weights().fact  # it is a statement
    assert any(item.kind == "fact" for item in found)
    assert not any(item.kind == "fact" for item in search(with_facts, EMBEDDER, "inventories", scope=Scope.all()))
    why = search(with_facts, EMBEDDER, "Why did the inventories of Zenith fall in FY2022?", scope=scope)
    assert not any(item.why.get("fact") for item in why if item.kind != "fact")


def test_two_companies_share_the_first_places(filings: Store) -> None:
    found = search(filings, EMBEDDER, "Compare the inventories of Acme and Zenith in FY2022", mode="vector", k=2)
    assert {item.source for item in found} == {"ACME_2022_10K.pdf", "ZENITH_2022_10K.pdf"}


def test_relations_are_evidence_of_the_graph_modes(filings: Store) -> None:
    found = search(filings, EMBEDDER, "Who sued Acme in FY2022?", mode="local")
    best = next(item for item in found if item.kind == "relation")
    assert "Cresta Tools" in best.text and best.page == 3
    assert not any(item.kind == "relation" for item in search(filings, EMBEDDER, "Who sued Acme?", mode="vector"))


def test_hybrid_leaves_the_first_places_to_passages(filings: Store) -> None:
    question = "Who sued Acme in FY2022?"
    alone = search(filings, EMBEDDER, question, mode="vector", k=10)
    both = search(filings, EMBEDDER, question, mode="hybrid", k=10)
    assert [item.id for item in both[:5]] == [item.id for item in alone[:5]]
    assert len(both) <= 10


@pytest.mark.parametrize("mode", [*mode_names(), "naive", "mix"])
def test_every_mode_works_and_never_gives_more_than_asked(filings: Store, mode: str) -> None:
    assert len(search(filings, EMBEDDER, "Who sued Acme?", mode=mode, k=3)) <= 3


def test_an_unknown_mode_is_named(filings: Store) -> None:
    with pytest.raises(UsageError, match="no mode 'magic'"):
        search(filings, EMBEDDER, "anything", mode="magic")


def test_linked_passages_stand_behind_the_first_three(passages: Store) -> None:
    question = "In what town was the engineer who built ships in Steel Harbour born?"
    alone = [item.source for item in search(passages, EMBEDDER, question, mode="vector")]
    linked = [item.source for item in search(passages, EMBEDDER, question, mode="hybrid")]
    assert linked[:3] == alone[:3]
    assert {"Ada Quill", "Fenwick"} <= set(linked[:5])


def test_a_question_without_a_name_keeps_the_ranking(passages: Store) -> None:
    question = "which milk product do many towns make"
    alone = [item.source for item in search(passages, EMBEDDER, question, mode="vector")]
    assert [item.source for item in search(passages, EMBEDDER, question, mode="hybrid")] == alone


def test_an_empty_store_and_an_empty_question_find_nothing() -> None:
    store = library({})
    assert search(store, EMBEDDER, "What is Acme's revenue?") == []
    store.close()


def test_a_write_is_seen_by_the_next_search() -> None:
    store = library(dict(list(FILINGS.items())[:1]))
    assert {item.source for item in search(store, EMBEDDER, "Zenith inventories")} == {"ACME_2021_10K.pdf"}
    for document in text_documents({"ZENITH_2022_10K.pdf": FILINGS["ZENITH_2022_10K.pdf"]}):
        store.put(make_bundle(document, EMBEDDER, None))
    assert search(store, EMBEDDER, "Zenith inventories")[0].source == "ZENITH_2022_10K.pdf"
    store.remove("ZENITH_2022_10K.pdf")
    assert {item.source for item in search(store, EMBEDDER, "Zenith inventories")} == {"ACME_2021_10K.pdf"}
    store.close()


def test_too_many_chunks_are_searched_by_first_hits(filings: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_leg, "MOST_CHUNKS", 1)
    best = search(filings, EMBEDDER, "How much inventory did Zenith have at the end of FY2022?")[0]
    assert (best.source, best.page) == ("ZENITH_2022_10K.pdf", 4)
    assert search(filings, EMBEDDER, "total assets", scope=Scope.all())


def test_the_trace_says_what_was_done_and_is_json(filings: Store) -> None:
    trace = Trace()
    search(filings, EMBEDDER, "What were Acme's total assets in FY2022?", trace=trace)
    data = json.loads(json.dumps(trace.data))
    assert data["scope"]["documents"] == 1 and "companies named: acme" in data["scope"]["notes"]
    assert data["homes"]["balance sheet"] == 0.8 and data["ranking"][0]["home"] > 0
    assert data["milliseconds"]["rank"] >= 0 and data["linked"][0]["name"]


def test_repeated_text_is_shown_once() -> None:
    boilerplate = "This report has forward-looking statements which may turn out to be wrong in every way. " * 2
    store = library({"a.txt": boilerplate, "b.txt": boilerplate, "c.txt": "Forward-looking words differ here."})
    found = search(store, EMBEDDER, "forward-looking statements", mode="vector")
    assert sorted(item.source for item in found)[1:] == ["c.txt"]
    store.close()


class Reversing:
    """The last passage is the best."""

    name = "reversing"

    def scores(self, question, texts):
        return [float(at) for at in range(len(texts))]


class Broken(Reversing):
    def scores(self, question, texts):
        raise ModelError("no answer", where="http://reranker")


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
def test_a_reranker_orders_the_passages(filings: Store, mode: str) -> None:
    trace = Trace()
    found = search(
        filings, EMBEDDER, "What are Acme's total assets in FY2022?", mode=mode, reranker=Reversing(), trace=trace
    )
    plain = search(filings, EMBEDDER, "What are Acme's total assets in FY2022?", mode=mode)
    assert found[0].id != plain[0].id
    assert trace.data["rerank"]["order"][0]["chunk"] == found[0].id and trace.data["rerank"]["order"][0]["from"] > 1


def test_a_reranker_that_fails_changes_nothing(filings: Store) -> None:
    trace = Trace()
    question = "What are Acme's total assets in FY2022?"
    found = search(filings, EMBEDDER, question, mode="vector", reranker=Broken(), trace=trace)
    assert [item.id for item in found] == [item.id for item in search(filings, EMBEDDER, question, mode="vector")]
    assert "no answer" in trace.data["rerank"]["failed"]


@pytest.mark.parametrize(
    ("question", "mode"),
    [
        ("What were Acme's total assets in FY2022?", "hybrid"),
        ("How is Cresta Tools connected to Borealis Marine?", "graph"),
        ("What are the main risks across these companies?", "global"),
        ("Why did Acme sell its pumps?", "hybrid"),
    ],
)
def test_auto_chooses_a_mode_and_says_why(filings: Store, question: str, mode: str) -> None:
    trace = Trace()
    search(filings, EMBEDDER, question, mode="auto", trace=trace)
    assert trace.data["route"]["mode"] == mode and trace.data["route"]["reason"]


def test_of_a_passage_over_two_pages_the_page_is_that_of_the_answering_row() -> None:
    chunk = Chunk("c", "r.pdf", 0, "Revenue of the year was 10.\nIncome taxes of the year were 3.", 0, 61)
    chunk = replace(chunk, sentences=((0, 27), (28, 60)))
    scores = np.array([0.1, 0.9], np.float32)
    passage = Passage(chunk, Candidate("c", "r.pdf", ("r.pdf", 0), 1.0), scores)
    pages = {"r.pdf": [Page(1, 0, 28), Page(2, 28, 61)]}
    assert as_evidence([passage], pages)[0].page == 2


def test_of_rows_that_are_one_sentence_the_page_is_that_of_the_figure() -> None:
    text = "Sales | 10 |\nTaxes | 3 |\nProfit | 7 |"
    chunk = replace(Chunk("c", "r.pdf", 0, text, 0, len(text)), sentences=((0, len(text)),))
    pages = {"r.pdf": [Page(1, 0, 25), Page(2, 25, len(text))]}
    found, scores = Candidate("c", "r.pdf", ("r.pdf", 0), 1.0), np.array([0.9], np.float32)
    assert as_evidence([Passage(chunk, found, scores)], pages)[0].page == 1
    assert as_evidence([Passage(chunk, found, scores, FactSpan(34, 35, 1.0))], pages)[0].page == 2


def test_where_everything_is_searched_the_document_spoken_of_still_comes_first(filings: Store) -> None:
    trace = Trace()
    found = search(filings, None, "How much inventory did Zenith have?", scope=Scope.all(), mode="vector", trace=trace)
    assert found[0].source == "ZENITH_2022_10K.pdf" and found[0].why["about"] > 0
    assert len({item.source for item in found}) == 3


def test_a_page_of_the_auditors_report_loses_unless_it_is_asked_for() -> None:
    report = "Report of Independent Registered Public Accounting Firm\nWe have audited the net sales of Acme.\n"
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text([report, "Net sales of Acme rose.", "Acme makes pumps."], "acme.txt")

        def shares(question: str) -> float:
            return min(item.why.get("auditor", 0.0) for item in workspace.search(question, mode="vector"))

        assert shares("What were the net sales of Acme?") < 0
        assert shares("Who is the auditor of Acme?") == 0


def test_of_a_year_that_no_report_is_of_the_year_before_it_decides(filings: Store) -> None:
    question = "As of FY2021, what legal claims did Acme expect to settle in 2030?"
    assert search(filings, None, question)[0].source == "ACME_2021_10K.pdf"


def test_the_best_sentence_of_a_place_raises_it() -> None:
    passages = [
        Passage(Chunk(name, "call.txt", at, "x", 0, 1), Candidate(name, "call.txt", ("call.txt", at), score), sentences)
        for at, (name, score, sentences) in enumerate(
            [("whole", 1.0, np.array([0.2], np.float32)), ("sentence", 0.8, np.array([0.1, 0.9], np.float32))]
        )
    ]
    ranked = by_best_sentence(passages, 1.0)
    assert [passage.chunk.id for passage in ranked] == ["sentence", "whole"]
    assert ranked[0].found.parts["sentence"] == pytest.approx(0.9)

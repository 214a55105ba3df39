"""How much of a hybrid result is passages, and what stands between them."""

from __future__ import annotations

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
    plan = SimpleNamespace(store=None, asked=read_question("What did Acme acquire?"))
    return SimpleNamespace(plan=plan, passages=(), k=_K)


def kinds(request: Any, **found: tuple[Evidence, ...]) -> list[str]:
    ranked = modes.passages_first(request, {name: Findings(items) for name, items in found.items()})
    return [item.kind for item in ranked]


def test_one_place_in_ten_is_of_a_relation(request_: Any) -> None:
    asked = pieces("relation", 6, asked=1.0)
    assert kinds(request_, asked=asked).count("relation") == 1
    assert kinds(request_, local=pieces("relation", 6)).count("relation") == 1


def test_facts_take_no_place_of_relations(request_: Any) -> None:
    found = kinds(request_, fact=pieces("fact", 4), asked=pieces("relation", 6, asked=1.0))
    assert found.count("relation") == 1
    assert found.count("fact") == 2
    assert kinds(request_, fact=pieces("fact", 4)).count("fact") == _K // modes.GRAPH_SHARE


def test_a_list_has_its_share_of_statements(request_: Any) -> None:
    asked = pieces("relation", 8, asked=1.0, list=1.0)
    assert kinds(request_, asked=asked).count("relation") == _K // modes.LIST_SHARE

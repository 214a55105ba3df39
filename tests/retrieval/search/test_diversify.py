from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
from cliquerag.retrieval.search.index.corpus import ScopeIndex
from cliquerag.retrieval.search.index.ranking_units import Places, Turns
from cliquerag.retrieval.search.scoring import reserved_share

BOTH = {"balance sheet": 0.8, "income statement": 0.8}


def index(pages: int, documents: int = 1, **classes: dict[int, float]) -> ScopeIndex:
    """So many pages of each document; class -> page -> score."""
    scores = {name.replace("_", " "): np.zeros(pages * documents, np.float32) for name in classes}
    for name, given in classes.items():
        for page, score in given.items():
            scores[name.replace("_", " ")][page] = score
    document = np.repeat(np.arange(documents, dtype=np.int32), pages)
    own = np.arange(pages * documents, dtype=np.int32)
    places = Places(own, document, {}, scores, own, np.zeros(len(own), bool), Turns.none(len(own)))
    return cast("ScopeIndex", SimpleNamespace(places=places, sources=tuple("abc"[:documents])))


def order(found: ScopeIndex, total: np.ndarray, homes: dict[str, float], *groups: tuple[str, ...]) -> list[int]:
    share = reserved_share(found, total, homes, groups or (found.sources,))
    best: list[int] = np.argsort(-(total if share is None else total + share), kind="stable").tolist()
    return best


def falling(count: int) -> np.ndarray:
    return np.linspace(2, 1, count, dtype=np.float32)


def test_each_statement_asked_has_a_page_among_the_first_five() -> None:
    found = index(20, balance_sheet={12: 1.0, 15: 1.0}, income_statement={17: 0.9})
    assert order(found, falling(20), BOTH)[:6] == [0, 1, 2, 12, 17, 3]


def test_what_stands_among_the_first_already_changes_nothing() -> None:
    found = index(20, balance_sheet={4: 1.0, 12: 1.0}, income_statement={2: 0.9})
    assert reserved_share(found, falling(20), BOTH, (found.sources,)) is None


def test_a_weak_hint_keeps_no_place_nor_does_a_page_that_is_hardly_a_statement() -> None:
    found = index(20, balance_sheet={12: 0.4}, legal={15: 1.0})
    assert order(found, falling(20), {"balance sheet": 1.0, "legal": 0.3})[:6] == [0, 1, 2, 3, 4, 5]


def test_each_group_of_documents_has_its_own() -> None:
    found = index(10, 2, balance_sheet={3: 1.0, 18: 1.0})
    ranked = order(found, falling(20), {"balance sheet": 0.8}, ("a",), ("b",))
    assert [place for place in ranked if place >= 10][:5] == [10, 11, 12, 13, 18]
    assert ranked[:5] == [0, 1, 2, 3, 4]

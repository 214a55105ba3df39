"""Passages picked one after the other, on arrays small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cliquerag.retrieval.search.rerankers.greedy_chain import LINKS_ONLY, ChainWeights, LinksFrom, Matches, pick_chain

ONLY_DENSE = ChainWeights(**dict.fromkeys(ChainWeights.__dataclass_fields__, 0.0))
ONLY_DENSE = replace(ONLY_DENSE, dense=1.0)


def _matches(dense: list[float], holds: list[list[bool]] | None = None, titles: str = "abcd") -> Matches:
    count = len(dense)
    held = np.array(holds if holds is not None else [[False]] * count)
    words = held.shape[1]
    return Matches(
        dense=np.array(dense),
        words=np.zeros(count),
        sentence=np.zeros(count),
        holds=held,
        worth=np.full(words, 1 / words),
        title_asked=np.zeros(count),
        titles=titles[:count],
        vectors=np.eye(count, dtype=np.float32),
    )


def _no_links(count: int):
    return lambda pick: LinksFrom.none(count)


def test_without_links_the_best_matches_come_in_their_order() -> None:
    picks = pick_chain(_matches([0.2, 0.9, 0.5]), _no_links(3), 3, ONLY_DENSE)
    assert [at for at, _ in picks] == [1, 2, 0]
    assert [round(score, 2) for _, score in picks] == [0.9, 0.5, 0.2]


def test_a_name_shared_with_a_pick_takes_a_passage_in_front() -> None:
    def links_from(pick: int) -> LinksFrom:
        links = LinksFrom.none(3)
        if pick == 0:
            links.link[2] = 0.8
        return links

    assert [at for at, _ in pick_chain(_matches([0.9, 0.5, 0.1]), links_from, 3, LINKS_ONLY)] == [0, 2, 1]
    assert [at for at, _ in pick_chain(_matches([0.9, 0.5, 0.1]), _no_links(3), 3, LINKS_ONLY)] == [0, 1, 2]


def test_words_that_no_pick_holds_yet_count_and_words_held_already_do_not() -> None:
    weights = replace(ONLY_DENSE, uncovered=1.0)
    same_word, other_word = [True, False], [False, True]
    picks = pick_chain(_matches([0.9, 0.5, 0.3], [same_word, same_word, other_word]), _no_links(3), 2, weights)
    assert picks[1] == (2, 0.3 + 0.5)


def test_another_part_of_the_same_text_and_what_is_alike_come_later() -> None:
    weights = replace(ONLY_DENSE, same_title=-0.5)
    picks = pick_chain(_matches([0.9, 0.5, 0.3], titles="aab"), _no_links(3), 3, weights)
    assert [at for at, _ in picks] == [0, 2, 1]
    alike = replace(_matches([0.9, 0.5, 0.3]), vectors=np.array([[1.0, 0], [1.0, 0], [0, 1.0]], np.float32))
    assert [at for at, _ in pick_chain(alike, _no_links(3), 3, replace(ONLY_DENSE, likeness=-1.0))] == [0, 2, 1]


def test_there_are_never_more_picks_than_candidates() -> None:
    assert len(pick_chain(_matches([0.5]), _no_links(1), 10)) == 1

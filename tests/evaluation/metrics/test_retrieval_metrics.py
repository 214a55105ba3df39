"""Ranking measures against hand-worked values and scikit-free textbook examples."""

import math

import pytest
from cliquerag.core.anchor import Anchor
from cliquerag.evaluation.metrics.retrieval import (
    all_gold_at_k,
    distinct,
    document_ranking,
    hit_at_k,
    ndcg_at_k,
    page_ranking,
    recall_at_k,
    reciprocal_rank,
)
from cliquerag.retrieval.search.evidence import Evidence

RANKED = ["d", "a", "d", "b", "e"]


def test_hand_worked_ranking():
    gold = {"a", "b", "z"}
    assert recall_at_k(RANKED, gold, 1) == 0
    assert recall_at_k(RANKED, gold, 3) == pytest.approx(2 / 3), "the repeat of d takes no place"
    assert hit_at_k(RANKED, gold, 1) == 0
    assert hit_at_k(RANKED, gold, 2) == 1
    assert reciprocal_rank(RANKED, gold) == 0.5
    assert reciprocal_rank(RANKED, {"b"}, k=2) == 0


def test_all_gold_needs_every_unit():
    assert all_gold_at_k(RANKED, {"a", "b"}, 3) == 1
    assert all_gold_at_k(RANKED, {"a", "b"}, 2) == 0
    assert all_gold_at_k(RANKED, set(), 5) == 0


def test_ndcg_of_the_wikipedia_example():
    gains = {1: 3, 2: 2, 3: 3, 4: 0, 5: 1, 6: 2}
    dcg = 3 + 2 / math.log2(3) + 3 / 2 + 0 + 1 / math.log2(6) + 2 / math.log2(7)
    ideal = 3 + 3 / math.log2(3) + 2 / 2 + 2 / math.log2(5) + 1 / math.log2(6)
    assert ndcg_at_k([1, 2, 3, 4, 5, 6], gains, 6) == pytest.approx(dcg / ideal)
    assert dcg == pytest.approx(6.861, abs=1e-3)


def test_ndcg_of_binary_gold():
    assert ndcg_at_k(["x", "a"], {"a"}, 2) == pytest.approx(1 / math.log2(3))
    assert ndcg_at_k(["x"], set(), 2) == 0


def test_levels():
    evidence = [
        Evidence("chunk", "", 1.0, "r.pdf", page=4, anchors=(Anchor(3), Anchor(4))),
        Evidence("chunk", "", 0.9, "r.pdf", page=3),
        Evidence("relation", "", 0.8, "call.txt"),
    ]
    assert page_ranking(evidence) == [("r.pdf", 4), ("r.pdf", 3)]
    assert document_ranking(evidence) == ["r.pdf", "call.txt"]
    assert distinct(iter("aab")) == ["a", "b"]

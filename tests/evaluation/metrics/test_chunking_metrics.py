"""Character measures against hand-worked values and a set-of-characters oracle."""

import pytest
from cliquerag.evaluation.metrics import chunking
from hypothesis import given
from hypothesis import strategies as st

ranges = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda r: (r[0], r[0] + r[1])), max_size=6)


def characters(parts):
    return {i for a, b in parts for i in range(a, b)}


def test_hand_worked():
    gold, got = [(10, 20), (30, 40)], [(0, 15), (12, 18), (50, 60)]
    assert chunking.recall(gold, got) == 8 / 20
    assert chunking.precision(gold, got) == 8 / 31, "the overlap counts twice"
    assert chunking.precision(gold, got, elsewhere=9) == 8 / 40
    assert chunking.iou(gold, got) == 8 / (31 + 12)


@given(ranges, ranges)
def test_agrees_with_sets_of_characters(gold, got):
    wanted, held = characters(gold), characters(got)
    assert chunking.covered(gold, got) == len(wanted & held)
    assert chunking.length(chunking.union(got)) == len(held)
    if gold:
        assert chunking.recall(gold, got) == pytest.approx(len(wanted & held) / len(wanted))
    if gold and chunking.recall(gold, got) == 1:
        assert chunking.iou(gold, got) == chunking.precision(gold, got)


def test_recall_at_a_token_budget():
    gold, ranked, tokens = [(0, 10), (20, 30)], [(0, 10), None, (20, 30)], [100, 300, 150]
    assert chunking.recall_at_budget(gold, ranked, tokens, 400) == 0.5
    assert chunking.recall_at_budget(gold, ranked, tokens, 550) == 1.0
    assert chunking.recall_at_budget(gold, ranked, tokens, 99) == 0.0

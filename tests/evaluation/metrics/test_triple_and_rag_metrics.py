"""Triple F1 and the four measures of the HybridRAG paper, by hand."""

import numpy as np
import pytest
from cliquerag.evaluation.metrics import retrieval as rag
from cliquerag.evaluation.metrics.retrieval import Counts, match


def test_triples_by_hand():
    gold = [("Acme", "acquires", "Beta"), ("Acme", "leads", "Jane Doe")]
    found = [("Acme", "acquires", "Beta"), ("Beta", "acquires", "Acme"), ("x", "y", "z")]
    counts = match(found, gold)
    assert counts == Counts(1, 3, 2), "the direction counts"
    assert (counts.precision, counts.recall, counts.f1) == (1 / 3, 1 / 2, pytest.approx(0.4))


def test_micro_average_is_not_the_mean():
    total = sum([Counts(1, 1, 1), Counts(0, 9, 9)], Counts())
    assert total.f1 == pytest.approx(0.1)
    assert Counts().f1 == Counts().precision == Counts().recall == 0


def test_paper_measures_by_hand():
    assert rag.faithfulness([True, False]) == 0.5
    assert rag.context_recall([True, True, False]) == pytest.approx(2 / 3)
    assert rag.context_precision([False, True, False, True]) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert rag.context_precision([False]) == rag.faithfulness([]) == 0
    question, generated = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.6, 0.8]])
    assert rag.answer_relevancy(question, generated) == pytest.approx(0.8)

"""Bootstrap intervals against those of kept results and against the normal theory."""

import numpy as np
import pytest
from cliquerag.evaluation.statistics import bootstrap, paired_bootstrap


def test_interval_is_the_one_that_kept_results_have():
    values = np.random.default_rng(1).random(60)
    mean, low, high = bootstrap(values)
    assert mean == pytest.approx(values.mean())
    assert (low, high) == (pytest.approx(0.457833, abs=1e-6), pytest.approx(0.601393, abs=1e-6))


def test_width_of_a_proportion_follows_the_normal_theory():
    values = [1.0] * 30 + [0.0] * 70
    _, low, high = bootstrap(values)
    half = 1.96 * (0.3 * 0.7 / 100) ** 0.5
    assert (low, high) == pytest.approx((0.3 - half, 0.3 + half), abs=0.012)


def test_pairing_removes_what_both_share():
    rng = np.random.default_rng(0)
    difficulty = rng.random(80)
    better = difficulty + 0.05 + 0.01 * rng.standard_normal(80)
    assert paired_bootstrap(better, difficulty)[1] > 0
    assert bootstrap(better)[1] < bootstrap(difficulty)[2], "unpaired intervals overlap"


def test_no_difference_is_not_found():
    rng = np.random.default_rng(3)
    a, b = rng.random(50), rng.random(50)
    _, low, high = paired_bootstrap(a, b)
    assert low < 0 < high


def test_same_seed_same_interval_and_chunked_draws(monkeypatch):
    values = np.random.default_rng(5).random(40)
    assert bootstrap(values, seed=7) == bootstrap(values, seed=7) != bootstrap(values, seed=8)
    monkeypatch.setattr("cliquerag.evaluation.statistics._CELLS", 400)
    assert bootstrap(values, samples=1001)[0] == pytest.approx(values.mean())


def test_edges():
    assert bootstrap([]) == (0.0, 0.0, 0.0)
    assert bootstrap([0.4]) == (0.4, 0.4, 0.4)
    with pytest.raises(ValueError, match="equal length"):
        paired_bootstrap([1.0], [1.0, 2.0])

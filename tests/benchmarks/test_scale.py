"""Made-up names and words come as often as real ones do, and exponents are told from sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.tasks.scale import scale


def _exponent(slope: float, shift: int) -> float:
    rng = np.random.default_rng(1)
    few, many = (len(np.unique(scale._drawn(rng, count, slope, shift))) for count in (20_000, 200_000))
    return math.log(many / few) / math.log(10)


@pytest.mark.parametrize(("slope", "wanted"), [(1.15, 0.87), (1.75, 0.57)])
def test_different_ones_come_up_as_a_power_of_the_text(slope: float, wanted: float) -> None:
    assert _exponent(slope, 50) == pytest.approx(wanted, abs=0.05)


def test_ranks_beyond_the_last_are_no_common_name() -> None:
    drawn = scale._drawn(np.random.default_rng(1), 200_000, 1.15, 50)
    _, times = np.unique(drawn[drawn > 10**6], return_counts=True)
    assert times.max() < 10


def test_the_exponent_is_the_slope_of_logarithms() -> None:
    rows = list(scale._exponents({10: {"pairs": 5.0, "none": 0.0}, 1000: {"pairs": 500.0, "none": 1.0}}))
    assert [(row.system, row.metric) for row in rows] == [("exponent 10 to 1,000", "pairs")]
    assert rows[0].value == pytest.approx(1.0)


def test_names_have_legal_forms_that_their_keys_leave_out_and_meet_few_others() -> None:
    entities = [scale._entity(rank) for rank in range(0, 40_000, 10)]
    assert len({entity.key for entity in entities}) > 0.99 * len(entities)
    assert not any(entity.key.endswith((" inc", " llc", " plc")) for entity in entities)
    stored = scale._Blocks.of(entities)
    met = [len(stored.near(scale._entity(10**9 + rank))) for rank in range(2_000)]
    assert 0 < np.mean(met) < 0.05


def test_a_run_tells_every_figure_of_every_size(tmp_path: object) -> None:
    report = scale.run(tmp_path, size=10_000)  # type: ignore[arg-type]
    figures = {row.metric: row.value for row in report.rows}
    assert figures["different names"] > 1_000
    assert figures["communities found"] > 100
    assert figures["chunks that hold the 10th term"] == pytest.approx(3_900, rel=0.1)

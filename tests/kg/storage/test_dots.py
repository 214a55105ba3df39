"""One vector against many rows."""

from __future__ import annotations

import numpy as np
from cliquerag.kg.storage.codec import dots


def test_it_is_the_product() -> None:
    rows = np.random.default_rng(1).standard_normal((6_000, 384)).astype(np.float32)
    found = dots(rows, rows[7])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, rows.astype(np.float64) @ rows[7].astype(np.float64), rtol=1e-4, atol=1e-3)
    assert dots(rows[:0], rows[0]).shape == (0,)

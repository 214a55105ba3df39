"""Calls in the air cannot break the limit together."""

from __future__ import annotations

import threading

import pytest
from cliquerag.models.budget import Budget, BudgetError


def test_reservations_count() -> None:
    budget = Budget(1.0)
    budget.reserve(0.6)
    with pytest.raises(BudgetError):
        budget.reserve(0.6)
    budget.settle(0.6, 0.1)
    budget.reserve(0.6)
    assert budget.spent == pytest.approx(0.1)


def test_many_threads_keep_within_the_limit() -> None:
    budget = Budget(10.0)

    def spend() -> None:
        for _ in range(100):
            try:
                budget.reserve(0.25)
            except BudgetError:
                return
            budget.settle(0.25, 0.25)

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent == 10.0

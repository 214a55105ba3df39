"""Calls in the air cannot break the limit together."""

from __future__ import annotations

import threading
from multiprocessing import get_context

import pytest
from cliquerag.models.language import Budget, BudgetError


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


def spend_quarters(budget: Budget) -> None:
    """Spends until nothing is left: the work of one process."""
    for _ in range(50):
        try:
            budget.reserve(0.25)
        except BudgetError:
            return
        budget.settle(0.25, 0.25)


def test_many_processes_keep_within_one_limit() -> None:
    budget = Budget.across_processes(2.0)
    context = get_context("spawn")
    processes = [context.Process(target=spend_quarters, args=(budget,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert budget.spent == 2.0
    with pytest.raises(BudgetError, match=r"\$2.00 spent"):
        budget.reserve(0.01)

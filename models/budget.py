"""A limit on money that holds with several calls in the air."""

from __future__ import annotations

import threading
from collections.abc import MutableSequence
from contextlib import AbstractContextManager
from typing import Any, cast

from ..core.errors import ModelError

_SPENT, _RESERVED = 0, 1


class BudgetError(ModelError):
    """The next call could cost more than is left. What was received before is kept."""


class Budget:
    """At most ``max_cost`` US dollars. Safe for several threads; one made ``across_processes`` for several processes.

    A call first reserves what it may cost, so that calls in the air cannot break the limit together.

    >>> budget = Budget(1.0)
    >>> budget.reserve(0.75); budget.settle(0.75, 0.5)
    >>> budget.reserve(0.75)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cliquerag.models.budget.BudgetError: the budget of $1.00 is used up ($0.50 spent)...
    """

    def __init__(self, max_cost: float) -> None:
        self.max_cost = max_cost
        self._sums: MutableSequence[float] = [0.0, 0.0]
        self._lock: AbstractContextManager[Any] = threading.RLock()

    @classmethod
    def across_processes(cls, max_cost: float) -> Budget:
        """One that may be handed to processes as they start (by ``spawn``): all of them count in the same place."""
        from multiprocessing import get_context

        budget = cls(max_cost)
        shared = get_context("spawn").Array("d", 2)
        budget._sums, budget._lock = cast("MutableSequence[float]", shared), shared.get_lock()
        return budget

    @property
    def spent(self) -> float:
        """US dollars so far."""
        return self._sums[_SPENT]

    def reserve(self, cost: float) -> None:
        """Sets ``cost`` aside. Raises BudgetError where that would go over the limit."""
        with self._lock:
            if self._sums[_SPENT] + self._sums[_RESERVED] + cost > self.max_cost:
                raise BudgetError(
                    f"the budget of ${self.max_cost:.2f} is used up (${self.spent:.2f} spent)",
                    hint="Run the same again with a higher --max-cost: answers received so far are cached and free",
                )
            self._sums[_RESERVED] += cost

    def settle(self, reserved: float, cost: float) -> None:
        """Turns a reservation into what the call did cost."""
        with self._lock:
            self._sums[_RESERVED] -= reserved
            self._sums[_SPENT] += cost

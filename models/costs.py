"""What a call costs, by prices that are data, and a limit on it that holds with several calls in the air."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping, MutableSequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, cast

from ..core.errors import ModelError, UsageError
from ..core.rules import load_rules, read_rules

_SNAPSHOT = re.compile(r"[-@:]\d[\d.-]{0,40}$")
MILLION = 1_000_000


def price(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """US dollars for a call, or for many; None where the model's price is not known.

    >>> price("openai/gpt-4o-2024-11-20", 1_000_000, 100_000)
    3.5
    >>> price("a-model-of-my-own", 1, 1) is None
    True
    """
    own = user_prices()
    table = dict(load_rules(__package__, "prices.toml"))
    if own.is_file():
        table.update(_own_table(own))
    name = model.rpartition("/")[2]
    entry = table.get(model) or table.get(name) or table.get(_SNAPSHOT.sub("", name))
    if entry is None:
        return None
    try:
        return (input_tokens * float(entry["input"]) + output_tokens * float(entry["output"])) / MILLION
    except (KeyError, TypeError, ValueError) as error:
        hint = "Write input = ... and output = ..., in dollars a million tokens"
        raise UsageError(f"no price for {model}", where=str(own), hint=hint) from error


def user_prices() -> Path:
    """The file of a user's own prices, there or not: ``CLIQUERAG_PRICES``, else in the user's configuration folder."""
    import platformdirs

    named = os.environ.get("CLIQUERAG_PRICES")
    folder = platformdirs.user_config_dir("cliquerag", appauthor=False)
    return Path(named).expanduser() if named else Path(folder) / "prices.toml"


@cache
def _own_table(path: Path) -> Mapping[str, Any]:
    return read_rules(path)


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
    cliquerag.models.costs.BudgetError: the budget of $1.00 is used up ($0.50 spent)...
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

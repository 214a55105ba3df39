"""Questions as one reading of the store: an engine behind a network then asks it a few times, not for every step."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ...kg.store import Store
from ..question.entity_linking import keys_of

P = ParamSpec("P")
Result = TypeVar("Result")
Asking = Callable[Concatenate[Store, Any, str, P], Result]


def in_one_reading(ask: Asking[P, Result]) -> Asking[P, Result]:
    """A function of (store, embedder, question ...) that does all its reads in one :meth:`Store.reading`."""

    @wraps(ask)
    def asking(store: Store, embedder: Any, question: str, *more: P.args, **options: P.kwargs) -> Result:
        with store.reading(keys_of(question)):
            return ask(store, embedder, question, *more, **options)

    return cast("Asking[P, Result]", asking)

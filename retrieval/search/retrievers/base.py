"""What a retriever is: a function that finds evidence for a search, registered under the name that modes give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....core.records import dataclass
from ..evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....core.fact import Fact
    from ...question.entity_linking import LinkedEntity
    from ...question.plan import QuestionPlan
    from ..chunk_evidence import Passage
    from ..evidence import Trace
    from ..query import Query


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What retrievers start from: the question, the passages and facts found for it, the entities that it names.

    ``k`` is the number of pieces of evidence wanted.
    """

    mode: str
    plan: QuestionPlan
    query: Query
    links: Sequence[LinkedEntity]
    passages: Sequence[Passage]
    facts: Sequence[tuple[float, Fact]]
    k: int
    trace: Trace


@dataclass(frozen=True, slots=True)
class Findings:
    """What a retriever found, best first; ``passages`` are those of the request that it leads to."""

    items: Sequence[Evidence] = ()
    passages: Sequence[Passage] = ()


Retriever = Callable[[SearchRequest], Findings]
_REGISTERED: dict[str, Retriever] = {}


def retriever(name: str) -> Callable[[Retriever], Retriever]:
    """Register a retriever under a name."""

    def register(function: Retriever) -> Retriever:
        _REGISTERED[name] = function
        return function

    return register


@cache
def retrievers() -> Mapping[str, Retriever]:
    """Every retriever by its name: those of all modules of this folder."""
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return MappingProxyType(_REGISTERED)

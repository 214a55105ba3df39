"""What the benchmarks of rankings share: reading their files, the embedder, and rows from rankings."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.metrics.retrieval import (
    all_gold_at_k,
    average_precision,
    document_ranking,
    hit_at_k,
    ndcg_at_k,
    page_ranking,
    recall_at_k,
    reciprocal_rank,
)
from cliquerag.retrieval.search.evidence import Evidence

from ..ours import OURS

if TYPE_CHECKING:
    import numpy as np
    from cliquerag.models.embedders import Embedder

Metric = Callable[[Sequence[Hashable], Collection[Hashable]], float]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file; UsageError when it is absent."""
    if not path.is_file():
        raise UsageError(f"no file {path.name!r} in the data set", where=str(path.parent))
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def part(folder: Path, suffix: str = ".jsonl") -> Path:
    """The file of the part that is there: ``dev``, else ``held``, else the only file of this kind."""
    files = sorted(folder.glob(f"*{suffix}"))
    named = [folder / f"{name}{suffix}" for name in ("dev", "held")]
    found = next((path for path in named if path in files), files[0] if len(files) == 1 else None)
    if found is None:
        raise UsageError(f"neither dev{suffix} nor held{suffix} in the data set", where=str(folder))
    return found


@dataclass(frozen=True, slots=True)
class Task:
    """Texts, questions and the gold of each: documents or pages of them."""

    name: str
    texts: Mapping[str, str | Sequence[str]]
    questions: Sequence[str]
    gold: Sequence[Collection[Hashable]]
    metrics: tuple[str, ...]
    by_page: bool = False

    def ranking(self, found: Sequence[Evidence]) -> list[Hashable]:
        """What was found, as the gold is given; a relation or fact counts where it was read."""
        return [*(page_ranking(found) if self.by_page else document_ranking(found))]


def page_texts(path: Path) -> list[str]:
    """What a PDF prints, page by page, as the library gives it."""
    import pymupdf

    with pymupdf.open(path) as pdf:
        return [page.get_text() for page in pdf]


_IN_PLACE: ContextVar[Embedder | None] = ContextVar("embedder of a benchmark", default=None)


def embedder() -> Embedder | None:
    """The default embedder with its vectors cached on disk, or the one in its place; None where none is installed."""
    return _IN_PLACE.get() or _default_embedder()


@contextmanager
def in_place_of_default(model: Embedder | None) -> Iterator[None]:
    """Inside, every benchmark works with this embedder: how encoders are compared on all sets."""
    token = _IN_PLACE.set(model)
    try:
        yield
    finally:
        _IN_PLACE.reset(token)


@cache
def _default_embedder() -> Embedder | None:
    from cliquerag.components import make_embedder
    from cliquerag.settings import Settings

    return make_embedder(Settings(embedder="auto"))


def metric(name: str) -> Metric:
    """A ranking measure by its usual name: "hit@5", "recall@5", "all gold@5", "nDCG@10", "MRR@10",
    "MAP@10"."""
    kind, _, depth = name.partition("@")
    k = int(depth)
    measures: dict[str, Callable[[Sequence[Hashable], Collection[Hashable], int], float]] = {
        "hit": hit_at_k,
        "recall": recall_at_k,
        "all gold": all_gold_at_k,
        "nDCG": ndcg_at_k,
        "MRR": reciprocal_rank,
        "MAP": average_precision,
    }
    return lambda ranked, gold: measures[kind](ranked, gold, k)


def ranking_rows(
    systems: Mapping[str, Sequence[Iterable[Hashable]]],
    gold: Sequence[Collection[Hashable]],
    metrics: Sequence[str],
    *,
    than: str = "",
) -> tuple[Row, ...]:
    """A row a system and metric, then paired differences: ours and the baseline, our hybrid and our other modes.

    The baseline is ``than``, else for each metric the one that is best at it: nobody knows beforehand which will be.
    """
    ranked = {system: [list(one) for one in rankings] for system, rankings in systems.items()}
    values = {
        (system, name): [metric(name)(one, right) for one, right in zip(rankings, gold, strict=True)]
        for system, rankings in ranked.items()
        for name in metrics
    }
    rows = [Row.mean(system, name, found) for (system, name), found in values.items()]
    return (*rows, *_against_baselines(values, list(ranked), metrics, than), *_against_modes(values, ranked, metrics))


Values = Mapping[tuple[str, str], Sequence[float]]
"""(system, metric) -> one value a question."""


def _against_baselines(values: Values, systems: Sequence[str], metrics: Sequence[str], than: str) -> Iterator[Row]:
    others = [than] if than in systems else [system for system in systems if not system.startswith(OURS)]
    if not others:
        return
    label = than or "best baseline"
    for system in (system for system in systems if system.startswith(OURS)):
        for name in metrics:
            best = max((values[other, name] for other in others), key=sum)
            yield Row.difference(system, name, values[system, name], best, label)


def _against_modes(values: Values, systems: Collection[str], metrics: Sequence[str]) -> Iterator[Row]:
    hybrid = f"{OURS} hybrid"
    modes = [system for system in systems if system.startswith(f"{OURS} ") and system != hybrid]
    for other in modes if hybrid in systems else ():
        for name in metrics:
            yield Row.difference(
                hybrid, name, values[hybrid, name], values[other, name], other.removeprefix(OURS + " ")
            )


def as_lists(rankings: Mapping[str, Sequence[np.ndarray]]) -> dict[str, list[list[int]]]:
    """Rankings as plain numbers, so that ours may stand beside them."""
    return {system: [order.tolist() for order in orders] for system, orders in rankings.items()}

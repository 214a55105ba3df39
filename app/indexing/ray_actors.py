"""What stands on the machines of a Ray cluster: one encoder and one reader each, and who keeps the budget for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..components import make_embedder, make_tools
from ..core.errors import CliqueRAGError
from ..models.costs import Budget
from ..models.embedder import Multilingual, multilingual_of
from .reading import Built, BundleReader, Job

if TYPE_CHECKING:
    import numpy as np

    from ..settings import Settings


@dataclass(frozen=True, slots=True)
class _Model:
    """What readers know of an embedding model: its name, the length of its vectors, whether it reads English too."""

    name: str
    dim: int
    english_too: bool = False


class Encoder:
    """Holds the embedding model of a machine."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._embedder: Any = None

    def start(self) -> tuple[_Model | None, _Model | None]:
        """Load the models: the main one and the multilingual one beside it, each where wanted. Raises ModelError."""
        if self._embedder is None:
            self._embedder = make_embedder(self._settings)
        if self._embedder is None:
            return None, None
        beside = multilingual_of(self._embedder)
        second = _Model(beside.embedder.name, beside.embedder.dim, beside.english_too) if beside else None
        return _Model(self._embedder.name, self._embedder.dim), second

    def embed(self, texts: Sequence[str], *, beside: bool = False) -> np.ndarray:
        """Float32 (len(texts), dim), unit rows, by the main model or by the one ``beside`` it."""
        self.start()  # anew, where this process died and was started again
        second = multilingual_of(self._embedder) if beside else None
        vectors: np.ndarray = (second.embedder if second else self._embedder).embed(texts)
        return vectors

    def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """See :class:`models.token_states.TokenEncoder`. Raises UsageError where the model gives none."""
        from ..models.token_states import token_encoder

        self.start()
        return token_encoder(self._embedder).token_states(text)


class RemoteEmbedder:
    """A model of the encoder of a machine, as a reader sees it, with the multilingual one beside it."""

    def __init__(self, encoder: Any, model: _Model, second: _Model | None = None, *, is_second: bool = False) -> None:
        self._encoder, self.name, self.dim, self._is_second = encoder, model.name, model.dim, is_second
        self.multilingual: Multilingual | None = None
        if second is not None:
            self.multilingual = Multilingual(RemoteEmbedder(encoder, second, is_second=True), second.english_too)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See :class:`models.embedder.Embedder`."""
        reference = self._encoder.embed.remote(list(texts), beside=self._is_second)
        vectors: np.ndarray = result_of(reference).copy()  # what Ray gives is read-only
        return vectors

    def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """See :class:`models.token_states.TokenEncoder`."""
        offsets, states = result_of(self._encoder.token_states.remote(text))
        return offsets, states


class BudgetKeeper:
    """One budget for all machines. What a machine had reserved when it died stays reserved: it may have been paid."""

    def __init__(self, max_cost: float) -> None:
        self._budget = Budget(max_cost)

    def reserve(self, cost: float) -> None:
        """Raises BudgetError."""
        self._budget.reserve(cost)

    def settle(self, reserved: float, cost: float) -> None:
        """See :meth:`Budget.settle`."""
        self._budget.settle(reserved, cost)


class RemoteBudget(Budget):
    """The budget of all machines, as a reader sees it."""

    def __init__(self, keeper: Any, max_cost: float) -> None:
        super().__init__(max_cost)
        self._keeper = keeper

    def reserve(self, cost: float) -> None:
        """Sets ``cost`` aside for a call, wherever it is made. Raises BudgetError."""
        result_of(self._keeper.reserve.remote(cost))

    def settle(self, reserved: float, cost: float) -> None:
        """Turns a reservation into what the call did cost."""
        result_of(self._keeper.settle.remote(reserved, cost))


class Reader:
    """Reads documents, one at a time, with the model client of its own and the encoder of its machine."""

    def __init__(self, settings: Settings, encoder: Any, keeper: Any, host: str) -> None:
        self._settings, self._encoder, self._keeper, self._host = settings, encoder, keeper, host
        self._reader: BundleReader | None = None

    def start(self) -> list[Any]:
        """Make the tools; what bundles depend on beside their documents. Raises CliqueRAGError."""
        model, second = result_of(self._encoder.start.remote())
        embedder = RemoteEmbedder(self._encoder, model, second) if model else None
        budget = RemoteBudget(self._keeper, self._settings.max_cost) if self._keeper else None
        self._reader = BundleReader(self._settings, make_tools(self._settings, embedder, budget))
        return [__version__, *self._reader.recipe]

    def read(self, job: Job, present: frozenset[str]) -> Built:
        """See :meth:`BundleReader.read`."""
        assert self._reader is not None, "start comes first"
        built = self._reader.read(job, present)
        return replace(built, report=replace(built.report, host=self._host))


def result_of(reference: Any) -> Any:
    """What an actor gives; what it raises, as it raised it."""
    import ray

    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, CliqueRAGError):
            raise error.cause from None
        raise

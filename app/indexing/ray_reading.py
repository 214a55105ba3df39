"""Reading by a Ray cluster: on every machine readers, which take documents apart, and an encoder, which they all ask.

Two kinds of actors, since they need different things: a reader one core and no model, an encoder the model and, where
there is one, the GPU. A reader has one document at a time, so nothing waits anywhere but in the list of this process,
and a machine that dies costs what it was at: those documents are given to others. Bundles come back and are written
here; only the documents have to be visible from every machine, under the same path.
"""

from __future__ import annotations

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..components import make_embedder, make_tools
from ..core.errors import CliqueRAGError, UsageError
from ..core.records import dataclass
from ..models.embedders import Multilingual, multilingual_of
from ..models.language import Budget
from .reading import Built, BundleFolder, BundleReader, Job, ReadReport

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


ATTEMPTS = 3
"""Readers that may die of a document before it is the document that is to blame."""
_LOOK_SECONDS = 2.0
"""Between two looks for machines that have joined."""
_ALONE_SECONDS = 120.0
"""How long the cluster may have no machine that reads, before this is given up."""
_KNOCK_SECONDS = 10.0
_NO_CLUSTER, _START = "there is no Ray cluster to connect to", "`ray start --head` starts one"
_SAME_EVERYWHERE = "Install the same version of CliqueRAG, and the same models, on all machines"
_EXTRA = "Install it with: pip install 'cliquerag[ray]'"


def read_by_ray(jobs: Sequence[Job], folder: BundleFolder, settings: Settings, address: str) -> Iterator[ReadReport]:
    """Read documents into a folder by all machines of a Ray cluster, in any order.

    ``address`` is that of the cluster ("auto", "host:6379"). ``workers`` in the settings above 1 is the number of
    readers on each machine, otherwise all cores but one. Machines may join and leave. Raises UsageError, ModelError,
    BudgetError.
    """
    with _Connection(address):
        cluster = Cluster(settings, frozenset(folder))
        everywhere = [replace(job, path=job.path.absolute()) for job in jobs]
        try:
            for built in cluster.read(everywhere):
                yield folder.noted(folder.keep(built))
        finally:
            cluster.stop()


class _Connection:
    """A connection to a cluster; one that was there before stays."""

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ImportError as error:
            raise UsageError("reading by a cluster needs Ray", hint=_EXTRA) from error
        self._ray, self._address = ray, address
        self._is_ours = not ray.is_initialized()

    def __enter__(self) -> None:
        if not self._is_ours:
            return
        self._knock()
        try:
            self._ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as error:
            what = f"{_NO_CLUSTER} ({str(error).splitlines()[0]})"
            raise UsageError(what, where=self._address, hint=_START) from error

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._ray.shutdown()

    def _knock(self) -> None:
        """Raise UsageError where nobody listens at the address: Ray itself would try for minutes."""
        host, _, port = self._address.rpartition(":")
        if not (host and port.isdigit()) or "/" in host:
            return
        try:
            socket.create_connection((host, int(port)), _KNOCK_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise UsageError(f"{_NO_CLUSTER} ({error})", where=self._address, hint=_START) from error


@dataclass(slots=True)
class _Machine:
    """A machine of the cluster with its actors."""

    encoder: Any
    make_reader: Callable[[], Any]
    readers: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class _Task:
    """A document that is to be read, and how many readers have died of it."""

    job: Job
    deaths: int = 0


@dataclass(slots=True)
class Cluster:
    """The machines, and what each reader is at."""

    settings: Settings
    present: frozenset[str]
    _machines: dict[str, _Machine] = field(default_factory=dict)
    _starting: dict[Any, Any] = field(default_factory=dict)
    """Reference -> the reader that will then be ready."""
    _reading: dict[Any, tuple[Any, _Task]] = field(default_factory=dict)
    """Reference -> the reader and its document."""
    _free: deque[Any] = field(default_factory=deque)
    _recipe: list[Any] | None = None
    _keeper: Any = None

    def read(self, jobs: Sequence[Job]) -> Iterator[Built]:
        """All documents, in any order."""
        import ray

        waiting = deque(_Task(job) for job in jobs)
        present = ray.put(self.present)
        self._keeper = self._start_keeper()
        looked, last_seen = 0.0, time.monotonic()
        while waiting or self._reading:
            if time.monotonic() - looked > _LOOK_SECONDS:
                self._welcome(len(waiting))
                looked = time.monotonic()
            while waiting and self._free:
                reader, task = self._free.popleft(), waiting.popleft()
                self._reading[reader.read.remote(task.job, present)] = reader, task
            pending = [*self._reading, *self._starting]
            if pending:
                last_seen = time.monotonic()
                done, _ = ray.wait(pending, num_returns=1, timeout=_LOOK_SECONDS)
            else:
                self._check_somebody_is_there(last_seen)
                done = []
            for reference in done:
                if reference in self._starting:
                    self._note_ready(reference)
                    continue
                built = self._built(reference, waiting)
                if built is not None:
                    yield built

    def stop(self) -> None:
        """End all actors, and give their cores back."""
        import ray

        encoders = [machine.encoder for machine in self._machines.values()]
        for actor in filter(None, (*self.readers(), *encoders, self._keeper)):
            ray.kill(actor)

    def readers(self) -> list[Any]:
        """The readers of all machines."""
        return [reader for machine in self._machines.values() for reader in machine.readers]

    def _start_keeper(self) -> Any:
        """The budget, on the machine of this process: it lives as long as this does."""
        import ray

        if not self.settings.max_cost:
            return None
        here = _on(ray.get_runtime_context().get_node_id())
        return ray.remote(BudgetKeeper).options(num_cpus=0, scheduling_strategy=here).remote(self.settings.max_cost)

    def _welcome(self, waiting: int) -> None:
        """Start actors on the machines that have joined; forget those that have left."""
        import ray

        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        alive = {node["NodeID"]: node for node in nodes if node["Alive"]}
        for gone in self._machines.keys() - alive.keys():
            del self._machines[gone]
        for node, known in alive.items():
            cores = int(known["Resources"].get("CPU", 0))
            if waiting and cores and node not in self._machines:
                host = f"{known['NodeManagerHostname']}-{node[:6]}"
                gpus = 1 if known["Resources"].get("GPU", 0) >= 1 else 0
                self._machines[node] = self._start_machine(node, host, cores, gpus)

    def _start_machine(self, node: str, host: str, cores: int, gpus: int) -> _Machine:
        import ray

        # An encoder that dies alone is started again, and asked again: it remembers nothing.
        encoder = ray.remote(Encoder).options(
            num_cpus=1 if cores > 1 else 0,
            num_gpus=gpus,
            max_restarts=-1,
            max_task_retries=-1,
            scheduling_strategy=_on(node),
        )
        made = encoder.remote(self.settings)
        count = self.settings.workers if self.settings.workers > 1 else max(1, cores - 1)
        share = min(1.0, max(1, cores - 1) / count)
        reader = ray.remote(Reader).options(num_cpus=share, scheduling_strategy=_on(node))
        machine = _Machine(made, lambda: reader.remote(self.settings, made, self._keeper, host))
        for _ in range(count):
            self._add_reader(machine)
        return machine

    def _add_reader(self, machine: _Machine) -> None:
        reader = machine.make_reader()
        machine.readers.append(reader)
        self._starting[reader.start.remote()] = reader

    def _replace(self, dead: Any) -> None:
        """Another reader in the place of one that died; where its machine did, that comes to nothing."""
        for machine in self._machines.values():
            if dead in machine.readers:
                machine.readers.remove(dead)
                self._add_reader(machine)

    def _note_ready(self, reference: Any) -> None:
        """A reader is ready, unless its machine died. Raises UsageError where its version is another."""
        import ray

        reader = self._starting.pop(reference)
        try:
            recipe = result_of(reference)
        except ray.exceptions.RayTaskError as error:  # no error of ours that the machine knows
            why = str(error).strip().splitlines()[-1]
            raise UsageError(f"a machine of the cluster cannot read: {why}", hint=_SAME_EVERYWHERE) from error
        except ray.exceptions.RayError:
            return
        if self._recipe is None:
            self._recipe = recipe
        if recipe != self._recipe:
            first, other = (_differing(one, two) for one, two in ((self._recipe, recipe), (recipe, self._recipe)))
            what = f"the machines of the cluster would read differently: {first} and {other}"
            raise UsageError(what, hint=_SAME_EVERYWHERE)
        self._free.append(reader)

    def _built(self, reference: Any, waiting: deque[_Task]) -> Built | None:
        """What a reader made; None where it died, and its document waits again. Raises what the document is not to
        blame for."""
        import ray

        reader, task = self._reading.pop(reference)
        try:
            built: Built = result_of(reference)
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError:
            self._replace(reader)
            task.deaths += 1
            if task.deaths < ATTEMPTS:
                waiting.appendleft(task)
                return None
            error = f"{task.job.path}: {ATTEMPTS} readers died of it: it needs more memory, or breaks a library"
            return Built(ReadReport(task.job.source, "failed", error=error))
        self._free.append(reader)
        return built

    def _check_somebody_is_there(self, last_seen: float) -> None:
        """Wait a little for a machine. Raises UsageError where none comes."""
        if time.monotonic() - last_seen > _ALONE_SECONDS:
            raise UsageError(
                "no machine of the cluster has a core to read with", hint="`ray status` says what is there"
            )
        time.sleep(_LOOK_SECONDS / 4)


def _on(node: str) -> Any:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node, soft=False)


def _differing(recipe: Sequence[Any], other: Sequence[Any]) -> str:
    """The first thing of a recipe that is not in the other."""
    return str(next((part for part, theirs in zip(recipe, other, strict=False) if part != theirs), recipe))

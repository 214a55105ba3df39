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
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from .ray_actors import BudgetKeeper, Encoder, Reader, result_of
from .reading import Built, BundleFolder, Job, ReadReport

if TYPE_CHECKING:
    from ..settings import Settings

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

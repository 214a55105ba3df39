"""Reading by a real Ray cluster of two machines on this one: a machine killed in the middle, the same bytes."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.indexing.ray_reading import BudgetKeeper, Cluster, RemoteBudget, read_by_ray
from cliquerag.indexing.reading import BundleFolder, Job, jobs_of, read, read_jobs
from cliquerag.ingest.about.given import DocumentHints
from cliquerag.models.language import BudgetError
from cliquerag.settings import Settings
from support.openai_server import Behaviour, Body, Handler, OpenAIServer, say

DOCUMENTS = 10
_MEETING_SECONDS = 240
"""A machine that joins a busy computer has needed more than a minute; shorter than a call may take by the settings."""

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra ray is not installed"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("prices") / "prices.toml"
    path.write_text("[test-model]\ninput = 1000\noutput = 0\n")  # a tenth of a cent a token: a call is dear
    return path


@pytest.fixture(autouse=True)
def known_price(private: Path, prices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines inherit the environment of who starts them."""
    monkeypatch.setenv("CLIQUERAG_PRICES", str(prices))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


@pytest.fixture(scope="module")
def cluster(prices: Path) -> Iterator[Any]:
    """A head without a core to read with, and a machine with two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLIQUERAG_PRICES", str(prices))
        patch.setenv("OPENAI_API_KEY", "sk-secret")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray
        from ray import cluster_utils

        machines = cluster_utils.Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}
        )
        machines.add_node(num_cpus=2)
        ray.init(address=machines.address, log_to_driver=False, logging_level="ERROR")
        yield machines
        ray.shutdown()
        machines.shutdown()


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    """Documents that take a while, and one that cannot be read."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(DOCUMENTS):
        sold = f"Acme {number} Inc. sold pumps to Beta {{line}} Corp. in {2000 + number}, for ${{line}}.5 million."
        lines = [f"Note number {number}.", *(sold.format(line=line) for line in range(1, 30))]
        (folder / f"note{number:02}.txt").write_text("\n\n".join(lines))
    (folder / "empty.pdf").write_bytes(b"")
    return jobs_of(sorted(folder.iterdir()), DocumentHints(), folder)


def files_of(folder: BundleFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.path.glob("*.bundle")}


@pytest.fixture
def notes(tmp_path: Path) -> list[Job]:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.txt").write_text(f"Note number {number}. Acme Inc. acquired Beta {number} Corp. in 2021.")
    return jobs_of(sorted(folder.iterdir()), DocumentHints(), folder)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        running.script = [_slowly]
        yield running


def _slowly(handler: Handler, body: Body) -> None:
    time.sleep(0.4)
    say('{"triples": []}')(handler, body)


def _together() -> Behaviour:
    """Answers the first calls when two documents are asked about at once: two machines are at work then."""
    waiting: set[str] = set()
    met = threading.Event()

    def behave(handler: Handler, body: Body) -> None:
        waiting.update(_note_in(str(body["messages"])))
        if len(waiting) > 1:
            met.set()
        met.wait(_MEETING_SECONDS)
        _slowly(handler, body)

    return behave


def asking(tmp_path: Path, server: OpenAIServer, **others: Any) -> Settings:
    """Relations read by a model whose answers nobody keeps: a second call for the same would be seen."""
    nowhere = tmp_path / "no folder"
    nowhere.write_text("a file: nothing can be cached in it")
    model = {"model": "test-model", "base_url": server.url, "extractor": "llm", "cache": str(nowhere)}
    return Settings(**{"embedder": "none", **model, **others})


def calls_by_note(server: OpenAIServer) -> Counter[str]:
    return Counter(note for call in server.calls for note in _note_in(str(call.body["messages"])))


def _note_in(text: str) -> list[str]:
    return re.findall(r"Note number (\d+)", text)[:1]


def test_a_machine_killed_in_the_middle_costs_what_it_was_at(
    cluster: Any, jobs: list[Job], server: OpenAIServer, tmp_path: Path
) -> None:
    settings = asking(tmp_path, server, embedder="auto")
    expected = BundleFolder(tmp_path / "by one")
    list(read_jobs(jobs, expected, settings))
    calls_of_one = calls_by_note(server)
    server.script, second = [_together()], cluster.add_node(num_cpus=2)
    server.calls.clear()
    folder, reports = BundleFolder(tmp_path / "by ray"), []
    for report in read_by_ray(jobs, folder, settings, cluster.address):
        reports.append(report)
        if second is not None and len({done.host for done in reports if done.ok}) == 2:  # both have read something
            cluster.remove_node(second, allow_graceful=False)
            second = None
    assert second is None, "one machine has read everything"
    assert Counter(report.source for report in reports) == Counter(job.source for job in jobs)
    assert [report.source for report in reports if not report.ok] == ["empty.pdf"]
    assert len(files_of(expected)) == DOCUMENTS and files_of(folder) == files_of(expected)
    again = calls_by_note(server) - calls_of_one
    assert len(again) <= 1, "the reader that was killed had one document"


def test_all_machines_spend_one_budget(cluster: Any, notes: list[Job], server: OpenAIServer, tmp_path: Path) -> None:
    (first,) = read_jobs(notes[:1], BundleFolder(tmp_path / "first"), asking(tmp_path, server))
    of_a_note, second = len(server.calls), cluster.add_node(num_cpus=2)
    assert first.usage.cost
    settings = asking(tmp_path, server, max_cost=3.5 * first.usage.cost)
    with pytest.raises(BudgetError, match="is used up"):
        list(read_by_ray(notes[1:], BundleFolder(tmp_path / "out"), settings, cluster.address))
    cluster.remove_node(second, allow_graceful=False)
    assert len(server.calls) <= (1 + 3) * of_a_note, "two machines had a budget each"


def test_a_reader_that_dies_alone_has_a_successor(cluster: Any, notes: list[Job]) -> None:
    import ray

    machines = Cluster(Settings(embedder="none"), frozenset())
    reading, built = machines.read(notes), []
    try:
        for one in reading:
            built.append(one)
            if len(built) == 2:
                first = machines.readers()
                for reader in first:
                    ray.kill(reader)
        assert Counter(one.report.source for one in built) == Counter(job.source for job in notes)
        assert all(one.report.ok for one in built)
        assert set(machines.readers()) - set(first), "nobody took the place of the reader that died"
    finally:
        machines.stop()


def test_what_is_there_is_not_read_again(cluster: Any, jobs: list[Job], tmp_path: Path) -> None:
    settings = Settings(embedder="none")
    folder = BundleFolder(tmp_path / "out")
    list(read_jobs(jobs[:6], folder, settings))
    outcomes = Counter(report.outcome for report in read_by_ray(jobs, folder, settings, cluster.address))
    assert outcomes == {"present": 5, "read": 5, "failed": 1}


def test_one_budget_for_all_machines(cluster: Any) -> None:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    keeper = ray.remote(BudgetKeeper).options(num_cpus=0, scheduling_strategy=here).remote(1.0)
    one, other = RemoteBudget(keeper, 1.0), RemoteBudget(keeper, 1.0)
    one.reserve(0.6)
    with pytest.raises(BudgetError, match="is used up"):
        other.reserve(0.6)
    one.settle(0.6, 0.1)
    other.reserve(0.6)
    ray.kill(keeper)


def test_a_model_that_is_not_there_ends_it(cluster: Any, jobs: list[Job], tmp_path: Path) -> None:
    settings = Settings(embedder=str(tmp_path / "nowhere"))
    with pytest.raises((ModelError, UsageError), match="nowhere"):
        list(read_by_ray(jobs, BundleFolder(tmp_path / "out"), settings, cluster.address))


def test_no_cluster_there(jobs: list[Job], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cliquerag", "read", str(tmp_path / "many"), "--out", "out"]
    done = subprocess.run([*command, "--ray", "127.0.0.1:1"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and "there is no Ray cluster to connect to" in done.stderr
    assert "Traceback" not in done.stderr


def test_late_chunking_asks_the_encoder_for_its_tokens(cluster: Any, jobs: list[Job], tmp_path: Path) -> None:
    """By its name in Python; nothing of an encoder is left out because it stands on its own."""
    options: dict[str, Any] = {"embedder": "auto", "chunk_vectors": "late:0.5", "root": tmp_path}
    paths = [tmp_path / "many" / "note01.txt"]
    (report,) = read(paths, tmp_path / "out", ray=cluster.address, cache=str(tmp_path / "a"), **options)
    assert report.ok and report.source == "many/note01.txt"
    (expected,) = read(paths, tmp_path / "one", cache=str(tmp_path / "b"), **options)
    written = [(tmp_path / folder / expected.bundle).read_bytes() for folder in ("out", "one")]
    assert written[0] == written[1]

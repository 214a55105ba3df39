"""Documents read to bundles and loaded: the store that an add makes, in any order, by any number of processes."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.indexing.loading import load
from cliquerag.indexing.reading import BundleFolder, Pool, ReadReport, Shard, read
from cliquerag.indexing.report import AddReport
from cliquerag.kg.engines.sqlite.store import SqliteStore
from cliquerag.kg.storage.bundle_file import read_bundle_file, read_manifest, write_bundle
from cliquerag.kg.store import Bundle
from support.store_dump import differences

from tests.app.conftest import Run, json_of

TEXTS = {
    "acme.txt": "Acme Inc. acquired Beta Corp. in 2021. Revenue of Acme Inc. was $12 million in 2023.",
    "beta.txt": "BETA CORP. sued Gamma Ltd. in 2022. Beta Corp. supplies steel to Acme Inc.",
    "gamma.md": "# Gamma Ltd.\n\nGamma Ltd. competes with ACME INC.\n\n| | 2023 |\n|---|---|\n| Sales | 7 |\n",
    "zh.txt": "京东方科技集团股份有限公司2023年营业收入为1,745.43亿元。",
}


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def read_all(*paths: Path, out: Path, **options: object) -> list[ReadReport]:
    return list(read(paths, out, **options))  # type: ignore[arg-type]


def load_all(workspace: Workspace, *folders: Path) -> list[AddReport]:
    return list(load(workspace, folders))


def outcomes(reports: list[ReadReport] | list[AddReport]) -> list[str]:
    return sorted(report.outcome for report in reports)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_reading_and_loading_is_adding(papers: Path, tmp_path: Path) -> None:
    assert outcomes(read_all(papers, out=tmp_path / "out")) == ["read"] * 4
    with Workspace(f"sqlite:///{tmp_path}/added.db") as added, Workspace(f"sqlite:///{tmp_path}/loaded.db") as loaded:
        assert outcomes(list(added.add_all([papers]))) == ["added"] * 4
        reports = load_all(loaded, tmp_path / "out")
        assert outcomes(reports) == ["added"] * 4 and {report.coverage.reader for report in reports} >= {"Markdown"}
        added.store.settle()
        assert differences(added.store, loaded.store) == []
        assert loaded.ask("What was the revenue of Acme in 2023?").citations


def test_workers_add_what_one_process_adds(papers: Path, tmp_path: Path) -> None:
    with Workspace(f"sqlite:///{tmp_path}/one.db") as one, Workspace(f"sqlite:///{tmp_path}/two.db", workers=2) as two:
        list(one.add_all([papers]))
        reports = list(two.add_all([papers]))
        assert outcomes(reports) == ["added"] * 4 and all(report.seconds["pack"] >= 0 for report in reports)
        one.store.settle()
        two.store.settle()
        assert differences(one.store, two.store) == []


def test_any_order_and_any_number_of_loads(papers: Path, tmp_path: Path) -> None:
    read_all(papers, out=tmp_path / "out")
    bundles, dice = sorted((tmp_path / "out").iterdir()), random.Random(1)
    expected = Workspace("sqlite://")
    load_all(expected, tmp_path / "out")
    for _ in range(3):
        dice.shuffle(bundles)
        store = Workspace("sqlite://")
        for path in bundles:
            assert outcomes(load_all(store, path)) == ["added"]
        assert differences(expected.store, store.store) == []
        version = store.store.version()
        assert outcomes(load_all(store, *bundles)) == ["unchanged"] * 4
        assert store.store.version() == version


def test_the_same_bytes_from_any_number_of_processes(papers: Path, tmp_path: Path, cli: Run) -> None:
    expected = read_all(papers, out=tmp_path / "one")
    assert {report.bundle for report in expected} == files_of(tmp_path / "one").keys()
    for seed in ("1", "2"):
        out = tmp_path / f"seed{seed}"
        done = cli(
            "read", str(papers), "--out", str(out), "--workers", seed, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert done.returncode == 0, done.stderr
        assert files_of(out) == files_of(tmp_path / "one")


def test_shards_give_together_exactly_the_whole(papers: Path, tmp_path: Path) -> None:
    for number in range(40):
        (papers / f"note{number}.txt").write_text(f"Note {number}: Acme Inc. sold {number} pumps in 2023.")
    whole = read_all(papers, out=tmp_path / "whole")
    shares = [read_all(papers, out=tmp_path / "shards", shard=Shard(number, 3)) for number in range(3)]
    assert sorted(report.source for share in shares for report in share) == sorted(report.source for report in whole)
    assert all(len(share) > 5 for share in shares)
    assert files_of(tmp_path / "shards") == files_of(tmp_path / "whole")


@pytest.mark.parametrize("text", ["3/3", "0/0", "-1/2", "1", "a/b", "1/2/3", ""])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="not a shard"):
        Shard.parse(text)


def test_what_is_there_is_not_read_again(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = read_all(papers, out=out)
    assert outcomes(read_all(papers, out=out, workers=2)) == ["present"] * 4
    (papers / "acme.txt").write_text("Acme Inc. acquired Delta AG in 2024.")
    again = read_all(papers, out=out)
    assert outcomes(again) == ["present"] * 3 + ["read"]
    old = {report.bundle for report in first} - {report.bundle for report in again}
    assert len(files_of(out)) == 4 and old.isdisjoint(files_of(out)), "the bundle of the older file is gone"


def test_the_name_tells_settings_and_hints_apart(papers: Path, tmp_path: Path) -> None:
    path, names = papers / "acme.txt", set()
    schema = tmp_path / "schema.toml"
    schema.write_text(
        '[relations.rates]\nheads = ["company"]\ntails = ["company"]\nen = "rates"\ninverse = "is rated"\n'
    )
    for number, options in enumerate(
        [{}, {"company": "Acme"}, {"chunker": "fixed"}, {"schema": str(schema)}, {"root": "/"}, {"period": "FY2023"}]
    ):
        (report,) = read_all(path, out=tmp_path / str(number), **options)
        names.add(report.bundle)
    assert len(names) == 6
    (report,) = read_all(
        path, out=tmp_path / "0", cache=str(tmp_path / "other"), workspace=f"sqlite:///{tmp_path}/y.db"
    )
    assert report.outcome == "present", "where vectors are cached and things are stored changes nothing"


def test_sources_are_named_from_the_root(papers: Path, tmp_path: Path) -> None:
    def sources(**options: object) -> set[str]:
        return {report.source for report in read_all(papers, out=tmp_path / "out", **options)}

    assert sources() == {f"papers/{name}" for name in TEXTS}
    assert sources(root=papers) == set(TEXTS)
    assert sources(workspace="neo4j://host:1") == {f"{papers}/{name}" for name in TEXTS}


def test_a_bad_document_does_not_cost_the_others(papers: Path, tmp_path: Path, cli: Run) -> None:
    (papers / "empty.pdf").write_bytes(b"")
    done = cli("read", str(papers), "--out", str(tmp_path / "out"), "--json")
    assert done.returncode == 1 and "empty.pdf" in done.stderr
    assert outcomes([ReadReport(r["source"], r["outcome"]) for r in json_of(done)]) == ["failed"] + ["read"] * 4
    assert len(files_of(tmp_path / "out")) == 4


def test_a_bad_bundle_does_not_cost_the_others(papers: Path, tmp_path: Path, cli: Run) -> None:
    out = tmp_path / "out"
    names = {Path(report.source).name: out / report.bundle for report in read_all(papers, out=out)}
    cut = names["acme.txt"].read_bytes()
    names["acme.txt"].write_bytes(cut[: len(cut) // 2])
    middle = bytearray(names["beta.txt"].read_bytes())
    middle[len(middle) // 3 : len(middle) // 3 + 60] = bytes(60)
    names["beta.txt"].write_bytes(middle)
    done = cli("load", str(out), "--json")
    assert done.returncode == 1
    said = {Path(r["source"]).name: r for r in json_of(done)}
    assert [r["outcome"] for r in said.values()].count("added") == 2
    assert done.stderr.count("damaged") == 2 and names["acme.txt"].name in done.stderr
    assert names["beta.txt"].name in done.stderr and "read the document again" in done.stderr
    names["acme.txt"].unlink()
    names["beta.txt"].unlink()
    assert outcomes(read_all(papers, out=out)) == ["present"] * 2 + ["read"] * 2
    assert cli("load", str(out)).returncode == 0


def test_short_documents_share_a_transaction_and_one_that_is_refused_does_not_keep_the_others_out(
    papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    read_all(papers, out=out)
    together: list[list[str]] = []
    put_all = SqliteStore.put_all

    def refusing(self: SqliteStore, bundles: Sequence[Bundle]) -> None:
        together.append([Path(bundle.document.source).name for bundle in bundles])
        if "zh.txt" in together[-1]:
            raise StoreError("not this one", where="zh.txt")
        put_all(self, bundles)

    with monkeypatch.context() as patch, Workspace(f"sqlite:///{tmp_path}/refused.db") as workspace:
        patch.setattr(SqliteStore, "put_all", refusing)
        with pytest.raises(StoreError, match="not this one"):
            load_all(workspace, out)
        assert sorted(together[0]) == sorted(TEXTS), "all are short enough for one transaction"
        kept = {Path(record.source).name for record in workspace.documents()}
    assert together[-1] == ["zh.txt"] and kept == {name for (name,) in together[1:-1]}
    with Workspace(f"sqlite:///{tmp_path}/refused.db") as workspace:
        assert outcomes(load_all(workspace, out)) == ["added"] * (4 - len(kept)) + ["unchanged"] * len(kept)


def test_two_bundles_of_one_document_are_not_chosen_from(papers: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    read_all(papers, out=one)
    shutil.copytree(one, other)
    with Workspace("sqlite://") as workspace:
        assert outcomes(load_all(workspace, one, other)) == ["added"] * 4, "the same bundle twice is one"
    (papers / "acme.txt").write_text("Acme Inc. acquired Delta AG in 2024.")
    read_all(papers, out=other)
    with Workspace("sqlite://") as workspace:
        reports = load_all(workspace, one, other)
        assert outcomes(reports) == ["added"] * 3 + ["failed"]
        (failed,) = (report for report in reports if not report.ok)
        assert "2 different bundles" in failed.error and str(one) in failed.error and str(other) in failed.error


def test_vectors_of_different_models_never_meet(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bundle_path = out / read_all(papers, out=out)[0].bundle
    import numpy as np

    bare = read_bundle_file(bundle_path)
    rows = np.ones((len(bare.chunks), 1), np.float32)
    sentences = np.ones((sum(len(chunk.sentences) for chunk in bare.chunks), 1), np.float32)
    other = replace(bare, vectors=rows, sentence_vectors=sentences, embedder="other")
    bundle_path.write_bytes(write_bundle(other, read_manifest(bundle_path).key))
    with Workspace("sqlite://") as workspace:
        with pytest.raises(UsageError, match=r"vectors of different models: 'none'.* and 'other'"):
            load_all(workspace, out)
        assert workspace.documents() == []
        load_all(workspace, bundle_path)
        with pytest.raises(UsageError, match="its vectors come from 'none', those of sqlite:// from 'other'"):
            load_all(workspace, out)


def test_what_somebody_mended_lasts(papers: Path, tmp_path: Path) -> None:
    out, source = tmp_path / "out", "papers/acme.txt"
    read_all(papers, out=out)
    with Workspace() as workspace:
        load_all(workspace, out)
        workspace.set_about(source, company="Acme Holding", period="FY2023")
        assert outcomes(load_all(workspace, out)) == ["unchanged"] * 4
        (papers / "acme.txt").write_text("Revenue of Acme Inc. was $15 million in 2024. Net income was $3 million.")
        read_all(papers, out=out)
        assert outcomes(load_all(workspace, out)) == ["replaced"] + ["unchanged"] * 3
        (record,) = (record for record in workspace.documents() if record.source == source)
        assert record.companies == ("Acme Holding",) and record.how["companies"] == "given"
        assert outcomes(load_all(workspace, out)) == ["unchanged"] * 4


def test_what_another_extractor_read_is_not_thrown_away(papers: Path, tmp_path: Path) -> None:
    read_all(papers, out=tmp_path / "out")
    with Workspace("sqlite://") as workspace:
        load_all(workspace, tmp_path / "out")
        for record in workspace.documents():
            (part,) = workspace.store.parts(record.source)
            workspace.store.put_graph(record.source, replace(part, extractor="llm-9"))
        assert outcomes(load_all(workspace, tmp_path / "out")) == ["unchanged"] * 4


def test_nothing_to_load(tmp_path: Path, cli: Run) -> None:
    assert cli("load", str(tmp_path / "nowhere")).returncode == 2
    (tmp_path / "empty").mkdir()
    done = cli("load", str(tmp_path / "empty"))
    assert done.returncode == 1 and "No bundles there" in done.stdout


def test_only_their_owner_may_read_bundles(papers: Path, tmp_path: Path) -> None:
    read_all(papers, out=tmp_path / "new" / "out")
    folder = tmp_path / "new" / "out"
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_leftovers_of_a_killed_reader_go(tmp_path: Path) -> None:
    old, new = tmp_path / ".a-b.bundle.00.part", tmp_path / ".a-b.bundle.01.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    assert len(BundleFolder(tmp_path)) == 0
    assert not old.exists() and new.exists(), "one that is being written stays"


def test_kill_nine_while_reading_and_while_loading(tmp_path: Path, cli: Run) -> None:
    many, out, dice = tmp_path / "many", tmp_path / "out", random.Random(2)
    many.mkdir()
    for number in range(120):
        (many / f"note{number:03}.txt").write_text(f"Acme {number} Inc. sold pumps to Beta {number} Corp. " * 12)
    for _ in range(3):
        _killed("read", str(many), "--out", str(out), after=lambda: len(list(out.glob("*.bundle"))), dice=dice)
        for path in out.glob("*.bundle"):
            read_bundle_file(path)
    assert cli("read", str(many), "--out", str(out)).returncode == 0
    database = tmp_path / "x.db"
    for _ in range(3):
        _killed("load", str(out), "--workspace", f"sqlite:///{database}", after=lambda: _stored(database), dice=dice)
    done = cli("load", str(out), "--workspace", f"sqlite:///{database}", "--json")
    assert done.returncode == 0 and len(json_of(done)) == 120
    with Workspace(f"sqlite:///{database}") as loaded, Workspace("sqlite://") as whole:
        load_all(whole, out)
        assert differences(whole.store, loaded.store) == []


def test_several_loads_at_once(tmp_path: Path) -> None:
    many, folders = tmp_path / "many", [tmp_path / "one", tmp_path / "two"]
    many.mkdir()
    for number in range(24):
        text = f"Acme Inc. sold {number} pumps to BETA CORP. in 2023. Beta Corp. sued Gamma {number % 3} Ltd. in 2021."
        (many / f"note{number:02}.txt").write_text(text)
    for number, folder in enumerate(folders):
        read_all(many, out=folder, shard=Shard(number, 2))
    database = tmp_path / "x.db"
    command = [sys.executable, "-m", "cliquerag", "load", "--workspace", f"sqlite:///{database}"]
    loads = [subprocess.Popen([*command, str(folder)], stdout=subprocess.DEVNULL) for folder in (*folders, folders[0])]
    assert [load.wait(120) for load in loads] == [0, 0, 0]
    with Workspace(f"sqlite:///{database}") as together, Workspace("sqlite://") as one_by_one:
        load_all(one_by_one, *folders)
        assert differences(one_by_one.store, together.store) == []


def test_two_loads_while_others_are_removed(tmp_path: Path) -> None:
    """What is removed names the companies that are loaded at the same time: they stay, and nothing else does."""
    folders = {name: tmp_path / name for name in ("gone", "one", "two")}
    for name, folder in folders.items():
        notes = folder / "notes"
        notes.mkdir(parents=True)
        for number in range(12):
            text = f"Acme Inc. sold {number} pumps to BETA CORP. in 2023. Beta Corp. sued Gamma {number % 3} Ltd."
            (notes / f"{name}{number:02}.txt").write_text(text)
        read_all(notes, out=folder / "out")
    database = tmp_path / "x.db"
    with Workspace(f"sqlite:///{database}") as workspace:
        load_all(workspace, folders["gone"] / "out")
        sources = [record.source for record in workspace.documents()]
    cli = [sys.executable, "-m", "cliquerag"]
    at = ["--workspace", f"sqlite:///{database}"]
    runs = [subprocess.Popen([*cli, "load", *at, str(folders[name] / "out")]) for name in ("one", "two")]
    runs.append(subprocess.Popen([*cli, "remove", *at, *sources]))
    assert [run.wait(120) for run in runs] == [0, 0, 0]
    with Workspace(f"sqlite:///{database}") as together, Workspace("sqlite://") as one_by_one:
        together.store.settle()  # the removal may have been the last to write
        load_all(one_by_one, folders["one"] / "out", folders["two"] / "out")
        assert differences(one_by_one.store, together.store) == []


def _killed(*command: str, after: object, dice: random.Random) -> None:
    """Run a command and kill it a little after it has done something more."""
    assert callable(after)
    before = after()
    process = subprocess.Popen([sys.executable, "-m", "cliquerag", *command], stderr=subprocess.DEVNULL)
    while after() == before and process.poll() is None:
        time.sleep(0.005)
    time.sleep(dice.random() * 0.1)
    process.kill()
    process.wait()


def _stored(database: Path) -> int:
    import sqlite3

    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM document").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


# --- processes


def _start(_given: str) -> None:
    pass


def _square(number: int) -> int:
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)  # as a library that crashes, or the memory that runs out
    return number * number


def _minus(number: int) -> int:
    return -number


def test_a_process_that_dies_costs_its_own_task_alone() -> None:
    pool = Pool(2, _square, _minus, _start, ("x",))
    assert sorted(pool.results(range(10, 20))) == sorted([-13] + [n * n for n in range(10, 20) if n != 13])


def test_what_is_wrong_with_no_document_ends_it() -> None:
    with pytest.raises(ValueError, match="int"):
        list(Pool(2, int, _minus, _start, ("x",)).results(["1", "2", "x"]))  # type: ignore[arg-type]

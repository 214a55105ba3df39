"""Benchmarks are found by name; absent data is said in one clear line."""

import sys
from types import ModuleType

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row

from benchmarks import registry


@pytest.fixture
def toy(monkeypatch):
    """A benchmark that reports how many files its folder holds."""
    module = ModuleType("benchmarks.tasks.toy", "Counts files.\n\nMore.")
    module.run = lambda folder: Report("toy", (Row("files", "count", len(list(folder.iterdir()))),))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry._modules(), "toy", module.__name__)
    return module


def test_found_with_its_summary_and_run_on_its_folder(toy, tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "a.txt").write_text("x")
    assert registry.available(tmp_path)["toy"] == "Counts files. (1 min)"
    assert registry.available(tmp_path / "toy")["toy"] == "Counts files. (1 min) [data absent]"
    report = registry.run_benchmark("toy", tmp_path)
    assert report.rows[0].value == 1
    assert report.seconds > 0


def test_data_root_from_the_environment(toy, tmp_path, monkeypatch):
    (tmp_path / "toy").mkdir()
    monkeypatch.setenv(registry.DATA_VARIABLE, str(tmp_path))
    assert registry.has_data("toy")
    assert registry.run_benchmark("toy").rows[0].value == 0


def test_own_data_needs_no_root(toy, monkeypatch):
    monkeypatch.delenv(registry.DATA_VARIABLE, raising=False)
    toy.FOLDER = ""
    assert registry.run_benchmark("toy").rows[0].value == 0


def test_absent_data_and_names_are_said(toy, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"no data set 'toy' here. Expected the folder .*toy"):
        registry.run_benchmark("toy", tmp_path)
    monkeypatch.delenv(registry.DATA_VARIABLE, raising=False)
    with pytest.raises(UsageError, match=registry.DATA_VARIABLE):
        registry.run_benchmark("toy")
    with pytest.raises(UsageError, match=r"There are: .*toy"):
        registry.run_benchmark("tyo")
    assert not registry.has_data("toy")


def test_every_benchmark_module_says_what_it_measures():
    assert all(registry.available().values())


def test_check_names_what_got_worse_and_what_was_never_kept(toy, tmp_path):
    data, docs = tmp_path / "data", tmp_path / "docs"
    (data / "toy").mkdir(parents=True)
    (data / "toy" / "a.txt").write_text("x")
    with pytest.raises(UsageError, match="nothing kept of toy"):
        registry.check(["toy"], data, docs)
    registry.write_report(registry.run_benchmark("toy", data), docs)
    assert registry.check([], data, docs) == []
    (data / "toy" / "a.txt").unlink()
    assert registry.check([], data, docs) == ["toy: count of files fell from 1.000 to 0.000"]


def test_what_can_run_here_short_ones_first(toy, tmp_path):
    (tmp_path / "toy").mkdir()
    toy.MINUTES = 0.1
    assert registry.runnable(tmp_path)[0] == "toy"
    toy.NEEDS, toy.INSTALL = ("no_such_package",), "pip install 'cliquerag[toy]'"
    assert "toy" not in registry.runnable(tmp_path)
    assert registry.available(tmp_path)["toy"].endswith("[not installed: no_such_package]")
    with pytest.raises(UsageError, match=r"toy needs no_such_package.*pip install 'cliquerag\[toy\]'"):
        registry.run_benchmark("toy", tmp_path)


def test_a_benchmark_is_found_in_whichever_folder_it_lies():
    found = registry._modules()
    assert found["financebench"] == "benchmarks.tasks.retrieval.financebench"
    assert found["grounding"] == "benchmarks.tasks.reader.grounding"
    assert not [name for name in found if name.startswith("_") or name in ("retrieval", "answers")]


def test_every_benchmark_has_a_bound():
    assert all(0 < registry.minutes(name) <= 60 for name in registry.available())

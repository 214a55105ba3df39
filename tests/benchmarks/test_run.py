"""All benchmarks in a row: each is kept at once, a failure stops nobody, and a resumed run leaves out what is kept."""

import json

import pytest

from benchmarks import registry
from benchmarks import run as benching
from benchmarks.run import run_all

WORDS = ["Acme", "Inc.", "paid", "$", "5", "million", "in", "2021", "."]
SENTENCE = {"tokens": WORDS, "entities": [["Money", 3, 6]], "relations": []}


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "fire"
    folder.mkdir(parents=True)
    (folder / "dev.jsonl").write_text(json.dumps(SENTENCE), encoding="utf-8")
    monkeypatch.setattr(registry, "runnable", lambda root: ["no_such", "fire"])
    monkeypatch.setattr(registry, "minutes", lambda name: 1)
    return tmp_path / "data"


def test_kept_one_by_one_and_resumed(data, tmp_path):
    said = []
    failed, done = run_all(data, tmp_path / "docs", say=said.append)
    assert failed.state == "failed" and "no benchmark 'no_such'" in failed.said
    assert done.state == "done" and (tmp_path / "docs" / "benchmarks" / "fire.json").is_file()
    assert said[0] == "2 benchmarks, about 2 minutes" and said[3] == "2/2  fire (about 1 min)"
    again = list(run_all(data, tmp_path / "docs", resume=True))
    assert [outcome.state for outcome in again] == ["failed", "kept already"]


def test_one_that_takes_too_long_is_stopped(data, monkeypatch):
    monkeypatch.setattr(benching, "_SPARE", 0)
    monkeypatch.setattr(registry, "minutes", lambda name: 0.0001)
    assert [outcome.state for outcome in run_all(data)] == ["too slow", "too slow"]

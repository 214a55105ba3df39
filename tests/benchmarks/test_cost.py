"""The cost benchmark's parts: the same relations for every engine, a real endpoint that counts, and its figures."""

import json
import sys
from urllib.request import Request, urlopen

import pytest
from cliquerag.core.errors import CliqueRAGError, UsageError
from cliquerag.evaluation.lightrag import WordTokenizer
from cliquerag.kg.extraction.llm import ModelExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage
from cliquerag.models.language import Reply, Usage

from benchmarks.peers import cost, system
from benchmarks.peers.endpoint import MODEL, running
from benchmarks.peers.invented import CHUNK_WORDS, OVERLAP_WORDS, Calls, HashEmbedder
from benchmarks.peers.table import answer, stated
from benchmarks.tasks.scale import lightrag_cost

TEXT = "In this quarter Abc Corp supplies Def Corp with cash. Margin rose. Def Corp sues Ghi Corp."


def user(text):
    return [{"role": "user", "content": text}]


def test_every_engine_is_told_the_same_relations():
    assert stated(TEXT) == [("Abc Corp", "supplies", "Def Corp"), ("Def Corp", "sues", "Ghi Corp")]
    kind, ours = answer(user(f"<document>\n[1] {TEXT}\n</document>"))
    assert kind == "extract" and len(json.loads(ours)["triples"]) == 2
    kind, rows = answer(user(f"---Input Text---\n```\n{TEXT}\n```\n---Output---"))
    assert kind == "extract" and rows.count("relation<|#|>") == 2 and rows.count("entity<|#|>") == 3
    kind, tuples = answer(user(f'("entity"<|>...)\nText: {TEXT}\nOutput:'))
    assert kind == "extract" and tuples.count('("relationship"') == 2
    assert answer(user("Based on the last extraction task, ..."))[0] == "extract again"
    assert answer(user("What did Abc Corp say?"))[0] == "answer"


class Table:
    """The fixed table as a language model of ours."""

    name = MODEL

    def replies(self, requests, *, schema=None, failed=None):
        for index, messages in enumerate(requests):
            told = answer([{"content": message.content} for message in messages])[1]
            yield index, Reply(told, Usage(), json.loads(told))


def test_our_extractor_takes_what_the_table_says():
    (found,) = ModelExtractor(Table(), load_schema()).extract([Passage(TEXT)])
    assert [(t.head, t.relation, t.tail) for t in found.triples] == stated(TEXT)
    assert not found.rejected


def test_a_call_is_as_many_chunks_as_it_says():
    _, text = Calls(100).call(3)
    words = len(text.split())
    step = CHUNK_WORDS - OVERLAP_WORDS
    assert 2 * step + OVERLAP_WORDS < words <= 3 * step + OVERLAP_WORDS
    assert 30 <= len(stated(text)) <= 36
    assert Calls(100).call(3)[1] == text, "the same in every run"


def test_stand_ins_for_models():
    words = WordTokenizer()
    assert words.decode(words.encode(TEXT)) == TEXT
    one, same, other = HashEmbedder().embed(["margin rose", "margin rose", "cash fell"])
    assert one @ same == pytest.approx(1.0) and one @ other < 0.9


def test_ours_is_measured_with_the_calls_it_makes(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cost, "QUESTIONS", 2)
    with running() as endpoint:
        cost.measure("CliqueRAG", endpoint, tmp_path, [10])
        counts = endpoint.counts()
    (figures,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert figures["chunks"] == 10 and figures["calls"] == {"extract": figures["calls"]["extract"]}
    assert 1 <= figures["calls"]["extract"] <= 10 < figures["input tokens"]
    assert figures["search"]["written"] == 0 < figures["add"]["written"]
    assert counts["answer"] == cost.QUESTIONS, "searching asks no model, answering asks once"


def test_rows_are_for_a_chunk():
    spent = {"cpu": 0.5, "wall": 1.0, "written": 2e6}
    figures = {"chunks": 100, "cpu": 2.0, "written": 1e8, "kept": 1e7, "memory": 90.0, "calls": {"extract": 80},
               "input tokens": 5000, "output tokens": 100, "add": spent, "search": spent, "ask": spent}  # fmt: skip
    rows = {row.metric: row.value for row in lightrag_cost._rows("x", figures)}
    assert rows["indexing, CPU ms a chunk, 100 chunks"] == 20.0
    assert rows["indexing, KB written a chunk, 100 chunks"] == 1000.0
    assert rows["model calls a chunk, 100 chunks"] == 0.8
    assert rows["input tokens of the model a chunk, 100 chunks"] == 50.0
    assert all(row.lower_is_better for row in lightrag_cost._rows("x", figures))


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(system._SYSTEMS, "Other", ("other", "Other", ("no_such_package",)))
    assert "Other" in system.absent() and "CliqueRAG" in system.installed()


def test_an_engine_may_live_in_another_environment(monkeypatch):
    monkeypatch.setitem(system._SYSTEMS, "CliqueRAG", ("ours_cost", "OursSystem", ("no_such_package",)))
    assert "CliqueRAG" in system.absent()
    monkeypatch.setenv(system.PYTHONS, sys.executable)
    assert system.interpreters()["CliqueRAG"] == sys.executable, "asked anew in a process of its own"
    monkeypatch.setenv(system.PYTHONS, "/bin/false")
    with pytest.raises(UsageError, match=system.PYTHONS):
        system.interpreters()


def test_an_answer_may_be_streamed():
    asked = {"model": MODEL, "stream": True, "messages": user("What did Abc Corp say?")}
    with running() as endpoint:
        request = Request(f"{endpoint.url}/chat/completions", json.dumps(asked).encode(), method="POST")
        with urlopen(request, timeout=30) as reply:
            lines = [line for line in reply.read().decode().splitlines() if line]
    assert lines[-1] == "data: [DONE]"
    (choice,) = json.loads(lines[0].removeprefix("data: "))["choices"]
    assert choice["delta"]["content"] == answer(asked["messages"])[1] and choice["finish_reason"] == "stop"


def test_slow_engines_are_measured_at_the_first_size():
    assert lightrag_cost._sizes("CliqueRAG") == "100,1000"
    assert lightrag_cost._sizes("Microsoft GraphRAG") == "100"


def test_an_engine_that_fails_is_a_note_beside_the_others(tmp_path, monkeypatch):
    spent = {"cpu": 0.5, "wall": 1.0, "written": 2e6}
    figures = {"chunks": 100, "cpu": 2.0, "written": 1e8, "kept": 1e7, "memory": 90.0, "calls": {}, "input tokens": 0,
               "output tokens": 0, "add": spent, "search": spent, "ask": spent}  # fmt: skip

    def measured(name, folder):
        if name == "Broken":
            raise CliqueRAGError("Broken did not run")
        return [figures]

    monkeypatch.setattr(system, "interpreters", lambda: dict.fromkeys(("Broken", "Sound"), sys.executable))
    monkeypatch.setattr(lightrag_cost, "_measured", measured)
    monkeypatch.setattr(lightrag_cost, "_killed", lambda name, folder: [])
    report = lightrag_cost.run(tmp_path)
    assert {row.system for row in report.rows} == {"Sound"}
    assert any("Broken did not run" in note for note in report.notes)

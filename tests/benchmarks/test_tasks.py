"""The benchmarks run on any folder of their form, here on a few invented lines and without an embedder."""

import json

import pytest
from cliquerag.core.errors import UsageError

from benchmarks.ours import OURS
from benchmarks.tasks import _shared
from benchmarks.tasks.retrieval import ectsum, finna_zh, multihop_hotpotqa, multihop_pooled, tatqa


def write(path, rows):
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")


def run(module, folder, monkeypatch):
    monkeypatch.setattr(module, "embedder", lambda: None)
    report = module.run(folder)
    return {(row.system, row.metric): row.value for row in report.rows}


def test_multihop(tmp_path, monkeypatch):
    passages = [
        {"title": "Halvern", "text": "Halvern Robotics builds robots. Its chief executive is Ingrid Solheim."},
        {"title": "Ingrid Solheim", "text": "Ingrid Solheim was born in Tromso and studied physics."},
        {"title": "Duluth", "text": "Duluth is a port city on a lake."},
        {"title": "Suzhou", "text": "Suzhou is a city of canals and silk."},
    ]
    write(tmp_path / "passages.jsonl", passages)
    gold = [{"title": p["title"], "text": p["text"].replace(".", " .")} for p in passages[:2]]
    write(tmp_path / "questions.jsonl", [{"question": "Where was the chief executive of Halvern born?", "gold": gold}])
    values = run(multihop_hotpotqa, tmp_path, monkeypatch)
    assert values["BM25", "recall@10"] == 1.0
    assert values[f"{OURS} vector", "MRR@10"] == 1.0


def test_pooled_sets_alone_and_among_others(tmp_path, monkeypatch):
    founded = {"title": "Halvern", "text": "Halvern Robotics builds robots. Its chief executive is Ingrid Solheim."}
    born = {"title": "Ingrid Solheim", "text": "Ingrid Solheim was born in Tromso and studied physics."}
    city = {"title": "Tromso", "text": "Tromso is a port city in Norway."}
    twice = {"title": "Ingrid Solheim", "text": "Ingrid Solheim was born in Tromso, and studied physics ."}
    sets = {"musique": ([founded, born], [founded, born]), "2wiki": ([twice, city], [twice, city])}
    for name, (passages, gold) in sets.items():
        folder = tmp_path / f"multihop_{name}"
        folder.mkdir()
        write(folder / "passages.jsonl", passages)
        write(folder / "questions.jsonl", [{"question": "Where was the head of Halvern born, Tromso?", "gold": gold}])
    others = tmp_path / "multihop_others"
    others.mkdir()
    write(others / "passages.jsonl", [{"title": "Suzhou", "text": "Suzhou is a city of canals and silk."}, city])

    pool = multihop_pooled.Pool.of(tmp_path)
    assert len(pool.passages) == 3, "a passage of two sets is there once"
    assert [len(asked.gold) for asked in pool.asked] == [2, 2]

    values = run(multihop_pooled, tmp_path, monkeypatch)
    for where in ("pool", "among others"):
        assert values[f"{OURS} hybrid", f"{where}, musique: all gold@5"] == 1.0
        assert values["BM25", f"{where}, 2wiki: recall@5"] == 1.0
    with pytest.raises(UsageError):
        multihop_pooled.run(others)
    monkeypatch.setattr(multihop_pooled, "embedder", lambda: None)
    assert "1 others: 1 of encyclopedia" in multihop_pooled.run(tmp_path).notes[0], (
        "the article with a gold title is left out"
    )


def test_chinese_headlines_without_the_first_sentence(tmp_path, monkeypatch):
    pairs = [
        {"title": "清源精密营收增长", "body": "清源精密营收增长。公司2025年营业收入同比增长23%，净利润增长30%。"},
        {"title": "诺兰德电芯延长合同", "body": "合同延长。诺兰德电芯与客户的供货合同延长至2029年。"},
    ]
    write(tmp_path / "pairs.jsonl", pairs)
    values = run(finna_zh, tmp_path, monkeypatch)
    assert values["BM25", "hit@1"] == 1.0
    assert values[OURS, "hit@5"] == 1.0


def test_tables_with_their_paragraphs(tmp_path, monkeypatch):
    def context(row, text, question):
        table = [["", "2019", "2018"], [row, "5.1", "4.2"]]
        return {"table": table, "paragraphs": [{"text": text}], "questions": [{"question": question}]}

    contexts = [
        context("Inventories", "Inventories are carried at cost or market.", "How large were inventories?"),
        context("Goodwill", "Goodwill is tested once a year.", "How often is goodwill tested?"),
    ]
    write(tmp_path / "held.jsonl", contexts)
    values = run(tatqa, tmp_path, monkeypatch)
    assert values["BM25", "hit@1"] == values[f"{OURS} hybrid", "hit@1"] == 1.0


def test_sentences_of_a_call(tmp_path, monkeypatch):
    sentences = [
        "Good morning and welcome to the call.",
        "Revenue from continuing operations was 45 million in the quarter.",
        "We repurchased shares for 12 million.",
    ]
    call = {"call": "X_q1_2021", "sentences": sentences}
    call["queries"] = [{"query": "shares repurchased in the quarter", "gold_sentences": [2]}]
    write(tmp_path / "dev.jsonl", [call])
    values = run(ectsum, tmp_path, monkeypatch)
    assert values["BM25", "hit@1"] == 1.0
    assert values[OURS, "hit@1"] == 1.0, "sentences are found by their offsets"


def test_the_part_that_is_there_is_read(tmp_path):
    with pytest.raises(UsageError, match=r"neither dev.jsonl nor held.jsonl"):
        _shared.part(tmp_path)
    (tmp_path / "held.jsonl").write_text("{}")
    assert _shared.part(tmp_path).name == "held.jsonl"
    (tmp_path / "dev.jsonl").write_text("{}")
    assert _shared.part(tmp_path).name == "dev.jsonl"


def differences(systems, **options):
    rows = _shared.ranking_rows(systems, [{2}], ("hit@1", "MRR@10"), **options)
    return {(row.system, row.metric): row.value for row in rows if " minus " in row.system}


def test_ours_is_held_against_the_baseline_that_is_best_at_each_measure():
    systems = {"RRF": [[1, 2]], "dense": [[3, 1]], f"{OURS} vector": [[2, 1]]}
    found = differences(systems)
    assert found == {(f"{OURS} vector minus best baseline", m): v for m, v in (("hit@1", 1.0), ("MRR@10", 0.5))}
    assert differences(systems, than="dense")[f"{OURS} vector minus dense", "MRR@10"] == 1.0
    assert differences({OURS: [[2]]}) == {}


def test_our_modes_are_held_against_hybrid_pair_by_pair():
    systems = {f"{OURS} vector": [[1, 2]], f"{OURS} graph": [[2]], f"{OURS} hybrid": [[2]]}
    found = differences(systems)
    assert found[f"{OURS} hybrid minus vector", "MRR@10"] == 0.5
    assert found[f"{OURS} hybrid minus graph", "MRR@10"] == 0.0

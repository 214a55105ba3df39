import json
from pathlib import Path

from benchmarks.extraction import ByKind, Tally, count_overlaps, count_spans
from benchmarks.tasks.graph import earnings21, finre_zh, fire, names


def test_spans_are_found_once():
    tally = Tally()
    count_spans(tally, [(0, 1, 4), (0, 1, 4), (0, 9, 12)], [(0, 1, 4), (1, 1, 4)])
    assert (tally.right, tally.found, tally.hit, tally.gold) == (1, 3, 1, 2)
    assert (round(tally.precision, 3), tally.recall, round(tally.f1, 3)) == (0.333, 0.5, 0.4)


def test_names_that_share_a_word_meet_as_often_as_both_occur():
    tally = Tally()
    count_overlaps(tally, ["Monro", "Monro", "Acme"], ["the Monro Inc Earnings Call", "Jane Smith"])
    assert (tally.right, tally.found, tally.hit, tally.gold) == (1, 3, 1, 2)


def test_nothing_found_is_no_division_by_zero():
    assert (Tally().precision, Tally().recall, Tally().f1) == (0.0, 0.0, 0.0)
    assert ByKind().total.found == 0


def write(folder: Path, name: str, *rows: object) -> Path:
    (folder / name).write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return folder


def figures(report) -> dict[tuple[str, str], float]:
    return {(row.system, row.metric): row.value for row in report.rows}


def test_fire(tmp_path: Path):
    text = "In 2012 , Wells Fargo acquired Merlin Securities for $ 5 million ."
    right = {
        "tokens": text.split(),
        "entities": [["Date", 1, 2], ["Company", 3, 5], ["Company", 6, 8], ["Money", 9, 12]],
        "relations": [["ActionBuy", 1, 2]],
    }
    wrong = {**right, "tokens": [*right["tokens"][:5], "sold", *right["tokens"][6:]], "relations": []}
    found = figures(fire.run(write(tmp_path, "dev.jsonl", right, wrong)))
    assert found["patterns", "Money F1"] == 1
    assert found["patterns", "Date F1"] == 1
    assert found["rules", "relation coverage"] == 1
    assert found["rules: acquires", "relation precision"] == 1
    assert found["rules", "relation precision"] == 0.5


def test_finre(tmp_path: Path):
    rows = [
        {"head": "小米", "tail": "蓝海", "relation": "收购", "text": "小米收购蓝海。"},
        {"head": "蓝海", "tail": "小米", "relation": "被收购", "text": "小米收购蓝海。"},
        {"head": "甲乙", "tail": "丙丁", "relation": "竞争", "text": "甲乙收购丙丁。"},
    ]
    found = figures(finre_zh.run(write(tmp_path, "dev.jsonl", *rows)))
    assert found["rules", "relation precision"] == 0.5
    assert found["rules", "relation coverage"] == 0.5


def test_earnings21(tmp_path: Path):
    call = {
        "turns": [{"speaker": "0", "text": "Jane Smith of Monro Inc. paid $600,000 to Acme Corp."}],
        "entities": [
            {"type": "PERSON", "text": "Jane Smith"},
            {"type": "ORG", "text": "Monro"},
            {"type": "MONEY", "text": "$600,000"},
        ],
    }
    found = figures(earnings21.run(write(tmp_path, "calls.jsonl", call)))
    assert found["rules", "name recall"] == 1
    assert round(found["rules", "name precision"], 2) == 0.67
    assert found["quantities", "amount recall"] == 1


def test_names_are_compared_by_words_and_type():
    gold = {
        "names": [
            {"name": "The Bolt Company", "types": ["company"]},
            {"name": "Tern", "types": ["product", "technology"]},
        ],
        "maybe": [{"name": "U.S.", "types": ["place"]}],
    }
    found = [("Bolt Company’s", "company"), ("Tern", "company"), ("U.S.", "place"), ("Junk", "thing"), ("CEO", "role")]
    mentions = [names.Mentioned(0, 1, text, kind) for text, kind in found]
    typed, untyped = ByKind(), ByKind()
    names.count(typed, mentions, gold)
    names.count(untyped, mentions, gold, by_type=False)
    assert (typed.total.right, typed.total.found, typed.total.gold) == (1, 3, 2)
    assert (typed.of("company").found, typed.of("thing").found, typed.of("product").recall) == (2, 1, 0.0)
    assert (untyped.total.right, untyped.total.found, untyped.total.recall) == (2, 3, 1.0)

"""The benchmarks of numbers, on a few invented lines of their form."""

import json

from benchmarks.tasks.answers import finglm, tatqa_numbers


def write(path, rows):
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")


def values(report):
    return {(row.system, row.metric): row.value for row in report.rows}


def test_finglm(tmp_path):
    about = {"ent_name": "清源精密股份有限公司", "ent_short_name": "清源精密", "year": "2021"}
    asked = [
        ("1", "2021年清源精密的净利润是多少元？", {"净利润": "120.5元", "key_word": "净利润", "prom_answer": "x"}),
        ("1-2", "清源精密2021年销售费用和管理费用分别是多少元？",
         {"销售费用": "7元", "管理费用": "9元", "key_word": "销售费用、管理费用", "prom_answer": "7；9"}),
        ("2-1", "清源精密2021年净利润增长率是多少?保留2位小数。",
         {"净利润": "120.5元", "上年净利润": "100元", "公式": "x", "key_word": "x", "prom_answer": "20.50%"}),
        ("2-1", "清源精密2021年流动比率是多少?保留2位小数。",
         {"流动资产": "30元", "流动负债": "20元", "公式": "x", "key_word": "x", "prom_answer": "1.40"}),
        ("2-2", "清源精密2021年的法定代表人与上年相比相同吗？",
         {"2020年法定代表人": "甲", "2021年法定代表人": "乙", "key_word": "x", "prom_answer": "不相同"}),
    ]  # fmt: skip
    rows = [{"type": kind, "question": text, "gold": {**about, **gold}} for kind, text, gold in asked]
    other = {"ent_name": "诺兰德电芯有限公司", "ent_short_name": "诺兰德", "year": "2021", "净利润": "5元"}
    gold = {**other, "key_word": "净利润", "prom_answer": "x"}
    rows.append({"type": "1", "question": "诺兰德2021年的净利润是多少？", "gold": gold})
    rows.append({"type": "3-2", "question": "什么是净利润？", "gold": {}})
    rows.append({"type": "3-1", "question": "请介绍清源精密2021年的研发情况。", "gold": {**about, "key_word": ""}})
    write(tmp_path / "questions.jsonl", rows)
    found = values(finglm.run(tmp_path))
    assert found["CliqueRAG", "look-up right"] == found["CliqueRAG", "two look-ups right"] == 1.0
    assert found["CliqueRAG", "formula right"] == 0.5, "one gold answer is wrong on purpose"
    assert found["CliqueRAG", "comparison right"] == 1.0
    assert found["CliqueRAG", "route accuracy (6 ways)"] == 1.0


def test_tatqa_numbers(tmp_path):
    def question(text, answer, kind, derivation="", scale="million"):
        return {"question": text, "answer": answer, "answer_type": kind, "answer_from": "table", "scale": scale,
                "derivation": derivation}  # fmt: skip

    context = {
        "table": [["", "", "(in millions)"], ["", "2019", "2018"], ["Cloud services", "$ 12.5", "$ 10.0"],
                  ["Licences", "30.0", "40.0"]],
        "paragraphs": [{"text": "Cloud services grew."}],
        "questions": [
            question("What was the amount of Cloud services in 2019?", ["12.5"], "span"),
            question("What was the change in Licences from 2018 to 2019?", -10, "arithmetic", "30.0-40.0"),
            question("What was the percentage change in Cloud services from 2018 to 2019?", 25, "arithmetic",
                     "(12.5-10.0)/10.0", "percent"),
            question("What was the amount of Licences in 2018?", ["41.0"], "span"),
            question("Why did Cloud services grow?", ["demand"], "span", scale=""),
        ],
    }  # fmt: skip
    write(tmp_path / "dev.jsonl", [context])
    found = values(tatqa_numbers.run(tmp_path))
    assert found["calculator", "derivations reproduced"] == 1.0
    assert found["CliqueRAG", "arithmetic right"] == 1.0
    assert found["CliqueRAG", "one cell right"] == 0.5, "one gold answer is wrong on purpose"
    assert found["CliqueRAG", "compute or not"] == 1.0
    assert found["cell by word overlap", "one cell right"] == 0.5


def test_financebench_takes_one_number_in_any_scale() -> None:
    from support.number_store import fact, number_store

    from benchmarks.asking import answer_numbers
    from benchmarks.tasks.answers.financebench_numbers import gold_of, is_right

    store = number_store(report=("Acme Inc.", "FY2022", [fact("revenue", "FY2022", "1,577.4")]))
    answer = answer_numbers(store, "What was Acme's revenue in FY2022?")
    store.close()
    golds = ("$1577.00", "$1.58", "1,600", "-1577", "It rose.")
    assert [is_right(answer, {"answer": gold}) for gold in golds] == [True, True, False, False, False]
    assert [str(gold_of({"answer": text})) for text in ("-3.7%", "(12)", "about 5")] == ["-3.7", "-12", "5"]


def test_finglm_statistics_wants_the_companies_in_their_order() -> None:
    from support.number_store import fact, number_store

    from benchmarks.asking import answer_numbers
    from benchmarks.tasks.answers.finglm_statistics import agrees

    store = number_store(
        **{
            n.lower(): (n, "FY2019", [fact("revenue", "FY2019", v, company=n)])
            for n, v in (("Alpha", "5"), ("Beta", "7"))
        }
    )
    answer = answer_numbers(store, "Which two companies had the highest revenue in 2019?")
    store.close()
    assert agrees(answer, [("Beta", 7_000_000), ("Alpha", 5_000_000)])
    assert not agrees(answer, [("Alpha",), ("Beta",)])
    assert not agrees(answer, [(2,)])

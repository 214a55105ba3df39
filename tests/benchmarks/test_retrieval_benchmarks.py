"""What is read around the hits, every mode, and what only a graph is asked: on invented data of the same form."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from cliquerag.core.errors import UsageError

from benchmarks.ours import OURS
from benchmarks.tasks.retrieval import graph_questions, modes, parent_child

FILLING = "The board looked at the plant of the north in its meeting of that week, as in every year before. "
PAGES = [
    f"Halvern Inc. annual report 2021. {FILLING * 8}",
    f"Sales and pulp prices of Halvern in 2021 fell. {FILLING * 8} The reason was the strike at the Ware mill.",
    "Halvern Inc. acquired Orion Gears GmbH in 2021. Orion Gears GmbH acquired Bolt Corp. in 2020.",
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "financebench"
    folder.mkdir()
    with lzma.open(folder / "pages_dev.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"doc": "HALVERN_2021_10K", "pages": PAGES}))
    question = {
        "doc_name": "HALVERN_2021_10K",
        "question": "Why did sales and pulp prices of Halvern fall in 2021?",
        "answer": "A strike at the Ware mill.",
        "evidence": [{"doc_name": "HALVERN_2021_10K", "page": 1, "text": PAGES[1]}],
    }
    (folder / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    return tmp_path


def _run(module, folder, monkeypatch):
    monkeypatch.setattr(module, "embedder", lambda: None)
    report = module.run(folder)
    return {(row.system, row.metric): row.value for row in report.rows}, report.notes


def test_a_section_holds_what_stands_beside_the_hit(data, monkeypatch):
    monkeypatch.setattr(parent_child, "_HITS", 1)
    values, _ = _run(parent_child, data, monkeypatch)
    metric = "FinanceBench: in context, 4,000 tokens"
    assert values[f"{OURS} none", metric] < values[f"{OURS} section", metric] == 1.0
    assert values[f"{OURS} none", "FinanceBench: page recall@5"] == 1.0
    assert values[f"{OURS} page minus none", metric] > 0


def test_every_mode_stands_beside_vector(data, monkeypatch):
    values, notes = _run(modes, data, monkeypatch)
    assert (
        values[f"{OURS} vector", "FinanceBench: recall@5"] == values[f"{OURS} hybrid", "FinanceBench: recall@5"] == 1.0
    )
    assert {f"{OURS} {mode} minus vector" for mode in ("local", "global", "graph", "hybrid", "auto")} <= {
        system for system, _ in values
    }
    assert "auto chose hybrid 1" in notes[1]


def test_both_steps_of_a_connection_are_looked_for(data, monkeypatch):
    values, notes = _run(graph_questions, data / "financebench", monkeypatch)
    assert notes[0].startswith("1 pairs, 6 broad questions, 1 filings")
    assert values[f"{OURS} graph", "both steps of a connection@5"] == 1.0


def test_without_data_it_says_so(tmp_path):
    for module in (parent_child, modes):
        with pytest.raises(UsageError, match="no data set"):
            module.run(tmp_path)

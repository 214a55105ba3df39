"""The benchmark of facts on one invented context: what is read is counted, what is not is missed."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.tasks.documents import facts

CONTEXT = {
    "table": [["", "2019", "2018"], ["Net sales", "1,250", "1,100"], ["Costs", "(900)", "(850)"]],
    "paragraphs": [{"text": "The number 77 is no fact."}],
    "questions": [
        {"question": "What were net sales in 2018?", "answer": ["1,100"], "answer_type": "span", "scale": ""},
        {"question": "What were costs in 2019?", "answer": ["1,100"], "answer_type": "span", "scale": ""},
        {"question": "Which number is named?", "answer": ["77"], "answer_type": "span", "scale": ""},
        {"question": "What is the change?", "answer": 150, "answer_type": "arithmetic", "scale": ""},
    ],
}


def test_cells_values_and_periods_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "tatqa"
    folder.mkdir()
    (folder / "dev.jsonl").write_text(json.dumps(CONTEXT), encoding="utf-8")
    found = {row.metric.removeprefix("TAT-QA: "): (row.value, row.n) for row in facts.run(folder).rows}
    assert found == {
        "cells that are facts": (1.0, 4),
        "values asked for that are facts": (2 / 3, 3),
        "of these with the period asked for": (0.5, 2),
    }

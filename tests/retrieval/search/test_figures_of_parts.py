"""A figure of a product that the question names is that of its row, which prints no metric."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag import Workspace

REPORT = """# Annual report 2021

## Consolidated Statements of Income

(in millions of dollars)

| | 2021 | 2020 |
| --- | --- | --- |
| Revenues | $ 81,288 | $ 41,651 |
| Cost of sales | 30,821 | 8,484 |

Revenues increased 95% to $81.3 billion in 2021.

## Note 17. Products

Acme Inc. produces Gloxin. Acme Inc. sells Tarvid.

Significant product revenues (in millions of dollars)

| Product | 2021 | 2020 |
| --- | --- | --- |
| Tarvid | $ 2,810 | 2,600 |
| Gloxin | 76 | 12 |
"""


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How much revenue did Gloxin bring in for Acme in 2021?", "Acme Inc.: Gloxin, FY2021 = 76 million (USD)"),
        ("What were Acme's revenues from Tarvid in 2020?", "Acme Inc.: Tarvid, FY2020 = 2,600 million (USD)"),
        ("What was Acme's revenue in 2021?", "Acme Inc.: Revenues, FY2021 = $ 81,288 million (USD)"),
    ],
)
def test_the_fact_of_what_is_named_comes_first(tmp_path: Path, question: str, first: str) -> None:
    with Workspace(f"sqlite:///{tmp_path / 'a.db'}", embedder="none") as workspace:
        workspace.add_text(REPORT, source="ACME_2021_10K.md", company="Acme Inc.", period="FY2021")
        found = workspace.search(question, k=10)
    assert next(item.text for item in found if item.kind == "fact") == first

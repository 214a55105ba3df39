"""What the embedding model is given."""

from __future__ import annotations

import pytest
from cliquerag.ingest.pieces.embedding_text import embedding_text


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Total revenue\n$\n1,234\n(1,100)", "Total revenue"),
        ("Balance at December 31, 2022 1,234 5,678", "Balance at December 2022"),
        ("Revenue rose 12% to $3.4 billion in 2023,\nmostly in Asia.", None),
        ("notes due 2017 | 700 | -1 (1) | 699 | 785", "notes due 2017"),
        ("|---|---|\n| Costs | 1,200 | 900 |", "Costs"),
        ("Notes to Financial Statements ........................ 61", "Notes to Financial Statements 61"),
        ("营业\n收入 1,234.5 1,100.0", "营业收入"),
        ("主要系本期\n购买商品支付的现金减少所致。", "主要系本期购买商品支付的现金减少所致。"),
        ("1,234 5,678 (90)", "1,234 5,678 (90)"),
        ("", ""),
    ],
)
def test_embedding_text(text: str, given: str | None) -> None:
    assert embedding_text(text) == (" ".join(text.split()) if given is None else given)

"""Headings that say so by their own words, and what only looks like them."""

from __future__ import annotations

import pytest
from cliquerag.ingest.reading.titles import numbered_heading


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("PART I", 1),
        ("Part III.", 1),
        ("Item 1A. Risk Factors", 2),
        ("ITEM 7. MANAGEMENT'S DISCUSSION AND ANALYSIS", 2),
        ("Item 5.07 Submission of Matters to a Vote of Security Holders", 2),
        ("Item 9—Changes in Accountants", 2),
        ("Note 7. Debt", 3),
        ("NOTE 12 – INCOME TAXES", 3),
        ("第三节 公司业务概要", 1),
        ("一、公司信息", 2),
        ("（一）主要会计数据", 3),
        ("1、货币资金", 4),
        ("(三) 境内外会计准则差异的说明：", 3),
    ],
)
def test_numbered_headings(text: str, level: int) -> None:
    found = numbered_heading(text)
    assert found is not None and found.level == level


@pytest.mark.parametrize(
    "text",
    [
        "Item 7 of this Annual Report on Form 10-K",
        "Part of the increase came from Asia",
        "Note 7 below shows the debt,",
        "Item 1. Business 120 130",
        "一、本公司董事会、监事会及董事、监事、高级管理人员保证年度报告内容的真实、准确、完整，不存在虚假记载、误导性陈述或重大遗漏，",
        "1.5 million pumps",
        "",
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert numbered_heading(text) is None


def test_a_lone_item_number_waits_for_its_title() -> None:
    found = numbered_heading("Item 1A.")
    assert found is not None and found.open

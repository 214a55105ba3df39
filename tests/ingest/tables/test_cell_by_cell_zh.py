"""Chinese statements whose page text has a cell a line, as reports of Taiwan print them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from cliquerag.ingest.facts.extract import extract_facts
from cliquerag.ingest.read import read_document
from cliquerag.ingest.tables.raw_text import from_text_lines

TITLE = """山 嵐 精 密 工 業 股 份 有 限 公 司 及 子 公 司
合  併  綜  合  損  益  表
民國111 年及110 年1 月1 日至3 月31 日
單位：新台幣仟元
(除每股盈餘為新台幣元外)
~8~"""
HEADS = """111  年  1  月  1  日
至  3  月  3 1  日
1 1 0 年1 月1 日
至 3 月 3 0 日
項目
附註
金
額
%
金
額
%"""
ROWS = """4000
營業收入
六(二十)及七
$
82,538
100
$
72,485
100
5000 營業成本
六(七)(二十五)
(二十六)及七 (
60,025 )(
73)(
50,878 )(
70)
營業費用
6100
推銷費用（附註二
十五）
(4,961)
(6)
(4,708)
(7)
7060
採用權益法認列之關聯企業及
合資損益之份額
692
-
18
-
每股盈餘
9750
基本每股盈餘
$
2.33
$
2.53"""


def rows_of(*parts: str) -> tuple[tuple[str, ...], ...]:
    (found,) = from_text_lines("\n".join(parts).splitlines())
    return found.table.rows


def test_amounts_stand_under_their_dates_beside_the_whole_name() -> None:
    assert rows_of(TITLE, HEADS, ROWS) == (
        ("單位：新台幣仟元", "2022年1月1日至3月31日", "2021年1月1日至3月30日"),
        ("營業收入", "$ 82,538", "$ 72,485"),
        ("營業成本", "(60,025)", "(50,878)"),
        ("營業費用", "", ""),
        ("推銷費用（附註二十五）", "(4,961)", "(4,708)"),
        ("採用權益法認列之關聯企業及合資損益之份額", "692", "18"),
        ("每股盈餘", "", ""),
        ("基本每股盈餘", "$ 2.33", "$ 2.53"),
    )


def test_two_years_of_the_title_head_columns_that_have_no_dates() -> None:
    title = "合併現金流量表\n民國一一二年一月一日至三月三十一日\n及民國一一一年一月一日至三月三十一日"
    rows = rows_of(title, "折舊費用\n2,793\n1,912\n應收票據\n(43)\n(106)")
    assert rows[0][1:] == ("2023年1月1日至3月31日", "2022年1月1日至3月31日")


def test_days_on_one_line_are_heads_each() -> None:
    heads = "合併資產負債表\n1 1 2 年 9 月 3 0 日 1 1 1 年 1 2 月 3 1 日\n1 1 1 年 9 月 3 0 日"
    rows = rows_of(heads, "現金及約當現金\n70,006\n61,546\n64,941\n存貨\n80,930\n79,844\n78,751")
    assert rows[0][1:] == ("2023年9月30日", "2022年12月31日", "2022年9月30日")


def test_a_line_that_is_drawn_with_characters_is_no_value() -> None:
    rows = rows_of("營業毛利\n16,777\n15,973\n72,609,411\n營業利益\n13,475\n12,489\n72,609,411\n淨利\n9\n8\n72,609,411")
    assert rows[0] == ("營業毛利", "16,777", "15,973")


def test_numbers_of_four_digits_stay_values_where_no_accounts_are_printed() -> None:
    assert rows_of("生產量\n4000\n3500\n銷售量\n3900\n3400")[0] == ("生產量", "4000", "3500")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "page_text.txt"
    tax, income = "7950\n所得稅費用\n(1,708)\n(2)\n(1,770)\n(2)", "8200\n本期淨利\n6,830\n8\n7,043\n10"
    second = f"{tax}\n{income}\n8500\n綜合損益總額\n1,900\n2\n800\n1"
    path.write_text(f"{TITLE}\n{HEADS}\n{ROWS}\n\f{HEADS}\n{second}\n", encoding="utf-8")
    return path


def test_the_next_page_goes_on_in_the_unit_of_the_first(report: Path) -> None:
    document = read_document(report, source=report.name)
    facts = {(fact.metric, fact.period.label if fact.period else ""): fact for fact in extract_facts(document)}
    assert document.metadata.companies == ("山嵐精密工業股份有限公司",)
    revenue, income = facts["revenue", "Q1 FY2022"], facts["net income", "Q1 FY2022"]
    assert (revenue.value, revenue.scale, revenue.unit) == (Decimal(82538), 1000, "TWD")
    assert (income.value, income.scale, income.unit) == (Decimal(6830), 1000, "TWD")
    earnings = facts["basic earnings per share", "Q1 FY2022"]
    assert (earnings.value, earnings.unit) == (Decimal("2.33"), "TWD/share")

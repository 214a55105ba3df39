"""Both Chinese scripts, and the years of Taiwan's calendar, meet wherever texts are compared."""

from __future__ import annotations

import re

import pytest
from cliquerag.core.chinese import both_scripts, may_be_pinyin, simplified, transcription, western_years
from cliquerag.core.names import company_key, name_key
from cliquerag.core.patterns import PatternTable
from cliquerag.core.words import question_words, search_words
from cliquerag.ingest.facts.metrics import metric_of
from cliquerag.retrieval.question.question import read_question


def test_places_in_a_text_stay() -> None:
    text = "聯華電子股份有限公司及子公司 Revenue 營業收入 𠮷"
    assert len(simplified(text)) == len(text)
    assert simplified(text) == "联华电子股份有限公司及子公司 Revenue 营业收入 𠮷"
    assert simplified(simplified(text)) == simplified(text)


@pytest.mark.parametrize("text", ["", "Revenue rose 5 %", "“Über”", "营业收入是多少?"])
def test_other_texts_stay(text: str) -> None:
    assert simplified(text) == text


def test_words_meet() -> None:
    assert search_words("應收帳款與營業利益") == search_words("应收帐款与营业利益")
    assert question_words("營業收入是多少？") == question_words("营业收入是多少？")


def test_years_of_taiwan_meet_those_asked() -> None:
    assert "2023" in search_words("民國 112 年第 3 季合併資產負債表")
    assert "2022" in search_words("111 年 9 月 30 日")
    assert read_question("111年9月30日的存貨是多少？").years == (2022,)


@pytest.mark.parametrize(
    "text", ["100年歷史", "為期120年的租約", "第112年", "3.112年度", "1,112年度", "2112年度", "1112年9月", "150年1月"]
)
def test_other_numbers_are_no_years(text: str) -> None:
    assert western_years(text) == text


def test_names_meet() -> None:
    assert name_key("聯華電子股份有限公司") == name_key("联华电子股份有限公司") == "联华电子"
    assert company_key("鴻海集團") == company_key("鸿海集团")


def test_metrics_of_taiwan_are_known() -> None:
    assert metric_of("營業利益（損失）") == metric_of("营业利润") == "operating income"
    assert metric_of("現金及約當現金") == metric_of("现金及现金等价物")
    assert metric_of("基本每股盈餘") == metric_of("基本每股收益")


@pytest.mark.parametrize(
    ("pattern", "found", "left"),
    [
        ("净利[润亏]", "淨利潤", "凈水"),
        (r"\d+年(?:报|报告)", "2023年報告", "年"),
        ("(?<=资)产+", "資產產", "產資"),
        ("[^产]表", "附表", "產表"),
        (r"\[产\]", "[產]", "產"),
    ],
)
def test_a_pattern_finds_both_scripts(pattern: str, found: str, left: str) -> None:
    widened = re.compile(both_scripts(pattern))
    assert widened.search(found)
    assert widened.search(simplified(found))
    assert not widened.search(left)


def test_tables_of_patterns_find_both_scripts() -> None:
    table = PatternTable("cliquerag.core", "units.toml", "scale_pattern")
    assert table.which("單位：新台幣億元") == table.which("单位：新台币亿元") != ""


@pytest.mark.parametrize(
    ("latin", "chinese", "letters", "characters"),
    [
        ("qingyuan", "清源精密", 8, 2),
        ("qingyuanprecision", "清源精密", 17, 4),
        ("lvdi", "绿地控股", 4, 2),
        ("ludi", "绿地控股", 4, 2),
        ("chongqingbeer", "重庆啤酒", 13, 4),
        ("hongyuanbuildingmaterials", "弘源建材", 25, 4),
    ],
)
def test_a_name_in_pinyin_meets_the_chinese_one(latin: str, chinese: str, letters: int, characters: int) -> None:
    fit = transcription(latin, chinese)
    assert fit is not None and (fit.letters, fit.characters) == (letters, characters)


def test_a_name_in_pinyin_needs_two_characters_and_letters_of_its_own() -> None:
    assert transcription("qing", "清") is None and transcription("zhongqingbeer", "重庆啤酒") is None
    assert [name for name in ("qingyuan", "ping", "halvern", "revenue") if may_be_pinyin(name)] == ["qingyuan"]

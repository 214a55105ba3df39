"""Words and signs of scales, currencies and units."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
from cliquerag.core.quantity import currency_codes, currency_in, read_scale, scale_power_in, scale_powers, unit_symbols
from cliquerag.core.rules import load_rules

UNIT_LINES = {
    "(in millions, except per share data)": (6, ""), "(Dollars in thousands)": (3, "USD"), "US$'000": (3, "USD"),
    "€m": (6, "EUR"), "EUR bn": (9, "EUR"), "HK$ million": (6, "HKD"), "hk$": (None, "USD"), "€ and $": (None, "EUR"),
    "(SEK in millions)": (6, "SEK"), "try in thousands": (3, ""), "单位：万元 币种：人民币": (4, "CNY"),
    "单位：亿元": (8, "CNY"), "十亿日元": (9, "JPY"), "2023": (None, ""), "(1,000)": (3, ""), "£ (000s)": (3, "GBP"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), UNIT_LINES.items())
def test_unit_lines(line: str, expected: tuple[int | None, str]) -> None:
    assert (scale_power_in(line), currency_in(line)) == expected


@pytest.mark.parametrize("section", ["scale", "currency", "unit"])
def test_a_word_means_one_thing_and_is_written_as_it_is_looked_up(section: str) -> None:
    counts = Counter(word for words in load_rules("cliquerag.core", "units.toml")[section].values() for word in words)
    assert {word for word, count in counts.items() if count > 1 or word != word.lower()} == set()


def test_words_of_the_three_tables_do_not_overlap() -> None:
    tables = (set(scale_powers()), set(currency_codes()), set(unit_symbols()))
    assert len(set.union(*tables)) == sum(map(len, tables))


@pytest.mark.parametrize(
    ("text", "factor", "currency"),
    [
        ("(in millions)", 10**6, ""), ("(Dollars in thousands)", 10**3, "USD"), ("($ in billions)", 10**9, "USD"),
        ("($000s)", 10**3, "USD"), ("单位：万元 币种：人民币", 10**4, "CNY"), ("单位：元", 1, "CNY"),
        ("单位：亿元", 10**8, "CNY"),
        ("(€ million)", 10**6, "EUR"), ("人民币百万元", 10**6, "CNY"), ("(RMB in millions)", 10**6, "CNY"),
        ("USDm", 10**6, "USD"), ("US$’000", 10**3, "USD"), ("Number of shares (1,000)", 10**3, ""),
    ],
)  # fmt: skip
def test_unit_lines_as_numbers(text: str, factor: int, currency: str) -> None:
    scale = read_scale(text)
    assert (scale.factor, scale.currency) == (Decimal(factor), currency)


def test_words_without_a_unit_have_no_scale() -> None:
    assert read_scale("CONSOLIDATED BALANCE SHEETS").factor is None


@pytest.mark.parametrize(
    ("text", "too"),
    [
        ("(in millions, except per share data)", True),
        ("(in millions, except share and per share data)", False),
        ("(in thousands, except number of shares)", False),
    ],
)
def test_shares_share_the_scale_unless_excepted(text: str, too: bool) -> None:
    assert read_scale(text).shares_too is too

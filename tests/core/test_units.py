"""Words and signs of scales, currencies and units."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
from cliquerag.core.quantity_text import parse_quantity
from cliquerag.core.rules import load_rules
from cliquerag.core.units import (
    currency_codes,
    currency_in,
    scale_name,
    scale_power_in,
    scale_powers,
    unit_name,
    unit_symbols,
)

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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_written_scale_is_read_back(language: str) -> None:
    for power in (3, 6):
        quantity = parse_quantity(f"5 {scale_name(10**power, language)}")
        assert quantity is not None
        assert quantity.amount == 5 * Decimal(10) ** power


def test_a_scale_or_unit_without_a_name() -> None:
    assert scale_name(Decimal(10) ** 5) == ""
    assert scale_name(Decimal("1")) == ""
    assert unit_name("CHF", "zh") == "CHF"
    assert unit_name("people", "zh") == "人"

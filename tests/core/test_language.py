"""Whether a model that knows English alone reads a text."""

from __future__ import annotations

import pytest
from cliquerag.core.language import is_english


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12,345 (678)",
        "What was the gross margin of Adobe in fiscal 2022?",
        "AAPL revenue 2023",
        "core ffo per share - per share",
        "Revenue of 腾讯 rose 12 % in the year, and the company expects further growth in its games.",
        "Deutsche Bank and La Poste in 2022",
        "The consolidated statements of Nestlé S.A. and of its subsidiaries for the year",
    ],
)
def test_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "营业收入是多少？",
        "合併資產負債表",
        "売上高はいくらですか",
        "매출은 얼마입니까",
        "Какова выручка компании?",
        "ما هي إيرادات الشركة؟",
        "รายได้ของบริษัท",
        "Wie hoch ist der Umsatz mit den Kunden?",
        "Quel est le chiffre d'affaires de la société?",
        "¿Cuál es el beneficio neto de la empresa en 2022?",
        "Qual è il fatturato della società?",
        "Wat is de omzet van het bedrijf?",
        "Jaki jest zysk netto i przychód w 2022 roku?",
        "Qual foi o lucro da empresa no ano e os dividendos?",
        "Şirketin net kârı ne kadar ve bu yıl için",
    ],
)
def test_other_languages(text: str) -> None:
    assert not is_english(text)


def test_the_middle_of_a_long_text_decides() -> None:
    cover = "Annual report of the company for the year. " * 300
    assert not is_english(cover + "本公司的主要业务是研发和制造冷链设备。" * 2_000)


def test_a_table_with_a_few_foreign_words_is_english() -> None:
    table = "| Net sales of the year | 5 |\n| Le Creuset | 1 |\n| Del Monte del Pacifico | 2 |\n| Cost of sales | 3 |"
    assert is_english(table)
    assert not is_english("Wie hoch ist der Umsatz?")

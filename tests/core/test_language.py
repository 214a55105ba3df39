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


def test_fonts_that_do_not_say_their_letters_make_no_other_language() -> None:
    """Contents of an annual report as its PDF gives them: other letters stand for the English ones, "o" and "e" too."""
    page = (
        "I6;;\x01\x1dDBB:CIH\n\x12\x16\n#I:B\x01\x11\r\n*GDE:GI>:H\n\x12\x16\n#I:B\x01\x12\r\n&:<6A\x01*GD8::9>C<H\n\x12"
        "\x17\n#I:B\x01\x13\r\n'>C:\x01-6;:IN\x01\x1e>H8ADHJG:H\n\x12\x17\n%\x16')\x01\x1e\x1e\n#I:B\x01\x14\r\n'6G@:I\x01;DG"
        "\x01,:<>HIG6CIXH\x01\x1dDBBDC\x01\x1fFJ>IN\x0b\x01,:A6I:9\x01-ID8@=DA9:G\x01'6II:GH\x016C9\x01#HHJ:G"
        "\x01*JG8=6H:H"
        "\x01D;\x01\n\x1fFJ>IN\x01-:8JG>I>:H\n\x12\x18\n#I:B\x01\x15\r\n4,:H:GK:95\n\x13\x0f\n#I:B\x01\x16\r\n'6C6<:B:CIXH"
        "\x01\x1e>H8JHH>DC\x016C9\x01\x1bC6ANH>H\x01D;\x01 >C6C8>6A\x01\x1dDC9>I>DC\x016C9\x01,:HJAIH\x01D;"
        "\x01)E:G6I>DCH"
    )
    assert is_english(page * 2)
    assert not is_english("De omzet van het bedrijf is met 5 % gestegen, en de winst is niet bekend. " * 2)

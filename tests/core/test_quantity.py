from decimal import Decimal

import pytest
from cliquerag.core.quantity import find_amounts, find_quantities, parse_quantity
from hypothesis import given
from hypothesis import strategies as st

FORMS = {
    "$3.4 billion": ("3400000000", "USD"), "US$ 5": ("5", "USD"), "RMB310.4 million": ("310400000", "CNY"),
    "€1.2m": ("1200000", "EUR"), "EUR 0.8 mn": ("800000", "EUR"), "£158.1m": ("158100000", "GBP"),
    "$ 98 M": ("98000000", "USD"), "$12-Billion": ("12000000000", "USD"), "500 mln euro": ("500000000", "EUR"),
    "Rs 26,627 crore": ("266270000000", "INR"), "HK$1,000": ("1000", "HKD"), "9,000 U.S. dollars": ("9000", "USD"),
    "(1,234)": ("-1234", ""), "$(1,234)": ("-1234", "USD"), "$ (1,234)": ("-1234", "USD"), "-0.5%": ("-0.5", "%"),
    "12.5 %": ("12.5", "%"), "4 per cent": ("4", "%"), "(2.5)%": ("-2.5", "%"), "25 basis points": ("25", "bp"),
    "6.7 percentage points": ("6.7", "pp"), "3.2x": ("3.2", "x"), "3.2 times": ("3.2", "x"),
    "1,200 employees": ("1200", "people"), "1,200 full-time employees": ("1200", "people"),
    "5.4 million shares": ("5400000", "shares"), "$0.33 per share": ("0.33", "USD/share"),
    "$ .42 / share": ("0.42", "USD/share"), "$(0.12) per share": ("-0.12", "USD/share"),
    "1.2亿元": ("120000000", "CNY"), "3,456.78万元": ("34567800", "CNY"), "人民币1,000元": ("1000", "CNY"),
    "3.5亿美元": ("350000000", "USD"), "0.35元/股": ("0.35", "CNY/share"), "每股0.5元": ("0.5", "CNY/share"),
    "12.5个百分点": ("12.5", "pp"), "28.6億元": ("2860000000", "CNY"), "1,005仟元": ("1005000", "CNY"),
     "25个基点": ("25", "bp"), "100万股": ("1000000", "shares"), "3.2倍": ("3.2", "x"),
    "25,000人": ("25000", "people"), "1,024名": ("1024", "people"), "1,234.5": ("1234.5", ""),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FORMS.items())
def test_every_form_is_found_in_a_sentence(text, expected):
    quantities = find_quantities(f"It was {text} 。")
    assert [(q.amount, q.unit) for q in quantities] == [(Decimal(expected[0]), expected[1])]
    assert quantities[0].text == text
    assert quantities[0].start == len("It was ")


@pytest.mark.parametrize(
    "text",
    [
        "Note 12.5",
        "Item 7.01",
        "in 2019",
        "December 31",
        "12 of them",
        "1.2.3",
        "10:30",
        "A123",
        "5m deep",
        "Level 3.1",
    ],
)
def test_counts_years_and_references_are_left_alone(text):
    assert find_quantities(text) == []


def test_the_first_of_two_amounts_shares_the_scale_of_the_second():
    assert [int(q.amount) for q in find_quantities("$3 to $4 billion")] == [3 * 10**9, 4 * 10**9]
    assert [int(q.amount) for q in find_quantities("12 % to $4 billion")] == [12, 4 * 10**9]


def test_parentheses_around_a_translation_are_not_a_minus():
    assert [int(q.amount) for q in find_quantities("RMB 10 million (US$ 1.5 million)")] == [10_000_000, 1_500_000]


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("5", "5", ""), ("$ (1,234)", "-1234", "USD"), ("(25%)", "-25", "%"), (" 1,234 ", "1234", ""),
        ("2019", "2019", ""), ("$ 3.21", "3.21", "USD"),
        ("-1,132,603,716.40", "-1132603716.40", ""), ("(12.3) %", "-12.3", "%"),
    ],
)  # fmt: skip
def test_a_cell_is_read_whole(cell, value, unit):
    quantity = parse_quantity(cell)
    assert (quantity.value, quantity.unit) == (Decimal(value), unit)
    assert cell[quantity.start : quantity.end] == cell.strip()


@pytest.mark.parametrize("cell", ["", "—", "Note 5", "1,234 5,678", "n/a", "12 (a)"])
def test_a_cell_that_is_not_one_amount_gives_none(cell):
    assert parse_quantity(cell) is None


@given(st.text(alphabet="$€(). ,-%0123456789 millionbKx元万亿股per", max_size=50))
def test_offsets_are_true_for_any_text(text):
    end = 0
    for quantity in find_quantities(text):
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.start >= end
        end = quantity.end


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.booleans())
def test_a_printed_number_reads_back(value, negative):
    printed = f"({value:,})" if negative else f"{value:,}"
    assert parse_quantity(printed).value == (-value if negative else value)


def test_amounts_as_they_are_said():
    said = "two billion of cost, half a billion tags, two hundred million, five percent, one point two million dollars"
    assert [(int(q.amount), q.unit) for q in find_amounts(said)] == [
        (2_000_000_000, ""),
        (500_000_000, ""),
        (200_000_000, ""),
        (5, "%"),
        (1_200_000, "USD"),
    ]
    assert find_amounts("one of the two segments, a million reasons") == []
    assert find_amounts("twenty-five million dollars of cost, fifty-two percent of sales") == []

import pytest
from cliquerag.ingest.tables.values import is_number, is_unit_line, is_value, is_year, joined, shared_unit


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "1,234",
        "(1,234)",
        "$ 5.2",
        "($5,053)",
        "12.5 %",
        "(2.5)%",
        "1 234 567",
        "-1,132,603,716.40",
        "3.2x",
        "€ 2,209",
    ],
)
def test_numbers(text):
    assert is_number(text) and is_value(text)


@pytest.mark.parametrize("text", ["", "Note 5", "2022 vs 2021", "A1", "1,234 shares", "(a)", "Level 2"])
def test_words_are_no_numbers(text):
    assert not is_number(text) and not is_value(text)


@pytest.mark.parametrize("text", ["—", "-", "$ —", "n/a", "NM", "不适用"])
def test_marks_for_nothing_are_values(text):
    assert is_value(text) and not is_number(text)


def test_years():
    assert is_year("2022") and is_year("2019年") and is_year("FY2020")
    assert not is_year("2,022") and not is_year("1234")


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("1,132,603,716.", "40", "1,132,603,716.40"),
        ("1,132,6", "03", "1,132,603"),
        ("December 2,", "2022", "December 2, 2022"),
        ("12", "34", "12 34"),
        ("Inter-", "national", "Inter-national"),
        ("会计师", "事务所", "会计师事务所"),
        ("", "x", "x"),
    ],
)
def test_lines_of_a_cell_join(left, right, whole):
    assert joined(left, right) == whole


@pytest.mark.parametrize(
    "text",
    [
        "(in millions)", "(In thousands, except per share data)", "(Dollars in millions)", "($000s)",
        "(amounts in millions, except par value and share data)", "单位:万元", "单位：元 币种：人民币",
    ],
)  # fmt: skip
def test_unit_lines(text):
    assert is_unit_line(text)


@pytest.mark.parametrize("text", ["Revenue in the millions of homes we serve.", "CONSOLIDATED BALANCE SHEETS", "2022"])
def test_other_lines_are_no_units(text):
    assert not is_unit_line(text)


def test_a_unit_inside_a_title():
    assert shared_unit("Segment results (in thousands)") == "(in thousands)"
    assert shared_unit("Results (unaudited)") == ""
    assert shared_unit("($1,054)") == ""
    assert shared_unit("Sales ($000s)") == "($000s)"

"""Rows of what documents state: none that its sentence does not say."""

import pytest
from cliquerag.core.period import Period
from cliquerag.core.quantity import Quantity
from cliquerag.kg.drivers import Cause, Driver
from cliquerag.reports.parts import Numbering
from cliquerag.reports.tables import driver_grid, names_a_figure, shortened


def driver(label, text, cause="higher volume", **fields):
    at = max(0, text.find(cause))
    values = {
        "id": label, "company": "Acme", "metric": "", "label": label, "direction": "up", "document": "a.md",
        "causes": (Cause(cause, at, at + len(cause)),), "chunk": "c", "start": 0, "end": len(text), "text": text,
        "period": Period.parse("FY2022"),
    }  # fmt: skip
    return Driver(**{**values, **fields})


@pytest.mark.parametrize(
    ("label", "text", "cause", "names"),
    [
        ("Revenues", "Revenues rose due to higher volume.", "higher volume", True),
        ("revenues from Comirnaty", "Growth was driven by revenues from Comirnaty and volume.", "volume", False),
        ("higher net income, a", "The change was driven by higher net income, a fall.", "a fall", False),
        ("BDS revenues", "BDS revenues rose primarily from higher revenue on the", "higher revenue on the", False),
        ("gains", "These gains are reflected in division results.", "division results", False),
    ],
)
def test_only_a_figure_that_the_sentence_says_moved(label, text, cause, names):
    assert names_a_figure(driver(label, text, cause)) is names


def amount(text):
    from decimal import Decimal

    return Quantity(text, Decimal(1), "%", 0, len(text))


def rows(*drivers):
    grid = driver_grid(drivers, Numbering(), "en")
    return [[cell.text for cell in row] for row in grid.rows] if grid else []


def test_the_whole_goes_before_its_parts_and_nothing_is_said_twice():
    whole = driver("Revenues", "Revenues rose $3 due to higher volume.", metric="revenue", change=amount("$3"))
    part = driver("Pump revenues", "Pump revenues rose $2 due to ore.", "ore", metric="revenue", change=amount("$2"))
    again = driver("Pump revenues", "Pump revenues rose $2 due to iron.", "iron", metric="revenue", change=amount("$2"))
    other = driver("Inventories", "Inventories rose due to steel.", "steel")
    assert [row[0] for row in rows(other, again, part, whole)] == ["Revenues", "Pump revenues", "Inventories"]


@pytest.mark.parametrize(
    ("fields", "moved"),
    [
        ({"change": amount("$3")}, "▲ $3"),
        ({"percent": amount("36.2%"), "direction": "down"}, "▼ to 36.2%"),
        ({"level": amount("36.2%"), "direction": "down"}, "▼ to 36.2%"),
        ({"percent": amount("-24.60")}, "-24.60%"),
        ({"percent": amount("5.07"), "direction": "down"}, "▼ 5.07%"),
        ({}, "▲"),
    ],
)
def test_a_level_is_no_change_and_the_sign_of_the_print_stands(fields, moved):
    (row,) = rows(driver("Margin of pumps", "Margin of pumps fell to 36.2% due to higher volume.", **fields))
    assert row[2] == moved


def test_what_a_figure_leaves_out_is_part_of_its_name():
    text = "Excluding contributions from Comirnaty, revenues increased due to higher volume."
    (row,) = rows(driver("revenues", text))
    assert row[0] == "revenues, excluding contributions from Comirnaty"


def test_the_boxes_of_a_form_are_no_part_of_a_sentence():
    assert shortened("√适用 □不适用 报告期内，收入减少。") == "报告期内，收入减少。"
    assert len(shortened("word " * 200)) < 310


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("Loss from operations in 2022 of $3,544 million decreased due to higher volume.", "▲"),
        ("Loss from operations had an increase of $3,544 million due to higher volume.", "▲ $3,544 million"),
    ],
)
def test_how_large_a_figure_is_is_not_by_how_much_it_moved(text, moved):
    (row,) = rows(driver("Loss from operations", text, change=amount("$3,544 million")))
    assert row[2] == moved

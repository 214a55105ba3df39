"""Checks of a table's sums raise or lower the confidence of its facts."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cliquerag.core.fact import Fact
from cliquerag.ingest.facts.table_facts import checked

RAISED, LOWERED, AS_IT_WAS = 0.5 * 1.11, 0.5 * 0.6, 0.5


def fact(name: str, value: str | None, column: int = 1, segment: str = "") -> Fact:
    dimensions = (("segment", segment),) if segment else ()
    amount = None if value is None else Decimal(value)
    return Fact(
        "Acme", name.lower(), name, None, value or "", amount, dimensions=dimensions, column=column, confidence=0.5
    )


def confidence(*facts: Fact) -> list[float]:
    return [found.confidence for found in checked(facts)]


def test_a_balance_sheet_that_balances_confirms_its_whole_column_and_no_other() -> None:
    found = confidence(
        fact("Inventory", "60"),
        fact("Inventory", "50", column=2),
        fact("Total assets", "100"),
        fact("Total liabilities", "70"),
        fact("Total equity", "30"),
    )
    assert found == pytest.approx([RAISED, AS_IT_WAS, RAISED, RAISED, RAISED])


def test_a_balance_sheet_that_does_not_balance_is_doubted() -> None:
    found = confidence(
        fact("Inventory", "60"), fact("Total assets", "100"), fact("Total liabilities", "70"), fact("Total equity", "3")
    )
    assert found == pytest.approx([AS_IT_WAS, LOWERED, LOWERED, LOWERED])


def test_a_doubt_outweighs_a_sum_that_adds_up() -> None:
    found = confidence(
        fact("Total current assets", "40"),
        fact("Total non-current assets", "60"),
        fact("Total assets", "100"),
        fact("Total liabilities and equity", "150"),
    )
    assert found == pytest.approx([RAISED, RAISED, LOWERED, LOWERED])


def test_other_identities_confirm_but_do_not_doubt() -> None:
    right = (fact("Revenue", "100"), fact("Cost of revenue", "60"), fact("Gross profit", "40"))
    wrong = (fact("Revenue", "100"), fact("Cost of revenue", "60"), fact("Gross profit", "70"))
    assert confidence(*right) == pytest.approx([RAISED] * 3)
    assert confidence(*wrong) == pytest.approx([AS_IT_WAS] * 3)


def test_what_is_subtracted_may_be_printed_with_a_minus() -> None:
    printed = (fact("Revenue", "100"), fact("Cost of revenue", "-60"), fact("Gross profit", "40"))
    assert confidence(*printed) == pytest.approx([RAISED] * 3)


def test_parts_of_the_company_do_not_add_up() -> None:
    found = confidence(
        fact("Revenue", "100", segment="Cloud"), fact("Cost of revenue", "60"), fact("Gross profit", "40")
    )
    assert found == pytest.approx([AS_IT_WAS] * 3)


@pytest.mark.parametrize(
    ("total", "is_sum"), [("12", True), ("13", True), ("14", False), ("12.01", True), ("12.1", False)]
)
def test_a_total_is_the_sum_of_the_rows_right_above(total: str, is_sum: bool) -> None:
    rows = (fact("Land", "5"), fact("Plants", "7"), fact("Notes > Total property", total))
    assert confidence(fact("Cash", "90"), *rows) == pytest.approx([AS_IT_WAS] + [RAISED if is_sum else AS_IT_WAS] * 3)


def test_one_row_is_no_sum_and_words_are_no_numbers() -> None:
    assert confidence(fact("Plants", "7"), fact("Total property", "7")) == [AS_IT_WAS] * 2
    assert confidence(fact("Address", None), fact("Total property", "7")) == [AS_IT_WAS] * 2


def test_rows_far_above_are_no_parts() -> None:
    rows = [fact(f"Item {n}", "1") for n in range(30)]
    assert confidence(*rows, fact("Total", "30")) == [AS_IT_WAS] * 31
    assert confidence(*rows, fact("Total", "25")) == pytest.approx([AS_IT_WAS] * 6 + [RAISED] * 25)

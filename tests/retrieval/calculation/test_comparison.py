"""Figures of several companies: each of its own period, and which of them has more."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from cliquerag.kg.store import Store
from support.number_store import fact, number_store

from benchmarks.asking import explain_numbers


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    made = number_store(
        a=("Acme Inc.", "FY2022", [fact("revenue", "FY2022", "500"), fact("revenue", "FY2021", "400")]),
        b=(
            "McBeta’s Corp.",
            "FY2022",
            [
                fact("revenue", "FY2022", "450,000", scale=Decimal(1000)),
                fact("revenue", "FY2021", "410,000", scale=Decimal(1000)),
            ],
        ),
        c=("光华电子股份有限公司", "2022", [fact("revenue", "2022", "900", unit="CNY")]),
    )
    yield made
    made.close()


def figures(store: Store, question: str) -> tuple[str, list[tuple[str, str]]]:
    answer = explain_numbers(store, question).answer
    assert answer is not None, explain_numbers(store, question).declined
    return answer.text.splitlines()[0], [(f.company, f.period.label if f.period else "") for f in answer.figures]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which had the larger revenue in 2022, Acme or McBeta's?", "Acme Inc. has the higher revenue, by USD 50,000"),
        ("Did Acme or McBeta's have the lower revenue in 2022?", "McBeta’s Corp. has the lower revenue, by USD 50,000"),
        ("Is McBeta's revenue higher than Acme's in 2021?", "McBeta’s Corp. has the higher revenue, by USD 10,000"),
        ("2022年Acme和McBeta's谁的营业收入增长更快？", "Acme Inc.的营业收入增长率更高"),
        ("Is Acme growing faster than McBeta's?", "Acme Inc. has the higher growth of revenue, by 15.24"),
        ("Did McBeta's grow faster than Acme in 2022?", "Acme Inc. has the higher growth of revenue, by 15.24"),
        ("Who had more revenue, Acme in 2021 or McBeta's in 2022?", "McBeta’s Corp. has the higher revenue, by USD"),
        ("2022年Acme和McBeta's哪家公司的营业收入更高？", "Acme Inc.的营业收入更高，高50,000"),
    ],
)
def test_which_of_two_companies_has_more(store: Store, question: str, first: str) -> None:
    line, found = figures(store, question)
    assert line.startswith(first) and "[1][2]" in line
    assert {company for company, _ in found} == {"Acme Inc.", "McBeta’s Corp."}


def test_each_company_has_its_own_period(store: Store) -> None:
    _, found = figures(store, "What was Acme's 2021 and McBeta's 2022 revenue?")
    assert sorted(found) == [("Acme Inc.", "FY2021"), ("McBeta’s Corp.", "FY2022")]
    _, found = figures(store, "What was the revenue of Acme and McBeta's in 2021 and 2022?")
    assert len(found) == 4


def test_currencies_are_not_compared(store: Store) -> None:
    line, found = figures(store, "Which had the higher revenue in 2022, Acme or 光华电子?")
    assert "higher" not in line and len(found) == 2


def test_one_company_is_compared_with_nobody(store: Store) -> None:
    assert "has the higher" not in figures(store, "Was Acme's revenue higher in 2022 than in 2021?")[0]

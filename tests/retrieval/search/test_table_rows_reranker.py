from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag.kg.store import Store
from support.library import library

from benchmarks.asking import search


def _table(*rows: str) -> str:
    return "\n".join(["| | 2019 | 2018 |", "| --- | --- | --- |", *(f"| {row} | 12 | 11 |" for row in rows)])


TEXTS = {
    "a.md": _table("Audit fees", "Tax fees for services", "Servicing of fees and loans", "Other services and fees"),
    "b.md": _table("Gain on loans", "Sales of loans", "Servicing fees", "Repurchases of receivables", "Cash flows"),
    "c.md": "Servicing fees are what loans earn. Fees for servicing rose in 2019 as the loans did.",
    "d.md": _table("Percentage change in the value", "Amount of the difference"),
}


@pytest.fixture(scope="module")
def tables() -> Iterator[Store]:
    store = library(TEXTS)
    yield store
    store.close()


def _first(store: Store, question: str) -> str:
    return search(store, None, question, mode="vector")[0].source


def test_the_table_with_the_row_asked_for_comes_first(tables: Store) -> None:
    assert _first(tables, "What were the servicing fees in 2018?") == "b.md"


def test_words_of_calculating_do_not_outweigh_the_figure(tables: Store) -> None:
    found = search(tables, None, "What is the percentage change in the value of servicing fees?", mode="vector")
    assert found[0].source == "b.md" and found[0].why["row"] > 0.3


def test_a_place_without_the_row_gains_nothing(tables: Store) -> None:
    found = search(tables, None, "What were the servicing fees in 2018?", mode="vector")
    assert next(item for item in found if item.source == "c.md").why["row"] == 0.0

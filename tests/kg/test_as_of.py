"""A view as of a day gives nothing that nobody has decided about."""

from __future__ import annotations

from datetime import date

import pytest
from cliquerag.kg.as_of import StoreAsOf, as_of, view_of
from cliquerag.kg.store import Store
from support.stores import open_store

CONTRACT = sorted(name for name in vars(Store) if callable(vars(Store)[name]) and not name.startswith("_"))


def test_every_method_of_the_contract_is_written_out():
    """A new reader of the store fails here until the view says what it shows of it."""
    assert len(CONTRACT) > 35
    assert [name for name in CONTRACT if name not in vars(StoreAsOf)] == []


def test_what_is_not_written_out_is_denied():
    store = open_store("sqlite://")
    store.a_new_reader = lambda: "all documents"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="a_new_reader"):
        as_of(store, date(2023, 1, 1)).a_new_reader()  # type: ignore[attr-defined]


def test_a_view_of_a_view_looks_no_further_than_either():
    store = open_store("sqlite://")
    early, late = date(2022, 1, 1), date(2023, 1, 1)
    assert as_of(store, None) is store
    assert view_of(as_of(as_of(store, early), late)) == (store, early)
    assert view_of(as_of(as_of(store, late), early)) == (store, early)

"""Which names of a document are one person's."""

from __future__ import annotations

import pytest
from cliquerag.kg.extraction.people import People, may_be_one


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Matt Roe", "Matthew Roe", True),
        ("J. Smith", "John Q. Smith", True),
        ("W. Craig Jelinek", "Craig Jelinek", True),
        ("Frank A. D’Amelio", "Frank A. D'Amelio", True),
        ("John Roe Jr.", "John Roe", True),
        ("Jane Roe", "John Roe", False),
        ("Jane Roe", "Jane Doe", False),
    ],
)
def test_names_that_may_be_one(one, other, same):
    assert may_be_one(one, other) is same and may_be_one(other, one) is same


def test_a_family_name_of_two_people_stays_open():
    people = People(["Jane Roe", "John Roe", "Ann Poe"])
    assert people.full_name("Roe") == "Roe" and people.full_name("Poe") == "Ann Poe"


def test_an_initial_of_two_people_stays_open():
    assert People(["Jane Roe", "John Roe"]).full_name("J. Roe") == "J. Roe"


def test_a_name_in_quotation_marks_is_one_that_somebody_goes_by():
    assert may_be_one('Earl C. "Duke" Austin, Jr.', "Duke Austin") and not may_be_one("Earl C. Austin", "Duke Austin")

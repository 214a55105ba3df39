"""What a company repeats from filing to filing is shown once, in its longer form."""

from __future__ import annotations

import pytest
from cliquerag.workspace import Workspace

RISK = (
    "Our robots depend on bearings from a single supplier in Japan, and a stop of its works would hold up our lines "
    "for weeks, since nobody else makes bearings of this kind today"
)
LATER = f"{RISK}, and we have found no other one so far."
OTHERS = [f"Something else about warehouses stands on page {number}." for number in range(3)]


@pytest.fixture
def workspace():
    filings = {
        "Halvern_2021": f"{RISK}, as the 12 stops of 2021 showed.",
        "Halvern_2022": f"{RISK}.",
        "Halvern_2023": LATER,
        "Vexel_2023": f"{RISK} as well.",
    }
    with Workspace("sqlite://", embedder="none") as opened:
        for name, text in filings.items():
            company, _, year = name.partition("_")
            opened.add_text([text, *OTHERS], f"{name}.txt", company=f"{company} Inc.", period=year, kind="10-K")
        yield opened


def sources(found):
    return [item.source for item in found if "bearings" in item.text]


def test_the_longer_of_two_filings_is_kept(workspace):
    found = sources(workspace.search("Which supplier do the robots depend on for bearings?", k=20))
    assert sorted(found) == ["Halvern_2021.txt", "Halvern_2023.txt", "Vexel_2023.txt"]


def test_every_year_speaks_for_itself_where_years_are_asked(workspace):
    question = "Which supplier did the robots depend on for bearings in 2022 and in 2023?"
    assert {"Halvern_2022.txt", "Halvern_2023.txt"} <= set(sources(workspace.search(question, k=20)))

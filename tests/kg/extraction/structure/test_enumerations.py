"""Names that a sentence counts up behind, or before, the word that says what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.structure.triples import structure_triples

NAMES = {"Texas": "place", "Jane Roe": "person", "Elm Power and Utilities Corp.": "company"}


def _stated(text: str) -> set[tuple[str, str, str]]:
    document = read_text(f"Annual report\n\n{text}", source="acme.txt")
    document = replace(document, metadata=replace(document.metadata, companies=("Acme, Inc.",)))
    return {(said.head, said.relation, said.tail) for said in structure_triples(document, NAMES)}


@pytest.mark.parametrize(
    ("text", "relation", "names"),
    [
        (
            "Our principal competitors include Bolt Systems, Crux Labs (UK), and Dart Foods, Inc.",
            "competes_with",
            {"Bolt Systems", "Crux Labs", "Dart Foods, Inc."},
        ),
        (
            "We compete with (i) firms like Bolt Systems and Crux Labs, and (ii) small ones such as Elm and Fern.",
            "competes_with",
            {"Bolt Systems", "Crux Labs", "Elm", "Fern"},
        ),
        (
            "We compete with many companies, including acorn, Bolt, Crux, dart athletics, Elm and F.G. Corporation.",
            "competes_with",
            {"Bolt", "Crux", "Elm", "F.G. Corporation"},
        ),
        (
            "Our competitors include Bolt, Inc. and Crux Group S.p.A. Display Segment We are the largest producer.",
            "competes_with",
            {"Bolt, Inc.", "Crux Group S.p.A."},
        ),
        (
            "We face competition from others, such as Elm Power and Utilities Corp., Fern Energy and Gable.",
            "competes_with",
            {"Elm Power and Utilities Corp.", "Fern Energy", "Gable"},
        ),
        ("Bolt, Crux and Dart are among our largest competitors in Europe.", "competes_with", {"Bolt", "Crux", "Dart"}),
        (
            "Our Media business operates a portfolio of web properties which includes Elmo, What to Bake, and Fern™.",
            "owns_brand",
            {"Elmo", "What to Bake", "Fern"},
        ),
        (
            "The Company’s domestic casino resorts include the following in Nevada: Elmo, Fern and Gable Hotel.",
            "operates_facility",
            {"Elmo", "Fern", "Gable Hotel"},
        ),
        ("Our platforms include Elmo, Fern and Gable.", "produces", {"Elmo", "Fern", "Gable"}),
        (
            "The Company’s reportable segments consist of the Americas, Europe and Rest of Asia Pacific.",
            "has_segment",
            {"Americas", "Europe", "Rest of Asia Pacific"},
        ),
        (
            "We have three business segments: Missiles and Fire (MF), Rotary and Mission Systems (RMS) and Space.",
            "has_segment",
            {"Missiles and Fire", "Rotary and Mission Systems", "Space"},
        ),
        (
            "The Company operates e-commerce websites in the U.S., Canada, Mexico, and Japan.",
            "operates_in",
            {"U.S.", "Canada", "Mexico", "Japan"},
        ),
        (
            "The Company leases the real estate assets of Elmo, Fern and Gable Hotel from others.",
            "operates_facility",
            {"Elmo", "Fern", "Gable Hotel"},
        ),
        (
            "With 280 retail stores in 28 countries across Europe and Asia, the Company grows.",
            "operates_in",
            {"Europe", "Asia"},
        ),
        (
            "We pride ourselves on a network; our auction sites in 13 countries, including Canada and Australia, grow.",
            "operates_in",
            {"Canada", "Australia"},
        ),
    ],
)
def test_what_is_counted_up_is_stated_of_the_firm(text: str, relation: str, names: set[str]) -> None:
    assert _stated(text) == {("Acme, Inc.", relation, name) for name in names}


def test_customers_and_suppliers_stand_at_the_other_end() -> None:
    assert _stated("Our customers include Bolt Systems and Crux Labs.") == {
        ("Bolt Systems", "customer_of", "Acme, Inc."),
        ("Crux Labs", "customer_of", "Acme, Inc."),
    }


@pytest.mark.parametrize(
    "text",
    [
        "Our competitors include many firms of other sectors.",
        "Competitors of Bolt include Crux Labs and Dart Foods.",  # not those of the firm that reports
        "Our customers include Jane Roe and Texas.",  # a person and a place
        "We do not compete with Bolt Systems and Crux Labs.",
        "Our brands include Elmo.",  # one is a remark
        "Our business has three reportable segments: Media, Marketing and Print and Publishing.",  # which "and" parts?
        "Areas of growth at our Air business segment include the F-16 and C-130J programs.",  # no segments
        "Our products are sold under rules such as Section 12 and Rule 5.",
    ],
)
def test_other_sentences_count_up_nothing(text: str) -> None:
    assert _stated(text) == set()

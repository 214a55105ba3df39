"""What sentences of a report state of the firm itself, where the other end is no name with capitals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.structure.triples import structure_triples
from cliquerag.kg.triple import Triple

RELATIONS = frozenset(
    {
        "repurchases",
        "pays_dividend",
        "sponsors_plan",
        "hedges",
        "subject_to",
        "issues",
        "audit_focus",
        "produces",
        "closes",
    }
)


def _read(text: str) -> list[Triple]:
    document = read_text(f"Annual report\n\n{text}", source="acme.txt")
    document = replace(document, metadata=replace(document.metadata, companies=("Acme, Inc.",)))
    return list(structure_triples(document, {}))


def _stated(text: str) -> set[tuple[str, str]]:
    return {(said.relation, said.tail) for said in _read(text) if said.relation in RELATIONS}


@pytest.mark.parametrize(
    ("text", "relation", "tail"),
    [
        (
            "During fiscal 2022, we repurchased a total of 15.7 million shares of our common stock.",
            "repurchases",
            "common stock of Acme, Inc.",
        ),
        ("In April, our Board declared a dividend of $0.41 per share.", "pays_dividend", "common stock of Acme, Inc."),
        ("In June 2011, the Company adopted the 2011 Stock Plan.", "sponsors_plan", "2011 Stock Plan"),
        (
            "We maintain a defined benefit pension plan for our staff.",
            "sponsors_plan",
            "defined benefit pension plan of Acme, Inc.",
        ),
        (
            "We use foreign currency forward contracts to hedge exchange rate risk of our sales.",
            "hedges",
            "Currency exchange rates",
        ),
        (
            "We are subject to the Foreign Corrupt Practices Act in all countries.",
            "subject_to",
            "Foreign Corrupt Practices Act",
        ),
        (
            "We have a $1.5 billion senior unsecured revolving credit facility with several banks.",
            "issues",
            "$1.5 billion senior unsecured revolving credit facility of Acme, Inc.",
        ),
        (
            "We identified the evaluation of rebate accruals as a critical audit matter because of its size.",
            "audit_focus",
            "evaluation of rebate accruals",
        ),
        ("We delivered fewer units as the 787 program slowed.", "produces", "787"),
        ("Our KC-46A aircraft is built in one plant.", "produces", "KC-46A"),
        (
            "We have reorganized, including the closure of our fulfillment center in Arlington, Texas in 2020.",
            "closes",
            "fulfillment center in Arlington, Texas",
        ),
        ("We discontinued the global clinical development program for PF-07304814.", "closes", "PF-07304814"),
    ],
)
def test_a_sentence_states_what_its_frame_says(text: str, relation: str, tail: str) -> None:
    assert (relation, tail) in _stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "We may repurchase shares of our common stock from time to time.",
        "We did not use forward contracts to hedge our currency exposure.",
        "If we declared a dividend, our cash would fall.",
        "We have never declared or paid any dividends on our stock.",
        "Each filing under the Securities Exchange Act of 1934 is on our site.",
        "The board declared a stock split in the form of a stock dividend that was paid in July.",
        "We received a dividend of $5 million from our affiliate.",
        "We have approximately 250 aircraft in inventory.",
        "Our rebates under the federal 340B program may change.",
    ],
)
def test_what_is_denied_only_possible_or_of_another_states_nothing(text: str) -> None:
    assert _stated(text) == set()


def test_shares_and_price_stay_with_the_statement() -> None:
    [said] = _read("We repurchased 7.2 million shares at an average price of $536.17 per share in fiscal 2021.")
    assert said.metadata["shares"] == "7.2 million"
    assert said.metadata["price"] == "$536.17"


def test_a_plan_is_stated_once_below_a_heading() -> None:
    found = _read("Awards are made under the 2011 Stock Plan. We amended the 2011 Stock Plan in May.")
    assert len(found) == 1


def _risks(text: str) -> set[str]:
    document = read_text(f"# Item 1A. Risk Factors\n\n{text}", source="acme.md")
    document = replace(document, metadata=replace(document.metadata, companies=("Acme, Inc.",)))
    return {said.tail for said in structure_triples(document, {}) if said.relation == "exposed_to"}


def test_a_condition_tells_what_could_harm_the_firm() -> None:
    text = "Much depends on it. If we cannot hire skilled employees in time, our business may suffer and sales decline."
    assert _risks(text) == {"Key personnel"}


def test_below_the_title_of_a_risk_what_could_go_wrong_speaks_of_it() -> None:
    text = (
        "## Losing key personnel could hurt us.\n\nIt is hard to say when. Then our plans could be delayed for years."
    )
    assert _risks(text) == {"Key personnel"}


def test_where_resorts_are_counted_up_the_firm_operates_them() -> None:
    found = _read("Our resorts include the following in Las Vegas, Nevada: Storm Grand, Aurora and Fern Bay.")
    assert {said.tail for said in found if said.relation == "operates_facility"} == {
        "Storm Grand",
        "Aurora",
        "Fern Bay",
    }

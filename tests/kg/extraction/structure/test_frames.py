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
        "accounts_by",
        "party_to",
    }
)


def _read(text: str, filer: str = "Acme, Inc.") -> list[Triple]:
    document = read_text(f"Annual report\n\n{text}", source="acme.txt")
    document = replace(document, metadata=replace(document.metadata, companies=(filer,)))
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
            "On March 5, 2020, we issued $1.0 billion of convertible senior notes due in 2025 (2025 Notes).",
            "issues",
            "2025 Notes of Acme, Inc.",
        ),
        (
            "In May we sold $150 million of 2.0% convertible senior notes due 2029 in a private placement.",
            "issues",
            "2.0% convertible senior notes due 2029 of Acme, Inc.",
        ),
        ("Inventory is stated at cost (on a first-in, first-out basis).", "accounts_by", "first-in, first-out"),
        (
            "We use the Black-Scholes option-pricing model to value options.",
            "accounts_by",
            "Black-Scholes option-pricing model",
        ),
        ("Depreciation is calculated using the straight-line method.", "accounts_by", "straight-line method"),
        ("Inventories are stated at the lower of cost or market.", "accounts_by", "lower of cost or market"),
        (
            "Inventory is at the lower of cost or market, on a first-in, first-out basis.",
            "accounts_by",
            "first-in, first-out",
        ),
        (
            "Fair value was determined using the income approach, specifically the relief from royalty method.",
            "accounts_by",
            "relief from royalty method",
        ),
        (
            "In May, a putative class action was filed in the District Court of Ohio against the Company.",
            "party_to",
            "putative class action of Acme, Inc.",
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
        ("Acme Express is an all-in-one editing app for phones.", "produces", "Acme Express"),
        ("Reels.io is our cloud-native video platform.", "produces", "Reels.io"),
        ("Acme Campaign enables marketers to reach their customers.", "produces", "Acme Campaign"),
        ("The loss reflects lower margins and charges on the KC-46A program.", "produces", "KC-46A"),
        ("Our current quarterly dividend rate is $0.79 per share.", "pays_dividend", "common stock of Acme, Inc."),
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
        "In May, a putative class action was filed against our former supplier.",
    ],
)
def test_what_is_denied_only_possible_or_of_another_states_nothing(text: str) -> None:
    assert _stated(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "US companies repurchased $800 billion of their common stock.",
        "US airlines use swaps to reduce fuel price risk.",
        "US retailers closed the Ohio Avenue store.",
        "The bank repurchased 3 million shares of common stock.",
        "No shares were repurchased under our program.",
        "We paid no dividends on our common stock.",
        "The Board declared no dividend.",
        "We have no pension plan.",
        "We have no credit facility.",
        "We hold no commodity swaps to reduce fuel price risk.",
        "None of us holds derivatives to hedge currency risk.",
        "We identified no matter that is a critical audit matter.",
        "We repurchased shares of Bolt for cash.",
        "We repurchased 100 homes and issued 3 million shares.",
        "We repurchased receivables and issued common stock.",
        "We believe that Bolt repurchased shares of common stock.",
        "We sold the unit to Bolt, which repurchased its common stock.",
        "Had we repurchased the shares, cash had fallen.",
        "Bolt's board declared a dividend of $1.",
        "Until 2019, Bolt paid cash dividends to us.",
        "Our board approved the suspension of our dividend.",
        "Our board approved the elimination of our dividend.",
        "Bolt sponsors the Bolt Savings Plan.",
        "Mr. Jones participated in the Bolt Industries 2010 Stock Incentive Plan.",
        "Our customers include the California Public Employees Retirement System Pension Plan.",
        "The Central States Pension Plan is a multiemployer plan.",
        "We provide actuarial services to more than 200 pension plans.",
        "Bolt repaid its term loan.",
        "We are a lender under Bolt's credit agreement.",
        "We guarantee the term loan of our joint venture.",
        "MGM China's revolving credit facility, which we guarantee, is drawn.",
        "We ordered 24 A321 aircraft.",
        "Our customers fly A350 aircraft.",
        "We use M1 processors from Apple.",
        "Our model was trained on H100 chips.",
        "Our sales on the B2B platform rose.",
        "We insured 145 programs.",
        "We hire under the H-1B program.",
        "We compared our engine with the A320 aircraft.",
        "Our customers are subject to the Dodd-Frank Act.",
        "Our competitors in Europe must comply with GDPR.",
        "We received a loan under the CARES Act.",
        "We are exempted from provisions of the Dodd-Frank Act.",
        "We avoided the closure of our Ohio plant.",
        "We reversed the closure of our Ohio plant.",
        "Since Bolt's closing of its Reno plant, we sell more.",
        "The closing of the Texas facility purchase is near for us.",
        "The closing of the Credit Facility helped us.",
        "We terminated the license and regained rights to the program ABC-123.",
        "We enter into swaps to help our clients manage currency risk.",
        "We serve customers that use interest rate swaps to manage risk.",
    ],
)
def test_what_others_do_have_and_owe_is_not_said_of_the_firm(text: str) -> None:
    assert _stated(text) == set()


@pytest.mark.parametrize(
    ("filer", "text", "said"),
    [
        ("The Coca-Cola Company", "The airline repurchased 3 million shares of common stock.", False),
        ("The Coca-Cola Company", "Coca-Cola repurchased 3 million shares of common stock.", True),
        ("General Motors Company", "General Electric repurchased 3 million shares of common stock.", False),
        ("First Solar, Inc.", "First Republic repurchased 3 million shares of common stock.", False),
        ("First Solar, Inc.", "First Solar repurchased 3 million shares of common stock.", True),
        ("American Express Company", "American Airlines uses swaps to hedge interest rates.", False),
        ("Bank of Ohio Corporation", "The Bank repurchased 3 million shares of common stock.", True),
    ],
)
def test_the_firm_is_known_by_its_whole_name(filer: str, text: str, said: bool) -> None:
    assert bool(_read(text, filer)) is said


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Zantac", "No lawsuits have been filed against us."),
        ("Insurance", "A lawsuit was filed against us in May."),
        ("Accrual policy", "We accrue when a lawsuit was filed against us."),
        ("Our employees", "We received praise and no complaints."),
    ],
)
def test_no_case_is_made_of_what_is_none(heading: str, text: str) -> None:
    assert _cases(heading, text) == set()


def test_a_heading_names_the_case() -> None:
    assert _cases("Zantac", "A lawsuit was filed against us in May.") == {"Zantac"}


def _cases(heading: str, text: str) -> set[str]:
    document = read_text(f"# Legal Proceedings\n\n## {heading}\n\n{text}", source="acme.md")
    document = replace(document, metadata=replace(document.metadata, companies=("Acme, Inc.",)))
    return {said.tail for said in structure_triples(document, {}) if said.relation == "party_to"}


@pytest.mark.parametrize(
    "text",
    [
        "We supply machines to mines such as Black Ridge, Storm Peak and Fern Bay.",
        "We finance hotels including Storm Grand, Aurora and Fern Bay.",
        "Our valves are used in refineries such as Storm Peak, Aurora and Fern Bay.",
    ],
)
def test_what_is_supplied_or_financed_is_not_operated(text: str) -> None:
    assert not {said.tail for said in _read(text) if said.relation == "operates_facility"}


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


def test_what_is_called_otherwise_or_is_not_sold_is_no_product() -> None:
    for text in ("Reels.io is a cloud-native video platform.", "Acme Foundation is a private foundation that we fund."):
        assert not _stated(text)
    assert not _stated("Although Reels is our primary service, we see growth elsewhere.")


def test_who_buys_a_share_of_what_the_firm_sells_is_its_customer() -> None:
    text = (
        "Revenues from the U.S. government (also through others), mostly of one unit, represented 40% of our revenues."
    )
    told = {(said.head, said.relation, said.metadata["share"]) for said in _read(text)}
    assert ("U.S. government", "customer_of", "40%") in told


def test_each_of_the_notes_that_a_sentence_counts_up_is_stated() -> None:
    text = (
        "The subsidiaries guarantee the Company’s (i) 5.75% senior notes due 2025 and (ii) 4.5% senior notes due 2027."
    )
    notes = {tail for relation, tail in _stated(text) if relation == "issues"}
    assert notes == {"5.75% senior notes due 2025 of Acme, Inc.", "4.5% senior notes due 2027 of Acme, Inc."}

"""What current reports (8-K) say of officers, directors, auditors, suppliers and loans of their firm."""

from __future__ import annotations

import pytest
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage, Triple

FIRM = "Brimfield Foods Corporation"


def _read(text: str) -> list[Triple]:
    extractor = RulesExtractor(load_schema(), {"Ann Roe": "person", "John Kerr": "person", "CTX-440": "product"})
    return list(extractor.extract([Passage(text, subject=FIRM)])[0].triples)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The Board named Ann Roe as interim Chief Financial Officer.", ("Ann Roe", "works_for", FIRM)),
        (
            "On March 4, the Board of Directors of Bolt Inc. appointed Ann Roe as a Class II director.",
            ("Ann Roe", "director_of", "Bolt Inc."),
        ),
        ("Ann Roe succeeds John Kerr as Chief Executive Officer.", ("Ann Roe", "leads", FIRM)),
        ("Ann Roe was appointed as a director and chief executive officer of our company.", ("Ann Roe", "leads", FIRM)),
        ("Our company's subsidiary Bolt Inc. makes pumps.", ("Bolt Inc.", "subsidiary_of", FIRM)),
        ("The plant came to us in our reverse merger in 2019 with Bolt Inc.", (FIRM, "merges_with", "Bolt Inc.")),
        ("Ms. Ann Roe will remain Chair of the Board.", ("Ann Roe", "leads", FIRM)),
        ("John Kerr notified the Company of his decision to resign as President.", ("John Kerr", "leaves", FIRM)),
        ("John Kerr retired from the board in May.", ("John Kerr", "leaves", FIRM)),
        (
            "The Audit Committee dismissed Hadley & Rowe LLP as the Company's independent registered public accounting "
            "firm and engaged Marston Pike LLP for fiscal 2023.",
            ("Marston Pike LLP", "audits", FIRM),
        ),
        (
            "The Audit Committee dismissed Hadley & Rowe LLP as the Company's independent registered public accounting "
            "firm and engaged Marston Pike LLP for fiscal 2023.",
            ("Hadley & Rowe LLP", "audits", FIRM),
        ),
        ("We purchase motors from Bolt Ltd. and gearboxes from Crux GmbH.", ("Crux GmbH", "supplies", FIRM)),
        ("Control boards are manufactured for us by Bolt Ltd. in Malaysia.", ("Bolt Ltd.", "supplies", FIRM)),
        ("Bolt Ltd. sued us for infringement in May.", ("Bolt Ltd.", "sues", FIRM)),
        ("We lease trucks from Crux GmbH and buy fuel from Bolt Ltd.", ("Bolt Ltd.", "supplies", FIRM)),
        ("Our wafers are fabricated by Bolt Ltd. and Crux GmbH.", ("Crux GmbH", "supplies", FIRM)),
        ("Sales to Bolt Ltd. accounted for 31% of revenue.", ("Bolt Ltd.", "customer_of", FIRM)),
        (
            "The committee approved the engagement of Penhale Ross LLP as our new independent auditor, replacing "
            "Stroud & Vane LLP, which had audited the Company since 2009.",
            ("Stroud & Vane LLP", "audits", FIRM),
        ),
        ("Chemicals are supplied to us by Bolt Ltd. under a contract.", ("Bolt Ltd.", "supplies", FIRM)),
        ("Shareholders elected Ann Roe and John Kerr to the board.", ("John Kerr", "director_of", FIRM)),
        ("Key suppliers of coal include Bolt Ltd. and Crux GmbH.", ("Crux GmbH", "supplies", FIRM)),
        ("Our largest customers are Bolt Ltd., Pantry Union and Crux.", ("Pantry Union", "customer_of", FIRM)),
        (
            "The Company entered into a $500 million revolving credit facility with Thornbury Bank, N.A., as agent.",
            ("Thornbury Bank, N.A.", "lends_to", FIRM),
        ),
        ("Borrowings under the credit agreement with Alder Bank bear interest.", ("Alder Bank", "lends_to", FIRM)),
        ("We are also developing CTX-440, an oral candidate.", (FIRM, "develops", "CTX-440")),
        ("This year it launched CTX-440.", (FIRM, "launches", "CTX-440")),
        (
            "The Company expects growth and raises its adjusted EBITDA guidance to $95 million.",
            (FIRM, "guides", "adjusted ebitda"),
        ),
    ],
)
def test_what_a_current_report_says(text, stated):
    assert stated in [(said.head, said.relation, said.tail) for said in _read(text)]


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("We purchased a 10% interest from Bolt Ltd. in May.", "supplies"),
        ("We purchase shares from Bolt Ltd. under the program.", "supplies"),
        ("Ann Roe was appointed as executive vice president in 2018.", "leads"),
        ("The board proposes that the meeting elect Marston Pike LLP as the new auditor.", "audits"),
    ],
)
def test_what_it_does_not_say(text, relation):
    assert relation not in [said.relation for said in _read(text) if said.modality == "asserted"]


def test_a_term_of_what_is_planned():
    said = [
        said for said in _read("Ann Roe will succeed John Kerr as Chief Executive Officer.") if said.relation == "leads"
    ]
    assert [(triple.head, triple.modality) for triple in said] == [("Ann Roe", "planned")]


def test_an_office_of_another_firm_is_none_of_the_filer() -> None:
    triples = _read("Ann Roe was appointed as president and chief executive officer of Bolt Inc.")
    assert {triple.tail for triple in triples} == {"Bolt Inc."}


def test_the_time_of_an_aside_is_not_that_of_what_is_stated() -> None:
    found = _read("In March 2014, we entered into a license agreement with Bolt Inc., which was amended in May 2017.")
    assert found
    assert {triple.period.label for triple in found if triple.period} == {"2014-03"}

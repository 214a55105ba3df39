"""Lists, signatures and headings: what a lead-in, a title or a line of officers states."""

from __future__ import annotations

import pytest
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.kg.extraction.build import build_graph
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.structure.triples import structure_triples
from cliquerag.kg.schema import load_schema
from support.stated import document_of, said


def graph_of(document):
    chunks = make_chunks(document, make_chunker("auto"), None).chunks
    return build_graph(document, chunks, RulesExtractor(load_schema()))


def test_items_below_a_line_that_says_what_they_are():
    text = (
        "Our business is organized into two reportable segments:\n\n• Reels and Rods;\n• Paper; and\n\nWe sell reels."
    )
    assert said(text) == {("Bolt Inc.", "has_segment", "Reels and Rods"), ("Bolt Inc.", "has_segment", "Paper")}
    rivals = "Our principal competitors include the following:\n\n• Nut Corp.\n• Screw Ltd.\n"
    assert ("Bolt Inc.", "competes_with", "Nut Corp.") in said(rivals)


def test_items_that_go_on_over_a_line_or_a_page_and_end_in_their_short_form():
    text = (
        "We are organized into three reportable segments (also called divisions), as follows:\n"
        "1) Northern Reels (NR), which includes our reels and rods in the United States and\nCanada;\n"
        "2) Africa, Middle East and South Asia (AMESA), which includes all else there;\n\n"
        "3) Latin America (LatAm), which includes paper.\n"
    )
    names = {"Northern Reels", "Africa, Middle East and South Asia", "Latin America"}
    assert said(text) == {("Bolt Inc.", "has_segment", name) for name in names}


def test_marks_below_their_lead_in_and_segments_by_their_headings():
    marks = "The following trademarks of Bolt Inc. or its subsidiaries are used here:\n\nBolt\nTorquer\nBolt Pro\n"
    assert said(marks) == {("Bolt Inc.", "owns_brand", "Torquer"), ("Bolt Inc.", "owns_brand", "Bolt Pro")}
    titles = "# Segment Results\n\n## Domestic Reels Segment\n\nIt grew.\n\n## Reportable Segment\n\nMore text.\n"
    assert said(titles) == {("Bolt Inc.", "has_segment", "Domestic Reels")}


def test_prose_below_a_colon_is_no_list():
    text = "We have two reportable segments:\n\nWe made good progress in the year, and sold more than before."
    assert said(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "/s/ JANE ROE\nJane Roe\nChief Financial Officer and Director\n",
        "/ S / J ANE R OE Chief Financial Officer and Director\nJane Roe January 28, 2016\n",
        "/s/ JANE ROE January 17, 2023\nJane Roe Chief Financial Officer and\nDirector\n",
    ],
)
def test_signatures(text):
    found = said("SIGNATURES\n\nPursuant to the requirements of the Act, this report has been signed.\n\n" + text)
    assert ("Jane Roe", "director_of", "Bolt Inc.") in found
    assert ("Jane Roe", "holds_role", "Chief Financial Officer") in found


def test_who_leads_and_sits_on_the_board_is_said_to_do_both():
    found = said("SIGNATURES\n\n/s/ JANE ROE\nJane Roe\nChief Executive Officer and Director\n")
    assert {("Jane Roe", "leads", "Bolt Inc."), ("Jane Roe", "director_of", "Bolt Inc.")} <= found


def test_officers_with_their_ages_and_terms():
    text = (
        "Jane Roe 56 Chairman of the Board since January 2020 and Chief Executive Officer since January 2019. Chief"
        " Operating Officer from January 2018 until December 2018. Director of Nut Corp. since 2015.\n\nWe sell bolts."
    )
    triples = list(structure_triples(document_of(text), {}))
    held = {t.tail: t for t in triples if t.relation == "holds_role"}
    assert set(held) == {"Chairman", "Chief Executive Officer", "Chief Operating Officer"}
    assert held["Chairman"].metadata["age"] == "56" and held["Chairman"].metadata["since"] == "January 2020"
    assert held["Chief Operating Officer"].metadata["until"] == "December 2018"
    assert held["Chief Operating Officer"].period.first_day.year == 2018


def test_what_somebody_was_before_joining_is_no_office_of_the_firm():
    text = (
        "Jane Roe 56 Treasurer since January 2020. Prior to joining Nut, Ms. Roe was employed by Cog as Controller"
        " of its Films unit from 2010 to 2012 and Chief Financial Officer of its Books unit from 2008 to 2010.\n\nText."
    )
    assert {t.tail for t in structure_triples(document_of(text), {}) if t.relation == "holds_role"} == {"Treasurer"}


def test_headings_of_risks_by_their_class():
    text = (
        "# ITEM 1A. RISK FACTORS\n\n"
        "## We may incur losses associated with currency fluctuations.\n\nLong text on this. And on that.\n\n"
        "## COMPETITIVE PRODUCTS\n\nOthers sell too. They are many.\n\n"
        "# ITEM 2. PROPERTIES\n\n## We may be sued in litigation over patents.\n\nText that follows. More.\n"
    )
    assert said(text) == {
        ("Bolt Inc.", "exposed_to", "Currency exchange rates"),
        ("Bolt Inc.", "exposed_to", "Competition"),
    }


def test_the_graph_cites_the_lines_it_read():
    document = document_of("Bolt makes bolts.\n\n/s/ JANE ROE\nJane Roe\nChief Executive Officer\n")
    part = graph_of(document)
    (leads,) = [s for s in part.statements if s.relation == "leads"]
    assert "JANE ROE" in leads.text and document.text[leads.start : leads.end] == leads.text


EXHIBIT = (
    "We sell bolts.\n\nEXHIBIT 21\n\nThe following is a list of subsidiaries of the Company.\n\n"
    "Company Name Where Incorporated or Organized\n\nBolt Pharm Algerie Algeria\nBolt PFE B.V. Netherlands\n"
    "New York Bolt Sales, Inc.\nPage 7\n\nExhibit 23.1\n\nConsent of Auditors\n\nNut Services France\n"
)


def test_a_state_between_the_name_and_the_country_is_no_part_of_the_name():
    lines = (
        "EXHIBIT 21\n\nList of subsidiaries of the Company\n\nNut, L.L.C. Delaware, United States\nScrew Oy Finland\n"
    )
    found = said(lines)
    assert ("Nut, L.L.C.", "subsidiary_of", "Bolt Inc.") in found
    assert ("Nut, L.L.C.", "incorporated_in", "Delaware") in found


def test_exhibit_21_as_lines_with_the_place_behind_or_before_the_name():
    found = said(EXHIBIT)
    assert {head for head, relation, _ in found if relation == "subsidiary_of"} == {
        "Bolt Pharm Algerie",
        "Bolt PFE B.V.",
        "Bolt Sales, Inc.",
    }
    assert ("Bolt Sales, Inc.", "incorporated_in", "New York") in found


def test_no_part_of_a_listed_name_is_a_name():
    names = {entity.name for entity in graph_of(document_of(EXHIBIT)).entities}
    assert "Bolt Sales, Inc." in names and "New York Bolt Sales, Inc." not in names


def test_one_node_for_a_person_by_family_name_initial_or_short_form():
    text = (
        "Mr. Roe leads our sales. Mr. Roe joined Bolt Inc. in 2001.\n\n/s/ MATT ROE\nMatt Roe\nChief Executive Officer"
    )
    document = document_of(text + "\n\nMatthew J. Roe 56 Chief Executive Officer since January 2019.\n")
    people = {entity.name for entity in graph_of(document).entities if entity.type == "person"}
    assert people == {"Matthew J. Roe"}


def test_cautions_count_up_risks_between_semicolons_or_as_items():
    text = (
        "Risks and uncertainties include, but are not limited to: changes in foreign currency rates; strikes or work"
        " stoppages; the occurrence of hail; product recalls; and our own luck.\n\nWe sell bolts.\n"
    )
    assert said(text) == {
        ("Bolt Inc.", "exposed_to", "Currency exchange rates"),
        ("Bolt Inc.", "exposed_to", "Labour relations"),
        ("Bolt Inc.", "exposed_to", "Product quality and safety"),
    }
    items = (
        "Factors that could cause actual results to differ materially are the following:\n\n"
        "• our substantial indebtedness;\n\n• significant competition that we face;\n\nWe sell bolts.\n"
    )
    assert {tail for *_, tail in said(items)} == {"Indebtedness and liquidity", "Competition"}


def test_what_a_report_only_speaks_of_is_no_risk():
    text = "This report contains statements regarding: our strategy; seasonality; liquidity; dividends; taxes.\n"
    assert said(text) == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "Joining me are Bolt Corp, President and CEO, Jane Roe; CFO and Treasurer, John Doe; and Controller, Ann Poe.",
        "The team on the call today are Jane Roe, Bolt's CEO; John Doe, Treasurer; Ann Poe, our Controller.",
        "Our call will be led by Jane Roe, Chief Executive Officer; John Doe, Treasurer; and Ann Poe, Controller.",
    ],
)
def test_people_whom_a_call_introduces(sentence):
    found = said("Good morning.\n\n" + sentence + " We begin now.\n")
    assert {("Jane Roe", "leads", "Bolt Inc."), ("Jane Roe", "holds_role", "Chief Executive Officer")} <= found
    assert {("John Doe", "holds_role", "Treasurer"), ("Ann Poe", "holds_role", "Controller")} <= found


@pytest.mark.parametrize(
    "sentence",
    [
        "Joining us for today's presentation are the company's CEO, Jane Roe, and CFO, Ann Poe.",
        "On the call from Bolt are Jane Roe, Chief Executive Officer and Ann Poe, Chief Financial Officer.",
    ],
)
def test_an_office_beside_each_of_two_names_is_that_one_s(sentence):
    found = said(f"Good morning.\n\n{sentence} We begin now.\n")
    assert {one for one in found if one[1] == "holds_role"} == {
        ("Jane Roe", "holds_role", "Chief Executive Officer"),
        ("Ann Poe", "holds_role", "Chief Financial Officer"),
    }


def test_careers_told_in_prose_office_by_office_with_its_term():
    text = (
        "Mr. Roe previously served as Chief Executive Officer of Nut Corp. from May 2019 to March 2022; Chief"
        " Information Officer and Senior Vice President of Nut Corp. from April 2016 to April 2019. He was Treasurer"
        " from 2012 to 2014."
    )
    found = {
        (t.head, t.relation, t.tail, t.metadata["since"], t.metadata["until"])
        for t in structure_triples(document_of(text), {"John Roe": "person"})
        if t.relation in ("leads", "works_for")
    }
    assert ("John Roe", "leads", "Nut Corp.", "May 2019", "March 2022") in found
    assert ("John Roe", "works_for", "Nut Corp.", "April 2016", "April 2019") in found
    assert ("John Roe", "works_for", "Bolt Inc.", "2012", "2014") in found


def test_an_office_in_a_firm_that_the_document_knows_is_none_in_its_own():
    text = "Ms. Roe served as Chief Executive Officer and a member of the Board of Elmo from July 2013 to June 2021."
    known = {"Ann Roe": "person", "Elmo": "company"}
    found = {(t.relation, t.tail) for t in structure_triples(document_of(text), known) if t.relation != "holds_role"}
    assert {firm for _, firm in found} == {"Elmo"}


def test_exhibit_21_with_the_place_below_each_name():
    text = (
        "Exhibit 21.1\nBolt Inc.\nList of Subsidiaries\nSubsidiary\n State or Country\nNut Foods Company\n Delaware\n"
        "Bolt de Costa Rica S.A.\n Costa Rica\nScrew Pte. Ltd\n Singapore\n"
    )
    assert {triple for triple in said(text) if triple[1] == "incorporated_in"} == {
        ("Nut Foods Company", "incorporated_in", "Delaware"),
        ("Bolt de Costa Rica S.A.", "incorporated_in", "Costa Rica"),
        ("Screw Pte. Ltd", "incorporated_in", "Singapore"),
    }


def test_blanks_of_every_kind_are_blanks():
    plain = "The principal competitors of the Company include Nut Corp., Screw Ltd. and Roe Inc."
    text = plain.replace(" ", "\xa0")
    part = graph_of(document_of(text))
    rivals = {entity.name for entity in part.entities} - {"Bolt Inc."}
    assert rivals == {"Nut Corp.", "Screw Ltd.", "Roe Inc."}
    assert {plain[mention.start : mention.end] for mention in part.mentions} >= rivals


def test_brands_that_were_sold_are_none_that_the_firm_owns():
    assert (
        said("We transferred to the buyers the rights to several of our brands, including Torquer and Zorv.") == set()
    )


def test_the_office_of_a_signature_is_only_the_office():
    text = "By: /s/ Ann Roe\nAnn Roe\nSenior Vice President, Treasurer\nForm 10-Q 22\n"
    triples = structure_triples(document_of(text), {})
    assert {triple.metadata["role"] for triple in triples} == {"Senior Vice President, Treasurer"}


def test_a_roster_of_a_call_says_who_holds_which_office():
    text = (
        'Call participants:\n\nAnn B. Roe--President and Chief Executive Officer\n\nEarl "Duke" Poe -- Treasurer\n\n'
        "Jim Doe -- Nut Securities -- Analyst\n\nFirst quarter -- Second quarter\n"
    )
    assert said(text) == {
        ("Ann B. Roe", "leads", "Bolt Inc."),
        ("Ann B. Roe", "holds_role", "President"),
        ("Ann B. Roe", "holds_role", "Chief Executive Officer"),
        ("Earl Poe", "works_for", "Bolt Inc."),
        ("Earl Poe", "holds_role", "Treasurer"),
        ("Jim Doe", "works_for", "Nut Securities"),
        ("Jim Doe", "covers", "Bolt Inc."),
    }


def test_exhibit_21_with_the_kind_of_company_between_name_and_place():
    text = (
        "Exhibit 21.1\nList of Subsidiaries\nNut Water Company\nCorporation\nNew Jersey\nScrew, LLC\n"
        "Limited Liability Company\nDelaware\nLas Vegas Arena Management, LLC\nNevada\n"
        "Roe Service, Inc. Corporation\nOhio\nPoe Holding Limited British Virgin Islands\n"
    )
    assert {triple for triple in said(text) if triple[1] == "incorporated_in"} == {
        ("Nut Water Company", "incorporated_in", "New Jersey"),
        ("Screw, LLC", "incorporated_in", "Delaware"),
        ("Las Vegas Arena Management, LLC", "incorporated_in", "Nevada"),
        ("Roe Service, Inc.", "incorporated_in", "Ohio"),
        ("Poe Holding Limited", "incorporated_in", "British Virgin Islands"),
    }


def test_who_heads_a_region_or_a_unit_does_not_lead_the_firm():
    text = (
        "Call participants:\n\nAnn B. Roe -- Chief Executive Officer, Africa\n\n"
        "Jim Poe -- President of Bolt International\n\nJane Doe -- Chief Executive Officer\n\n"
        "Joe Low -- President and Chief Executive Officer, Bolt Global Services\n"
    )
    assert {triple[0] for triple in said(text) if triple[1] == "leads"} == {"Jane Doe"}


def test_an_office_is_told_with_the_part_of_the_firm_in_which_it_is_held():
    text = (
        "Call participants:\n\nJim Poe -- Chief Financial Officer of Bolt Global Services\n\n"
        "Jane Doe -- Chief Financial Officer, Treasurer\n\nJoe Low -- Chief Executive Officer of Bolt\n\n"
        "Sue Law -- President, Digital Media\n"
    )
    told = {triple.head: triple.metadata.get("unit", "") for triple in structure_triples(document_of(text), {})}
    assert told == {"Jim Poe": "Bolt Global Services", "Jane Doe": "", "Joe Low": "", "Sue Law": "Digital Media"}


def test_an_officer_whose_name_is_printed_in_the_middle_of_the_row():
    text = (
        "Name Age Principal Occupation\n\n49 Executive Vice President and Chief Legal Officer, Law &\n"
        "Theodore Roe III Security since April 2022. Mr. Roe previously served as Treasurer from May 2016 to\n"
        "March 2022.\nJane Doe 65 Secretary since June 2021.\n"
    )
    told = {(t.head, t.metadata.get("role"), t.metadata.get("since")) for t in structure_triples(document_of(text), {})}
    assert (
        "Theodore Roe III",
        "Executive Vice President and Chief Legal Officer, Law & Security",
        "April 2022",
    ) in told
    assert ("Jane Doe", "Secretary", "June 2021") in told


def test_two_offices_of_one_sentence_are_two_statements():
    text = (
        "Jane Roe has led the firm for some time. Ms. Roe served as Chief Financial Officer of Bolt Inc. from 2012 to "
        "2015, as Vice President of Paper from 2015\nto 2016 and as Treasurer since 2016.\n"
    )
    part = graph_of(document_of(text))
    told = [said.metadata["role"] for said in part.statements if said.relation == "works_for"]
    assert sorted(told) == ["Chief Financial Officer of Bolt Inc.", "Treasurer", "Vice President of Paper"]
    assert len({said.id for said in part.statements}) == len(part.statements)


def test_signed_side_by_side_with_the_offices_behind_the_names_below():
    text = (
        "/s/ Ann B. Roe\n/s/ Jim C. Poe\nAnn B. Roe – Chairman, President and Chief Executive\nOfficer\n"
        "Jim C. Poe – Director\n(Principal Executive Officer)\n"
    )
    told = said(text)
    assert ("Jim C. Poe", "director_of", "Bolt Inc.") in told
    assert not {triple for triple in told if triple[0] == "Jim C. Poe" and triple[1] in ("leads", "holds_role")}


def test_sentences_that_say_what_the_firm_is_exposed_to():
    text = (
        "It was a good year. We are exposed to fluctuations in foreign currency exchange rates. A pandemic could "
        "adversely affect our results in the second half. We sell reels and rods to many customers of the trade."
    )
    assert said(text) == {
        ("Bolt Inc.", "exposed_to", "Currency exchange rates"),
        ("Bolt Inc.", "exposed_to", "Pandemics"),
    }
    quiet = "Others may be exposed to currency risk. The euro rose in May. A pandemic came. We sold more reels then."
    assert said(quiet) == set()


def test_subsidiaries_that_guarantee_the_debt_of_their_parent():
    text = (
        "Exhibit 22\n\nList of Subsidiaries of Bolt Inc.\n\nThe subsidiaries of Bolt Inc. listed below have fully and "
        "unconditionally guaranteed its notes.\n\nNut Holdings, LLC Delaware\nScrew Land, LLC Nevada\n"
    )
    found = said(text)
    assert ("Nut Holdings, LLC", "guarantees", "Bolt Inc.") in found
    assert ("Screw Land, LLC", "guarantees", "Bolt Inc.") in found
    assert not {t for t in said(text.replace("guaranteed its notes", "grown well")) if t[1] == "guarantees"}


def test_signatures_in_two_columns_keep_their_offices_apart():
    text = (
        "SIGNATURES\n\n/s/ JANE ROE\n/s/ JIM POE\nJane Roe\nPresident and Chief Executive Officer\n"
        "(Principal Executive Officer)\nJim Poe\n(Director)\n"
    )
    found = {triple for triple in said(text) if triple[0] == "Jim Poe"}
    assert found == {("Jim Poe", "director_of", "Bolt Inc.")}


def test_the_president_of_a_described_subsidiary_does_not_lead_the_firm():
    text = "Mr. Poe served as the President of the Company’s Illinois subsidiary from January 2015 to January 2020.\n"
    assert {(relation, tail) for _, relation, tail in said(text)} == {("works_for", "Bolt Inc.")}


@pytest.mark.parametrize(
    ("sentence", "risk"),
    [
        ("Should an unauthorized intrusion into our data occur, our business could be harmed.", "Cyber attacks"),
        ("We are exposed to losses from non-performance by our counterparties.", "Credit and counterparties"),
        ("An interruption of supply could have a material adverse effect on our business.", "Supply chain"),
        ("A recession could adversely affect our business, cash flows and liquidity.", "Economic conditions"),
    ],
)
def test_a_risk_is_what_does_the_harm_not_what_is_harmed(sentence, risk):
    (stated,) = said(f"Risk Factors\n\nIt was a long year for all of our people here. {sentence}\n")
    assert stated[1] == "exposed_to"
    assert stated[2].startswith(risk)


@pytest.mark.parametrize(
    "sentence",
    [
        "In any of these cases, our business, cash flows and liquidity could be adversely affected.",
        "If we cannot acquire content, our results could suffer.",
        "We may be exposed to credit losses of counterparties, but losses are not anticipated.",
    ],
)
def test_a_general_harm_is_no_class_of_risk(sentence):
    assert said(f"Results\n\nIt was a long year for all of our people here. {sentence}\n") == set()


def test_sentences_end_at_the_end_of_a_line_and_behind_brackets():
    text = (
        "Report\n\nWe net all the tax that we owe (if any). \nWe are exposed to fluctuations in exchange rates here.\n"
    )
    (stated,) = structure_triples(document_of(text), {})
    assert stated.sentence.startswith("We are exposed")


def test_items_below_what_could_harm_the_firm_and_whom_it_relies_on():
    text = (
        "Item 1A. Risk Factors\n\nOur results may fluctuate because of many factors, including:\n\n"
        "• foreign currency fluctuations and controls;\n\n• impairment of our relationships with friends; and\n\n"
        "• loans of the Export-Import Bank.\n\nIt was long. We depend on third-party collaborators in what we do.\n"
    )
    risks = {tail for _, relation, tail in said(text) if relation == "exposed_to"}
    assert risks == {"Currency exchange rates", "Dependence on third parties"}


def test_who_certifies_a_report_works_for_its_firm_and_holds_the_office_of_the_heading():
    body = "certify that: 1. I have reviewed this Annual Report on Form 10-K of Bolt Inc.;\n"
    assert said(f"I, Jane A. Roe, {body}") == {("Jane A. Roe", "works_for", "Bolt Inc.")}
    headed = said(f"Certification by the Chief Executive Officer\n\nI, Jane A. Roe, {body}")
    assert ("Jane A. Roe", "holds_role", "Chief Executive Officer") in headed
    below = said(f"/s/ JOE POE\nJoe Poe\nTreasurer\n\nI, Jane A. Roe, {body}")
    assert ("Jane A. Roe", "holds_role", "Treasurer") not in below
    assert said("I, Jane A. Roe, certify that the goods were received.\n") == set()


def test_a_paragraph_below_a_risk_that_has_words_of_it_speaks_of_it_on_any_page():
    title = "# Risk Factors\n\n## Our competitors could take our customers.\n\n"
    filler = "We sell reels in many stores.\n\n" * 6
    told = ("Bolt Inc.", "exposed_to", "Competition")
    far = f"{title}{filler}Rivals with more money compete for the same anglers. Some could reduce our sales.\n"
    triples = [t for t in structure_triples(document_of(far), {}) if t.relation == "exposed_to"]
    assert any(t.sentence.startswith("Rivals with") and (t.head, t.relation, t.tail) == told for t in triples)
    sure = f"{title}{filler}Rivals with more money compete for the same anglers. They sell rods.\n"
    triples = [t for t in structure_triples(document_of(sure), {}) if t.sentence.startswith("Rivals with")]
    assert triples == []


def test_a_segment_is_one_by_its_name_and_its_short_form():
    listed = (
        "We operate in three segments:\n• Metal Works (BMW);\n• Tools, Nuts & Screws (TNS);\n• Bolt Capital (BC).\n"
    )
    named = "Metal Works (BMW), Tools, Nuts & Screws (TNS) and Bolt Capital (BC)"
    counted = f"\nWe operate in three reportable segments: {named}.\n"
    short = "\nWe operate in three reportable segments: BMW, TNS and BC. All other activities are unallocated.\n"
    part = graph_of(document_of(listed + counted + short))
    segments = {entity.name: entity.id for entity in part.entities if entity.type == "segment"}
    assert set(segments) == {"Metal Works", "Tools, Nuts & Screws", "Bolt Capital", "BMW", "TNS", "BC"}
    merged = {(merge.entity, merge.into) for merge in part.merges}
    pairs = (("BMW", "Metal Works"), ("TNS", "Tools, Nuts & Screws"), ("BC", "Bolt Capital"))
    assert {(segments[short], segments[full]) for short, full in pairs} <= merged


@pytest.mark.parametrize(
    "text",
    [
        "By /s/ JANE (JANIE) ROE By /s/ JIM POE\n\nJane (Janie) Roe Jim Poe\n\n"
        "President and Director Chairman of the Board\n",
        "/s/ Jane Roe /s/ Jim Poe\nJane Roe – President and Director Jim Poe – Chairman of the Board\n",
    ],
)
def test_two_who_sign_side_by_side_have_each_their_office(text):
    triples = list(structure_triples(document_of(text), {}))
    held = {(triple.head, triple.metadata["role"]) for triple in triples}
    assert held == {("Jane Roe", "President and Director"), ("Jim Poe", "Chairman of the Board")}

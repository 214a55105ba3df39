"""Lists, signatures, headings and contracts: what a lead-in, a title or a form of words states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.build import build_graph
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.structure import structure_triples
from cliquerag.kg.schema import load_schema


def document_of(text, company="Bolt Inc."):
    document = read_text(text, source="bolt.txt")
    return replace(document, metadata=replace(document.metadata, companies=(company,)))


def said(text, known=None, **about):
    return {(t.head, t.relation, t.tail) for t in structure_triples(document_of(text, **about), known or {})}


def test_items_below_a_line_that_says_what_they_are():
    text = (
        "Our business is organized into two reportable segments:\n\n• Reels and Rods;\n• Paper; and\n\nWe sell reels."
    )
    assert said(text) == {("Bolt Inc.", "has_segment", "Reels and Rods"), ("Bolt Inc.", "has_segment", "Paper")}
    rivals = "Our principal competitors include the following:\n\n• Nut Corp.\n• Screw Ltd.\n"
    assert ("Bolt Inc.", "competes_with", "Nut Corp.") in said(rivals)


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


def test_contracts_their_trustees_and_former_names():
    text = (
        "Indenture, dated as of January 30, 2001, between us and Union Bank (formerly Harbor Bank), as trustee, is"
        " incorporated by reference.\n\nLease Agreement, dated as of May 3, 2004, between Nut Corp. and Screw Ltd.\n"
    )
    assert said(text) == {
        ("Union Bank", "formerly_named", "Harbor Bank"),
        ("Bolt Inc.", "contracts_with", "Union Bank"),
        ("Union Bank", "trustee_of", "Bolt Inc."),
    }


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
    from cliquerag.ingest.chunkers import make_chunker
    from cliquerag.ingest.chunking import make_chunks

    chunks = make_chunks(document, make_chunker("auto"), None).chunks
    part = build_graph(document, chunks, RulesExtractor(load_schema()))
    (leads,) = [s for s in part.statements if s.relation == "leads"]
    assert "JANE ROE" in leads.text and document.text[leads.start : leads.end] == leads.text

"""The people of the firm as reports present them: a name as a heading, the office below it."""

from __future__ import annotations

from dataclasses import replace

from cliquerag.ingest.document import Segment
from cliquerag.kg.extraction.structure.triples import structure_triples
from support.bundles import bundle


def triples(*pairs, above=()):
    """What is read of headings, each with the paragraph below it."""
    text, segments = "", []
    for title, paragraph in pairs:
        for kind, piece in (("heading", title), ("paragraph", paragraph)):
            headings = (*above, title) if kind == "paragraph" else above
            segments.append(Segment(kind, len(text), len(text) + len(piece), headings=headings))
            text += piece + "\n\n"
    document = bundle("x.txt", text, company="Bolt AG").document
    return list(structure_triples(replace(document, text=text, segments=tuple(segments)), {}))


def said(*pairs, above=()):
    return {(t.head, t.relation, t.tail) for t in triples(*pairs, above=above)}


def test_a_member_of_the_board_with_age_and_since_when():
    (told,) = triples(
        ("Dr. Jürgen Roe1", "Age 57, Member of the Supervisory\nBoard since 8 May 2018, lawyer of Nut AG")
    )
    assert (told.head, told.relation, told.tail) == ("Jürgen Roe", "director_of", "Bolt AG")
    assert (told.metadata["age"], told.metadata["since"]) == ("57", "8 May 2018")


def test_offices_of_whoever_a_heading_names():
    pair = ("Ann S. Roe", "Chief Financial Officer, Senior Vice President & Treasurer\nHe joined in 2004.")
    assert {tail for _, relation, tail in said(pair) if relation == "holds_role"} == {
        "Chief Financial Officer",
        "Senior Vice President",
        "Treasurer",
    }


def test_an_office_elsewhere_is_none_in_the_firm():
    assert said(("Ann S. Roe", "Managing Partner of Nut Capital LLC")) == {("Ann S. Roe", "leads", "Nut Capital LLC")}
    assert said(("Jo Poe", "Partner, Roe Ventures"), ("Ed Poe", "Founder of Roe Ventures")) == set()
    assert said(("Jo Poe", "Chairman (since 2020)"), above=("Seats on supervisory boards",)) == set()


def test_a_heading_that_is_no_name_presents_nobody():
    text = "Chief Executive Officer. The title of the form and its date stand below."
    assert said(("Signature Title Form", text)) == set()

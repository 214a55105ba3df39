"""Contracts, cases at law, cover pages and new rules of accounting, in their fixed forms of words."""

from __future__ import annotations

from support.stated import said, triples


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


def test_a_trustee_is_told_with_the_notes_that_it_holds():
    text = "Indenture, dated as of May 2, 2012, among us and Nut Bank, as trustee, relating to the 5% notes due 2025."
    (told,) = [one for one in triples(text) if one.relation == "trustee_of"]
    assert told.sentence.endswith("relating to the 5% notes due 2025")


def test_who_lends_by_a_credit_agreement():
    text = (
        "Credit Agreement, dated as of May 2, 2012, among us, Nut Bank, as administrative agent, and Oak Bank, as agent"
    )
    assert said(text) == {
        ("Bolt Inc.", "contracts_with", "Nut Bank"),
        ("Bolt Inc.", "contracts_with", "Oak Bank"),
        ("Nut Bank", "lends_to", "Bolt Inc."),
    }


def test_cases_with_their_court_and_date_where_the_firm_is_a_party():
    text = (
        "We are sued under the Act. Roe v. Bolt Inc., et al. (W.D. Wash.; filed Dec. 11, 2018). A case of others,"
        " Poe v. Nut Corp., was closed. In re Bolt Securities Litigation is pending.\n"
    )
    case, matter = triples(text)
    assert (case.relation, case.tail) == ("party_to", "Roe v. Bolt Inc., et al.")
    assert case.metadata == {"part": "defendant", "court": "W.D. Wash.", "filed": "Dec. 11, 2018"}
    assert matter.tail == "In re Bolt Securities Litigation"


COVER = """Bolt Inc.
(Exact name of registrant as specified in its charter)

Delaware 77-0019522
(State or other jurisdiction of incorporation)

345 Park Avenue, San Jose, California 95110-2704
(Address of principal executive offices) (Zip Code)

Common Stock, $0.0001 par value per share BLT NASDAQ
3.500% Notes due 2027 BLT27 New York Stock Exchange
"""


def test_the_cover_page():
    assert said(COVER) == {
        ("Bolt Inc.", "incorporated_in", "Delaware"),
        ("Bolt Inc.", "headquartered_in", "San Jose"),
        ("Bolt Inc.", "listed_on", "NASDAQ"),
        ("Bolt Inc.", "listed_on", "New York Stock Exchange"),
    }


def test_a_cover_page_with_the_number_of_the_file_and_no_comma_behind_the_street():
    cover = (
        "New York 1-10299 13-3513936\n(State or other jurisdiction of incorporation)\n"
        "929 Long Bridge Drive Arlington, VA 22202\n(Address and zip code of principal executive offices)\n"
    )
    assert said(cover) == {
        ("Bolt Inc.", "incorporated_in", "New York"),
        ("Bolt Inc.", "headquartered_in", "Arlington"),
    }


def test_a_party_with_and_in_its_name_is_named_in_full():
    text = "Sales Agreement, dated March 23, 2021, by and between the Company and Roe and Company, LLC.\n"
    assert said(text) == {("Bolt Inc.", "contracts_with", "Roe and Company, LLC")}


def test_new_rules_of_accounting_once_each():
    text = "In June 2016 the FASB issued ASU 2016-13, Credit Losses. We adopted ASU 2016-13 in 2020.\n"
    assert said(text) == {("Bolt Inc.", "subject_to", "ASU 2016-13")}


def test_notes_that_were_issued():
    text = "In May 2020 we issued $500 million of 2.30% Senior Notes due 2030. The 3.25% Notes due 2025 were repaid.\n"
    (notes,) = triples(text)
    assert (notes.relation, notes.tail, notes.metadata["due"]) == ("issues", "2.30% Senior Notes due 2030", "2030")


def test_former_names_need_two_companies():
    assert said("We work with Nut Corp. (formerly Peg Ltd.) daily.\n") == {("Nut Corp.", "formerly_named", "Peg Ltd.")}
    assert said("The plan (formerly the 2010 Plan) ended.\n") == set()


def test_notes_of_a_subsidiary_are_not_the_firms_own():
    own = "In 2021, we issued $500 million of 2.30% Senior Notes due 2031 to investors."
    theirs = "In 2021, Bolt Capital Finance Corp. issued $500 million of 2.30% Senior Notes due 2031 to investors."
    assert said(own) == {("Bolt Inc.", "issues", "2.30% Senior Notes due 2031")}
    assert said(theirs) == set()


def test_a_case_ends_where_the_next_sentence_begins():
    assert {case.tail for case in triples("VLSI Technology LLC v. Bolt\nIn October 2017, a complaint was filed.")} == {
        "VLSI Technology LLC v. Bolt"
    }


def test_a_contract_among_others_is_not_the_firms_own():
    text = "Indenture, dated as of April 20, 2016, among Nut Escrow Issuer, LLC and Union Bank, as Trustee\n"
    assert said(text) == set()
    assert said(text.replace("Nut Escrow Issuer, LLC", "the Company"))


def test_notes_that_another_firm_issued_under_a_short_name():
    text = (
        "In June 2020, Bolt China issued $500 million in aggregate principal amount of 5.25% Senior Notes due 2025.\n"
    )
    assert said(text) == set()
    assert said(text.replace("Bolt China", "we")) == {("Bolt Inc.", "issues", "5.25% Senior Notes due 2025")}

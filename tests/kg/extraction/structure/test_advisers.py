"""Who serves the firm: auditors by their signature, auditors, registrars and lawyers by labels."""

from __future__ import annotations

import pytest
from support.stated import said, triples

REPORT = "Independent auditor's report\n\nWe have audited the consolidated financial statements of Bolt Inc.\n\n"


def test_who_signed_the_audit_and_since_when():
    (audit,) = triples(
        "Opinion\n\nWe have served as the Company's auditor since 1983.\n\n/s/ Roe & Poe LLP\n\nSan Jose\n"
    )
    assert (audit.head, audit.relation, audit.metadata["since"]) == ("Roe & Poe LLP", "audits", "1983")


def test_whoever_signs_something_else_is_no_auditor():
    letter = "Ladies and Gentlemen:\n\nWe have acted as counsel for Bolt Inc.\n\nROE & POE LLP\n\nSan Jose\n"
    assert said(letter) == set()


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("Frankfurt, 7 March 2023\nKPMG AG\nWirtschaftsprüfungsgesellschaft\n", "KPMG AG"),
        ("signed “Roe & Poe LLC”\nChartered Professional Accountants\nHalifax\n", "Roe & Poe LLC"),
        ("For and on behalf of Roe Poe Audit\n\nStatutory Auditors\nBridge House\n", "Roe Poe Audit"),
        ("/s/ ROE, POE & DOE, P.C.\n\nWinchester\n", "ROE, POE & DOE, P.C."),
        ("Ernst & Young ShinNihon LLC\nTokyo, Japan\n", "Ernst & Young ShinNihon LLC"),
    ],
)
def test_auditors_of_other_countries_sign_in_other_forms(signature, name):
    assert said(REPORT + signature) == {(name, "audits", "Bolt Inc.")}


def test_a_line_that_is_no_signature_names_no_auditor():
    assert said(REPORT + "Bridge House\nStatutory Auditors\n") == set()


def test_whoever_signs_for_the_auditor_holds_no_office_in_the_firm():
    text = REPORT + "/s/ Jane Roe\nDesignated Engagement Partner\nCertified Public Accountant\n"
    assert said(text) == set()


def test_labels_say_what_the_company_below_them_is_to_the_firm():
    text = (
        "Shareholder information\n\nTransfer Agent and Registrar\nNut Trust Company\nMontreal\n\n"
        "Auditor\nRoe & Poe, LLP\nHalifax\n\nSolicitors\nStewart Doe\nHalifax\n\nSolicitors\nDoe LLP\n"
    )
    assert said(text) == {
        ("Bolt Inc.", "contracts_with", "Nut Trust Company"),
        ("Roe & Poe, LLP", "audits", "Bolt Inc."),
        ("Bolt Inc.", "contracts_with", "Doe LLP"),
    }

"""Whom a whole document is about, where its file name says nothing: witnesses, their vote, and honest doubt."""

from __future__ import annotations

import time

import pytest
from cliquerag.ingest.about.company import domains_of, phrases_of, titles_of
from cliquerag.ingest.about.given import DocumentHints
from cliquerag.ingest.about.metadata import find_metadata
from cliquerag.ingest.about.names_in_print import is_company, is_generic, name_after, name_before, name_of_title
from cliquerag.ingest.about.vote import Claim, decide, letters
from cliquerag.ingest.document import Metadata
from cliquerag.ingest.formats.registry import Evidence
from cliquerag.ingest.read import read_text

HASH = "36dd058d3237202cbb94139611c8b8a35ff8c158.pdf"
FILLER = "\n\n" + "The results of the year were in line with what was expected of them at its beginning. " * 300

LETTER = """26 September 2013

The Manager Companies
Australian Securities Exchange Limited
Company Announcements Office
Level 4, 20 Bridge Street

Attached is a copy of the Report.

BARROW FOODS LIMITED
ABN 88 000 014 675
ANNUAL REPORT 2013
"""
AUDIT = """
Independent auditor's report to the members of Barrow Foods Limited

We have audited the accompanying financial report of Barrow Foods Limited, which comprises the balance sheet.

For and on behalf of the board of Barrow Foods Limited

Share registry
Computershare Investor Services Pty Limited
ABN 48 078 279 277
"""


def metadata(text: str, **evidence: object) -> Metadata:
    return find_metadata(text, (), HASH, DocumentHints(), Evidence(**evidence))  # type: ignore[arg-type]


def test_whom_a_cover_letter_goes_to_is_not_the_filer() -> None:
    found = metadata(LETTER + FILLER + AUDIT)
    assert found.companies == ("Barrow Foods Limited",)
    assert "auditor's report" in found.how["companies"]
    assert not found.unsure


def test_an_exchange_reports_of_itself_as_any_other() -> None:
    own = (
        "Annual Report 2013\n\nNorth Stock Exchange Limited\n"
        + FILLER
        + AUDIT.replace("Barrow Foods", "North Stock Exchange")
    )
    found = metadata(own, running={"North Stock Exchange Limited Annual Report 2013": 40})
    assert found.companies == ("North Stock Exchange Limited",)


def test_the_charter_line_counts_wherever_the_form_begins_and_however_it_is_broken() -> None:
    letter = "2022 Annual Report\n\nDear fellow shareholder,\n" + FILLER
    form = "FORM 10-K\nSUNDRY REALTY CORP.\n(Exact\nname of registrant as specified in its charter)\nMaryland\n"
    assert metadata(letter + form + FILLER).companies == ("SUNDRY REALTY CORP.",)


def test_a_running_head_names_who_is_printed_nowhere_else() -> None:
    text = "Thriving together\n" + FILLER + "To the Shareholders of Ember Company Limited\n"
    found = metadata(text, running={"EMBER COMPANY LIMITED 2022 ANNUAL REPORT": 25})
    assert found.companies == ("EMBER COMPANY LIMITED",)


def test_german_reports() -> None:
    text = "In Bewegung.\nGeschäftsbericht 2023\n" + FILLER + "An die Kontor AG, Hannover\nVermerk über die Prüfung\n"
    found = metadata(text, running={"Kontor AG Geschäftsbericht 2023 An unsere Aktionäre": 12})
    assert (found.companies, found.kind) == (("Kontor AG",), "annual report")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("REPORT TO THE MEMBERS OF ACME PLC OPINION", "ACME PLC"),
        ("To the Stockholders and Board of Directors of Acme, Inc.\n", "Acme, Inc."),
        ("To the Shareholders of Royal Bank of Canada\nOpinion", "Royal Bank of Canada"),
        ("Konzernabschluss der Kontor SE, Hamburg", "Kontor SE"),
        ("aux actionnaires de la société Lumière S.A. sur", "Lumière S.A."),
        ("For and on behalf of Acme Limited", "Acme Limited"),
        ("© 2023 Acme Group plc. All rights reserved", "Acme Group plc"),
        ("Acme Therapeutics, Inc. (the “Company”) develops", "Acme Therapeutics, Inc."),
        ('we bought Acme Holdings Ltd (together with its subsidiaries, "the Group")', "Acme Holdings Ltd"),
        ("Acme Limited ABN 12 345 678 901", "Acme Limited"),
        ("shares of easyFly plc (AIM: EZF) rose", "easyFly plc"),
    ],
)
def test_turns_of_phrase_beside_which_the_name_stands(text: str, name: str) -> None:
    assert name in [said.name.text for said in phrases_of(text, text.lower())]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Acme plc Annual Report and Accounts 2024", "Acme plc"),
        ("Geschäftsbericht 2023 | Kontor-Werke Group", "Kontor-Werke Group"),
        ("Kontor | Jahresabschluss Kontor Holding AG 2023", "Kontor Holding AG"),
        ("2022 Annual Report", ""),
        ("NOTES TO THE FINANCIAL STATEMENTS continued", ""),
        ("Annual report – 31 December", ""),
    ],
)
def test_names_in_titles(line: str, name: str) -> None:
    found = name_of_title(line)
    assert (found.text if found else "") == name


def test_names_end_where_another_begins() -> None:
    text = (
        "Australian Bread Limited and Foot Rest, Inc. met the Toronto Bank. Holding Company. Apple, Acme Co., Ltd. rose"
    )
    names = [name_before(text, end) for end in (24, 45, 83, len(text) - 5)]
    assert [name and name.text for name in names] == [
        "Australian Bread Limited",
        "Foot Rest, Inc.",
        None,
        "Acme Co., Ltd.",
    ]
    after = name_after("of Acme Robotics, Inc. and subsidiaries", 3)
    assert after is not None and after.text == "Acme Robotics, Inc."


@pytest.mark.parametrize(
    "name",
    ["Holding Company", "The Group", "Parent Limited Liability Company", "1 Woolmill Way", "Level 4, 20 Bridge St",
     "Fellow Stockholders", "ir@acme.com", "Financial Condition and Results of Operations"],
)  # fmt: skip
def test_what_looks_like_a_name_and_is_none(name: str) -> None:
    assert not is_company(name)


def test_words_that_any_company_has_in_its_name_may_be_one_s_with_others() -> None:
    assert is_generic("Parent Holding Company") and not is_generic("The Boeing Company")
    assert is_company("Level 3 Communications, Inc.") and is_company("Unit Corporation")


def test_everyday_names_and_web_addresses_speak_for_the_full_one() -> None:
    said = [Claim(name, how) for how, name in _names(("cover page", "Rapid Seven, Inc."), ("display type", "Rapid"))]
    said.append(Claim(said[0].name, "titles", 3))
    verdict = decide(said, {"rapidseven": 5, "computershare": 1})
    assert verdict.name == "Rapid Seven, Inc." and {"display type", "web address"} <= set(verdict.how)
    assert letters("Sea Port Holdings, Inc.") == letters("SEAPORT HOLDINGS")


def _names(*pairs: tuple[str, str]) -> list[tuple[str, object]]:
    from cliquerag.ingest.about.names_in_print import Name

    return [(how, Name(name, "Inc" in name)) for how, name in pairs]


def test_a_report_that_names_many_and_nobody_as_its_own_is_unsure() -> None:
    text = "Annual Report 2022\n" + FILLER + "We sold parts to Acme Inc. and to Beta Corp. and Gamma Ltd."
    found = metadata(text)
    assert (found.companies, found.unsure) == ((), True)
    assert {"Acme Inc.", "Beta Corp."} & set(found.how["candidates"].split("; "))


def test_notes_and_news_without_a_company_are_not_marked() -> None:
    assert metadata("Why Acme Inc. fell\n\nAcme fell.").how.keys().isdisjoint({"unsure", "companies"})


def test_advisers_of_a_directory_are_no_titles_of_the_cover() -> None:
    text = "Annual Report\nManagement company\nHarbour Partners SE\n5 Avenue K\nCustodian\nNorthern Custody S.A.\n"
    assert [said.name.text for said in titles_of(text) if said.how == "cover page"] == []


def test_web_addresses_are_counted() -> None:
    assert domains_of("www.acme.com, ir@acme.com and www.beta-group.co.uk") == {"acme": 2, "betagroup": 1}
    assert domains_of("on our website at acme.com, our IR website at ir.acme.com") == {"acme": 2}


@pytest.mark.parametrize(
    "line",
    ["A ", "a", " ", "Inc ", "Annual Report ", "(the “", "公司", "2022 ", "| ", "A.B. ", "the ", "To the members of ",
     "An die ", "© 2022 ", "Acme (", "$ ", "abn 1 ", "year ended ", "有限公司", "é", "welcome to ", "Acme Inc. and "],
)  # fmt: skip
def test_a_line_of_any_length_is_read_in_time(line: str) -> None:
    text = line * (20_000 // len(line))
    metadata("warm")  # the rules are read once
    start = time.process_time()
    metadata(text, large=(text,), running={text: 9}, info={"title": text})
    assert (
        time.process_time() - start < 3
    )  # at most 0.2 on a quiet machine; a step that is quadratic in the line takes many seconds


def test_the_spelling_of_the_surer_witness_is_shown() -> None:
    greeting = "Good morning and welcome to the Quilt Services third quarter 2021 earnings conference call. "
    said = "At Quilt we care for our work. Within Quilt there is room. The quarter was good for all of us. " * 2
    assert metadata(greeting + said).companies == ("Quilt Services",)


def test_a_ticker_that_is_a_word_as_well_is_still_one() -> None:
    text = "The quarter was good for all of us and sales rose as was expected. " * 20
    found = find_metadata(text, (), "ALL_q2_2021", DocumentHints.of(None, None, "earnings call", None), Evidence())
    assert found.companies == ("ALL",)


def test_a_call_that_no_word_tells_is_told_by_the_quarter_in_its_files_name() -> None:
    text = "At Union Pacific we serve and grow. Union Pacific's network was good. Volume rose. " * 4
    found = find_metadata(text, (), "UNP_q2_2021", DocumentHints.of(None, None, "other", None), Evidence())
    assert found.companies == ("Union Pacific",)
    found = find_metadata(text, (), "UNP", DocumentHints.of(None, None, "other", None), Evidence())
    assert found.companies != ("Union Pacific",)


@pytest.mark.parametrize("mark", ["—", "–", "-", "|", "·", "•"])
def test_what_parts_a_name_from_its_line_is_no_part_of_it(mark: str) -> None:
    text = f'Orlan Marine Systems Ltd {mark} Annual Report 2024\n\nOrlan Marine Systems Ltd ("Orlan") makes sonars.\n'
    assert read_text(text, source="doc1").metadata.companies == ("Orlan Marine Systems Ltd",)


def test_few_letters_speak_for_the_name_whose_first_word_they_are_and_for_no_other() -> None:
    named = _names(("cover page", "MGM Resorts International"), ("defined term", "MGM"), ("titles", "MGMT Holdings"))
    verdict = decide([Claim(name, how) for how, name in named], {})
    assert verdict.name == "MGM Resorts International"
    assert verdict.others == ("MGMT Holdings",)


_GREETED = (
    "Operator: Good day and welcome to {name} second quarter 2020 results call. Please go ahead.\n\n"
    + "\n\n".join(
        f"Speaker {number % 3}: {said} {'We sold more sheets of it in the north and held our prices. ' * 60}"
        for number, said in enumerate(("{early}", "", "", "", "", "", "", "", "", ""))
    )
)


def test_initials_speak_for_the_name_that_they_are_the_first_letters_of() -> None:
    early = "Welcome to GE's second quarter call. " + "At GE, we sell jets, and GE makes turbines. " * 8
    text = _GREETED.format(name="General Electric Company", early=early)
    assert read_text(text, source="document.txt").metadata.companies == ("General Electric Company",)

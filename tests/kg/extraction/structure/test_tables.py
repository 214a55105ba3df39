"""Tables that state relations: a statement a row, which points at that row."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.document import Table
from cliquerag.kg.extraction.build import build_graph
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.structure.triples import structure_triples
from cliquerag.kg.schema import load_schema
from support.bundles import bundle

RULES = RulesExtractor(load_schema())

EXHIBIT = (
    ("Legal Name", "Jurisdiction of Incorporation", "Percent Owned"),
    ("Bolt Films B.V.", "The Netherlands", "100%"),
    ("Bolt Studios, LLC (1)", "Delaware", "100%"),
    ("Total", "", "2"),
)
OFFICERS = (
    ("Name", "Age", "Position"),
    ("Jane Q. Roe", "51", "Chairman, President and Chief Executive Officer"),
    ("John Doe", "44", "Chief Financial Officer"),
    ("Vacant", "", "General Counsel"),
)
BOARD = (("姓名", "职务(注)", "性别"), ("黄杰", "董事长、总经理", "男"), ("马进", "独立董事", "男"))
GROUP = (("子公司名称", "主要经营地", "注册地"), ("四方罐储公司", "江苏", "上海"), ("合计", "", ""))


def document_with(rows, headings=(), title="", company="Bolt Inc.", header_rows=1):
    lines = ["Before the table.", *("| " + " | ".join(row) + " |" for row in rows)]
    given = bundle("x.txt", "\n".join(lines), company=company)
    start = len(lines[0]) + 1
    end = len(given.document.text)
    table = Table(tuple(rows), header_rows, title=title, headings=headings, start=start, end=end)
    chunk = replace(given.chunks[0], kind="table")
    return replace(given.document, tables=(table,)), [chunk]


def triples(rows, known=None, **about):
    document, _ = document_with(rows, **about)
    return list(structure_triples(document, known or {}))


def said(rows, known=None, **about):
    return {(t.head, t.relation, t.tail) for t in triples(rows, known, **about)}


def test_subsidiaries_and_where_they_are_registered():
    assert said(EXHIBIT, headings=("EXHIBIT 21.1", "List of Significant Subsidiaries")) == {
        ("Bolt Films B.V.", "subsidiary_of", "Bolt Inc."),
        ("Bolt Films B.V.", "incorporated_in", "Netherlands"),
        ("Bolt Studios, LLC", "subsidiary_of", "Bolt Inc."),
        ("Bolt Studios, LLC", "incorporated_in", "Delaware"),
    }


def test_officers_by_their_roles():
    found = said(OFFICERS, headings=("Information about our Executive Officers",))
    assert {("Jane Q. Roe", "leads", "Bolt Inc."), ("John Doe", "works_for", "Bolt Inc.")} <= found
    assert ("Jane Q. Roe", "holds_role", "Chairman") in found and not any(head == "Vacant" for head, *_ in found)


@pytest.mark.parametrize(
    ("role", "is_director"),
    [
        ("Chairman of the Board", True),
        ("Chair", True),
        ("Executive Chairman", True),
        ("Chairman, President and Chief Executive Officer", True),
        ("President and Vice Chairman of the Board", True),
        ("董事长", True),
        ("Chairman Emeritus", False),
        ("Former Chairman and Senior Advisor", False),
        ("President and Vice Chairman, Investment Banking", False),
        ("Chief Executive Officer and Vice Chair of Corporate Banking", False),
        ("Chief Executive Officer, Chairman of Bolt Europe", False),
        ("原董事长", False),
    ],
)
def test_who_chairs_the_board_is_on_it_and_not_who_did_or_who_chairs_a_unit(role: str, is_director: bool) -> None:
    rows = (OFFICERS[0], ("Jane Q. Roe", "51", role), OFFICERS[2])
    found = said(rows, headings=("Information about our Executive Officers",))
    assert (("Jane Q. Roe", "director_of", "Bolt Inc.") in found) is is_director


def test_chinese_registers():
    board = said(BOARD, title="现任及报告期内离任董事、监事和高级管理人员情况", company="四方科技")
    assert {("黄杰", "leads", "四方科技"), ("马进", "director_of", "四方科技")} <= board
    group = said(GROUP, headings=("1、在子公司中的权益", "(1).企业集团的构成"), company="四方科技")
    assert group == {
        ("四方罐储公司", "subsidiary_of", "四方科技"),
        ("四方罐储公司", "incorporated_in", "上海"),
    }


@pytest.mark.parametrize("headings", [("Segment results",), ()])
def test_other_tables_are_no_registers(headings):
    assert said(EXHIBIT, headings=headings) == set() and said(OFFICERS, headings=headings) == set()


def test_a_row_is_cited_where_it_stands():
    document, chunks = document_with(EXHIBIT, headings=("List of Subsidiaries",))
    part = build_graph(document, chunks, RULES)
    films = next(entity for entity in part.entities if entity.name == "Bolt Films B.V.")
    statement = next(s for s in part.statements if s.head == films.id and s.relation == "subsidiary_of")
    assert document.text[statement.start : statement.end] == statement.text == "| " + " | ".join(EXHIBIT[1]) + " |"
    (mention,) = [m for m in part.mentions if m.entity == films.id]
    assert document.text[mention.start : mention.end] == "Bolt Films B.V."


def test_a_document_of_several_firms_has_no_register_of_one():
    document, _ = document_with(EXHIBIT, headings=("List of Subsidiaries",))
    both = replace(document.metadata, companies=("Bolt Inc.", "Nut Inc."))
    assert list(structure_triples(replace(document, metadata=both), {})) == []


DEBT = (
    ("", "Maturity", "2022", "2021"),
    ("5.50% Senior Notes", "2026", "$ 700.0", "$ 700.0"),
    ("Bolt Asia revolving credit facility", "", "85", "—"),
    ("Total long-term debt", "", "785.0", "700.0"),
    ("Less: current portion", "", "(1)", "—"),
)
SEGMENTS = (
    ("(in millions)", "2022", "2021"),
    ("Reels", "$ 10", "$ 9"),
    ("Net sales", "30", "28"),
    ("Total", "40", "37"),
)
PLACES = (("", "2022"), ("United States", "$ 29,746"), ("Other International", "12"), ("Total revenue", "29,758"))
BUYERS = (("", "2022"), ("McKesson, Inc.", "16 %"), ("Total", "16 %"))
PRODUCTS = (("PRODUCT", "PRIMARY INDICATION", "2022"), ("Oncology", "", "90"), ("Boltinib", "Rust", "$ 61"))
BACK = (
    ("Period", "Total Number of Shares Purchased", "Average Price Paid per Share"),
    ("May 1, 2022 — May 31, 2022", "102,000", "$ 381.50"),
    ("June 1, 2022 — June 30, 2022", "—", "—"),
)
WRAPPED = (
    ("Name Position", "Executive Officer Since", "Age"),
    ("W. Craig Roe President and Chief Executive Officer. Mr. Roe has been", "1995", "69"),
    ("President since January 2012 and a director since February", "", ""),
)


def test_debts_are_rows_that_name_notes_or_facilities():
    notes, facility = triples(DEBT, headings=("Note 5—Debt",))
    assert (notes.head, notes.relation, notes.tail) == ("Bolt Inc.", "issues", "5.50% Senior Notes")
    assert notes.metadata["due"] == "2026" and notes.metadata["value"] == "$ 700.0"
    assert facility.tail == "Bolt Asia revolving credit facility"


def test_segments_are_rows_called_as_the_text_calls_one():
    (reels,) = triples(SEGMENTS, {"Reels": "segment"}, headings=("Segment Information",))
    assert (reels.relation, reels.tail, reels.metadata["value"]) == ("has_segment", "Reels", "$ 10")
    assert reels.period.label == "2022"
    assert said(SEGMENTS, headings=("Segment Information",)) == set()


def test_places_customers_and_products():
    assert said(PLACES, headings=("Revenues by geographic area",)) == {("Bolt Inc.", "operates_in", "United States")}
    assert said(BUYERS, headings=("Major customers",)) == {("McKesson, Inc.", "customer_of", "Bolt Inc.")}
    assert said(PRODUCTS, headings=("Significant Product Revenues",)) == {("Bolt Inc.", "produces", "Boltinib")}


def test_a_unit_over_the_names_is_no_part_of_their_head():
    rows = (("(MILLIONS)", "", "Year Ended"), *PRODUCTS)
    found = said(rows, header_rows=2, headings=("Significant Product Revenues",))
    assert found == {("Bolt Inc.", "produces", "Boltinib")}


def test_buying_back_shares_by_month():
    (month,) = triples(BACK)
    assert (month.relation, month.tail) == ("repurchases", "common stock of Bolt Inc.")
    assert month.period.last_day.isoformat() == "2022-05-31" and month.metadata["shares"] == "102,000"


def test_an_officer_whose_office_stands_in_the_same_cell():
    found = said(WRAPPED, headings=("Information about our Executive Officers",))
    assert ("W. Craig Roe", "leads", "Bolt Inc.") in found
    assert {head for head, *_ in found} == {"W. Craig Roe"}


def test_chinese_holders_and_pairs_of_label_and_value():
    holders = (("股东名称（全称）", "期末持股数量", "比例(%)"), ("黄杰", "84,187,105", "39.96"), ("合计", "1", "1"))
    (holder,) = triples(holders, title="前十名股东持股情况", company="四方科技")
    assert (holder.head, holder.relation, holder.metadata["share"]) == ("黄杰", "owns_stake", "39.96 %")
    labels = (("公司的中文名称", "四方科技"), ("公司的法定代表人", "黄杰"))
    assert ("黄杰", "leads", "四方科技") in said(labels, company="四方科技")


def test_an_empty_name_means_the_one_above():
    rows = (
        ("任职人员姓名", "其他单位名称", "在其他单位担任的职务"),
        ("黄杰", "南通四方罐式储运设备制造有限公司", "董事长"),
        ("", "四方星（上海）冷链科技有限公司", "执行董事"),
    )
    found = said(rows, headings=("在其他单位任职情况",), company="四方科技")
    assert {(head, tail) for head, _, tail in found} == {
        ("黄杰", "南通四方罐式储运设备制造有限公司"),
        ("黄杰", "四方星（上海）冷链科技有限公司"),
    }


def test_the_president_of_a_unit_does_not_lead_the_firm():
    rows = (("Name", "Age", "Position"), ("Jane Roe", "51", "President, Digital Media"))
    assert ("Jane Roe", "works_for", "Bolt Inc.") in said(rows, headings=("Executive Officers",))


def test_votes_elect_directors_and_a_vote_on_auditors_elects_nobody():
    votes = (("Name", "Votes For", "Votes Against"), ("Jane Q. Roe", "59,657,810", "294,935"), ("John Doe", "1", "2"))
    assert said(votes) == {("Jane Q. Roe", "director_of", "Bolt Inc."), ("John Doe", "director_of", "Bolt Inc.")}
    assert said((("Votes For", "Votes Against"), ("75,612,318", "1,854,695"))) == set()


def test_guarantors_of_the_debt():
    rows = (("Name of Subsidiary", "Issuer/Guarantor Status"), ("Nut Holdings, LLC", "(1)"), ("Screw Corp.", "(1)"))
    assert said(rows, headings=("Exhibit 22", "List of Guarantor Subsidiaries of Bolt Inc.")) >= {
        ("Nut Holdings, LLC", "guarantees", "Bolt Inc."),
        ("Screw Corp.", "guarantees", "Bolt Inc."),
    }
    assert not said(rows, title="Condensed consolidating financial information of guarantor subsidiaries") & {
        ("Nut Holdings, LLC", "guarantees", "Bolt Inc.")
    }


def test_currencies_that_the_firm_is_exposed_to():
    rows = (("(in millions)", "2022", "2021"), ("Japanese Yen", "¥ 118", "¥ 104"), ("Total", "5", "6"))
    found = triples(rows, headings=("Foreign Currency Risk",), title="Revenue exposures were as follows:")
    assert [(t.head, t.relation, t.tail, t.metadata["currency"], t.metadata["value"]) for t in found] == [
        ("Bolt Inc.", "exposed_to", "Currency exchange rates", "Japanese Yen", "¥ 118")
    ]


def test_holdings_are_subsidiaries_or_stakes_by_their_share():
    rows = (
        ("Name", "Registered office", "Share of capital held %"),
        ("Bolt Leasing GmbH i.L.", "Berlin, Germany", "100.0"),
        ("PT. Bolt Jakarta", "Jakarta, Indonesia", "51.0"),
        ("Nut Objekt mbH & Co. KG", "Berlin, Germany", "24.3"),
        ("Average", "", "58.4"),
    )
    assert said(rows, headings=("Notes", "1. Affiliated companies")) == {
        ("Bolt Leasing GmbH i.L.", "subsidiary_of", "Bolt Inc."),
        ("PT. Bolt Jakarta", "subsidiary_of", "Bolt Inc."),
        ("Bolt Inc.", "owns_stake", "Nut Objekt mbH & Co. KG"),
    }


def test_a_row_of_two_lines_is_one_holding_wherever_its_share_stands():
    head = ("Company name", "Location", "Capital", "Ownership percentage of voting rights (%)")
    share_first = (
        head,
        ("Bolt Direct", "Shiojiri,", "150", "100.0"),
        ("Corporation", "Nagano", "(million JPY)", "(100.0)"),
        ("", "Hillsboro,", "31,150", "100.0"),
        ("Bolt Portland Inc.", "U.S.A.", "(thousand USD)", "(100.0)"),
        ("36 other companies", "–", "–", "–"),
    )
    share_last = (
        head,
        ("Bolt Leasing September", "London,", "", ""),
        ("Limited", "United Kingdom", "281", "100.0"),
        ("Bolt Finance BV", "Amsterdam,", "", ""),
        ("", "Netherlands", "941", "100.0"),
    )
    headings = ("4. Subsidiaries and other affiliated entities",)
    names = {t.head: t.metadata["seat"] for t in triples(share_first, headings=headings)}
    assert names == {"Bolt Direct Corporation": "Shiojiri, Nagano", "Bolt Portland Inc.": "Hillsboro, U.S.A."}
    names = {t.head: t.metadata["seat"] for t in triples(share_last, headings=headings)}
    assert names == {
        "Bolt Leasing September Limited": "London, United Kingdom",
        "Bolt Finance BV": "Amsterdam, Netherlands",
    }


def test_major_shareholders_and_what_a_bracket_says_of_them():
    rows = (
        ("Name", "Address", "Number of shares held (Shares)", "Shareholding ratio (%)"),
        ("Nut Trust Bank of Japan, Ltd. (Trust account)", "Tokyo", "78,047,300", "22.54"),
        ("Jane Q. Roe", "Osaka", "6,855,302", "1.98"),
    )
    assert said(rows, title="(6) Major shareholders") == {
        ("Nut Trust Bank of Japan, Ltd.", "owns_stake", "Bolt Inc."),
        ("Jane Q. Roe", "owns_stake", "Bolt Inc."),
    }


def test_a_director_who_is_an_officer_too_directs():
    rows = (
        ("Position and current function", "Name", "Date of birth"),
        ("Director, Senior Managing Executive Officer", "Tatsuo Roe", "1960"),
        ("Director, Tax", "Jane Q. Roe", "1970"),
    )
    told = said(rows, title="(2) Officers: directors and officers of the Company")
    assert ("Tatsuo Roe", "director_of", "Bolt Inc.") in told
    assert ("Jane Q. Roe", "director_of", "Bolt Inc.") not in told


def test_a_statement_of_cash_flows_says_what_was_paid_bought_back_and_borrowed():
    rows = (
        ("(in millions)", "2022", "2021"),
        ("Proceeds from issuance of long-term debt", "—", "3,992"),
        ("Repurchases of common stock", "(496)", "(196)"),
        ("Cash dividends paid on preferred stock", "(6)", "(6)"),
        ("Cash dividend payments", "(5,748)", "(1,479)"),
        ("Repayments of long-term debt", "(94)", "(89)"),
    )
    told = {(t.relation, t.tail): t.metadata["value"] for t in triples(rows, title="Statements of Cash Flows")}
    assert told == {
        ("issues", "long-term debt of Bolt Inc."): "3,992",
        ("repurchases", "common stock of Bolt Inc."): "(496)",
        ("pays_dividend", "common stock of Bolt Inc."): "(5,748)",
    }


def test_the_number_of_a_note_is_no_amount():
    rows = (("", "Notes", "2022"), ("Dividends paid", "25", "(21,449)"))
    assert [t.metadata["value"] for t in triples(rows, title="Statement of cash flows")] == ["(21,449)"]


def test_hedges_by_what_their_contracts_are_on_once_a_table():
    rows = (
        ("", "Notional", "Asset"),
        ("Derivatives designated as hedging instruments:", "", ""),
        ("Foreign exchange contracts(a)", "$ 29,576", "$ 787"),
        ("Interest rate swaps", "2,250", "21"),
        ("Foreign exchange contracts", "1,950", "3"),
    )
    told = [t.tail for t in triples(rows, headings=("Derivative Financial Instruments and Hedging",))]
    assert sorted(told) == ["Currency exchange rates", "Interest rates"]
    assert said(rows, headings=("Derivatives held for our clients",)) == set()


def test_candidates_in_development_by_their_names_without_what_is_in_brackets():
    rows = (
        ("", "PRODUCT/CANDIDATE", "PROPOSED DISEASE AREA"),
        ("", "zelotinib (BT-100)(a)", "Influenza"),
        ("", "", "in adults"),
    )
    assert said(rows, headings=("Late-stage programs",)) == {("Bolt Inc.", "develops", "zelotinib")}


def test_affiliates_without_a_legal_form_are_known_by_their_capitals():
    rows = (("", "2022", "2021"), ("Nut Launch Alliance", "$ 587", "$ 600"), ("Debt securities held", "3", "4"))
    told = said(rows, title="Equity method investments consisted of:")
    assert told == {("Bolt Inc.", "owns_stake", "Nut Launch Alliance")}


def test_segments_over_the_columns_of_any_table_and_in_rows_of_what_they_lease():
    known = {"Storm Systems": "segment", "Reels": "segment"}
    across = (("", "Storm Systems", "Reels", "Total"), ("Goodwill, January 1", "$ 5", "$ 6", "$ 11"))
    down = (("(Square feet)", "Owned", "Leased"), ("Storm Systems", "5", "6"), ("Reels", "7", "8"))
    for rows in (across, down):
        told = said(rows, known)
        assert told == {("Bolt Inc.", "has_segment", "Storm Systems"), ("Bolt Inc.", "has_segment", "Reels")}


def test_names_over_the_columns_in_a_further_line_and_what_pensions_cost():
    rows = (("", "Program", "", ""), ("", "X7", "X9 †", "Total"), ("Quantities", "1,800", "400", "2,200"))
    told = said(rows, {"X7": "product", "X9": "product"}, headings=("Backlog",))
    assert told == {("Bolt Inc.", "produces", "X7"), ("Bolt Inc.", "produces", "X9")}
    rows = (("", "2022", "2021"), ("Service cost", "$ 3", "$ 4"), ("Interest cost", "5", "6"))
    told = said(rows, title="Net periodic pension cost")
    assert told == {("Bolt Inc.", "sponsors_plan", "pension plan of Bolt Inc.")}


def test_without_its_share_no_holding_is_told_to_be_a_stake():
    rows = (("Name of Subsidiary", "Status"), ("Bolt Films LLC", "(1)"))
    told = said(rows, headings=("List of Guarantor Subsidiaries",))
    assert ("Bolt Films LLC", "subsidiary_of", "Bolt Inc.") in told
    assert "owns_stake" not in {relation for _, relation, _ in told}


def test_a_paragraph_that_ends_in_a_colon_says_what_a_table_without_a_title_is_of():
    document, _ = document_with((("", "2022"), ("Nut Foods, Inc.", "9 %"), ("Cog Ltd.", "7 %")))
    lead = "Our three largest customers:"
    text = document.text.replace("Before the table.", lead)
    table = document.tables[0]
    moved = replace(table, start=table.start + len(lead) - 17, end=len(text))
    told = structure_triples(replace(document, text=text, tables=(moved,)), {})
    assert {(t.head, t.relation) for t in told} == {("Nut Foods, Inc.", "customer_of"), ("Cog Ltd.", "customer_of")}

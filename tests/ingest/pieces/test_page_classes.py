from __future__ import annotations

import pytest
from cliquerag.ingest.document import Document, Page
from cliquerag.ingest.pieces.page_classes import classify, classify_pages, page_lines
from cliquerag.ingest.pieces.sections import section_scores

ROWS = ["Cash and cash equivalents", "Receivables, net", "Inventories", "Total current assets", "Goodwill",
        "Total assets", "Accounts payable", "Total current liabilities", "Long-term debt", "Total liabilities",
        "Retained earnings", "Total stockholders' equity"]  # fmt: skip
HEAD = "ACME CORPORATION\nCONSOLIDATED BALANCE SHEETS\n(in millions)\n2022 2021\n"
ONE_CELL_A_LINE = HEAD + "\n".join(f"{row}\n{i},234\n{i},987" for i, row in enumerate(ROWS, 1))
MARKDOWN = HEAD + "| | 2022 | 2021 |\n|---|---|---|\n" + "\n".join(f"| {row} | 1,234 | (987) |" for row in ROWS)


@pytest.mark.parametrize("text", [ONE_CELL_A_LINE, MARKDOWN])
def test_statement_is_found_in_both_forms_of_table(text: str) -> None:
    found = classify([page_lines(text)])[0]
    assert found["balance sheet"] == 1.0
    assert found.get("cash flow", 0) < 0.2


def test_statement_of_the_parent_alone_counts_less() -> None:
    text = ONE_CELL_A_LINE.replace("(in millions)", "Schedule I - Condensed Financial Information (parent only)")
    assert classify([page_lines(text)])[0].get("balance sheet", 0) < 1.0


def test_contents_page_is_no_statement() -> None:
    text = "Table of contents\nConsolidated Balance Sheets 45\nConsolidated Statements of Income 46\n"
    text += "Consolidated Statements of Cash Flows 47\n"
    assert "balance sheet" not in classify([page_lines(text)])[0]


def test_a_statement_under_running_heads_is_no_table_of_contents() -> None:
    heads = "Table of Contents\nItem 1. Financial Statements\n"
    assert classify([page_lines(heads + ONE_CELL_A_LINE)])[0]["balance sheet"] == 1.0


def test_a_further_set_of_statements_counts_less() -> None:
    income = ONE_CELL_A_LINE.replace("CONSOLIDATED BALANCE SHEETS", "CONSOLIDATED STATEMENTS OF INCOME")
    income += "\nNet sales\n5\nInterest\n6"
    cash = income.replace("STATEMENTS OF INCOME", "STATEMENTS OF CASH FLOWS") + "\nProceeds\n1\nDividends\n2"
    own = [ONE_CELL_A_LINE, income, cash]
    found = classify([page_lines(text) for text in (*own, *[""] * 12, *own)])
    assert (found[0]["balance sheet"], found[-3]["balance sheet"]) == (1.0, pytest.approx(0.6))
    assert classify([page_lines(text) for text in (*[""] * 12, ONE_CELL_A_LINE)])[-1]["balance sheet"] == 1.0


def test_discussion_of_the_balance_sheet_is_no_statement() -> None:
    prose = "Our total current assets and total liabilities on the consolidated balance sheet rose. " * 4
    assert classify([page_lines("Liquidity\n" + "\n".join([prose] * 6))])[0].get("balance sheet", 0) == 0


def test_sections_run_until_the_next_title() -> None:
    pages = [
        ["Item 1A. Risk Factors", "Our sales may fall.", "We depend on few suppliers."],
        ["More risks stand here.", "Item 3. Legal Proceedings", "We are party to a suit."],
        ["Item 4. Mine Safety Disclosures", "None."],
    ]
    first, second, third = section_scores(pages)
    assert first == {"risk factors": 1.0}
    assert second == {"legal": pytest.approx(0.667), "risk factors": pytest.approx(0.333)}
    assert third == {}


def test_a_heading_fades_a_numbered_note_does_not_and_prose_opens_none() -> None:
    prose = [["Debt rose because we borrowed more", "and more."]] * 9
    heading = [page.get("debt", 0) for page in section_scores([["Long-term Debt", "We borrowed."], *prose])]
    assert heading[0] == 1.0 and heading[3] == pytest.approx(0.7) and heading[9] == pytest.approx(0.3)
    note = [page.get("debt", 0) for page in section_scores([["Note 7. Debt", "We borrowed."], *prose])]
    assert note == [1.0] * 10


def test_a_numbered_note_opens_all_that_its_title_names_and_closes_the_item_before() -> None:
    pages = [
        ["Item 1. Business", "We make pumps."],
        ["Note 2 - Acquisitions, Divestitures and Goodwill", "We bought Cresta.", "Leases", "We rent."],
        ["NOTES TO FINANCIAL STATEMENTS", "It cost more.", "(1) Excludes leased floor space"],
        ["NOTES TO FINANCIAL STATEMENTS", "Note 3", "Income Taxes", "We paid."],
    ]
    business, bought, more, taxes = section_scores(pages)
    assert business == {"business": 1.0}
    assert bought == {"acquisitions": 1.0, "intangibles": 1.0, "notes": 1.0, "leases": 0.6}
    assert more["acquisitions"] == 1.0 and more["notes"] == 1.0 and "business" not in more
    assert taxes["taxes"] == 0.6 and taxes["acquisitions"] < 0.6


def test_where_items_are_numbered_a_heading_without_number_is_no_item() -> None:
    items = [["Item 1.", "Business", "We make pumps."], ["Item 2. Properties"], ["Item 3. Legal Proceedings"],
             ["Item 7. Management's Discussion and Analysis", "Business", "We sold more."]]  # fmt: skip
    first, *_, discussion = section_scores(items)
    assert first == {"business": 0.667} and discussion == {"md&a": 1.0}
    assert section_scores([["Business", "We make pumps."]]) == [{"business": 1.0}]


@pytest.mark.parametrize(
    "line",
    [
        "in our Consolidated Balance Sheets.",
        "This data should be read in conjunction with our Consolidated Balance Sheets.",
        "NOTE 9 - OTHER CONSOLIDATED BALANCE SHEET COMPONENTS",
        "Analysis of the Consolidated Balance Sheets",
    ],
)
def test_a_mention_of_a_statement_is_no_title(line: str) -> None:
    text = "\n".join([line, "Goodwill", *(f"{i},234" for i in range(30))])
    assert "balance sheet" not in classify([page_lines(text)])[0]


def test_the_second_page_of_a_statement_is_one_by_its_repeated_title() -> None:
    text = "Consolidated balance sheets (continued)\nAccounts payable\nLong-term debt\n" + "\n".join(
        f"{i},234" for i in range(30)
    )
    assert classify([page_lines(text)])[0]["balance sheet"] == 1.0


def test_rows_of_a_table_open_no_section() -> None:
    assert classify([page_lines("Goodwill\n1,234\nLeases\n567\nOther assets are listed here.")]) == [{}]


def test_chinese_statement_covers_its_pages_but_not_the_parents() -> None:
    pages = ["二、财务报表\n合并资产负债表\n货币资金\n1,234", "负债合计\n1,234", "母公司资产负债表\n货币资金\n12"]
    found = classify([page_lines(page) for page in pages])
    assert found[0]["balance sheet"] >= 0.5 and found[1]["balance sheet"] >= 0.5
    assert "balance sheet" not in found[2]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("合併綜合損益表", "income statement"),  # Taiwan's names, printed with blanks or without
        ("合  併  綜  合  損  益  表", "income statement"),
        ("合併資產負債表", "balance sheet"),
        ("合併權益變動表", "equity"),
        ("綜合財務狀況表", "balance sheet"),  # Hong Kong's
        ("簡明綜合現金流量表", "cash flow"),
        ("會計師核閱報告", "auditor"),
        ("獨立核數師報告", "auditor"),
    ],
)
def test_statements_are_known_by_the_names_of_taiwan_and_hong_kong(title: str, name: str) -> None:
    page = page_lines(f"研華股份有限公司及子公司\n{title}\n民國111年1月1日至3月31日\n營業收入\n16,119,517")
    assert classify([page])[0][name] >= 0.5


def test_pages_of_a_document_are_filled() -> None:
    text = ONE_CELL_A_LINE + "\n" + "Item 3. Legal Proceedings\nNone."
    pages = (Page(1, 0, len(ONE_CELL_A_LINE)), Page(2, len(ONE_CELL_A_LINE) + 1, len(text)))
    document = classify_pages(Document("a.pdf", text, (), pages=pages))
    assert [max(page.classes, key=page.classes.__getitem__) for page in document.pages] == ["balance sheet", "legal"]
    assert document.text == text


def test_a_list_of_exhibits_is_told_from_the_business() -> None:
    pages = [["Item 1. Business", "We make pumps."], ["EXHIBIT INDEX", "10.1 Credit Agreement"], ["SIGNATURES"]]
    assert section_scores(pages)[1]["exhibits"] == 1.0 and "exhibits" not in section_scores(pages)[0]

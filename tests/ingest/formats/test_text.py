"""Plain text and raw pages: kept as they are, with headings by their words."""

from __future__ import annotations

from pathlib import Path

from cliquerag.ingest.document import Document
from cliquerag.ingest.facts.extract import extract_facts
from cliquerag.ingest.read import read_document, read_text

PAGES = [
    "Acme Corp 2023\nFORM 10-K\nIndicate by check mark whether the registrant is a shell company. Yes ☐\n1\n",
    "Acme Corp 2023\nTable of Contents\nItem 1.\nBusiness\n3\nItem 1A.\nRisk Factors\n4\nItem 2.\nProperties\n5\n"
    "Item 7.\nReview\n6\n2\n",
    "Acme Corp 2023\nPART I\nItem 1.\nBusiness\nWe make pumps and sell them in all regions of the world, as described\n"
    "Item 7. Review, and in the notes.\n3\n",
    "Acme Corp 2023\nItem 1A. Risk Factors\nNet sales\n$\n1,234\n$\n1,111\nCosts\n900\n800\n4\n",
]


def read() -> Document:
    return read_text(PAGES, source="ACME_2023_10K")


def test_the_text_is_that_of_the_pages() -> None:
    document = read()
    assert [document.text[page.start : page.end] for page in document.pages] == PAGES


def test_each_printed_line_has_a_record() -> None:
    document = read()
    assert [document.text[line.start : line.end] for line in document.lines] == [
        text for page in PAGES for text in page.split("\n") if text
    ]
    assert {line.box for line in document.lines} == {None}
    at = document.text.index("1,234")
    assert [(anchor.page, anchor.boxes) for anchor in document.anchors(at, at + 5)] == [(4, ())]


def test_headings_by_their_words_with_titles_on_the_next_line() -> None:
    document = read()
    headings = [(s.level, document.text[s.start : s.end]) for s in document.segments if s.kind == "heading"]
    assert headings == [(1, "PART I"), (2, "Item 1.\nBusiness"), (2, "Item 1A. Risk Factors")]
    sales = next(s for s in document.segments if "1,234" in document.text[s.start : s.end])
    assert sales.headings == ("PART I", "Item 1A. Risk Factors")


def test_furniture_stands_in_no_segment_but_is_counted() -> None:
    document = read()
    covered = "".join(document.text[s.start : s.end] for s in document.segments)
    assert "Acme Corp 2023" not in covered and "900" in covered
    assert document.coverage.dropped["running header"] == 4
    assert document.coverage.dropped["page number"] == 4
    assert document.coverage.dropped["cover boilerplate"] == 1


def test_contents_pages_are_marked() -> None:
    document = read()
    (contents,) = [s for s in document.segments if s.kind == "contents"]
    assert "Properties" in document.text[contents.start : contents.end]


def test_one_text_is_kept_to_the_letter_and_has_no_pages() -> None:
    text = "First paragraph,\r\nof two lines.\r\n \r\nSecond one.\n\n\n一、公司信息\n内容在此。"
    document = read_text(text, source="note")
    assert document.text == text and document.pages == () and document.lines == ()
    assert [document.text[s.start : s.end] for s in document.segments] == [
        "First paragraph,\r\nof two lines.",
        "Second one.",
        "一、公司信息",
        "内容在此。",
    ]


def test_form_feeds_part_pages() -> None:
    document = read_text("Page one text\fPage two text\f\n", source="x")
    assert document.text == "Page one text\fPage two text"
    assert [document.text[p.start : p.end] for p in document.pages] == ["Page one text", "Page two text"]


def test_old_filings_mark_their_pages() -> None:
    text = "Page one text\n<PAGE>\nPage two text"
    document = read_text(text, source="x")
    assert document.text == text and len(document.pages) == 2


def test_a_blank_page_is_reported() -> None:
    assert read_text(["Some text", " \n"], source="x").coverage.pages_failed == {2: "no text"}


FILE = """Orlan Marine Systems Ltd

Financial review (NOK million)
                         2024     2023
Revenue               1,284.3  1,107.9
Net loss                (12.7)   (30.1)
Order backlog         2,400.0  1,900.0

Revenue grew because deliveries began in March 2024.
"""


def test_tables_of_a_file_become_markdown_and_give_facts(tmp_path: Path) -> None:
    path = tmp_path / "orlan_2024_annual_report.txt"
    path.write_text(FILE)
    document = read_document(path, source=path.name)
    (segment,) = [s for s in document.segments if s.kind == "table"]
    assert document.text[segment.start : segment.end].splitlines()[2] == "| Revenue | 1,284.3 | 1,107.9 |"
    assert document.text.endswith("Revenue grew because deliveries began in March 2024.\n")
    values = {(fact.label, str(fact.period)): fact.text for fact in extract_facts(document)}
    assert values["Revenue", "FY2023"] == "1,107.9"
    assert values["Net loss", "FY2024"] == "(12.7)"


def test_each_row_of_a_table_on_pages_has_its_page(tmp_path: Path) -> None:
    path = tmp_path / "orlan_2024.txt"
    path.write_text("Letter to the shareholders\n\f" + FILE)
    document = read_document(path, source=path.name)
    at = document.text.index("1,107.9")
    assert [anchor.page for anchor in document.anchors(at, at + 7)] == [2]


def test_a_text_given_by_a_program_keeps_its_offsets() -> None:
    assert read_text(FILE, source="orlan_2024").text == FILE

"""Word, Excel and PowerPoint files that their own libraries wrote, whole and hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cliquerag.core.anchor import place_name
from cliquerag.core.errors import DocumentError
from cliquerag.core.fact import Fact
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from support.office_samples import deck, run_of, saved, with_parts, word_report, workbook, zipped


def read(folder: Path, name: str, data: bytes) -> Document:
    path = folder / name
    path.write_bytes(data)
    return read_document(path, source=name)


def figures(document: Document) -> dict[tuple[str, str], tuple[str, str]]:
    """Label and period -> the figure and the name of its place."""
    return {_key(fact): (fact.text, place_name(fact)) for fact in extract_facts(document)}


def _key(fact: Fact) -> tuple[str, str]:
    return fact.own_label, fact.period.label if fact.period else ""


def part(of: Document, words: str) -> str:
    """The name of the place where these words stand."""
    start = of.text.index(words)
    return of.anchors(start, start + len(words))[0].place


# --- Word


def test_word_gives_headings_and_tables_with_merged_cells(tmp_path: Path) -> None:
    document = read(tmp_path, "a.docx", saved(word_report()))
    assert document.metadata.companies == ("Acme Corp.",)
    assert document.segments[3].headings == ("Acme Corp. annual report 2023", "Results")
    found = figures(document)
    assert found["Revenue", "FY2023"] == ("1,234", "table 1, row 3")
    assert found["Net income", "FY2022"] == ("78", "table 1, row 4")
    assert part(document, "Revenue rose") == "paragraph 4"


def test_tracked_changes_are_read_as_accepted(tmp_path: Path) -> None:
    document = read(tmp_path, "a.docx", saved(word_report()))
    assert "Revenue rose by 12 percent." in document.text
    assert "2 tracked changes are read as accepted" in document.coverage.notes


def test_a_paragraph_whose_end_was_deleted_goes_on_and_a_deleted_row_is_gone(tmp_path: Path) -> None:
    made = word_report()
    first = made.add_paragraph("Acme closed")
    made.add_paragraph(" its plant in Ohio.")
    mark, deleted = OxmlElement("w:rPr"), OxmlElement("w:del")
    mark.append(deleted)
    first._p.get_or_add_pPr().append(mark)
    row = made.tables[0].rows[3]._tr
    row.get_or_add_trPr().append(OxmlElement("w:del"))
    document = read(tmp_path, "a.docx", saved(made))
    assert "Acme closed its plant in Ohio." in document.text
    assert "Net income" not in document.text


def test_pages_are_counted_where_word_stored_them(tmp_path: Path) -> None:
    made = word_report()
    run = run_of("Acme expects growth.")
    run.insert(0, OxmlElement("w:lastRenderedPageBreak"))
    made.add_paragraph()._p.append(run)
    document = read(tmp_path, "a.docx", saved(made))
    start = document.text.index("Acme expects")
    assert [anchor.page for anchor in document.anchors(start, start + 5)] == [2]
    assert len(document.pages) == 2
    assert part(document, "(56)") == "page 1, table 1, row 4"


def test_footnotes_follow_the_paragraph_that_refers_to_them(tmp_path: Path) -> None:
    made = word_report()
    reference = OxmlElement("w:footnoteReference")
    reference.set(qn("w:id"), "7")
    run = OxmlElement("w:r")
    run.append(reference)
    made.add_paragraph("Sales to related parties")._p.append(run)
    made.add_paragraph("Outlook.")
    names = "http://schemas.openxmlformats.org"
    notes = (
        f'<w:footnotes xmlns:w="{names}/wordprocessingml/2006/main"><w:footnote w:id="7"><w:p><w:r>'
        "<w:t>Mainly to Bolt Inc.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    made.part.relate_to(Part(PackURI("/word/footnotes.xml"), kind, notes.encode()), RELATIONSHIP_TYPE.FOOTNOTES)
    document = read(tmp_path, "a.docx", saved(made))
    assert "Sales to related parties[7]\n\n[7] Mainly to Bolt Inc.\n\nOutlook." in document.text
    assert part(document, "Mainly to") == "footnote 7"


# --- Excel


def test_every_cell_of_a_workbook_has_its_address(tmp_path: Path) -> None:
    document = read(tmp_path, "model.xlsx", saved(workbook()))
    found = figures(document)
    assert found["Revenue", "FY2023"] == ("1234.5", "Income!B5")
    assert found["Gross margin", "FY2022"] == ("40.9%", "Income!C8")  # below a blank row
    assert part(document, "far away") == "'Q1 data'!XFD1048576"
    start = document.text.index("| Revenue")
    assert document.anchors(start, document.text.index("\n", start))[0].place == "Income!A5:C5"


def test_what_is_hidden_or_not_calculated_is_said(tmp_path: Path) -> None:
    notes = "\n".join(read(tmp_path, "model.xlsx", saved(workbook())).coverage.notes)
    assert "hidden rows of 'Income' are read: 6" in notes
    assert "sheet 'Old' is hidden, and read" in notes
    assert "1 formulas have no stored value" in notes


def test_a_long_list_goes_on_under_the_same_heads(tmp_path: Path) -> None:
    document = read(tmp_path, "model.xlsx", saved(workbook()))
    lists = [table for table in document.tables if table.rows[0][0] == "Segment"]
    assert [len(table.rows) for table in lists] == [101, 31]
    assert lists[1].rows[0] == lists[0].rows[0]
    assert part(document, "Segment 129") == "'Q1 data'!A131"


# --- PowerPoint


def test_a_deck_gives_tables_notes_and_the_data_of_charts(tmp_path: Path) -> None:
    document = read(tmp_path, "deck.pptx", saved(deck()))
    assert [page.number for page in document.pages] == [1, 2]
    assert part(document, "Mention that") == "slide 1, notes"
    found = figures(document)
    assert found["Total revenue", "Q3 2023"] == ("500", "slide 2, table 1, row 3")
    assert found["Revenue", "FY2023"] == ("$1,234.5", "slide 2, chart 1")


# --- hostile

FILES: dict[str, Any] = {"a.docx": word_report, "model.xlsx": workbook, "deck.pptx": deck}
MAIN_PARTS = {
    "a.docx": "word/document.xml", "model.xlsx": "xl/worksheets/sheet1.xml", "deck.pptx": "ppt/slides/slide1.xml",
}  # fmt: skip
MACRO_TYPES = {
    "a.docm": ("a.docx", "wordprocessingml.document", "ms-word.document"),
    "model.xlsm": ("model.xlsx", "spreadsheetml.sheet", "ms-excel.sheet"),
    "deck.pptm": ("deck.pptx", "presentationml.presentation", "ms-powerpoint.presentation"),
}
ENTITIES = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize("name", FILES)
def test_the_format_is_known_whatever_the_ending(name: str, tmp_path: Path) -> None:
    assert read(tmp_path, "report.pdf.bin", saved(FILES[name]())).coverage.reader


@pytest.mark.parametrize("name", FILES)
def test_truncated_files_are_refused(name: str, tmp_path: Path) -> None:
    data = saved(FILES[name]())
    for share in (0.1, 0.5, 0.9, 0.999):
        with pytest.raises(DocumentError):
            read(tmp_path, name, data[: int(len(data) * share)])


@pytest.mark.parametrize("name", FILES)
def test_entity_bombs_are_refused(name: str, tmp_path: Path) -> None:
    for bomb in (ENTITIES.encode(), ENTITIES.encode("utf-16")):
        with pytest.raises(DocumentError, match="declares XML entities"):
            read(tmp_path, name, with_parts(saved(FILES[name]()), {MAIN_PARTS[name]: bomb}))


@pytest.mark.parametrize("name", FILES)
def test_zip_bombs_are_refused(name: str, tmp_path: Path) -> None:
    bomb = b"<x>" + b" " * 60_000_000 + b"</x>"
    with pytest.raises(DocumentError, match="not unpacked"):
        read(tmp_path, name, with_parts(saved(FILES[name]()), {MAIN_PARTS[name]: bomb}))


@pytest.mark.parametrize("name", MACRO_TYPES)
def test_macros_are_said_and_not_run(name: str, tmp_path: Path) -> None:
    plain, kind, with_macros = MACRO_TYPES[name]
    data = saved(FILES[plain]())
    import io
    import zipfile

    types = zipfile.ZipFile(io.BytesIO(data)).read("[Content_Types].xml").decode()
    types = types.replace(
        f"application/vnd.openxmlformats-officedocument.{kind}.main+xml",
        f"application/vnd.{with_macros}.macroEnabled.main+xml",
    )
    folder = MAIN_PARTS[plain].partition("/")[0]
    macros = {"[Content_Types].xml": types, f"{folder}/vbaProject.bin": b"\xd0\xcf\x11\xe0 evil"}
    document = read(tmp_path, name, with_parts(data, macros))
    assert "it has macros, which are not run" in document.coverage.notes
    assert "Revenue" in document.text


def test_links_to_other_files_are_said_and_not_followed(tmp_path: Path) -> None:
    made = word_report()
    made.part.relate_to("file:///etc/passwd", "http://schemas.x.org/attachedTemplate", is_external=True)
    made.part.relate_to("http://example.com", "http://schemas.x.org/hyperlink", is_external=True)
    assert "1 links to other files are not followed" in read(tmp_path, "a.docx", saved(made)).coverage.notes


def test_old_and_encrypted_files_say_what_to_do(tmp_path: Path) -> None:
    for name in ("a.doc", "model.xls", "deck.pptx"):
        with pytest.raises(DocumentError, match=r"save it as \.docx"):
            read(tmp_path, name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)


def test_a_file_that_only_claims_to_be_one_is_refused(tmp_path: Path) -> None:
    mains = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml")
    for name, main in zip(FILES, mains, strict=True):
        with pytest.raises(DocumentError, match="damaged"):
            read(tmp_path, name, zipped({main: "<x/>"}))

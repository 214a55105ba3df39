"""Both backends: words with type and place, rules, outline, and files that cannot be read.

Only PyMuPDF lets us reckon what a page costs before it is drawn.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.pdf import backend as backend_module
from cliquerag.ingest.pdf.backend import PdfBackend, default_backend
from cliquerag.ingest.pdf.pdfium_backend import PdfiumBackend
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.read import read_document
from support.pdf_samples import lines, report, save, write


@pytest.fixture(params=[PyMuPdfBackend, PdfiumBackend], ids=["pymupdf", "pdfium"])
def backend(request: pytest.FixtureRequest) -> PdfBackend:
    made: PdfBackend = request.param()
    return made


def test_words_carry_box_size_and_weight(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=500)
    write(page, 50, 100, "Net", 12, "hebo")
    write(page, 50, 130, "sales", 9, "heit")
    layout = backend.open(save(document, tmp_path / "a.pdf")).page(1)
    net, sales = layout.words
    assert (net.text, net.size, net.bold, net.italic) == ("Net", 12.0, True, False)
    assert (sales.text, sales.size, sales.bold, sales.italic) == ("sales", 9.0, False, True)
    assert 49 < net.box[0] < 51 and net.box[1] < 100 < net.box[3]
    assert (layout.number, layout.width, layout.height) == (1, 400, 500)


def test_types_mixed_in_one_line_are_told_apart(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, 50, 100, "Overview.", 10, "hebo")
    write(page, 100, 100, "Sales rose.", 10)
    words = backend.open(save(document, tmp_path / "a.pdf")).page(1).words
    assert [word.bold for word in words] == [True, False, False]


def test_rules_are_thin_lines_and_edges_of_stroked_boxes(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.draw_line((50, 200), (300, 200))
    page.draw_rect((50, 300, 150, 350))
    page.draw_line((50, 400), (300, 500))
    rules = backend.open(save(document, tmp_path / "a.pdf")).page(1).rules
    assert (50, 200, 300, 200) in rules
    assert {(50, 300, 150, 300), (50, 350, 150, 350), (50, 300, 50, 350), (150, 300, 150, 350)} <= set(rules)
    assert len(rules) == 5


def test_the_shade_of_rows_is_no_rule_however_thin(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    blue, black = (0.8, 0.93, 1.0), (0.0, 0.0, 0.0)
    page.draw_rect((50, 100, 200, 112), color=None, fill=blue)
    page.draw_rect((200, 100, 201.4, 112), color=None, fill=blue)
    page.draw_rect((50, 112, 200, 112.6), color=None, fill=black)
    rules = backend.open(save(document, tmp_path / "a.pdf")).page(1).rules
    assert [round(rule[3] - rule[1], 1) for rule in rules] == [0.6]


def test_outline_gives_level_title_and_page(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page()
    document.new_page()
    document.set_toc([[1, "Part I", 1], [2, "Item 1.  Business", 2]])
    items = backend.open(save(document, tmp_path / "a.pdf")).outline()
    assert [(item.level, item.title, item.page) for item in items] == [(1, "Part I", 1), (2, "Item 1. Business", 2)]


def test_a_picture_is_png(backend: PdfBackend, tmp_path: Path) -> None:
    assert backend.open(lines(tmp_path / "a.pdf", ["Hello"])).picture(1, dpi=40).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "no such file"), (b"", "empty"), (b"  \n", "empty"), (b"PK\x03\x04 zipped", "not a PDF")],
)
def test_files_that_are_no_pdf(backend: PdfBackend, tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "a.pdf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DocumentError, match=says) as raised:
        backend.open(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    "pages",
    [b"/Kids[2 0 R]/Count 1", b"/Kids[3 0 R]/Count 2000000000"],
    ids=["a page tree within itself", "two billion pages"],
)
def test_a_damaged_page_tree_is_an_error_of_the_file(backend: PdfBackend, tmp_path: Path, pages: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages" + pages + b">>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )
    if isinstance(backend, PdfiumBackend) and b"Count 2" in pages:
        assert backend.open(path).page_count == 1  # it counts them itself
        return
    with pytest.raises(DocumentError, match=r"a\.pdf"):
        backend.open(path).page(1)


def test_an_encrypted_file_is_named_as_such(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page()
    options = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "secret", "owner_pw": "owner"}
    with pytest.raises(DocumentError, match="encrypted"):
        backend.open(save(document, tmp_path / "a.pdf", **options))


def test_encryption_without_a_password_is_read(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    write(document.new_page(), 50, 100, "Open to all")
    options = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}
    assert len(backend.open(save(document, tmp_path / "a.pdf", **options)).page(1).words) == 3


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_named_as_such(backend: PdfBackend, tmp_path: Path, share: float) -> None:
    whole = report(tmp_path / "whole.pdf").read_bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(DocumentError, match=r"truncated|damaged"):
        backend.open(path)


def test_too_many_words_on_a_page_fail_that_page_only_and_soon(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    write(document.new_page(), 50, 100, "seed")
    write(document.new_page(), 50, 100, "Still here")
    stream = b"BT /helv 1 Tf " + b"1 0 0 1 9 9 Tm (a) Tj " * 1_000_000 + b"ET"
    document.update_stream(document[0].get_contents()[0], stream)
    file = backend.open(save(document, tmp_path / "a.pdf", deflate=True))
    began = time.process_time()
    if isinstance(backend, PdfiumBackend):
        assert len(file.page(1).words) <= 1  # it drops what is printed over itself
    else:
        with pytest.raises(DocumentError, match="page 1 is too big"):
            file.page(1)
    assert time.process_time() - began < 15
    assert [word.text for word in file.page(2).words] == ["Still", "here"]


def nested_forms(document: Any) -> int:
    """Twelve levels, each drawing the next ten times: a picture of 10^12 words in 2 kB."""
    inner = 0
    for _ in range(12):
        xref = document.get_new_xref()
        body = b"/F Do " * 10 if inner else b"BT /helv 9 Tf (boom) Tj ET"
        resources = f"/Resources<</XObject<</F {inner} 0 R>>>>" if inner else ""
        document.update_object(xref, f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]{resources}>>")
        document.update_stream(xref, body)
        inner = xref
    return inner


def test_forms_that_draw_each_other_ever_more_often_are_not_drawn(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, 50, 100, "seed")
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</F {nested_forms(document)} 0 R>>>>")
    document.update_stream(page.get_contents()[0], b"/F Do")
    file = PyMuPdfBackend().open(save(document, tmp_path / "a.pdf"))
    began = time.process_time()
    with pytest.raises(DocumentError, match="page 1 is too big"):
        file.page(1)
    assert time.process_time() - began < 15


def test_glyphs_that_are_drawings_are_counted(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, 50, 100, "seed")
    glyph, font = document.get_new_xref(), document.get_new_xref()
    document.update_object(glyph, "<<>>")
    document.update_stream(glyph, b"1000 0 d0 /F Do")
    document.update_object(
        font,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]"
        f"/Encoding<</Differences[97/a]>>/CharProcs<</a {glyph} 0 R>>"
        f"/Resources<</XObject<</F {nested_forms(document)} 0 R>>>>>>",
    )
    document.xref_set_key(page.xref, "Resources", f"<</Font<</T3 {font} 0 R>>>>")
    document.update_stream(page.get_contents()[0], b"BT /T3 9 Tf 50 100 Td (aaaa) Tj ET")
    began = time.process_time()
    with pytest.raises(DocumentError, match="page 1 is too big"):
        PyMuPdfBackend().open(save(document, tmp_path / "a.pdf")).page(1)
    assert time.process_time() - began < 15


def test_a_broken_font_gives_words_or_a_named_error(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, 50, 100, "Some words")
    (font,) = (found[0] for found in page.get_fonts())
    write(document.new_page(), 50, 100, "Still here")
    for key, value in (("Subtype", "/Type0"), ("DescendantFonts", "[99999 0 R]"), ("Encoding", "/Nonsense")):
        document.xref_set_key(font, key, value)
    file = backend.open(save(document, tmp_path / "a.pdf"))
    for number in (1, 2):
        try:
            file.page(number)
        except DocumentError as error:
            assert f"page {number}" in str(error)


def test_a_form_that_draws_itself_is_not_drawn(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    write(page, 50, 100, "seed")
    xref = document.get_new_xref()
    document.update_object(xref, f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F {xref} 0 R>>>>>>")
    document.update_stream(xref, b"/F Do")
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</F {xref} 0 R>>>>")
    document.update_stream(page.get_contents()[0], b"/F Do")
    with pytest.raises(DocumentError, match="page 1"):
        PyMuPdfBackend().open(save(document, tmp_path / "a.pdf")).page(1)


def test_turned_pages_and_odd_boxes_give_words(backend: PdfBackend, tmp_path: Path) -> None:
    document = pymupdf.open()
    for rotation in (90, 180, 270):
        page = document.new_page()
        write(page, 50, 100, "Turned text")
        page.set_rotation(rotation)
    odd = document.new_page()
    write(odd, 50, 100, "Odd box")
    document.xref_set_key(odd.xref, "MediaBox", "[-100 -100 612 892]")
    file = backend.open(save(document, tmp_path / "a.pdf"))
    assert [len(file.page(number).words) for number in (1, 2, 3, 4)] == [2, 2, 2, 2]


def test_without_pymupdf_pdfium_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = report(tmp_path / "a.pdf")
    assert default_backend().name == "pymupdf"
    with_pymupdf = read_document(path, source="a.pdf")
    found = {"pypdfium2"}
    monkeypatch.setattr(backend_module, "find_spec", lambda name: name if name in found else None)
    assert default_backend().name == "pdfium"
    with_pdfium = read_document(path, source="a.pdf")
    assert with_pdfium.text == with_pymupdf.text and with_pdfium.tables == with_pymupdf.tables
    found.clear()
    with pytest.raises(DocumentError, match=r"pip install 'cliquerag\[pdfium\]'"):
        default_backend()

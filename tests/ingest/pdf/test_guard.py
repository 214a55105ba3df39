"""What drawing a page costs, and whether it may show a picture: told from its operators."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from cliquerag.ingest.pdf.guard import DrawingCosts
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend

PICTURE = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 8, 8), False).tobytes("png")


def _page(document: pymupdf.Document) -> pymupdf.Page:
    page = document.new_page()
    page.insert_text((72, 72), "Revenue rose. BIG plans.")
    return page


def _may_show(document: pymupdf.Document, number: int = 0) -> bool:
    costs = DrawingCosts(document)
    page = document[number]
    costs.of_page(page.xref)
    return costs.may_show_pictures(page.xref)


def _with_operators(operators: bytes, resources: str = "") -> pymupdf.Document:
    document = pymupdf.open()
    page = _page(document)
    xref = page.get_contents()[0]
    document.update_stream(xref, document.xref_stream(xref) + b"\n" + operators)
    if resources:
        name, _, value = resources.partition(" ")
        kind, found = document.xref_get_key(page.xref, "Resources")
        owner, prefix = (int(found.split()[0]), "") if kind == "xref" else (page.xref, "Resources/")
        document.xref_set_key(owner, prefix + name, value)
    return document


def test_a_page_of_words_shows_no_picture() -> None:
    document = pymupdf.open()
    _page(document)
    assert not _may_show(document)


def test_a_picture_is_seen_also_in_a_form_and_where_the_contents_are_a_list_of_their_own() -> None:
    document = pymupdf.open()
    _page(document).insert_image((100, 100, 200, 200), stream=PICTURE)
    assert _may_show(document)

    outer = pymupdf.open()
    outer.new_page().show_pdf_page(pymupdf.Rect(0, 0, 300, 300), document, 0)
    assert _may_show(outer)

    page = document[0]
    listed = document.get_new_xref()
    document.update_object(listed, f"[{' '.join(f'{xref} 0 R' for xref in page.get_contents())}]")
    document.xref_set_key(page.xref, "Contents", f"{listed} 0 R")
    assert document[0].get_image_info()
    assert _may_show(document)


@pytest.mark.parametrize(
    "document",
    [
        _with_operators(b"q 8 0 0 8 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"),
        _with_operators(b"", "ExtGState <</G0<</SMask 5 0 R>>>>"),
        _with_operators(b"", "Shading <</S0 5 0 R>>"),
        _with_operators(b"", "Pattern <</P0 5 0 R>>"),
    ],
)
def test_whatever_may_hold_a_picture_counts(document: pymupdf.Document) -> None:
    assert _may_show(document)


def test_no_mask_is_no_picture() -> None:
    assert not _may_show(_with_operators(b"", "ExtGState <</G0<</SMask /None>>>>"))


def test_pages_are_read_the_same_with_their_pictures(tmp_path: Path) -> None:
    document = pymupdf.open()
    _page(document)
    _page(document).insert_image((100, 100, 200, 200), stream=PICTURE)
    stamped = _page(document)
    stamped.add_stamp_annot((50, 50, 150, 100))
    path = tmp_path / "pictures.pdf"
    document.save(path)
    file = PyMuPdfBackend().open(path)
    pictures = [[tuple(picture.box) for picture in file.page(number).pictures] for number in (1, 2, 3)]
    wanted = [[tuple(image["bbox"]) for image in page.get_image_info()] for page in pymupdf.open(path)]
    file.close()
    assert pictures == wanted
    assert [len(found) for found in pictures][:2] == [0, 1]

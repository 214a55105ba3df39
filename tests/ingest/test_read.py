"""Reading by content, errors that name the file, and what holds for any text whatever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.document import Document
from cliquerag.ingest.read import read_document, read_text, supported
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pdf_samples import lines


def check(document: Document) -> None:
    """Segments are ordered, inside the text, not blank; lines, pages and tables point into the text."""
    last = 0
    for segment in document.segments:
        assert last <= segment.start < segment.end <= len(document.text)
        assert document.text[segment.start : segment.end].strip()
        last = segment.end
    for line in document.lines:
        assert 0 <= line.start < line.end <= len(document.text) and 1 <= line.page <= len(document.pages)
    assert all(0 <= page.start <= page.end <= len(document.text) for page in document.pages)
    for table in document.tables:
        assert len({len(row) for row in table.rows}) == 1
        assert 0 <= table.start < table.end <= len(document.text)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.txt", b"<html><body><h1>Title</h1><p>Text</p></body></html>", "heading"),
        ("b.txt", b"# Title\n\nText", "heading"),
        ("c", "第一节 释义\n\n内容".encode("gb18030"), "heading"),
        ("d.dat", b"Plain words only", "paragraph"),
    ],
)
def test_the_reader_is_chosen_by_content(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    document = read_document(path, source=name)
    assert document.segments[0].kind == kind
    assert document.source == name and len(document.content_hash) == 64


def test_a_pdf_under_another_name_is_read_as_pdf(tmp_path: Path) -> None:
    path = lines(tmp_path / "report.txt", ["Words of a PDF"])
    assert len(read_document(path, source="x").pages) == 1


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.txt", None, "no such file"),
        ("b.txt", b"", "empty"),
        ("c.txt", b"\x00\x00  \n", "empty"),
        ("d.txt", b"MZ\x03\x04" + bytes(range(256)), "not a text file"),
        ("d.zip", b"PK\x03\x04" + bytes(range(256)), "the archive is damaged"),
        ("e.pdf", b"only text", "not a PDF"),
        ("f.html", b"<html><body> </body></html>", "no text"),
        ("g.txt", " \n\t\u3000".encode(), "no text"),
        ("h.txt", b"........\n....\n", "marks only"),
        ("i.md", "—\n\n● ● ●\n\n……".encode(), "marks only"),
    ],
)
def test_errors_name_the_file(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DocumentError, match=says) as raised:
        read_document(path, source=name)
    assert name in str(raised.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="folder"):
        read_document(tmp_path, source="x")


def test_what_never_ends_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for path in (tmp_path / "pipe.txt", Path("/dev/zero")):
        with pytest.raises(DocumentError, match="not a regular file"):
            read_document(path, source="x")


def test_a_name_that_cannot_be_written_down_is_told(tmp_path: Path) -> None:
    path = tmp_path / "year\udcff.txt"
    with pytest.raises(DocumentError, match=r"year\\udcff.*not in UTF-8") as raised:
        read_document(path, source="x")
    assert str(raised.value).isascii()


def test_no_text_at_hand_is_an_error() -> None:
    for nothing in ("", " \n", [], ["", "\f"]):
        with pytest.raises(DocumentError, match="no text"):
            read_text(nothing, source="x")


def test_pages_with_nothing_but_their_numbers_are_an_error() -> None:
    with pytest.raises(DocumentError, match=r"x: nothing could be read: .* page numbers"):
        read_text(["1", "2", "3", "4"], source="x")


def test_files_of_a_folder_are_picked_by_ending() -> None:
    assert supported(Path("a/Report.PDF")) and supported(Path("x.htm")) and supported(Path("年报.md"))
    assert supported(Path("x.DOCX"))
    assert not any(map(supported, map(Path, ("x.exe", "x", ".hidden.txt", "~$x.pdf", "x.pdf.part"))))


PIECES = st.sampled_from(
    ["# A", "Item 1.", "Item 7. Review", "PART I", "| a | b |", "| --- | --- |", "|---|", "| 1 |", "- x", "Operator",
     "Jane Doe: Yes.", "Speaker 1: hm", "<p>", "<table><tr><td>1</td>", "</div>", "<br>", "1,234", "$", "(in millions)",
     "第三节 概要", "一、", "12", "Table of Contents", "forward-looking statements differ materially", "\u00ad", "foo-",
     "a" * 300, "Contact:", "x@y.zz", "===", "```", "\ufeff", "\x00", "\u2028", "\r", "☒", "……", "\ud800"]
)  # fmt: skip
JOINTS = st.sampled_from(["\n", " ", "\n\n", "\f", "\r\n", ""])
TEXTS = st.lists(st.tuples(st.one_of(PIECES, st.text(max_size=12)), JOINTS), max_size=25).map(
    lambda parts: "".join(piece + joint for piece, joint in parts)
)


@settings(max_examples=120, deadline=None)
@given(TEXTS)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        document = read_text(text, source="fuzz")
    except DocumentError:
        return
    check(document)


@settings(max_examples=120, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_any_pages_are_kept_to_the_letter(pages: list[str]) -> None:
    try:
        document = read_text(pages, source="fuzz")
    except DocumentError:
        return
    check(document)
    assert [document.text[page.start : page.end] for page in document.pages] == pages


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.txt"
    path.write_bytes(data)
    try:
        check(read_document(path, source="x.txt"))
    except DocumentError as error:
        assert "x.txt" in str(error)

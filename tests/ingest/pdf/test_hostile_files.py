"""PDFs that are small and would not end: packed streams, deep nesting, trees without end. Each is read or refused."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.limits import ReadingLimits
from cliquerag.ingest.read import read_document

HELLO = b"BT /F 12 Tf 72 700 Td (Acme Inc. revenue was 5 million in 2023.) Tj ET\n"
FONT = b"/Font << /F 5 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
MOST_SECONDS = 120
"""Wall seconds, after which a page is no longer begun: none of them comes near it."""


def pdf(objects: Sequence[bytes]) -> bytes:
    """A file of these objects, numbered from 1, of which the first is its catalogue."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    return out + head + table + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))


def stream(data: bytes, packed: int = 1, more: bytes = b"") -> bytes:
    """A stream that is packed so many times."""
    for _ in range(packed):
        data = zlib.compress(data, 9)
    filters = b"/FlateDecode " * packed
    return b"<< /Length %d /Filter [%s] %s >>\nstream\n%s\nendstream" % (len(data), filters, more, data)


def one_page(content: bytes, *more: bytes, resources: bytes = FONT, pages: bytes = PAGES) -> bytes:
    """A file of one page; ``more`` objects are numbered from 6."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << %s >> >>" % resources
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, content, font, *more])


def form(number: int, drawn: bytes) -> bytes:
    """A drawing inside a drawing, that uses the object of a number as /X."""
    head = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X %d 0 R >> >> /Length %d >>"
    )
    return head % (number, len(drawn)) + b"\nstream\n%s\nendstream" % drawn


def forms(count: int, drawn: bytes) -> bytes:
    """Forms that draw the next one."""
    nested = [form(6 + at + 1, drawn) for at in range(count)]
    last = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream"
    return one_page(stream(HELLO + b"/X Do"), *nested, last, resources=FONT + b" /XObject << /X 6 0 R >>")


def picture() -> bytes:
    """3.6 gigapixels of white."""
    more = b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 1 /ColorSpace /DeviceGray"
    drawn = stream(HELLO + b"q 600 0 0 800 0 0 cm /I Do Q")
    return one_page(drawn, stream(bytes(9_000_000), 1, more), resources=FONT + b" /XObject << /I 6 0 R >>")


def tree(depth: int) -> bytes:
    nodes = [b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (at + 3) for at in range(depth)]
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", *nodes, b"<< /Type /Page /MediaBox [0 0 612 792] >>"])


def kids(listed: bytes, count: int) -> bytes:
    return one_page(stream(HELLO), pages=b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, count))


FILES: dict[str, Callable[[], bytes]] = {
    "40 MB of blanks in 40 KB": lambda: one_page(stream(HELLO + b" " * 40_000_000)),
    "packed three times": lambda: one_page(stream(HELLO + b" " * 40_000_000, packed=3)),
    "text without end": lambda: one_page(stream(HELLO * 400_000)),
    "states that are kept": lambda: one_page(stream(HELLO + b"q " * 2_000_000)),
    "open arrays": lambda: one_page(stream(HELLO + b"[" * 1_000_000)),
    "open dictionaries": lambda: one_page(stream(HELLO + b"<<" * 1_000_000)),
    "an object of arrays": lambda: one_page(
        stream(HELLO), b"[" * 100_000 + b"]" * 100_000, resources=FONT + b" /X 6 0 R"
    ),
    "nested resources": lambda: one_page(stream(HELLO), resources=FONT + b" /G " + b"<< /A " * 50_000 + b">>" * 50_000),
    "a chain of forms": lambda: forms(1_000, b"/X Do"),
    "forms that double": lambda: forms(30, b"/X Do /X Do /X Do"),
    "a tree that holds itself": lambda: kids(b"2 0 R 3 0 R", 2),
    "a billion pages": lambda: kids(b"3 0 R", 1_000_000_000),
    "one page often": lambda: kids(b"3 0 R " * 50_000, 50_000),
    "a deep tree": lambda: tree(5_000),
    "a huge picture": picture,
    "lines without end": lambda: one_page(stream(HELLO + b"0 0 m 9 9 l S " * 2_000_000)),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_pdf_is_read_or_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(FILES[name]())
    assert path.stat().st_size < 1_000_000
    try:
        document = read_document(path, source="x.pdf", limits=ReadingLimits(max_seconds=MOST_SECONDS))
    except DocumentError as error:
        assert "x.pdf" in str(error) and "\n" not in str(error) and "given up" not in str(error)
    else:
        assert "5 million" in document.text


def test_the_files_are_pdfs_but_for_what_is_wrong_with_them(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(one_page(stream(HELLO, packed=3)))
    assert read_document(path, source="x.pdf").text.strip() == "Acme Inc. revenue was 5 million in 2023."

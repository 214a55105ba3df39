"""Charts and diagrams of PDFs become units with caption, labels and place; logos, photographs, tables do not."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document
from cliquerag.ingest.pdf.backend import PdfBackend
from cliquerag.ingest.pdf.pdfium_backend import PdfiumBackend
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.pdf.reader import read_pdf
from cliquerag.ingest.read import read_document
from cliquerag.ingest.reading.block import Block
from support.pdf_samples import paragraph, save, write

LEAD = "The following graph compares the return of the shares with that of the index over five years."
OTHER = "Sales rose in all regions during the year because prices were raised and more was sold in every month. " * 3


@pytest.fixture(params=[PyMuPdfBackend, PdfiumBackend], ids=["pymupdf", "pdfium"])
def backend(request: pytest.FixtureRequest) -> PdfBackend:
    made: PdfBackend = request.param()
    return made


def png(width: int, height: int, colour: Callable[[int, int], tuple[int, int, int]]) -> bytes:
    """A picture, pixel by pixel."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in colour(x, y)) for y in range(height))

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


def even(x: int, y: int) -> tuple[int, int, int]:
    """Bars on white."""
    return (20, 60, 160) if x // 40 % 2 and y > 200 - x // 3 else (255, 255, 255)


def figures(path: Path, backend: PdfBackend) -> list[Block]:
    return [block for block in read_pdf(path, backend).blocks if block.kind == "figure"]


def page_with(draw: Callable[[pymupdf.Page], None], path: Path, lead: str = LEAD) -> Path:
    document = pymupdf.open()
    page = document.new_page()
    paragraph(page, (50, 60, 550, 140), OTHER)
    paragraph(page, (50, 140, 550, 170), lead)
    draw(page)
    paragraph(page, (50, 500, 550, 600), OTHER)
    return save(document, path)


def bars(page: pymupdf.Page) -> None:
    """A chart of four bars with labels of its axis and values."""
    for at, (height, year) in enumerate(((60, "2019"), (90, "2020"), (120, "2021"), (150, "2022"))):
        x = 120 + 80 * at
        page.draw_rect((x, 380 - height, x + 40, 380), fill=(0.1, 0.3, 0.7), color=None)
        write(page, x + 8, 376 - height, f"{height}.5", 8)
        write(page, x + 8, 392, year, 8)


def picture(data: bytes, box: tuple[float, float, float, float]) -> Callable[[pymupdf.Page], None]:
    return lambda page: page.insert_image(pymupdf.Rect(box), stream=data)


CHART = (120.0, 200.0, 470.0, 420.0)


def test_a_picture_of_a_chart_is_a_figure_with_the_sentence_that_leads_to_it(
    backend: PdfBackend, tmp_path: Path
) -> None:
    (found,) = figures(page_with(picture(png(350, 220, even), CHART), tmp_path / "a.pdf"), backend)
    assert found.pieces[0].text == f"[Figure: {LEAD}]"
    assert found.pieces[0].box == pytest.approx(CHART, abs=1.5)


def test_a_drawn_chart_has_its_labels_in_rows_and_keeps_them_out_of_the_text(
    backend: PdfBackend, tmp_path: Path
) -> None:
    content = read_pdf(page_with(bars, tmp_path / "a.pdf"), backend)
    (found,) = [block for block in content.blocks if block.kind == "figure"]
    assert found.pieces[-1].text == "2019 | 2020 | 2021 | 2022"
    assert "150.5" in found.text
    running = " ".join(block.text for block in content.blocks if block.kind != "figure")
    assert "150.5" not in running and "2021" not in running and OTHER.strip()[:60] in running


def test_what_a_line_in_bold_type_above_says_is_the_caption(backend: PdfBackend, tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, 200, 192, "Revenue by year", 11, "hebo")
        picture(png(350, 220, even), CHART)(page)

    (found,) = figures(page_with(draw, tmp_path / "a.pdf", lead=OTHER[:90]), backend)
    assert found.pieces[0].text == "[Figure: Revenue by year]"


def test_a_numbered_caption_below_comes_first(backend: PdfBackend, tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        picture(png(350, 220, even), CHART)(page)
        write(page, 200, 436, "Figure 3: Revenue by region", 9)

    (found,) = figures(page_with(draw, tmp_path / "a.pdf"), backend)
    assert found.pieces[0].text == "[Figure: Figure 3: Revenue by region]"


def test_logos_photographs_signatures_and_backgrounds_are_none(backend: PdfBackend, tmp_path: Path) -> None:
    noise = random.Random(7)
    photograph = png(200, 130, lambda x, y: (noise.randrange(256), noise.randrange(256), noise.randrange(256)))
    logo, scan = (60.0, 200.0, 200.0, 240.0), (0.0, 0.0, 595.0, 842.0)
    assert figures(page_with(picture(photograph, CHART), tmp_path / "photograph.pdf"), backend) == []
    assert figures(page_with(picture(png(140, 40, even), logo), tmp_path / "logo.pdf"), backend) == []
    assert figures(page_with(picture(png(100, 140, even), scan), tmp_path / "background.pdf"), backend) == []
    signature = page_with(picture(png(120, 70, even), (60, 200, 240, 300)), tmp_path / "s.pdf", "Yours faithfully,")
    assert figures(signature, backend) == []


def test_shaded_rows_and_cells_of_a_table_are_none(backend: PdfBackend, tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        for at in range(8):
            y = 200 + 14 * at
            if at % 2:
                for x, width in ((60, 200), (260, 60), (330, 60)):
                    page.draw_rect((x, y - 10, x + width, y + 4), fill=(0.8, 0.9, 1), color=None)
            write(page, 62, y, f"Row of sales {at}", 9)
            write(page, 270, y, f"{100 + at}", 9)
            write(page, 340, y, f"{200 + at}", 9)

    assert figures(page_with(draw, tmp_path / "a.pdf"), backend) == []


def test_a_figure_is_one_chunk_that_points_to_its_region(tmp_path: Path) -> None:
    path = page_with(bars, tmp_path / "a.pdf")
    document: Document = read_document(path, source="a.pdf")
    (segment,) = [segment for segment in document.segments if segment.kind == "figure"]
    assert document.coverage.figures == 1
    chunked = make_chunks(document, make_chunker("auto"), None)
    (chunk,) = [chunk for chunk in chunked.chunks if chunk.kind == "figure"]
    assert chunk.start <= segment.start and chunk.end == segment.end
    x0, y0, x1, y1 = max(chunk.anchors[0].boxes, key=lambda box: box[3] - box[1])
    assert x0 <= 120 and x1 >= 400 and y0 <= 230 and y1 >= 380


def test_a_page_of_very_many_shapes_is_read_in_time(backend: PdfBackend, tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        shape = page.new_shape()
        for at in range(6000):
            x, y = 60 + at % 97 * 5, 200 + at // 97 * 4
            shape.draw_rect((x, y, x + 4, y + 3.5))
        shape.finish(fill=(0, 0, 1), color=None)
        shape.commit()

    content = read_pdf(page_with(draw, tmp_path / "a.pdf"), backend)
    assert OTHER.strip()[:60] in " ".join(block.text for block in content.blocks)

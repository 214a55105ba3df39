"""Turns the sources of the two demo reports into the PDFs that ship: ``python -m tools.demo_documents FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent / "demo_sources"
REPORTS = {
    "halvern_10k_2025.html": ("Halvern_2025_10K.pdf", "Halvern Robotics, Inc.  |  2025 Form 10-K"),
    "qingyuan_2025.html": ("清源精密股份有限公司2025年年度报告.pdf", "清源精密 2025 年年度报告"),
}
STYLE = """
body { font-family: sans-serif; font-size: 10.5pt; line-height: 1.35; }
h1 { font-size: 19pt; } h2 { font-size: 14pt; } h3 { font-size: 11.5pt; }
table { width: 100%; border-collapse: collapse; } th, td { text-align: right; padding: 1.5pt 3pt; }
.page { page-break-before: always; }
"""
PAGE, MARGIN = (595.0, 842.0), 64.0


def main(folder: Path) -> None:
    """Write the PDFs into ``folder``."""
    for source, (name, header) in REPORTS.items():
        build(SOURCES / source, folder / name, header)


def build(source: Path, target: Path, header: str) -> None:
    """Lay out one HTML source on A4 pages with a running header and page numbers."""
    import pymupdf

    story = pymupdf.Story(html=left_first_column(source.read_text(encoding="utf-8")), user_css=STYLE)
    writer = pymupdf.DocumentWriter(str(target) + ".part")
    media = pymupdf.Rect(0, 0, *PAGE)
    body = pymupdf.Rect(MARGIN, MARGIN, PAGE[0] - MARGIN, PAGE[1] - MARGIN)
    more = True
    while more:
        device = writer.begin_page(media)
        more, _ = story.place(body)
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open(str(target) + ".part") as pdf:
        for number, page in enumerate(pdf, 1):
            furnish(page, header, number)
        pdf.subset_fonts()
        pdf.save(str(target), garbage=4, deflate=True)
    Path(str(target) + ".part").unlink()


def left_first_column(html: str) -> str:
    """Row names stand on the left, numbers on the right."""
    for cell in ("th", "td"):
        html = html.replace(f"<tr><{cell}>", f'<tr><{cell} style="text-align:left">')
    return html


def furnish(page: Any, header: str, number: int) -> None:
    """Running header and page number, as a printed report has them."""
    font = "china-s" if any(ord(letter) > 0x2E80 for letter in header) else "helv"
    page.insert_text((MARGIN, 40), header, fontsize=8, fontname=font)
    page.insert_text((PAGE[0] / 2, PAGE[1] - 36), str(number), fontsize=8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

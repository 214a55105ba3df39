"""A page that shows what was read: each page's picture with boxes over its tables, and the tables beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from ..core.errors import DocumentError
from ..ingest.pdf.backend import PageLayout, PdfBackend, PdfFile
from ..ingest.table import Table
from ..ingest.tables.finder import find_tables
from ..ingest.tables.found import FoundTable

_DPI = 80
_PAGE = Template(
    '<section><figure><svg viewBox="0 0 $width $height"><image href="data:image/png;base64,$picture" '
    'width="$width" height="$height"/>$boxes</svg><figcaption>page $number</figcaption></figure>'
    "<div>$tables</div></section>"
)


def tables_html(path: str | Path, *, backend: PdfBackend | None = None) -> str:
    """One self-contained HTML document of a PDF's tables; pages without a table are left out.

    Raises DocumentError where the file cannot be read.
    """
    path = Path(path)
    if backend is None:
        from ..ingest.pdf.pymupdf_backend import PyMuPdfBackend

        backend = PyMuPdfBackend()
    file = backend.open(path)
    try:
        layouts = list(_layouts(file))
        found = find_tables(layouts)
        numbered = list(enumerate(found, 1))
        pages = [_page(file, layout, shown) for layout in layouts if (shown := _on_page(numbered, layout.number))]
    finally:
        file.close()
    count = f"{len(found)} tables on {len(pages)} of {len(layouts)} pages"
    document = Template(files(__package__).joinpath("tables_page.html").read_text(encoding="utf-8"))
    return document.substitute(name=escape(path.name), count=count, pages="\n".join(pages))


def _layouts(file: PdfFile) -> Iterable[PageLayout]:
    for number in range(1, file.page_count + 1):
        try:
            yield file.page(number)
        except DocumentError:
            yield PageLayout(number, 0.0, 0.0, ())


def _on_page(numbered: Sequence[tuple[int, FoundTable]], page: int) -> list[tuple[int, FoundTable]]:
    return [(n, found) for n, found in numbered if any(region.page == page for region in found.regions)]


def _page(file: PdfFile, layout: PageLayout, shown: Sequence[tuple[int, FoundTable]]) -> str:
    boxes, tables = [], []
    for n, found in shown:
        for region in found.regions:
            if region.page == layout.number:
                boxes.append(_box(n, *region.box))
        if found.regions[0].page == layout.number:
            tables.append(_table(n, found.table))
        else:
            tables.append(f"<p>Table {n} goes on from page {found.regions[0].page}.</p>")
    picture = base64.b64encode(file.picture(layout.number, dpi=_DPI)).decode("ascii")
    return _PAGE.substitute(
        width=round(layout.width),
        height=round(layout.height),
        picture=picture,
        boxes="".join(boxes),
        number=layout.number,
        tables="".join(tables),
    )


def _box(n: int, x0: float, y0: float, x1: float, y1: float) -> str:
    rectangle = f'<rect x="{x0 - 2:.0f}" y="{y0 - 2:.0f}" width="{x1 - x0 + 4:.0f}" height="{y1 - y0 + 4:.0f}"/>'
    return f'{rectangle}<text x="{max(2.0, x0 - 2):.0f}" y="{max(12.0, y0 - 4):.0f}">{n}</text>'


def _table(n: int, table: Table) -> str:
    heading = " · ".join(part for part in (f"Table {n}", table.title, table.unit) if part)
    covers = {(r, c): (last_row, last) for r, c, last_row, last in table.spans}
    hidden = {
        (r, c)
        for (row, column), (last_row, last) in covers.items()
        for r in range(row, last_row + 1)
        for c in range(column, last + 1)
    } - covers.keys()
    rows = "".join(_row(table, r, covers, hidden) for r in range(len(table.rows)))
    notes = f'<p class="notes">{escape(table.notes)}</p>' if table.notes else ""
    return f"<table><caption>{escape(heading)}</caption>{rows}</table>{notes}"


def _row(table: Table, r: int, covers: dict[tuple[int, int], tuple[int, int]], hidden: set[tuple[int, int]]) -> str:
    tag = "th" if r < table.header_rows else "td"
    cells = []
    for c, text in enumerate(table.rows[r]):
        if (r, c) in hidden:
            continue
        last_row, last = covers.get((r, c), (r, c))
        span = f' rowspan="{last_row - r + 1}" colspan="{last - c + 1}"' if (last_row, last) != (r, c) else ""
        kind = ' class="number"' if c and tag == "td" else ""
        indent = f' style="padding-left:{0.45 + table.indents[r]:.2f}rem"' if c == 0 and r < len(table.indents) else ""
        cells.append(f"<{tag}{span}{kind}{indent}>{escape(text)}</{tag}>")
    return f"<tr>{''.join(cells)}</tr>"

"""A page that shows what was read: each page's picture with boxes over its tables, and the tables beside it."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from ..core.errors import DocumentError
from ..ingest.document import Table
from ..ingest.pdf.backend import PageLayout, PdfBackend, PdfFile
from ..ingest.tables.finder import find_tables
from ..ingest.tables.found import FoundTable
from .page import element, page

_DPI = 80
_Numbered = tuple[int, FoundTable]
"""A table with its number in the document, from 1."""
_Cell = tuple[int, int]


def tables_html(path: str | Path, *, backend: PdfBackend | None = None) -> str:
    """One self-contained HTML document of a PDF's tables; pages without a table are left out.

    Raises DocumentError where the file cannot be read.
    """
    path = Path(path)
    if backend is None:
        from ..ingest.pdf.backend import default_backend

        backend = default_backend()
    file = backend.open(path)
    try:
        layouts = list(_layouts(file))
        found = find_tables(layouts)
        by_page = _by_page(found)
        sections = [_section(file, layout, by_page[layout.number]) for layout in layouts if layout.number in by_page]
    finally:
        file.close()
    count = f"{len(found)} tables on {len(sections)} of {len(layouts)} pages"
    return page(
        "tables",
        title=f"Tables of {path.name}",
        lead=element("p", count, class_="soft"),
        body="\n".join(("<main>", *sections, "</main>")),
    )


def _layouts(file: PdfFile) -> Iterable[PageLayout]:
    for number in range(1, file.page_count + 1):
        try:
            yield file.page(number)
        except DocumentError:
            yield PageLayout(number, 0.0, 0.0, ())


def _by_page(tables: Sequence[FoundTable]) -> dict[int, list[_Numbered]]:
    """Page -> the tables that have a part on it, with their numbers."""
    by_page: dict[int, dict[int, FoundTable]] = defaultdict(dict)
    for n, found in enumerate(tables, 1):
        for region in found.regions:
            by_page[region.page][n] = found
    return {page: list(numbered.items()) for page, numbered in by_page.items()}


def _section(file: PdfFile, layout: PageLayout, shown: Sequence[_Numbered]) -> str:
    """The picture of a page with boxes over its tables, and the tables that begin on it."""
    boxes: list[str] = []
    tables: list[str] = []
    for n, found in shown:
        boxes.extend(_box(n, *region.box) for region in found.regions if region.page == layout.number)
        first = found.regions[0].page
        goes_on = f"<p>Table {n} goes on from page {first}.</p>"
        tables.append(_table(n, found.table) if first == layout.number else goes_on)
    figure = element("figure", _picture(file, layout, boxes), element("figcaption", f"page {layout.number}"))
    return element("section", figure, element("div", *tables))


def _picture(file: PdfFile, layout: PageLayout, boxes: Sequence[str]) -> str:
    width, height = round(layout.width), round(layout.height)
    data = base64.b64encode(file.picture(layout.number, dpi=_DPI)).decode("ascii")
    image = element("image", href=f"data:image/png;base64,{data}", width=width, height=height)
    return element("svg", image, *boxes, viewBox=f"0 0 {width} {height}")


def _box(n: int, x0: float, y0: float, x1: float, y1: float) -> str:
    frame = element("rect", x=x0 - 2, y=y0 - 2, width=x1 - x0 + 4, height=y1 - y0 + 4)
    return frame + element("text", str(n), x=max(2.0, x0 - 2), y=max(12.0, y0 - 4))


def _table(n: int, table: Table) -> str:
    heading = " · ".join(filter(None, (f"Table {n}", table.title, table.unit)))
    covers = {(row, column): (last_row, last_column) for row, column, last_row, last_column in table.spans}
    hidden = _hidden(table)
    rows = [_row(table, row, covers, hidden) for row in range(len(table.rows))]
    notes = element("p", escape(table.notes), class_="notes") if table.notes else ""
    return element("table", element("caption", escape(heading)), *rows) + notes


def _hidden(table: Table) -> set[_Cell]:
    """Cells that a cell above or to the left reaches over."""
    hidden: set[_Cell] = set()
    for first_row, first_column, last_row, last_column in table.spans:
        for row in range(first_row, last_row + 1):
            hidden.update((row, column) for column in range(first_column, last_column + 1))
    return hidden - {(row, column) for row, column, _, _ in table.spans}


def _row(table: Table, row: int, covers: Mapping[_Cell, _Cell], hidden: Collection[_Cell]) -> str:
    is_head = row < table.header_rows
    cells = []
    for column, text in enumerate(table.rows[row]):
        if (row, column) in hidden:
            continue
        last_row, last_column = covers.get((row, column), (row, column))
        cell = element(
            "th" if is_head else "td",
            escape(text),
            rowspan=_span(row, last_row),
            colspan=_span(column, last_column),
            class_="number" if column and not is_head else None,
            style=_indent(table, row) if column == 0 else None,
        )
        cells.append(cell)
    return element("tr", *cells)


def _span(first: int, last: int) -> int | None:
    return last - first + 1 if last > first else None


def _indent(table: Table, row: int) -> str | None:
    return f"padding-left:{0.45 + table.indents[row]:.2f}rem" if row < len(table.indents) else None

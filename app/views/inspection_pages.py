"""Pages of what was read, each self-contained HTML: sentences beside their similarities, the cohesion of gaps
and the cuts to chunks; each page's picture with boxes over its tables, and the tables beside it.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.anchor import place_name
from ..core.errors import DocumentError
from ..core.records import dataclass
from ..ingest.chunk import Break, Chunk
from ..ingest.chunking import Chunked
from ..ingest.document import Document, Table
from ..ingest.pdf.backend import PageLayout, PdfBackend, PdfFile
from ..ingest.pieces.embedding_text import embedding_text
from ..ingest.pieces.outline import outline
from ..ingest.tables.finder import find_tables
from ..ingest.tables.found import FoundTable
from .page import classes, element, page

if TYPE_CHECKING:
    import numpy as np

_REACH = 5
_COLOURS = 6
"""Of the page, taken in turn: neighbouring chunks never share one."""
_LOW = 0.6
_WINDOW, _QUANTILE = 6, 0.5
"""As the clique chunker has them by default."""
_LEGEND = """<div class="legend">
<span><i class="swatch similar"></i>similarity to the next five sentences, stronger is closer</span> ·
<span><i class="swatch holds"></i>how strongly cliques hold the sentence to the one before</span> ·
<span class="by-chunker">- - cut by the chunker</span> · <span>— heading, table, speaker or page</span>
</div>"""


@dataclass(frozen=True, slots=True)
class _Views:
    """By the offset of a running sentence: its similarities to the next ones, the cohesion before it, hard breaks."""

    band: dict[int, list[float]]
    cohesion: dict[int, float]
    hard: frozenset[int]


def chunk_html(document: Document, chunked: Chunked) -> str:
    """Draw a document as cut by :func:`chunking.make_chunks`. One page, no network, no script."""
    views = _views(document, chunked)
    parts = ["<main>", _LEGEND]
    for chunk in chunked.chunks:
        parts.append(_cut(chunk, views))
        parts.append(_table(chunk) if chunk.kind == "table" else _passage(document, chunk, views))
    return page(
        "chunks",
        title=document.metadata.title or document.source or "Chunks",
        lead=element("p", _summary(chunked), class_="about"),
        body="\n".join((*parts, "</main>")),
    )


def _summary(chunked: Chunked) -> str:
    texts = [chunk for chunk in chunked.chunks if chunk.kind == "text"]
    tokens = sum(chunk.tokens for chunk in texts) / max(1, len(texts))
    facts = [
        f"{len(texts)} chunks of text, {tokens:.0f} tokens on average",
        f"{sum(len(chunk.printed) for chunk in texts)} sentences",
        f"{len(chunked.chunks) - len(texts)} whole tables",
    ]
    if chunked.low:
        low = [f"{reason} {count}" for reason, count in sorted(chunked.low.items())]
        facts.append(f"low value: {', '.join(low)}")
    source = "words only" if chunked.vectors is None else "the embedding model"
    facts.append(f"similarities of {source}")
    return " ".join(element("span", escape(fact)) for fact in facts)


def _views(document: Document, chunked: Chunked) -> _Views:
    """The same similarities and sections that the chunker saw."""
    import numpy as np

    from ..ingest.cohesion import band_similarities, gap_cohesion

    sentences = [item.sentence for item in outline(document).running]
    hard = frozenset(sentence.start for sentence in sentences if sentence.before >= Break.HARD)
    starts, vectors = _running_vectors(document, chunked)
    if not starts:
        return _Views({}, {}, hard)
    sections = np.cumsum([start in hard for start in starts])
    band = np.nan_to_num(band_similarities(vectors, _REACH), neginf=0)
    similarities = np.clip(band, 0, 1).tolist()
    cohesion = gap_cohesion(vectors, sections, _WINDOW, _QUANTILE).tolist()
    return _Views(dict(zip(starts, similarities, strict=True)), dict(zip(starts, cohesion, strict=True)), hard)


def _running_vectors(document: Document, chunked: Chunked) -> tuple[list[int], np.ndarray]:
    """Offsets of the sentences of running text and their vectors; by words where there is no embedder."""
    from ..ingest.cohesion import lexical_vectors

    spans: list[tuple[int, int]] = []
    rows: list[int] = []
    row = 0
    for chunk in chunked.chunks:
        if chunk.kind == "text":
            spans.extend(chunk.printed)
            rows.extend(row + chunk.sentences.index(place) for place in chunk.printed)
        row += len(chunk.sentences)
    starts = [start for start, _ in spans]
    vectors = chunked.sentence_vectors
    if vectors is None and chunked.multilingual is not None:  # the space in which the document was cut
        vectors = chunked.multilingual.sentences
    if vectors is not None:
        return starts, vectors[rows]
    return starts, lexical_vectors([embedding_text(document.text[start:end]) for start, end in spans])


def _cut(chunk: Chunk, views: _Views) -> str:
    starts = [] if chunk.kind == "table" else [start for start, _ in chunk.sentences[:1]]
    return element("div", class_=classes("cut", hard=views.hard.issuperset(starts)))


def _passage(document: Document, chunk: Chunk, views: _Views) -> str:
    first = chunk.sentences[0][0] if chunk.sentences else chunk.end
    lead = document.text[chunk.start : first].strip()
    rows = [element("div", escape(lead), class_="head")] if lead else []
    for start, end in chunk.printed:
        text = " ".join(document.text[start:end].split())
        rows.append(_sentence(text, views.band.get(start, []), views.cohesion.get(start, 0)))
    return _framed(chunk, rows)


def _sentence(text: str, band: Sequence[float], cohesion: float) -> str:
    cells = [element("i", style=f"--a:{value:.2f}", title=f"{value:.2f}") for value in band]
    bar = element("b", style=f"--w:{100 * cohesion:.0f}", title=f"{cohesion:.2f}")
    return element(
        "div",
        element("div", *cells, class_="band"),
        element("div", bar, class_="gap"),
        element("div", escape(text), class_="text"),
        class_="s",
    )


def _table(chunk: Chunk) -> str:
    return _framed(chunk, [element("pre", escape(chunk.text))])


def _framed(chunk: Chunk, inner: Sequence[str]) -> str:
    pages = dict.fromkeys(str(anchor.page) for anchor in chunk.anchors)
    where = f"page {', '.join(pages)}" if pages else f"{chunk.start}-{chunk.end}"
    where = place_name(chunk) or where
    told = (str(chunk.ordinal), chunk.kind, where, f"{chunk.tokens} tokens", f"value {chunk.value:.2f}")
    header = " · ".join(filter(None, (*told, chunk.speaker, *chunk.headings[-1:])))
    kind = classes("chunk", f"k{chunk.ordinal % _COLOURS}", low=chunk.value < _LOW)
    return element("div", element("header", escape(header)), *inner, class_=kind)


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
        tables.append(_found_table(n, found.table) if first == layout.number else goes_on)
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


def _found_table(n: int, table: Table) -> str:
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

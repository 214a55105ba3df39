"""Word documents: headings, tables with merged cells, footnotes; tracked changes as if they were accepted."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from ...core.errors import DocumentError
from ...core.records import dataclass
from ..document import Table
from ..reading.block import Block, Piece
from ..reading.html.grid import Grid, read_grid
from .office import content_of, damaged, has_part, is_old_office, open_office, paragraph, stored_evidence, table_block
from .registry import Content, FileContent, Reader, missing_library

_SUFFIXES = (".docx", ".docm")
_OLD_SUFFIXES = (".doc", *_SUFFIXES)
_MAIN_TYPE = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING_STYLE = re.compile(r"^(?:heading|überschrift|titre|标题|標題)\s{0,3}(\d)$", re.IGNORECASE)
_TITLE_STYLES = ("title", "标题", "標題")
_CAPTION_STYLES = ("caption", "题注", "標號")
_DROPPED = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sectPr"))
"""What a reader of the accepted text does not see."""
_BREAKS = {f"{_W}tab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-", f"{_W}softHyphen": ""}
_TEXTS = (f"{_W}t", f"{_M}t")
_NOTE_MARKS = {f"{_W}footnoteReference": "footnote", f"{_W}endnoteReference": "endnote"}
_DEEPEST = 300
"""Elements inside elements; deeper ones are made to break readers."""


def _recognises(file: FileContent) -> bool:
    return has_part(file, "word/document.xml") or is_old_office(file, _OLD_SUFFIXES)


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    office = open_office(file, _MAIN_TYPE)
    try:
        import docx
    except ImportError as error:
        raise missing_library("python-docx", "office", file.path) from error
    try:
        document = docx.Document(io.BytesIO(office.data))
        body = _Body(document)
        body.read(document.element.body)
        stored = document.core_properties
        evidence = stored_evidence(stored.title, stored.author, stored.subject, unless="python-docx")
    except DocumentError:
        raise
    except Exception as error:  # the library raises whatever its parsers do
        raise damaged(file, "Word", error) from error
    file.deadline.check()
    pages = body.page if body.knows_pages else 0
    return content_of(body.blocks, pages, evidence, (*office.notes, *body.notes()))


@dataclass(slots=True)
class _Paragraph:
    """What was collected of a paragraph."""

    parts: list[str] = field(default_factory=list)
    page: int = 1
    """Where its first words stand."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind and number of the notes that it refers to."""
    boxes: list[Any] = field(default_factory=list)
    """Text boxes anchored in it."""

    @property
    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        return "\n".join(filter(None, lines))


class _Body:
    """Reads the body block by block."""

    def __init__(self, document: Any) -> None:
        self.blocks: list[Block] = []
        self.page = 1
        self.knows_pages = next(document.element.body.iter(f"{_W}lastRenderedPageBreak"), None) is not None
        """Word notes where pages began when it last laid the document out; other programs do not."""
        self._styles = _styles(document)
        self._footnotes = _notes(document, "footnote") | _notes(document, "endnote")
        self._paragraphs = 0
        self._tables = 0
        self._caption = ""
        self._open: _Paragraph | None = None
        """A paragraph whose end was deleted: the next one goes on with it."""
        self._hidden = 0
        self._changes = sum(1 for _ in document.element.body.iter(f"{_W}ins", f"{_W}del", f"{_W}moveTo"))
        self._comments = sum(1 for _ in document.element.body.iter(f"{_W}commentReference"))

    def notes(self) -> Iterator[str]:
        """What a reader of the file should know."""
        if self._changes:
            yield f"{self._changes} tracked changes are read as accepted"
        if self._comments:
            yield f"{self._comments} comments are not read"
        if self._hidden:
            yield f"{self._hidden} stretches of hidden text are not read"
        if not self.knows_pages:
            yield "no page numbers are stored in it: paragraphs and tables are counted instead"

    def read(self, body: Any) -> None:
        for element in body:
            self._block(element)

    def _block(self, element: Any) -> None:
        if element.tag == f"{_W}p":
            self._paragraph(element)
        elif element.tag == f"{_W}tbl":
            self._table(element)
        elif element.tag not in _DROPPED:
            for child in element:  # content controls and insertions that hold whole paragraphs
                self._block(child)

    def _paragraph(self, element: Any) -> None:
        found = self._open or _Paragraph(page=self.page)
        self._collect(element, found, 0)
        is_joined = element.find(f"{_W}pPr/{_W}rPr/{_W}del") is not None
        self._open = found if is_joined else None
        if is_joined:
            return
        self._add(element, found)
        for box in found.boxes:
            self.read(box)

    def _add(self, element: Any, found: _Paragraph) -> None:
        text = found.text
        if not text:
            return
        self._paragraphs += 1
        place = "" if self.knows_pages else f"paragraph {self._paragraphs}"
        style = self._style_of(element)
        kind_is_list = element.find(f"{_W}pPr/{_W}numPr") is not None and not style.level
        if kind_is_list:
            self.blocks.append(Block("list", (Piece(text, found.page, place=place),)))
        else:
            self.blocks.append(paragraph(text, found.page, place, style.level))
        self._caption = text if style.is_caption else ""
        self._add_notes(found)

    def _add_notes(self, found: _Paragraph) -> None:
        """The notes that a paragraph or table refers to, right below it."""
        for kind, number in found.notes:
            text = self._footnotes.get((kind, number), "")
            if text:
                self.blocks.append(paragraph(f"[{number}] {text}", found.page, f"{kind} {number}"))

    def _style_of(self, element: Any) -> _Style:
        named = element.find(f"{_W}pPr/{_W}pStyle")
        style = self._styles.get(_setting(named), _PLAIN)
        own_level = element.find(f"{_W}pPr/{_W}outlineLvl")
        level = _outline_level(own_level) or style.level
        return _Style(level, style.is_caption)

    def _collect(self, element: Any, found: _Paragraph, depth: int) -> None:
        """The text of an element as it is read, in order."""
        for child in element:
            tag = child.tag
            if tag in _DROPPED or tag == _FALLBACK or depth > _DEEPEST:
                continue
            if tag in _TEXTS:
                self._take_text(child, found)
            elif tag in _BREAKS:
                found.parts.append(_BREAKS[tag])
            elif tag == f"{_W}lastRenderedPageBreak":
                self._turn_page(found)
            elif tag in _NOTE_MARKS:
                number = child.get(f"{_W}id", "")
                found.notes.append((_NOTE_MARKS[tag], number))
                found.parts.append(f"[{number}]")
            elif tag == f"{_W}txbxContent":
                found.boxes.append(child)
            elif tag == f"{_W}r" and _is_hidden(child):
                self._hidden += 1
            else:
                self._collect(child, found, depth + 1)

    def _take_text(self, element: Any, found: _Paragraph) -> None:
        found.parts.append(element.text or "")

    def _turn_page(self, found: _Paragraph) -> None:
        self.page += 1
        if not found.text:
            found.page = self.page

    def _table(self, element: Any) -> None:
        page = self.page
        inside = _Paragraph(page=page)
        rows = [row for row in _rows(element) if row.find(f"{_W}trPr/{_W}del") is None]
        grid = read_grid(_as_html(rows, lambda cell: self._cell_text(cell, inside)), lambda cell: cell.text or "")
        if not grid.rows:
            return
        self._tables += 1
        if grid.is_data:
            self.blocks.append(self._table_block(grid, rows, page))
        else:
            for row in grid.rows:
                self.blocks.append(paragraph(" ".join(filter(None, row)), page, self._table_place(0, 0)))
        self._caption = ""
        self._add_notes(inside)

    def _table_block(self, grid: Grid, rows: Sequence[Any], page: int) -> Block:
        marked = sum(row.find(f"{_W}trPr/{_W}tblHeader") is not None for row in rows)
        heads = marked if 0 < marked < len(grid.rows) else grid.header_rows
        table = Table(grid.rows, heads, title=self._caption, spans=grid.spans)
        return table_block(table, page, self._table_place)

    def _table_place(self, row: int, _column: int) -> str:
        place = f"table {self._tables}, row {row + 1}"
        return f"page {self.page}, {place}" if self.knows_pages else place

    def _cell_text(self, cell: Any, inside: _Paragraph) -> str:
        """The text of a cell with its paragraphs on one line; a table in it is read along."""
        found = _Paragraph(page=self.page)
        for child in cell.iter(f"{_W}p"):
            self._collect(child, found, 0)
            found.parts.append(" ")
        inside.notes += found.notes
        return " ".join(found.text.split())


@dataclass(frozen=True, slots=True)
class _Style:
    """What a style says of its paragraphs; ``level`` is that of headings from 1, else 0."""

    level: int = 0
    is_caption: bool = False


_PLAIN = _Style()


def _styles(document: Any) -> dict[str, _Style]:
    """Paragraph styles by id; a style without a level has that of the one it is based on."""
    elements = {style.get(f"{_W}styleId", ""): style for style in document.styles.element.iter(f"{_W}style")}
    return {name: _read_style(name, elements) for name in elements}


def _read_style(name: str, elements: dict[str, Any]) -> _Style:
    for _ in range(len(elements)):
        style = elements.get(name)
        if style is None:
            break
        shown = _setting(style.find(f"{_W}name")).lower()
        level = _outline_level(style.find(f"{_W}pPr/{_W}outlineLvl"))
        heading = _HEADING_STYLE.match(shown)
        if heading or level or shown in _TITLE_STYLES:
            return _Style(level or (int(heading[1]) if heading else 1))
        if shown in _CAPTION_STYLES:
            return _Style(is_caption=True)
        base = style.find(f"{_W}basedOn")
        if base is None:
            break
        name = base.get(f"{_W}val", "")
    return _PLAIN


def _setting(element: Any, default: str = "") -> str:
    """What an element sets; ``default`` where it is not there, or sets nothing."""
    return default if element is None else str(element.get(f"{_W}val", default))


def _outline_level(element: Any) -> int:
    """The level of a heading from 1; 0 for body text, which Word counts as level 9."""
    value = _setting(element, "9")
    return int(value) + 1 if value.isdigit() and int(value) < 9 else 0


def _notes(document: Any, kind: str) -> dict[tuple[str, str], str]:
    """Texts of footnotes or endnotes by kind and number."""
    from docx.oxml.parser import parse_xml

    notes: dict[tuple[str, str], str] = {}
    for relation in document.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(f"/{kind}s"):
            continue
        for note in parse_xml(relation.target_part.blob).iter(f"{_W}{kind}"):
            words = " ".join("".join(text.text or "" for text in note.iter(f"{_W}t")).split())
            notes[kind, note.get(f"{_W}id", "")] = words
    return notes


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val", "1") not in ("0", "false", "none")


def _rows(table: Any) -> Iterator[Any]:
    """The rows of a table, those inside content controls and insertions among them; not those of tables in cells."""
    for child in table:
        if child.tag == f"{_W}tr":
            yield child
        elif child.tag not in (*_DROPPED, f"{_W}tblPr", f"{_W}tblGrid"):
            yield from _rows(child)


def _cells(row: Any) -> Iterator[Any]:
    for child in row:
        if child.tag == f"{_W}tc":
            if child.find(f"{_W}tcPr/{_W}cellDel") is None:
                yield child
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins"):
            yield from _cells(child)


def _as_html(rows: Sequence[Any], text_of: Any) -> Any:
    """The table as HTML, whose merged cells the reader of tables knows."""
    from lxml import etree

    table = etree.Element("table")
    open_cells: dict[int, Any] = {}
    """Column -> the cell above that goes on into this row if it says so."""
    for row in rows:
        line = etree.SubElement(table, "tr")
        column = _skipped_columns(row)
        for _ in range(column):
            etree.SubElement(line, "td")
        for cell in _cells(row):
            across = _number(cell.find(f"{_W}tcPr/{_W}gridSpan"))
            merge = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merge is not None and merge.get(f"{_W}val", "continue") == "continue"
            above = open_cells.get(column)
            if goes_on and above is not None:
                above.set("rowspan", str(int(above.get("rowspan", "1")) + 1))
            else:
                made = etree.SubElement(line, "td", colspan=str(across))
                made.text = text_of(cell)
                open_cells.pop(column, None)
                if merge is not None:
                    open_cells[column] = made
            column += across
    return table


def _skipped_columns(row: Any) -> int:
    before = row.find(f"{_W}trPr/{_W}gridBefore")
    return _number(before) if before is not None else 0


def _number(element: Any) -> int:
    value = element.get(f"{_W}val", "1") if element is not None else "1"
    return min(60, int(value)) if value.isdigit() else 1


WORD = Reader("Word document", _SUFFIXES, _recognises, _read, rank=20)

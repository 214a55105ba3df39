"""Finds the tables of a PDF from words and ruling lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.anchor import Anchor
from ..pdf.backend import PageLayout, Word
from ..reading.layout.columns import reading_order
from ..table import Table
from .bordered import bordered_tables
from .borderless import borderless_tables
from .draft import Draft
from .found import FoundTable, Region
from .heading_rows import count_header_rows, indents
from .joining import cell_places, continues_title, goes_on, join
from .lines import TextLine, text_lines
from .surroundings import add_surroundings

_LONG = 28
"""Characters from which a piece is a line of prose."""
_HEAD = 0.2
"""Share of the page's height from the top in which running lines stand."""
_MIN_BESIDE = 8
"""Lines with two of them from which a page is taken for one in columns."""


def find_tables(pages: Sequence[PageLayout]) -> list[FoundTable]:
    """Tables of consecutive pages in reading order; one that goes on over pages is joined."""
    groups: list[list[Draft]] = []
    words = {page.number: page.words for page in pages}
    before: _PageTables | None = None
    for page in pages:
        found = _PageTables.read(page)
        for n, draft in enumerate(found.drafts):
            if n == 0 and before is not None and before.drafts and _continues(before, found):
                groups[-1].append(draft)
            else:
                groups.append([draft])
        before = found
    return [_found(group, words) for group in groups]


@dataclass(slots=True)
class _PageTables:
    """A page, its tables from top to bottom, and where the rest of its text begins and ends."""

    page: PageLayout
    drafts: list[Draft]
    first_line: float
    last_line: float

    @classmethod
    def read(cls, page: PageLayout) -> _PageTables:
        bordered = bordered_tables(page)
        taken = {word for draft in bordered for word in draft.words()}
        lines = text_lines(page.words, [i for i in range(len(page.words)) if i not in taken])
        borderless = [d for column in _columns(page, lines) for d in borderless_tables(page, column)]
        drafts = sorted([*bordered, *borderless], key=lambda d: (d.box[1], d.box[0]))
        for draft in bordered:
            draft.header_rows = count_header_rows(draft)
        add_surroundings(page, lines, drafts)
        inside = {word for draft in drafts for word in draft.words()}
        free = [line for line in lines if line.pieces[0].words[0] not in inside]
        return cls(page, drafts, *_extent(free, page))

    def prints(self, title: str) -> bool:
        """True where all words of a title on the next page stand at the head of this one: a running line."""
        top = {word.text for word in self.page.words if word.box[3] < _HEAD * self.page.height}
        return top.issuperset(title.split())


def _columns(page: PageLayout, lines: list[TextLine]) -> list[list[TextLine]]:
    """The lines of each column of text, where prose stands side by side; else all lines of the page."""
    beside = sum(sum(len(piece.text) >= _LONG for piece in line.pieces) >= 2 for line in lines)
    if beside < _MIN_BESIDE:
        return [lines]
    pieces = [piece for line in lines for piece in line.pieces]
    regions = reading_order(pieces, page.width)
    return [text_lines(page.words, [word for piece in region for word in piece.words]) for region in regions]


def _extent(lines: Sequence[TextLine], page: PageLayout) -> tuple[float, float]:
    """Middle of the first and last line below the header and above the footer of the page."""
    middles = [(line.y0 + line.y1) / 2 for line in lines]
    inner = [y for y in middles if 0.08 * page.height < y < 0.93 * page.height]
    return min(inner, default=page.height), max(inner, default=0.0)


def _continues(before: _PageTables, found: _PageTables) -> bool:
    title = found.drafts[0].title
    if title and not continues_title(before.drafts[-1].title, title) and not before.prints(title):
        return False
    return goes_on(before.drafts[-1], found.drafts[0], before.page, found.page, found.first_line, before.last_line)


def _found(parts: Sequence[Draft], words: Mapping[int, Sequence[Word]]) -> FoundTable:
    first = parts[0]
    rows, spans = join(parts)
    depths = indents(first) + tuple(d for part in parts[1:] for d in indents(part)[part.header_rows :])
    table = Table(
        rows=tuple(map(tuple, rows)),
        header_rows=first.header_rows,
        title=first.title,
        unit=first.unit,
        notes="\n".join(part.notes for part in parts if part.notes),
        anchors=tuple(Anchor(part.page, (part.box,)) for part in parts),
        indents=depths,
        spans=tuple(spans),
        places=cell_places(parts, words),
    )
    return FoundTable(table, tuple(Region(part.page, part.box, tuple(part.words())) for part in parts))

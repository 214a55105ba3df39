"""Finds the tables of a PDF from words and ruling lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ...core.anchor import Anchor, bounding_box, rounded_box
from ...core.records import dataclass
from ...core.sequences import runs, without
from ..document import Table
from ..limits import NO_DEADLINE, Deadline
from ..pdf.backend import PageLayout, Word
from ..reading.layout.lines import reading_order
from .bordered import bordered_tables
from .borderless import borderless_tables
from .found import Cell, Draft, FoundTable, Region
from .lines import Interval, TextLine, pieces_of, text_lines, words_of
from .surroundings import add_surroundings, begins_with_names, count_header_rows, indents
from .values import is_value, is_year

_LONG = 28
"""Characters from which a piece is a line of prose."""
_MOST_HEADS = 3
"""Lines of heads that stand in a ruled box of their own."""
_HEAD = 0.2
"""Share of the page's height from the top in which running lines stand."""
_TOP_MARGIN, _BOTTOM_MARGIN = 0.08, 0.93
"""Shares of the page's height between which its text stands; above is the header, below the footer."""
_MIN_BESIDE = 8
"""Lines with two of them from which a page is taken for one in columns."""


def find_tables(pages: Sequence[PageLayout], deadline: Deadline = NO_DEADLINE) -> list[FoundTable]:
    """Tables of consecutive pages in reading order; one that goes on over pages is joined.

    Raises DocumentError when the time for the file is over: it is asked for at each page.
    """
    places: list[_Place] = []
    before: _PageTables | None = None
    for page in pages:
        deadline.check()
        tables = _PageTables.read(page)
        for number, draft in enumerate(tables.drafts):
            is_first = number == 0
            continues = is_first and before is not None and _continues(before, tables)
            places.append(_Place(draft, continues))
        before = tables
    groups = runs(places, lambda _, place: place.continues)
    words = {page.number: page.words for page in pages}
    return [_found([place.draft for place in group], words) for group in groups]


@dataclass(frozen=True, slots=True)
class _Place:
    """What one page has of a table, and whether it continues the one before."""

    draft: Draft
    continues: bool


@dataclass(slots=True)
class _PageTables:
    """A page, its tables from top to bottom, and where the rest of its text begins and ends."""

    page: PageLayout
    drafts: list[Draft]
    first_line: float
    last_line: float

    @classmethod
    def read(cls, page: PageLayout) -> _PageTables:
        """Find the tables of one page with what stands around them."""
        bordered = [draft for draft in bordered_tables(page) if not _is_box_of_heads(draft)]
        for draft in bordered:
            draft.header_rows = count_header_rows(draft)
        taken = _words_of(bordered)
        lines = text_lines(page.words, without(range(len(page.words)), taken))
        borderless = chain.from_iterable(borderless_tables(page, column) for column in _columns(page, lines))
        drafts = sorted([*bordered, *borderless], key=lambda draft: (draft.box[1], draft.box[0]))
        for draft in drafts:
            draft.header_rows = draft.header_rows or int(begins_with_names(draft))
        add_surroundings(page, lines, drafts)
        taken = _words_of(drafts)
        free = [line for line in lines if line.pieces[0].words[0] not in taken]
        first_line, last_line = _extent(free, page)
        return cls(page, drafts, first_line, last_line)

    def prints_in_head(self, title: str) -> bool:
        """True where all words of a title on the next page stand at the head of this one: a running line."""
        foot = _HEAD * self.page.height
        head = {word.text for word in self.page.words if word.box[3] < foot}
        return head.issuperset(title.split())


def _is_box_of_heads(draft: Draft) -> bool:
    """True for a ruled box of nothing but words and years: it heads the rows below it, which have no lines."""
    values = list(filter(is_value, (cell.text for cell in draft.cells)))
    return draft.height <= _MOST_HEADS and len(values) > 1 and all(map(is_year, values))


def _words_of(drafts: Sequence[Draft]) -> set[int]:
    return set(chain.from_iterable(draft.words() for draft in drafts))


def _columns(page: PageLayout, lines: list[TextLine]) -> list[list[TextLine]]:
    """The lines of each column of text, where prose stands side by side; else all lines of the page."""
    if sum(map(_has_prose_beside, lines)) < _MIN_BESIDE:
        return [lines]
    pieces = pieces_of(lines)
    columns = []
    for region in reading_order(pieces, page.width):
        columns.append(text_lines(page.words, words_of(region)))
    return columns


def _has_prose_beside(line: TextLine) -> bool:
    """True where two pieces of one line are prose."""
    return sum(len(piece.text) >= _LONG for piece in line.pieces) > 1


def _extent(lines: Sequence[TextLine], page: PageLayout) -> tuple[float, float]:
    """Middle of the first and last line below the header and above the footer of the page."""
    top = _TOP_MARGIN * page.height
    bottom = _BOTTOM_MARGIN * page.height
    middles = [(line.y0 + line.y1) / 2 for line in lines]
    inner = [middle for middle in middles if top < middle < bottom]
    return min(inner, default=page.height), max(inner, default=0.0)


def _continues(before: _PageTables, found: _PageTables) -> bool:
    """True where the first table of a page goes on from the last of the page before."""
    if not before.drafts:
        return False
    last, first = before.drafts[-1], found.drafts[0]
    has_own_title = first.title and not continues_title(last.title, first.title)
    if has_own_title and not before.prints_in_head(first.title):
        return False
    return goes_on(last, first, before.page, found.page, found.first_line, before.last_line)


def _found(parts: Sequence[Draft], words: Mapping[int, Sequence[Word]]) -> FoundTable:
    """The parts of one table as one; ``words`` are those of each page, by its number."""
    first, *others = parts
    rows, spans = join(parts)
    further_depths = chain.from_iterable(indents(part)[part.header_rows :] for part in others)
    table = Table(
        rows=tuple(map(tuple, rows)),
        header_rows=first.header_rows,
        title=first.title,
        unit=first.unit,
        notes="\n".join(part.notes for part in parts if part.notes),
        anchors=tuple(Anchor(part.page, (part.box,)) for part in parts),
        indents=(*indents(first), *further_depths),
        spans=tuple(spans),
        places=cell_places(parts, words),
    )
    regions = [Region(part.page, part.box, tuple(part.words())) for part in parts]
    return FoundTable(table, tuple(regions))


_EDGE = 14.0
"""Points by which a column may stand elsewhere on the next page."""
_CONTINUED = re.compile(r"\bcont(?:inue|['’.])?d?\b|续", re.IGNORECASE)
_MARGIN = 0.16
"""Share of the page's height, from its end, in which a table that goes on has its border."""
_LOWER_PART, _UPPER_PART = 0.55, 0.35
"""Shares of the page's height: a table that goes on ends below the first, and begins above the second on the next."""

Spans = list[tuple[int, int, int, int]]
"""Cells over several, as (row, column, last row, last column)."""


def goes_on(
    before: Draft, after: Draft, page: PageLayout, next_page: PageLayout, first_line: float, last_line: float
) -> bool:
    """True where ``after``, first on its page, continues ``before``, last on the page before.

    Nothing but furniture stands between them, the columns agree, and ``after`` has no title or other heads of its own.
    ``first_line`` and ``last_line`` are the heights of the first and last line of text that belongs to no table.
    """
    if next_page.number != page.number + 1 or after.width != before.width:
        return False
    end, begin = before.box[3], after.box[1]
    if end < page.height * _LOWER_PART or begin > next_page.height * _UPPER_PART:
        return False
    is_text_below = end < last_line < page.height * (1 - _MARGIN / 2)
    is_text_above = next_page.height * _MARGIN < first_line < begin
    if is_text_below or is_text_above:
        return False
    return _heads_agree(before, after) and all(map(_edges_agree, before.edges[1:], after.edges[1:]))


def continues_title(before: str, title: str) -> bool:
    """True where the title over the next page is that of the page before: "Cash flows (continued)", 续表.

    >>> continues_title("CASH FLOWS", "CASH FLOWS (Continued)"), continues_title("CASH FLOWS", "BALANCE SHEETS")
    (True, False)
    """
    if _CONTINUED.search(title):
        return True
    one = " ".join(before.lower().split())
    other = " ".join(title.lower().split())
    if one.endswith(other):
        return True
    return one != "" and other.endswith(one)


def _heads_agree(before: Draft, after: Draft) -> bool:
    """True where the heads are repeated or left out."""
    own = after.rows()[: after.header_rows]
    return not own or own == before.rows()[: before.header_rows]


def _edges_agree(one: Interval, other: Interval) -> bool:
    """True for columns that begin or end at about the same place."""
    off = min(abs(one.x1 - other.x1), abs(one.x0 - other.x0))
    return off <= _EDGE


def join(parts: Sequence[Draft]) -> tuple[list[list[str]], Spans]:
    """Rows and spans of the parts one after the other; repeated heads are left out."""
    rows: list[list[str]] = []
    spans: Spans = []
    for part, heads in _parts(parts):
        shift = len(rows) - heads
        rows += part.rows()[heads:]
        spans += [_span(cell, shift) for cell in _cells_below(part, heads) if cell.is_span]
    return rows, spans


def _parts(parts: Sequence[Draft]) -> Iterator[tuple[Draft, int]]:
    """Each part with the number of its rows that repeat the heads of the first."""
    first, *others = parts
    yield first, 0
    for part in others:
        yield part, part.header_rows


def _cells_below(part: Draft, heads: int) -> list[Cell]:
    return [cell for cell in part.cells if cell.row >= heads]


def _span(cell: Cell, shift: int) -> tuple[int, int, int, int]:
    return (cell.row + shift, cell.column, cell.last_row + shift, cell.last_column)


def cell_places(parts: Sequence[Draft], words: Mapping[int, Sequence[Word]]) -> dict[tuple[int, int], Anchor]:
    """Page and box of each cell of the joined rows; ``words`` are those of each page, by its number."""
    places: dict[tuple[int, int], Anchor] = {}
    height = 0
    for part, heads in _parts(parts):
        shift = height - heads
        for cell in _cells_below(part, heads):
            place = (cell.row + shift, cell.column)
            boxes = [words[part.page][word].box for word in cell.words]
            if place in places:
                boxes += places[place].boxes
            if cell.words:
                places[place] = Anchor(part.page, (rounded_box(bounding_box(boxes)),))
        height += part.height - heads
    return places

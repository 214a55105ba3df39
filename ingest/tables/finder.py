"""Finds the tables of a PDF from words and ruling lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ...core.anchor import Anchor
from ...core.sequences import runs, without
from ..document import Table
from ..limits import NO_DEADLINE, Deadline
from ..pdf.backend import PageLayout, Word
from ..reading.layout.columns import reading_order
from .bordered import bordered_tables
from .borderless import borderless_tables
from .found import Draft, FoundTable, Region
from .heading_rows import count_header_rows, indents
from .joining import cell_places, continues_title, goes_on, join
from .lines import TextLine, pieces_of, text_lines, words_of
from .surroundings import add_surroundings

_LONG = 28
"""Characters from which a piece is a line of prose."""
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
        bordered = bordered_tables(page)
        for draft in bordered:
            draft.header_rows = count_header_rows(draft)
        taken = _words_of(bordered)
        lines = text_lines(page.words, without(range(len(page.words)), taken))
        borderless = chain.from_iterable(borderless_tables(page, column) for column in _columns(page, lines))
        drafts = sorted([*bordered, *borderless], key=lambda draft: (draft.box[1], draft.box[0]))
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

"""What stands around the cells of a table and belongs to it: title, unit line, notes; which of its rows are column
heads.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ...core.records import dataclass
from ...core.sequences import runs
from ..pdf.backend import PageLayout
from .found import Cell, Draft
from .lines import TextLine
from .values import is_unit_line, is_value, kind, shared_unit

_NOTE = re.compile(
    r"[(（]?(?:\d{1,2}|[a-z]|[A-Z]|\*+|†|‡)[)）.]\s?\S|[*†‡—]|(?:Notes?|Source|N/?[AM]|NM)\b\s?[:.—-]|_{4,}|注\d?[：:]|说明[：:]"
)
_SENTENCE_END = re.compile(r"[a-z]{3}\.$|[。；;]$")
_FURNITURE = re.compile(r"(?:table of contents|\d{1,4}|page \d+.*|form 10-[kq])", re.IGNORECASE)
_NO_TITLE = re.compile(r".?|.*□.*", re.DOTALL)
"""A mark, or a box to tick."""
_HEADER = 0.07
"""Share of the page's height from the top where running heads stand."""
_GAP_ABOVE, _LEAST_ABOVE = 2.6, 9.0
"""Distance in type heights from which a line above is not the table's, and the least type height in points."""
_GAP_BELOW, _LEAST_BELOW = 1.9, 8.0
"""The same for notes below."""
_GAP_IN_NOTE = 0.8
"""Distance in type heights up to which a note goes on in the next line."""
_MAX_ABOVE = 5
_MAX_TITLE = 110
_MAX_TITLES = 3
_MAX_NOTES = 12


def add_surroundings(page: PageLayout, lines: Sequence[TextLine], drafts: Sequence[Draft]) -> None:
    """Fill title, unit and notes of each draft from the lines of the page that no table has taken."""
    free = _free_lines(lines, drafts)
    for draft in drafts:
        near = [line for line in free if _is_in_width(line, draft)]
        _read_above(draft, near, page.height)
        _read_notes(draft, near)
        draft.unit = draft.unit or shared_unit(draft.title) or _unit_in_heads(draft)


def _free_lines(lines: Sequence[TextLine], drafts: Sequence[Draft]) -> list[TextLine]:
    """The lines without words of a table."""
    taken: set[int] = set()
    for draft in drafts:
        taken.update(draft.words())
    return [line for line in lines if taken.isdisjoint(line.words)]


def _is_in_width(line: TextLine, draft: Draft) -> bool:
    left, _, right, _ = draft.box
    return line.x0 < right + 20 and line.x1 > left - 20


def _read_above(draft: Draft, near: Sequence[TextLine], page_height: float) -> None:
    """Unit lines and title lines, from the table upwards until prose, furniture or a wide gap."""
    titles: list[str] = []
    for line in _lines_above(draft, near):
        text = _one_space(line).strip()
        is_header = line.y1 < _HEADER * page_height
        if is_unit_line(text):
            draft.unit = draft.unit or text
            draft.context_words.extend(line.words)
            continue
        if is_header or _FURNITURE.fullmatch(text):
            break
        if _NO_TITLE.fullmatch(text) or text[0].islower():
            continue
        if len(titles) == _MAX_TITLES or not _is_title(text):
            break
        titles.append(text)
    draft.title = " ".join(reversed(titles))


def _lines_above(draft: Draft, near: Sequence[TextLine]) -> Iterator[TextLine]:
    """The lines that stand close together above the table, from the lowest."""
    top = draft.box[1]
    above = [line for line in near if line.y1 <= top + 2]
    for line in reversed(above[-_MAX_ABOVE:]):
        height = max(_LEAST_ABOVE, line.height)
        if top - line.y1 > _GAP_ABOVE * height:
            return
        yield line
        top = line.y0


def _is_title(text: str) -> bool:
    return len(text) <= _MAX_TITLE and not _SENTENCE_END.search(text)


def _read_notes(draft: Draft, near: Sequence[TextLine]) -> None:
    """Footnotes right under the table, with the lines on which they go on."""
    bottom = draft.box[3]
    below = [line for line in near if line.y0 >= bottom - 2]
    notes: list[str] = []
    for line in below[:_MAX_NOTES]:
        gap = line.y0 - bottom
        height = max(_LEAST_BELOW, line.height)
        if gap > _GAP_BELOW * height:
            break
        goes_on = notes and gap <= _GAP_IN_NOTE * line.height
        if not goes_on and not _NOTE.match(line.text):
            break
        notes.append(_one_space(line))
        bottom = line.y1
    draft.notes = "\n".join(notes)


def _one_space(line: TextLine) -> str:
    """The text with one space between pieces."""
    return line.text.replace("  ", " ")


def _unit_in_heads(draft: Draft) -> str:
    """A unit printed among the heads: "(in millions)" over the labels; "" where there is none."""
    heads = [cell.text for cell in draft.cells if cell.row <= draft.header_rows]
    units = filter(None, map(shared_unit, heads))
    return next(units, "")


_MAX_HEADER_ROWS = 4
_LONGEST_HEAD = 14
"""Characters of a head over the one value column of a table of two columns."""
_STEP = 2.5
"""Points by which labels of different depth differ at least."""
_MAX_DEPTH = 6

# Rows as the kinds of their cells, a letter each (see ``values.kind``); the first is the label's.
_VALUES = re.compile(r".+n.*|[^ ] *m[ m]*")
"""A number that is not a year, or a label with nothing but dashes."""
_LABEL_ONLY = re.compile(r". *")
_WORDS_IN_ALL = re.compile(r"[ w]w{2,}")


def count_header_rows(draft: Draft) -> int:
    """Number of rows at the top that are column heads.

    They end before the first row that holds a number other than a year, and before the first that is a label only. In
    a table of words the first row is a head where each column has one.
    """
    rows = _rows(draft)
    if not rows or _starts_with_facts(draft, rows[0]):
        return 0
    first = rows[0]
    for number, row in enumerate(rows):
        if row.holds_values and number > _MAX_HEADER_ROWS:
            return int(first.is_full)  # a table of words with a number in it
        if row.holds_values or row.is_section:
            return number
    if first.has_empty_corner and len(rows) > 1:
        return 1
    return int(first.is_full)


def begins_with_names(draft: Draft) -> bool:
    """True for a first row of heads that are numbers, the names of products, and that of their sum:
    "747 | 767 | Total"."""
    first, second, *_ = [*draft.rows(), [""], [""]]
    return (first[0], bool(second[0]), first[-1].lower()) == ("", True, "total")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's printed cells, the kinds of them, and whether one reaches over several columns."""

    texts: Sequence[str]
    kinds: str
    has_span: bool

    @property
    def holds_values(self) -> bool:
        return _VALUES.fullmatch(self.kinds) is not None

    @property
    def is_section(self) -> bool:
        """True for a label with nothing beside it, such as "Current assets:"."""
        return not self.has_span and _LABEL_ONLY.fullmatch(self.kinds) is not None

    @property
    def is_full(self) -> bool:
        """True for words over each of two or more columns."""
        return _WORDS_IN_ALL.fullmatch(self.kinds) is not None

    @property
    def has_empty_corner(self) -> bool:
        return self.texts[0] == ""

    @property
    def is_fact(self) -> bool:
        """True for a name and the long text that stands beside it."""
        if len(self.texts) != 2 or self.has_empty_corner:
            return False
        return len(self.texts[1]) > _LONGEST_HEAD


def _rows(draft: Draft) -> list[_Row]:
    with_spans = {cell.row for cell in draft.cells if cell.is_wide}
    rows = []
    for number, texts in enumerate(draft.rows()):
        kinds = "".join(map(kind, texts))
        rows.append(_Row(texts, kinds, has_span=number in with_spans))
    return rows


def _starts_with_facts(draft: Draft, row: _Row) -> bool:
    """True where the first row is a name and a long text, or a name for several rows: a form, not a head."""
    first = [cell for cell in draft.cells if cell.row == 0]
    if not any(map(_names_several_rows, first)):
        return row.is_fact
    has_tall = any(cell.is_tall for cell in first if cell.column > 0)
    return len(row.texts) == 3 and not has_tall


def _names_several_rows(cell: Cell) -> bool:
    is_tall_label = cell.column == 0 and cell.is_tall
    return is_tall_label and not is_value(cell.text)


def indents(draft: Draft) -> tuple[int, ...]:
    """Depth of each row by the left end of its label: 0 for the outermost, and for rows without a label."""
    edges: dict[int, float] = {}
    for cell in draft.cells:
        if cell.column == 0 and cell.row >= draft.header_rows:
            edges[cell.row] = cell.x0
    levels = runs(sorted(edges.values()), _have_one_depth)
    if len(levels) > _MAX_DEPTH:
        return (0,) * draft.height
    starts = [level[0] for level in levels]
    depths = [0] * draft.height
    for row, edge in edges.items():
        depths[row] = bisect_right(starts, edge) - 1
    return tuple(depths)


def _have_one_depth(level: Sequence[float], edge: float) -> bool:
    return edge - level[0] <= _STEP

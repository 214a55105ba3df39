"""What stands around a table and belongs to it: its title, the unit line, the notes below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..pdf.backend import PageLayout
from .found import Draft
from .lines import TextLine
from .values import is_unit_line, shared_unit

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

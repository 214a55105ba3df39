"""What stands around a table and belongs to it: its title, the unit line, the notes below."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..pdf.backend import PageLayout
from .draft import Draft
from .lines import TextLine
from .units import is_unit_line, shared_unit

_NOTE = re.compile(
    r"[(（]?(?:\d{1,2}|[a-z]|[A-Z]|\*+|†|‡)[)）.]\s?\S|[*†‡—]|(?:Notes?|Source|N/?[AM]|NM)\b\s?[:.—-]|_{4,}|注\d?[：:]|说明[：:]"
)
_SENTENCE_END = re.compile(r"[a-z]{3}\.$|[。；;]$")
_FURNITURE = re.compile(r"(?:table of contents|\d{1,4}|page \d+.*|form 10-[kq])", re.IGNORECASE)
_HEADER = 0.07
"""Share of the page's height from the top where running heads stand."""
_MAX_ABOVE = 5
_MAX_TITLE = 110
_MAX_NOTES = 12


def add_surroundings(page: PageLayout, lines: Sequence[TextLine], drafts: Sequence[Draft]) -> None:
    """Fill title, unit and notes of each draft from the lines of the page that no table has taken."""
    if not drafts:
        return
    taken = {word for draft in drafts for word in draft.words()}
    free = [line for line in lines if not any(word in taken for piece in line.pieces for word in piece.words)]
    for draft in drafts:
        above = [line for line in free if line.y1 <= draft.box[1] + 2 and _beside(line, draft)][-_MAX_ABOVE:]
        below = [line for line in free if line.y0 >= draft.box[3] - 2 and _beside(line, draft)][:_MAX_NOTES]
        _read_above(draft, above, page.height)
        _read_notes(draft, below)
        if not draft.unit:
            draft.unit = _unit_in_heads(draft)


def _beside(line: TextLine, draft: Draft) -> bool:
    return line.x0 < draft.box[2] + 20 and line.x1 > draft.box[0] - 20


def _read_above(draft: Draft, above: list[TextLine], height: float) -> None:
    """From the table upwards: unit lines and title lines, until prose or a wide gap."""
    top = draft.box[1]
    titles: list[str] = []
    for line in reversed(above):
        text = line.text.replace("  ", " ").strip()
        if top - line.y1 > 2.6 * max(9.0, line.y1 - line.y0):
            break
        if is_unit_line(text):
            draft.unit = draft.unit or text
            draft.context_words.extend(word for piece in line.pieces for word in piece.words)
        elif _FURNITURE.fullmatch(text) or line.y1 < _HEADER * height:
            break
        elif "□" in text or len(text) < 2 or text[0].islower():
            pass
        elif len(text) <= _MAX_TITLE and not _SENTENCE_END.search(text) and len(titles) < 3:
            titles.append(text)
        else:
            break
        top = line.y0
    draft.title = " ".join(reversed(titles))
    if not draft.unit and (found := shared_unit(draft.title)):
        draft.unit = found


def _read_notes(draft: Draft, below: list[TextLine]) -> None:
    """Footnotes right under the table, with the lines on which they go on."""
    bottom = draft.box[3]
    notes: list[str] = []
    for line in below:
        if line.y0 - bottom > 1.9 * max(8.0, line.y1 - line.y0):
            break
        if not _NOTE.match(line.text) and (not notes or line.y0 - bottom > 0.8 * (line.y1 - line.y0)):
            break
        notes.append(line.text.replace("  ", " "))
        bottom = line.y1
    draft.notes = "\n".join(notes)


def _unit_in_heads(draft: Draft) -> str:
    """A unit printed among the heads: "(in millions)" over the labels."""
    for cell in draft.cells:
        if cell.row <= draft.header_rows and (found := shared_unit(cell.text)):
            return found
    return ""

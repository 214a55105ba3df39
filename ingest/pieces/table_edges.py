"""What of the text around a table belongs to it: the sentence that announces it, the notes below it."""

from __future__ import annotations

import re
from bisect import bisect_right

from ..chunk import Sentence
from ..document import Document, Segment

_ANNOUNCES = re.compile(
    r"[:：]\s*$|\b(?:following|below|next) (?:tables?|schedules?|summary|reconciliations?)\b"
    r"|\btables? (?:below|sets? forth|shows?|presents?|summari[sz]es?|provides?|reconciles?|details?|lists?)\b"
    r"|\b(?:as follows|the following)\W*$|下表|如下|以下表",
    re.IGNORECASE,
)
_LONGEST = 60
"""Tokens of a sentence that announces; longer ones say more than that."""
_TOLD_APART = 40
"""Characters of a paragraph, without blanks, by which it is found among the notes."""
_LONGEST_NOTES = 1_500
"""Characters of all notes that stay with their table."""


def is_introduction(document: Document, sentence: Sentence, table: Segment) -> bool:
    """True for a short sentence on the table's page that announces it: "Revenue by region was as follows:"."""
    text = document.text[sentence.start : sentence.end]
    is_table_row = text.lstrip().startswith("|")
    if sentence.tokens > _LONGEST or is_table_row:
        return False
    if not _ANNOUNCES.search(text):
        return False
    return _page(document, sentence.start) == _page(document, table.start)


def is_note_of(document: Document, table: Segment, end: int, segment: Segment) -> bool:
    """True for a paragraph that follows what belongs to the table already, up to ``end``, and is one of its notes."""
    if table.table is None:
        return False
    notes = document.tables[table.table].notes
    follows = not document.text[end : segment.start].strip()
    if not notes or not follows:
        return False
    if segment.end - table.end > _LONGEST_NOTES:
        return False
    words = _without_blanks(document.text[segment.start : segment.end])
    return bool(words) and words[:_TOLD_APART] in _without_blanks(notes)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _page(document: Document, at: int) -> int:
    """Ordinal of the page on which that offset stands."""
    return bisect_right([page.start for page in document.pages], at)

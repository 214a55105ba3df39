"""What of a text an embedding model is given: words, not the columns of numbers beside them; of a table its skeleton
and some rows at a time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ...core.patterns import on_demand
from ...core.records import dataclass
from ..chunk import Sentence
from ..document import Document, Segment, Table
from ..lines import VALUE
from ..tables.markdown import by_row, skeleton

_BLANKS = on_demand(r"(?:\\n|\s)+")
_INSIDE_CHINESE = on_demand("(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])")
_LEADER = on_demand(r"(?:[.…_]\s?){4,}")
_LEADER_BEGINS = ("...", "…", "___")
_YEAR = on_demand(r"(?:19|20)\d\d\D?")
_MANY_VALUES = 0.3
"""Prose has under a tenth of its words as numbers, a row of a table over a third."""


def embedding_text(text: str) -> str:
    """A sentence on one line, without dot leaders and, if it is a row of a table, without its values; years stay.

    >>> embedding_text("Total revenue\\n$\\n1,234\\n1,100")
    'Total revenue'
    >>> embedding_text("Revenue rose 12% to $3.4 billion in 2023, mostly in Asia.")
    'Revenue rose 12% to $3.4 billion in 2023, mostly in Asia.'
    >>> embedding_text("营业\\n收入 1,234.5 1,100.0")
    '营业收入'
    """
    plain = _BLANKS.sub(" ", _without_leaders(text)).strip()
    words = plain.split(" ")
    if _is_table_row(words):
        words = _without_values(words)
    line = " ".join(words)
    if line.isascii():
        return line
    return _INSIDE_CHINESE.sub("", line)


def _without_leaders(text: str) -> str:
    """Without the dots that lead from an entry to its page number."""
    for sign in _LEADER_BEGINS:
        if sign in text:
            return _LEADER.sub(" ", text)
    return text


def _is_table_row(words: list[str]) -> bool:
    values = sum(map(_is_value, words))
    return values >= max(2, _MANY_VALUES * len(words))


def _without_values(words: list[str]) -> list[str]:
    """The names and years of a row; all of it where no name is left."""
    kept = list(filter(_is_name_or_year, words))
    has_name = any(map(str.isalpha, "".join(kept)))
    return kept if has_name else words


def _is_name_or_year(word: str) -> bool:
    return _YEAR.fullmatch(word) is not None or not _is_value(word)


@lru_cache(maxsize=8192)
def _is_value(word: str) -> bool:
    """Also true for the borders of cells in plain text."""
    if VALUE.fullmatch(word):
        return True
    return not word.strip("|:-")


_ROW = on_demand(r"^[ \t]*\|.*\S", re.MULTILINE)
_RULE = on_demand(r"[|\s:+-]+")
_ROWS = 12
"""Rows a piece: with title and column heads about a hundred tokens, half of what small models read."""


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Words of a table without its values, and the offsets of the rows they name."""

    text: str
    start: int
    end: int


def table_pieces(text: str, start: int, end: int, table: Table | None, title: str = "") -> list[TablePiece]:
    """The skeleton of the table whose Markdown, or raw lines, are ``text[start:end]``; at least one piece.

    Every piece begins with its title (else ``title``) and column heads; then come the names of its rows.
    Without ``table`` the cells of the Markdown are read.
    """
    lines = _row_offsets(text, start, end, table)
    if table is None or len(table.rows) != len(lines):
        table = _read(text, lines)
    table = replace(table, title=table.title or title)
    heads = min(table.header_rows, max(0, len(lines) - 1))
    pieces: list[TablePiece] = []
    for first in range(heads, len(lines), _ROWS):
        last = min(first + _ROWS, len(lines))
        part_start, part_end = lines[first][0], lines[last - 1][1]
        words = ". ".join(skeleton(_part(table, heads, first, last)))
        words = words or embedding_text(text[part_start:part_end])
        pieces.append(TablePiece(words, part_start, part_end))
    if not pieces:
        pieces.append(TablePiece(embedding_text(text[start:end]), start, end))
    return pieces


def _row_offsets(text: str, start: int, end: int, table: Table | None) -> list[tuple[int, int]]:
    """Where the rows of the table stand: lines of Markdown, or raw lines that begin with a row's name."""
    lines: list[tuple[int, int]] = []
    for match in _ROW.finditer(text, start, end):
        if not _RULE.fullmatch(match.group()):
            lines.append(match.span())
    if table is None:
        return lines
    if not lines:
        lines = _located(text, start, end, table)
    return by_row(lines, table) or lines


def _part(table: Table, heads: int, first: int, last: int) -> Table:
    """The table with only those rows below its heads; its notes go with the last rows."""
    rows = table.rows[:heads] + table.rows[first:last]
    notes = table.notes if last == len(table.rows) else ""
    return replace(table, rows=rows, header_rows=heads, notes=notes)


def _located(text: str, start: int, end: int, table: Table) -> list[tuple[int, int]]:
    """Offsets of the rows of a table that stands in the text as raw lines: each begins at its name."""
    starts: list[int] = []
    at = start
    for row in table.rows:
        name = next(filter(None, row), "")
        found = text.find(name, at, end)
        if found < 0:
            starts.append(at)
            continue
        starts.append(found)
        at = found + len(name)
    ends = [*starts[1:], end]
    return list(zip(starts, ends, strict=True))


def _read(text: str, lines: Sequence[tuple[int, int]]) -> Table:
    """A table of nothing but the cells in its Markdown."""
    rows = [_cells(text[start:end]) for start, end in lines]
    width = max(map(len, rows), default=0)
    return Table(tuple((*row, *[""] * (width - len(row))) for row in rows))


def _cells(line: str) -> list[str]:
    inner = line.strip().strip("|")
    return list(map(str.strip, inner.split("|")))


_ANNOUNCES = on_demand(
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
    if not notes or segment.end - table.end > _LONGEST_NOTES:
        return False
    if document.text[end : segment.start].strip():
        return False
    words = _without_blanks(document.text[segment.start : segment.end])
    return bool(words) and words[:_TOLD_APART] in _without_blanks(notes)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _page(document: Document, at: int) -> int:
    """Ordinal of the page on which that offset stands."""
    return bisect_right(document.pages, at, key=lambda page: page.start)

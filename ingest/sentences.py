"""Sentences with offsets, English and Chinese, by rules; nothing of the text is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..core.patterns import on_demand
from ..core.records import dataclass
from ..core.rules import load_rules
from ..core.tokens import estimate_tokens
from .chunk import Break, Sentence
from .lines import logical_lines, width

if TYPE_CHECKING:
    from .document import Document, Segment

SHORTEST = 25
"""Narrower pieces ("单位：万元", "Thank you.") say nothing alone and join a neighbour."""
LONGEST = 600
"""Wider sentences are cut at a clause: an embedding model reads no more."""

_CLAUSE_ENDS = (("; ", "；"), (", ", "，", "、"), (" ", "\n"))
_ROW = on_demand(r"\S(?:.*\S)?")
_APART = {"heading", "table", "figure", "contents", "disclaimer"}
"""Kinds of segments with which no others share a chunk."""
WHOLE = {"table", "figure"}
"""Kinds of segments that are one chunk each."""


class _Piece(NamedTuple):
    start: int
    end: int
    before: Break


def split_text(text: str, *, shortest: int = SHORTEST, longest: int = LONGEST) -> list[Sentence]:
    """Sentences of a plain text, in order; each non-blank character is in exactly one of them.

    ``shortest`` and ``longest`` are printed widths (see :func:`lines.width`); ``shortest=0`` joins nothing.

    >>> text = "Acme Inc. earned $1.2 billion. The U.S. unit did very well."
    >>> [text[s.start:s.end] for s in split_text(text)]
    ['Acme Inc. earned $1.2 billion.', 'The U.S. unit did very well.']
    """
    return _sentences(text, _pieces(text, 0, len(text), shortest, longest))


def sentences_by_segment(document: Document) -> list[tuple[Segment, list[Sentence]]]:
    """Sentences of a document beside the segment they stand in; segments without text are left out.

    ``Break.HARD`` stands before headings, tables and speakers, and after tables. A heading's own text is a sentence, a
    table's rows are one each.
    """
    text = document.text
    parts: list[tuple[Segment, list[Sentence]]] = []
    last: Segment | None = None
    for segment in document.segments:
        split = _rows if segment.kind in WHOLE else _pieces
        pieces = split(text, segment.start, segment.end)
        if pieces:
            pieces[0] = pieces[0]._replace(before=_border(last, segment))
            parts.append((segment, _sentences(text, pieces)))
            last = segment
    return parts


def _sentences(text: str, pieces: list[_Piece]) -> list[Sentence]:
    return [Sentence(p.start, p.end, estimate_tokens(text[p.start : p.end]), p.before) for p in pieces]


def _border(last: Segment | None, segment: Segment) -> Break:
    """What stands between two segments: HARD before the first of several headings, never between heading and text."""
    if last is None:
        return Break.HARD
    if last.kind == "heading":
        return Break.HARD if segment.kind in WHOLE else Break.PARAGRAPH
    if _is_hard_border(last, segment):
        return Break.HARD
    both_in_list = last.kind == segment.kind == "list"
    return Break.LINE if both_in_list else Break.PARAGRAPH


def _is_hard_border(last: Segment, segment: Segment) -> bool:
    """True between two tables, speakers or sections, and around tables, disclaimers and tables of contents."""
    kinds = {last.kind, segment.kind}
    if kinds <= WHOLE or (len(kinds) > 1 and kinds & _APART):
        return True
    where, where_last = _place(segment), _place(last)
    return where != where_last


def _place(segment: Segment) -> tuple[object, ...]:
    return (segment.speaker, segment.part, segment.headings)


def _rows(text: str, start: int, end: int) -> list[_Piece]:
    """The lines of a table's Markdown."""
    return [_Piece(row.start(), row.end(), Break.LINE) for row in _ROW.finditer(text, start, end)]


def _pieces(text: str, start: int, end: int, shortest: int = SHORTEST, longest: int = LONGEST) -> list[_Piece]:
    pieces: list[_Piece] = []
    for line in logical_lines(text, start, end):
        before = line.before
        for first, last in split_line(text, line.start, line.end):
            pieces.append(_Piece(first, last, before))
            before = Break.NONE
    if shortest:
        pieces = _join_short(text, pieces, shortest, longest)
    return list(chain.from_iterable(_cut_long(text, piece, longest) for piece in pieces))


def _join_short(text: str, pieces: list[_Piece], shortest: int, longest: int) -> list[_Piece]:
    """Join every short piece to the neighbour with the weaker break, the next one where both are equal."""
    joined: list[_Piece] = []
    for piece in pieces:
        if joined and _width(text, joined[-1]) < shortest:
            last = joined[-1]
            both = _Piece(last.start, piece.end, last.before)
            if len(joined) > 1 and last.before < piece.before:
                _join_last(joined)
            elif _width(text, both) <= longest:
                joined[-1] = both
                continue
        joined.append(piece)
    if len(joined) > 1 and _width(text, joined[-1]) < shortest:
        _join_last(joined)
    return joined


def _width(text: str, piece: _Piece) -> int:
    return width(text[piece.start : piece.end])


def _join_last(pieces: list[_Piece]) -> None:
    last = pieces.pop()
    pieces[-1] = _Piece(pieces[-1].start, last.end, pieces[-1].before)


def _cut_long(text: str, piece: _Piece, longest: int) -> Iterator[_Piece]:
    """The piece in parts of at most that width, cut at clauses where there are any."""
    start, end, before = piece
    remaining = width(text[start:end])
    while remaining > longest:
        limit = start + _fitting(text[start : min(end, start + longest)], longest)
        cut = _clause_end(text, start + (limit - start) // 2, limit)
        part = text[start:cut].rstrip()
        yield _Piece(start, start + len(part), before)
        while text[cut].isspace():
            cut += 1
        remaining -= width(text[start:cut])
        start, before = cut, Break.NONE
    yield _Piece(start, end, before)


def _fitting(text: str, longest: int) -> int:
    """How many leading characters have that printed width; at least two."""
    if text.isascii():
        return len(text)
    return max(2, min(len(text), longest * len(text) // width(text)))


def _clause_end(text: str, low: int, high: int) -> int:
    """The last good place to cut in ``text[low:high]``: after a semicolon, else a comma, a blank, else at its end."""
    for marks in _CLAUSE_ENDS:
        cut = max(text.rfind(mark, low, high) for mark in marks)
        if cut >= low:
            return cut + 1
    return high


_END = on_demand(
    r"(?P<chinese>(?:(?<![!?…])[!?…]+)?[。！？](?:[。！？!?…]|\.{3})*[”’」』）)】》\"']*)"
    r"|(?P<english>(?<![.!?])[.!?]+[\"'”’)\]]*(?=\s))"
    r"|(?P<footnote>(?<=[a-z])\.\d{1,2}(?=\s+[A-Z]))"
)
_MARK = on_demand("[.!?…。！？]")
_LAST_WORD = on_demand(r"(?<![A-Za-z.'’])[.'’]*(?P<word>[A-Za-z][A-Za-z.'’]*)\Z")
_NEXT_WORD = on_demand(r"[A-Za-z']+")
_INITIALS = on_demand(r"(?:[a-z]\.)*[a-z]")
_ENUMERATOR = on_demand(r"[(（]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})\.")
_QUOTES = "”’」』\"'"
_LOOK_BACK, _LOOK_AHEAD = 24, 24
"""Characters before and after a mark that decide what it is."""
_CAPITALS_WITHIN = 200
"""Characters of a sentence in which capitals are looked for."""


def split_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of every sentence in ``text[start:end]``, a line without blanks around it.

    >>> line = "Acme Inc. earned $1.2 billion. Markets fell."
    >>> [line[first:last] for first, last in split_line(line, 0, len(line))]
    ['Acme Inc. earned $1.2 billion.', 'Markets fell.']
    """
    first = start
    for match in _ends(text, start, end):
        if match.end() < end and _ends_sentence(text, first, match, end):
            yield first, match.end()
            first = match.end()
            while text[first].isspace():
                first += 1
    yield first, end


def _ends(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What ``_END.finditer`` gives: a set of marks alone is looked for three times as fast."""
    while mark := _MARK.search(text, start, end):
        match = _END.match(text, mark.start(), end)
        if match is not None:
            yield match
        start = (match or mark).end()


def _ends_sentence(text: str, first: int, match: re.Match[str], end: int) -> bool:
    """True where the marks that were found end the sentence from ``first`` on."""
    following = text[match.end() : min(end, match.end() + _LOOK_AHEAD)]
    marks = match.group()
    if match.lastgroup == "chinese":
        quoted = marks[-1] in _QUOTES
        return not (quoted and _speech().match(following))
    following = following.lstrip()
    opening = text[first : min(match.start(), first + _CAPITALS_WITHIN)]
    goes_on = _goes_on_in_lower_case(opening, following)
    if marks[0] in "!?":
        is_name = following.startswith(("Inc", "Corp"))  # "Yahoo! Inc."
        return not (goes_on or is_name)
    several_marks = len(marks) > 1  # a trailing thought, a quotation that goes on
    if goes_on and several_marks:
        return False
    return not _is_abbreviation(text, first, match.start(), following, goes_on)


def _goes_on_in_lower_case(opening: str, following: str) -> bool:
    """True before a lower-case word: that shows that the sentence goes on only where the text has capitals at all."""
    if not following[:1].islower():
        return False
    return any(map(str.isupper, opening))


def _is_abbreviation(text: str, first: int, stop: int, following: str, lower: bool) -> bool:
    """True where the full stop at ``stop`` belongs to the word or the number before it."""
    if _ENUMERATOR.fullmatch(text, first, stop + 1):
        return True
    before = text[max(first, stop - _LOOK_BACK) : stop]
    numbered = _numbered().search(before)
    if numbered:
        is_all = stop - first == len(numbered.group())
        return numbered["title"] is not None or is_all
    word = _LAST_WORD.search(before)
    if not word:
        return False
    start = word.start("word")
    is_unit = before[start - 1 : start].isdigit()  # "2.1x.", "$5.0M."
    return not is_unit and _goes_on(word["word"], following, lower)


def _goes_on(word: str, following: str, lower: bool) -> bool:
    """True where a sentence goes on after this word with a full stop."""
    words = _abbreviations()
    token = word.lower()
    if token in words.never_end:
        is_agency = word.isupper() and len(word) > 2  # "sec. 302", but "filed with the SEC."
        return not is_agency
    if token not in words.may_end and not _is_initials(token):
        return False
    upcoming = _NEXT_WORD.match(following)
    if lower or not upcoming:
        return True
    return upcoming.group().lower() not in words.starters


def _is_initials(token: str) -> bool:
    """True for "j" and "j.p"; "i" is a word."""
    return token != "i" and _INITIALS.fullmatch(token) is not None


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """Words in lower case, without their last full stop."""

    never_end: frozenset[str]
    may_end: frozenset[str]
    """Those that end a sentence where one of the starters follows."""
    starters: frozenset[str]


@cache
def _abbreviations() -> _Abbreviations:
    words = load_rules(__package__, "sentences.toml")["english"]
    return _Abbreviations(
        never_end=frozenset(words["never_end"]),
        may_end=frozenset(words["may_end"]),
        starters=frozenset(words["starters"]),
    )


@cache
def _numbered() -> re.Pattern[str]:
    """ "Item 1A" anywhere, "Note 5" where it is all of the sentence so far; group ``title`` tells the former."""
    words = load_rules(__package__, "sentences.toml")["english"]
    title, label = "|".join(words["titles"]), "|".join(words["labels"])
    return re.compile(rf"\b(?:(?P<title>{title})|{label})\s+(?:\d+[A-Z]?|[IVX]+)\Z", re.IGNORECASE)


@cache
def _speech() -> re.Pattern[str]:
    verbs = load_rules(__package__, "sentences.toml")["chinese"]["speech"]
    return re.compile(rf"[^。！？\s]{{0,6}}(?:{'|'.join(verbs)})")

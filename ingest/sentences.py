"""Sentences with offsets, English and Chinese, by rules; nothing of the text is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

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

_END = re.compile(
    r"(?P<chinese>[。！？!?…]*[。！？](?:[。！？!?…]|\.{3})*[”’」』）)】》\"']*)"
    r"|(?P<english>[.!?]+[\"'”’)\]]*(?=\s))"
    r"|(?P<footnote>(?<=[a-z])\.\d{1,2}(?=\s+[A-Z]))"
)
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z.'’]*\Z")
_NEXT_WORD = re.compile(r"[A-Za-z']+")
_INITIALS = re.compile(r"(?:[a-z]\.)*[a-z]")
_ENUMERATOR = re.compile(r"[(（]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})\.")
_QUOTES = "”’」』\"'"
_LOOK_BACK, _LOOK_AHEAD = 24, 24


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


def split_sentences(document: Document) -> list[Sentence]:
    """Sentences of a document: ``Break.HARD`` before headings, tables, speakers and after tables; page-independent.

    A heading's own text is a sentence, a table's rows are one each.
    """
    return [sentence for _, sentences in sentences_by_segment(document) for sentence in sentences]


def sentences_by_segment(document: Document) -> list[tuple[Segment, list[Sentence]]]:
    """As :func:`split_sentences`, beside the segment they stand in; segments without text are left out."""
    parts: list[tuple[Segment, list[Sentence]]] = []
    last: Segment | None = None
    for segment in document.segments:
        rows = segment.kind == "table"
        pieces = _rows(document.text, segment) if rows else _pieces(document.text, segment.start, segment.end)
        if pieces:
            pieces[0] = pieces[0]._replace(before=_border(last, segment))
            parts.append((segment, _sentences(document.text, pieces)))
            last = segment
    return parts


def _sentences(text: str, pieces: list[_Piece]) -> list[Sentence]:
    return [Sentence(p.start, p.end, estimate_tokens(text[p.start : p.end]), p.before) for p in pieces]


def _border(last: Segment | None, segment: Segment) -> Break:
    """What stands between two segments: HARD before the first of several headings, never between heading and text."""
    if last is None:
        return Break.HARD
    if last.kind == "heading":
        return Break.HARD if segment.kind == "table" else Break.PARAGRAPH
    apart = {"heading", "table", "contents", "disclaimer"}
    changed = last.kind != segment.kind and (last.kind in apart or segment.kind in apart)
    tables = last.kind == segment.kind == "table"
    spoken = (last.speaker, last.part) != (segment.speaker, segment.part)
    if changed or tables or spoken or last.headings != segment.headings:
        return Break.HARD
    return Break.LINE if segment.kind == last.kind == "list" else Break.PARAGRAPH


def _rows(text: str, segment: Segment) -> list[_Piece]:
    """The lines of a table's Markdown."""
    return [
        _Piece(segment.start + m.start(), segment.start + m.end(), Break.LINE)
        for m in re.finditer(r"\S(?:.*\S)?", text[segment.start : segment.end])
    ]


def _pieces(text: str, start: int, end: int, shortest: int = SHORTEST, longest: int = LONGEST) -> list[_Piece]:
    pieces: list[_Piece] = []
    for line in logical_lines(text, start, end):
        before = line.before
        for first, last in _split_line(text, line.start, line.end):
            pieces.append(_Piece(first, last, before))
            before = Break.NONE
    joined = _join_short(text, pieces, shortest, longest) if shortest else pieces
    return [part for piece in joined for part in _cut_long(text, piece, longest)]


def _split_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _ends_sentence(text, first, match, end):
            yield first, match.end()
            first = match.end()
            while text[first].isspace():
                first += 1
    yield first, end


def _ends_sentence(text: str, first: int, match: re.Match[str], end: int) -> bool:
    following = text[match.end() : min(end, match.end() + _LOOK_AHEAD)]
    mark = match.group()
    if match.lastgroup == "chinese":
        return not (mark[-1] in _QUOTES and _speech().match(following))
    following = following.lstrip()
    # A lower-case word shows that the sentence goes on only where the text has capitals at all.
    lower = following[:1].islower() and any(c.isupper() for c in text[first : match.start()][:200])
    if mark[0] in "!?":
        return not lower and not following.startswith(("Inc", "Corp"))
    if lower and len(mark) > 1:  # a trailing thought, a quotation that goes on
        return False
    return not _is_abbreviation(text, first, match.start(), following, lower)


def _is_abbreviation(text: str, first: int, stop: int, following: str, lower: bool) -> bool:
    """True where the full stop at ``stop`` belongs to the word or the number before it."""
    if _ENUMERATOR.fullmatch(text, first, stop + 1):
        return True
    before = text[max(first, stop - _LOOK_BACK) : stop]
    numbered = _numbered().search(before)
    if numbered:
        return numbered["title"] is not None or text[first:stop] == numbered.group()
    word = _LAST_WORD.search(before)
    if not word or before[word.start() - 1 : word.start()].isdigit():  # "2.1x.", "$5.0M."
        return False
    return _goes_on(word.group(), following, lower)


def _goes_on(word: str, following: str, lower: bool) -> bool:
    """True where a sentence goes on after this word with a full stop."""
    never_end, may_end, starters = _english()
    token = word.lower()
    if token in never_end:
        return not (word.isupper() and len(word) > 2)  # "sec. 302", but "filed with the SEC."
    if token not in may_end and (token == "i" or not _INITIALS.fullmatch(token)):
        return False
    upcoming = _NEXT_WORD.match(following)
    return lower or not upcoming or upcoming.group().lower() not in starters


def _join_short(text: str, pieces: list[_Piece], shortest: int, longest: int) -> list[_Piece]:
    """Join every short piece to the neighbour with the weaker break, the next one where both are equal."""
    out: list[_Piece] = []
    for piece in pieces:
        if out and width(text[out[-1].start : out[-1].end]) < shortest:
            back = out[-1].before if len(out) > 1 else Break.HARD
            if back < piece.before:
                _join_last(out)
            elif width(text[out[-1].start : piece.end]) <= longest:
                out[-1] = _Piece(out[-1].start, piece.end, out[-1].before)
                continue
        out.append(piece)
    if len(out) > 1 and width(text[out[-1].start : out[-1].end]) < shortest:
        _join_last(out)
    return out


def _join_last(pieces: list[_Piece]) -> None:
    last = pieces.pop()
    pieces[-1] = _Piece(pieces[-1].start, last.end, pieces[-1].before)


def _cut_long(text: str, piece: _Piece, longest: int) -> Iterator[_Piece]:
    start, end, before = piece
    while width(text[start:end]) > longest:
        limit = start + _fitting(text[start : start + longest], longest)
        cut = _clause_end(text, start + (limit - start) // 2, limit)
        yield _Piece(start, len(text[:cut].rstrip()) if text[cut - 1].isspace() else cut, before)
        start, before = cut, Break.NONE
        while text[start].isspace():
            start += 1
    yield _Piece(start, end, before)


def _fitting(text: str, longest: int) -> int:
    """How many leading characters have that printed width; at least two."""
    if text.isascii():
        return len(text)
    return max(2, min(len(text), longest * len(text) // width(text)))


def _clause_end(text: str, low: int, high: int) -> int:
    """The last good place to cut in ``text[low:high]``: after a semicolon, else a comma, a blank, else at its end."""
    for marks in (("; ", "；"), (", ", "，", "、"), (" ", "\n")):
        cut = max(text.rfind(mark, low, high) for mark in marks)
        if cut >= low:
            return cut + 1
    return high


@cache
def _english() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    words = load_rules(__package__, "sentences.toml")["english"]
    return frozenset(words["never_end"]), frozenset(words["may_end"]), frozenset(words["starters"])


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

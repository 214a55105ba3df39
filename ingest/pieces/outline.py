"""A document laid out for chunking: running sentences here, whole tables there, headings with what follows them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..chunk import Break, Sentence
from ..document import Document, Page, Segment
from ..sentences import sentences_by_segment
from .embedding_text import embedding_text
from .table_edges import is_introduction, is_note_of
from .table_pieces import TablePiece, table_pieces

_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Running:
    """A sentence of running text. ``start`` is its own, or that of the headings right before it, which go with it."""

    sentence: Sentence
    segment: Segment
    start: int

    def embedding_text(self, text: str) -> str:
        """The sentence, after the headings right before it: without them a first sentence often lacks its subject."""
        own = embedding_text(text[self.sentence.start : self.sentence.end])
        if self.start == self.sentence.start:
            return own
        title = " ".join(text[self.start : self.sentence.start].split())[-_LONGEST_TITLE:]
        return f"{title}. {own}"


@dataclass(frozen=True, slots=True)
class WholeTable:
    """A table, from the headings or the sentence right before it to the end of its notes."""

    segment: Segment
    start: int
    end: int
    pieces: tuple[TablePiece, ...]


@dataclass(slots=True)
class Outline:
    """All of a document's segments, in order within ``running`` and within ``tables``."""

    running: list[Running] = field(default_factory=list)
    tables: list[WholeTable] = field(default_factory=list)


def outline(document: Document) -> Outline:
    """Lay a document out. Hard breaks also stand where the page changes: a chunk is cited by its first page."""
    found = Outline()
    lead: Segment | None = None
    hard = True
    last: tuple[Segment, list[Sentence]] | None = None
    for segment, sentences in sentences_by_segment(document):
        last = segment, sentences
        if segment.kind == "heading":
            lead = lead or segment
            continue
        start = lead.start if lead else segment.start
        if segment.kind == "table":
            _add_table(found, document, segment, start, introduced=not hard and lead is None)
        elif found.tables and is_note_of(document, found.tables[-1].segment, found.tables[-1].end, segment):
            _add_note(found, document.text, sentences)
        else:
            _add(found, segment, sentences, start if lead else sentences[0].start, hard or lead is not None)
        lead, hard = None, segment.kind == "table" or _ends_at(found, segment)
    if lead and last:  # headings that nothing follows
        _add(found, last[0], last[1], lead.start, hard=True)
    found.running = _break_at_pages(found.running, document.pages)
    return found


def _ends_at(found: Outline, segment: Segment) -> bool:
    """True for a note: what follows it is as far from the running text as what follows a table."""
    return bool(found.tables) and segment.start < found.tables[-1].end


def _add(found: Outline, segment: Segment, sentences: Sequence[Sentence], start: int, hard: bool) -> None:
    for i, sentence in enumerate(sentences):
        before = Break.HARD if hard and not i else sentence.before
        found.running.append(Running(replace(sentence, before=before), segment, sentence.start if i else start))


def _add_table(found: Outline, document: Document, segment: Segment, start: int, introduced: bool) -> None:
    """A table with the sentence before it, where that announces it on the same page: it says what the table is of."""
    pieces = _pieces(document, segment)
    before = found.running[-1] if introduced and found.running else None
    if before is not None and is_introduction(document, before.sentence, segment):
        del found.running[-1]
        sentence, start = before.sentence, before.start
        pieces = (TablePiece(before.embedding_text(document.text), sentence.start, sentence.end), *pieces)
    found.tables.append(WholeTable(segment, start, segment.end, pieces))


def _add_note(found: Outline, text: str, sentences: Sequence[Sentence]) -> None:
    table = found.tables[-1]
    notes = [TablePiece(embedding_text(text[s.start : s.end]), s.start, s.end) for s in sentences]
    found.tables[-1] = replace(table, end=sentences[-1].end, pieces=(*table.pieces, *notes))


def _pieces(document: Document, segment: Segment) -> tuple[TablePiece, ...]:
    table = document.tables[segment.table] if segment.table is not None else None
    title = segment.headings[-1] if segment.headings else ""
    return tuple(table_pieces(document.text, segment.start, segment.end, table, title))


def _break_at_pages(running: list[Running], pages: Sequence[Page]) -> list[Running]:
    """A hard break before the first sentence that begins on another page than the one before."""
    if len(pages) < 2:
        return running
    starts = [page.start for page in pages]
    numbers = [bisect_right(starts, item.start) for item in running]
    return [
        replace(item, sentence=replace(item.sentence, before=Break.HARD))
        if i and numbers[i] != numbers[i - 1]
        else item
        for i, item in enumerate(running)
    ]

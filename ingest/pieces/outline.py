"""A document laid out for chunking: running sentences here, whole tables there, headings with what follows them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field, replace
from itertools import pairwise
from pathlib import Path

from ...core.errors import DocumentError
from ...core.records import dataclass
from ..chunk import Break, Sentence
from ..document import Document, Page, Segment
from ..sentences import WHOLE, sentences_by_segment, split_text
from .embedding_text import TablePiece, embedding_text, is_introduction, is_note_of, table_pieces


def sentences_under_headings(text: str) -> list[Sentence]:
    """The sentences of a text, ``Break.HARD`` before its headings, of several in a row before the first.

    Headings are those that the reader of the text finds: Markdown titles, numbered items, lines in capitals. In a text
    that its reader would rewrite (HTML, subtitles) there are none.
    """
    sentences: list[Sentence] = []
    for start, end in pairwise([0, *_headings(text), len(text)]):
        part = split_text(text[start:end])  # apart, so that no short heading joins the text above it
        for at, sentence in enumerate(part):
            is_border = at == 0 and bool(sentences)
            before = Break.HARD if is_border else sentence.before
            moved = replace(sentence, start=start + sentence.start, end=start + sentence.end, before=before)
            sentences.append(moved)
    return sentences


def _headings(text: str) -> list[int]:
    """Where headings begin that no heading stands right before."""
    from ..formats.registry import FileContent, reader_of

    file = FileContent(b"", Path(), given_text=text)
    try:
        content = reader_of(file).read(file)
    except DocumentError:  # no text in it, or a format that cannot be read: there are no headings
        return []
    if content.text != text:
        return []
    found: list[int] = []
    after_heading = False
    for segment in content.segments:
        is_heading = segment.kind == "heading"
        if is_heading and not after_heading:
            found.append(text.rfind("\n", 0, segment.start) + 1)  # with the signs of a title before it
        after_heading = is_heading
    return found


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
    """A table or figure, from the headings or the sentence right before it to the end of its notes."""

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
    layout = _Layout(document)
    for segment, sentences in sentences_by_segment(document):
        layout.add(segment, sentences)
    layout.finish()
    return Outline(_with_page_breaks(layout.running, document.pages), layout.tables)


class _Layout:
    """Takes a document's segments one by one."""

    def __init__(self, document: Document) -> None:
        self.running: list[Running] = []
        self.tables: list[WholeTable] = []
        self._document = document
        self._headings: list[tuple[Segment, list[Sentence]]] = []
        """Headings that wait for what follows them."""
        self._after_border = True
        """Whether nothing, a table or its note stands right before."""

    def add(self, segment: Segment, sentences: list[Sentence]) -> None:
        if segment.kind == "heading":
            self._headings.append((segment, sentences))
            return
        if segment.kind in WHOLE:
            self._add_table(segment)
        elif self._is_note(segment):
            self._add_note(sentences)
        else:
            self._add_running(segment, sentences)
        self._headings = []
        self._after_border = segment.kind in WHOLE or self._is_inside_last_table(segment)

    def finish(self) -> None:
        """Headings that nothing follows stand for themselves, with the last one's sentences."""
        if self._headings:
            segment, sentences = self._headings[-1]
            self._add_running(segment, sentences)

    def _start(self, otherwise: int) -> int:
        """Where the headings begin that wait, else the offset given."""
        if not self._headings:
            return otherwise
        first, _ = self._headings[0]
        return first.start

    def _is_inside_last_table(self, segment: Segment) -> bool:
        """True for a note: what follows it is as far from the running text as what follows a table."""
        if not self.tables:
            return False
        return segment.start < self.tables[-1].end

    def _is_note(self, segment: Segment) -> bool:
        if not self.tables:
            return False
        table = self.tables[-1]
        return is_note_of(self._document, table.segment, table.end, segment)

    def _add_running(self, segment: Segment, sentences: Sequence[Sentence]) -> None:
        first, *others = sentences
        if self._after_border or self._headings:
            first = replace(first, before=Break.HARD)
        self.running.append(Running(first, segment, self._start(first.start)))
        self.running.extend(Running(sentence, segment, sentence.start) for sentence in others)

    def _add_table(self, segment: Segment) -> None:
        """A table or figure, with the sentence before it where that announces it on the same page."""
        start = self._start(segment.start)
        pieces = _pieces(self._document, segment)
        introduction = self._introduction(segment)
        if introduction:
            self.running.pop()
            sentence, start = introduction.sentence, introduction.start
            words = introduction.embedding_text(self._document.text)
            pieces = (TablePiece(words, sentence.start, sentence.end), *pieces)
        self.tables.append(WholeTable(segment, start, segment.end, pieces))

    def _introduction(self, table: Segment) -> Running | None:
        """The last sentence, where it stands right before the table and announces it."""
        apart = self._after_border or self._headings
        if apart or not self.running:
            return None
        last = self.running[-1]
        return last if is_introduction(self._document, last.sentence, table) else None

    def _add_note(self, sentences: Sequence[Sentence]) -> None:
        text, table = self._document.text, self.tables[-1]
        notes = [TablePiece(embedding_text(text[s.start : s.end]), s.start, s.end) for s in sentences]
        self.tables[-1] = replace(table, end=sentences[-1].end, pieces=(*table.pieces, *notes))


def _pieces(document: Document, segment: Segment) -> tuple[TablePiece, ...]:
    if segment.kind == "figure":
        words = embedding_text(document.text[segment.start : segment.end])
        return (TablePiece(words, segment.start, segment.end),)
    table = document.tables[segment.table] if segment.table is not None else None
    title = segment.headings[-1] if segment.headings else ""
    return tuple(table_pieces(document.text, segment.start, segment.end, table, title))


def _with_page_breaks(running: list[Running], pages: Sequence[Page]) -> list[Running]:
    """A hard break before the first sentence that begins on another page than the one before."""
    if len(pages) < 2:
        return running
    page_starts = [page.start for page in pages]
    broken: list[Running] = []
    last_page = None
    for item in running:
        page = bisect_right(page_starts, item.start)
        if broken and page != last_page:
            item = replace(item, sentence=replace(item.sentence, before=Break.HARD))
        broken.append(item)
        last_page = page
    return broken

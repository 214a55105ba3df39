"""Sentences that a section quotes, by words and patterns that are data, and how a call's questions and answers sound.

A free question finds what is nearest in meaning, which in a filing is often boilerplate: "various legal proceedings are
pending against us". Rules that ask for a court, a year and a party quote the cases themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..core.patterns import PatternTable
from ..core.records import dataclass
from ..core.rules import load_rules
from ..core.words import search_words
from .parts import Cell, Grid, Paragraph, word

if TYPE_CHECKING:
    from ..core.language import Language
    from ..ingest.chunk import Chunk
    from ..kg.store import DocumentRecord, Store
    from .parts import Numbering

_FILE = "wording.toml"
QUOTES = ("business", "proceedings", "outlook", "payouts", "borrowing", "covenants", "competition")
CALLS = ("questions", "tone")
"""What of an earnings call a section can show."""
TONES = ("hedging", "concern", "confidence")
_TONE = PatternTable(__package__, _FILE, "tone")
_SHORTEST = {"en": 40, "zh": 12}
_LONGEST = 700
"""Characters of a sentence that is quoted; what is longer is a list or a table."""
_LEAST_VALUE = 0.3
"""Content value of a chunk: what has less is repeated heads and boilerplate."""
_MOST_ALIKE = 0.6
"""Share of its words that a sentence may have in common with one that is quoted already."""
_TIMELY = frozenset({"proceedings", "outlook", "payouts", "borrowing"})
"""Groups in which a sentence of the document's own time goes before one of years ago."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MOST_QUESTIONS = 12
_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a document. ``weight`` is how many of the words that count in its group stand in it."""

    text: str
    start: int
    end: int
    chunk: Chunk
    weight: int = 0


@cache
def _rules(name: str) -> PatternTable:
    return PatternTable(__package__, _FILE, f"quotes.{name}")


def quoted(store: Store, name: str, records: Sequence[DocumentRecord], numbering: Numbering) -> list[Paragraph]:
    """The sentences of a group, of the first document that has some: ``records`` come latest first.

    The best of a document are shown in the order in which they stand there.
    """
    most: int = load_rules(__package__, _FILE)["most"][name]
    for record in records:
        found = sorted(_matching(store, name, record), key=_weight, reverse=True)
        chosen = _unlike(found, most)
        if chosen:
            chosen.sort(key=_place)
            lines = [_cited(quote, record.source, numbering) for quote in chosen]
            return [Paragraph("\n\n".join(lines))]
    return []


def _weight(quote: Quote) -> int:
    return quote.weight


def _place(quote: Quote) -> int:
    return quote.start


def _matching(store: Store, name: str, record: DocumentRecord) -> Iterator[Quote]:
    """The sentences of a document that fit the rules of that name, each with how much it weighs."""
    rules, language = _rules(name), record.language
    counting = rules.all(f"{language}_counts")
    for chunk in _chunks_to_quote(store, record, rules):
        for quote in whole_sentences(chunk, language):
            if not _fits(quote.text, rules, language):
                continue
            weight = sum(pattern.search(quote.text) is not None for pattern in counting)
            if name in _TIMELY and record.period is not None:
                weight += _timeliness(quote.text, record.period.year)
            yield Quote(quote.text, quote.start, quote.end, chunk, weight)


def _chunks_to_quote(store: Store, record: DocumentRecord, rules: PatternTable) -> Iterator[Chunk]:
    """Running text that says something; only what stands under one of the headings that the rules name, if they do."""
    headings = f"{record.language}_headings"
    has_headings = headings in set(rules)
    for chunk in store.chunks_of(record.source):
        is_text = chunk.kind == "text" and chunk.value >= _LEAST_VALUE and not chunk.part
        if not is_text:
            continue
        if not has_headings or _stands_under(chunk, rules, headings):
            yield chunk


def _timeliness(text: str, year: int) -> int:
    """2 for a sentence that names the document's year or a later one, less for what is older."""
    latest = max((int(match[0]) for match in _YEAR.finditer(text)), default=0)
    if not latest:
        return 0
    return 2 if latest >= year else max(-3, latest - year)


def _stands_under(chunk: Chunk, rules: PatternTable, headings: str) -> bool:
    return any(rules.any(headings, heading) for heading in chunk.headings)


def _fits(text: str, rules: PatternTable, language: Language) -> bool:
    if rules.any(f"{language}_never", text):
        return False
    return all(pattern.search(text) for pattern in rules.all(f"{language}_needs"))


def whole_sentences(chunk: Chunk, language: Language) -> Iterator[Quote]:
    """The whole sentences of a chunk: no rows of tables, no items that begin in the middle."""
    for start, end in chunk.sentences:
        text = " ".join(chunk.text[start - chunk.start : end - chunk.start].split())
        is_whole = (
            _SHORTEST[language] <= len(text) <= _LONGEST and not text[:1].islower() and text[-1:] in '.。!！?？”"'
        )
        if is_whole and "|" not in text:
            yield Quote(text, start, end, chunk)


def _unlike(found: Sequence[Quote], most: int) -> list[Quote]:
    """The first ones, without those that say what one before them says."""
    chosen: list[Quote] = []
    said: list[set[str]] = []
    for quote in found:
        words = set(search_words(quote.text))
        alike = (len(words & other) / max(1, min(len(words), len(other))) for other in said)
        if max(alike, default=0.0) > _MOST_ALIKE:
            continue
        chosen.append(quote)
        said.append(words)
        if len(chosen) == most:
            break
    return chosen


def _cited(quote: Quote, source: str, numbering: Numbering) -> str:
    return f"{quote.text} [{_number(quote, source, numbering)}]"


# --- earnings calls


def call_questions(
    store: Store, records: Sequence[DocumentRecord], numbering: Numbering, language: Language
) -> list[Grid]:
    """What was asked on the calls, a row a question, with who asked; nothing where no document is a call."""
    rows: list[tuple[Cell, ...]] = []
    for record in records:
        for quote in _spoken(store, record, "question"):
            if len(rows) < _MOST_QUESTIONS and quote.text.endswith(("?", "？")) and not _is_greeting(quote.text):
                number = _number(quote, record.source, numbering)
                rows.append((Cell(quote.chunk.speaker), Cell(quote.text, (number,))))
    head = (word("speaker", language), word("question", language))
    return [Grid("", head, tuple(rows))] if rows else []


def tone(store: Store, records: Sequence[DocumentRecord], numbering: Numbering, language: Language) -> list[Grid]:
    """How often words of caution, concern and confidence stand in the questions and in the answers, with examples.

    Counts and counts in a thousand words, no score: what they mean is for the reader, who has the sentences.
    """
    asked = [(record, quote) for record in records for quote in _spoken(store, record, "question")]
    answered = [(record, quote) for record in records for quote in _spoken(store, record, "answer")]
    if not asked:
        return []
    rows: list[tuple[Cell, ...]] = []
    for name in TONES:
        examples = sorted(asked, key=lambda pair: -_count(name, pair[0].language, pair[1].text))[:_EXAMPLES]
        shown = [pair for pair in examples if _count(name, pair[0].language, pair[1].text)]
        numbers = tuple(_number(quote, record.source, numbering) for record, quote in shown)
        said = " … ".join(quote.text for _, quote in shown)
        rows.append(
            (Cell(word(name, language)), _frequency(name, asked), _frequency(name, answered), Cell(said, numbers))
        )
    head = tuple(word(name, language) for name in ("wording", "in_questions", "in_answers", "examples"))
    return [Grid("", head, tuple(rows))]


def _spoken(store: Store, record: DocumentRecord, part: str) -> Iterator[Quote]:
    for chunk in store.chunks_of(record.source):
        if chunk.part == part:
            for start, end in chunk.sentences:
                text = " ".join(chunk.text[start - chunk.start : end - chunk.start].split())
                yield Quote(text, start, end, chunk)


def _is_greeting(text: str) -> bool:
    """True for "How are you?" and the like: nothing is asked of the company."""
    return len(search_words(text)) < 5


def _count(name: str, language: Language, text: str) -> int:
    return sum(1 for _ in _TONE.each(f"{name}_{language}", text))


def _frequency(name: str, spoken: Sequence[tuple[DocumentRecord, Quote]]) -> Cell:
    """ "14 (8.1 ‰)": how often, and in a thousand words (of Chinese, characters)."""
    count = sum(_count(name, record.language, quote.text) for record, quote in spoken)
    length = sum(_length(quote.text, record.language) for record, quote in spoken)
    share = 1000 * count / length if length else 0.0
    return Cell(f"{count} ({share:.1f} ‰)")


def _length(text: str, language: Language) -> int:
    return len(text) if language == "zh" else len(text.split())


def _number(quote: Quote, source: str, numbering: Numbering) -> int:
    return numbering.place(source, quote.text, quote.start, quote.end, quote.chunk.anchors, quote.chunk.page)

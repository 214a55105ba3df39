"""All drivers of a document: its sentences, its tables (a row's figure, its change, and a remark that says why)
and the remarks beside them, with company, period and place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import chain

from ....core.ids import stable_id
from ....core.names import is_chinese
from ....core.period import Period, undated_parts
from ....core.period_text import find_periods, first_period
from ....core.quantity import Quantity, parse_quantity
from ....core.records import dataclass
from ....core.sequences import last
from ....ingest.chunk import Chunk
from ....ingest.document import Document, Span, Table, cell_spans
from ....ingest.facts.context import FactContext
from ....ingest.facts.metrics import default_metrics
from ...drivers import Direction, Driver
from .chinese import chinese_may_explain, is_measure, read_chinese, read_remark
from .effects_en import read_effect
from .english import english_may_explain, read_english
from .readings import Effect, Reading, shifted

_REMARK = re.compile(r"(?:系|由于|所致|原因|影响|因(?!此|素)).{2,}")
_CHANGE_HEAD = re.compile(r"变动|增减|同比|幅度")
_CURRENT_HEAD = re.compile(r"\A\s*(?:本期|期末|本年|报告期|\d{4}年)")
_PRIOR_HEAD = re.compile(r"上期|上年|期初|年初|去年|同期")
_SHARE_HEAD = re.compile(r"占|比例|变动|增减")
_LEAST_REMARK = 5


def table_readings(document: Document) -> Iterator[tuple[int, int, Reading]]:
    """(start, end, reading) of each row with a remark; offsets of the row in the text, the reading's relative to it."""
    if document.metadata.language != "zh":
        return
    for table in document.tables:
        if not any(_is_remark(row[-1]) for row in table.body if row):
            continue
        spans = cell_spans(document.text, table.start, table.end)
        for number, row in enumerate(table.rows):
            if number >= table.header_rows and number < len(spans) and len(spans[number]) == len(row):
                yield from _of_row(document, table, row, spans[number])


def _is_remark(cell: str) -> bool:
    return len(cell) >= _LEAST_REMARK and is_chinese(cell) and _REMARK.search(cell) is not None


def _of_row(
    document: Document, table: Table, row: Sequence[str], spans: Sequence[Span]
) -> Iterator[tuple[int, int, Reading]]:
    label, remark = row[0].strip(), row[-1]
    metric = default_metrics().find(label)
    is_figure = metric is not None or is_measure(label)
    has_number = any(map(parse_quantity, row[1:-1]))
    if not (is_figure and has_number and _is_remark(remark)):
        return
    change = _change(table, row)
    start, end = spans[0][0], spans[-1][1]
    direction = _way(table, row, change)
    effect = Effect(label, 0, len(label), direction, metric.name if metric else "", percent=change)
    low = spans[-1][0] - start
    causes = read_remark(document.text[start:end].replace("\n", " "), low, end - start, effect)
    if causes:
        yield start, end, Reading(effect, tuple(causes), 0.85)


def _way(table: Table, row: Sequence[str], change: Quantity | None) -> Direction:
    """How the figure went: by its amounts now and before where the heads tell them apart, else by its change.

    The change in percent of an amount that was negative has the wrong sign.
    """
    now, before = _under(table, row, _CURRENT_HEAD), _under(table, row, _PRIOR_HEAD)
    moved = now.value - before.value if now and before else change.value if change else Decimal(0)
    if not moved:
        return ""
    return "up" if moved > 0 else "down"


def _under(table: Table, row: Sequence[str], head: re.Pattern[str]) -> Quantity | None:
    """The first amount of the row under a head of that kind."""
    for words, number in _numbers(table, row):
        if head.search(words) and not _SHARE_HEAD.search(words):
            return number
    return None


def _numbers(table: Table, row: Sequence[str]) -> Iterator[tuple[str, Quantity]]:
    """The numbers between the label of a row and its remark, each with the head of its column."""
    for column, cell in enumerate(row[1:-1], 1):
        number = parse_quantity(cell)
        if number is not None:
            yield " ".join(line[column] for line in table.heads), number


def _change(table: Table, row: Sequence[str]) -> Quantity | None:
    """The change that the row states in percent: under a head that says so, else the last number before the remark."""
    stated = list(_numbers(table, row))
    named = [(head, number) for head, number in stated if _CHANGE_HEAD.search(head)]
    _, found = last(named or stated, ("", None))
    if found is None or found.unit:
        return found
    return replace(found, unit="%", scale=Decimal(1))


VERSION = "6"
"""Of this step; part of the version of every extractor that gives drivers."""

_GOES_ON = re.compile(r"(?::|：|following|due to|by|to)\s{0,3}\Z")
_ITEM = re.compile(r"\s{0,10}(?:[•●◦▪·–-]|\(?(?:i{1,3}|iv|v|[a-h1-9])\)|[①-⑨])\s?")
_FIGURES_ABOVE = re.compile(r"(?:[^A-Za-z\u4e00-\u9fff\n]*\n)+")
"""Lines without a letter before a sentence: cells of a table that stands above it in a text without tables."""
_MOST_ITEMS = 12
"""Items of a list that belong to the sentence before it."""
_FROM = r"from(?!\s(?:operations|operating|continuing|sales))"
"""Not of "earnings from operations"."""
_COMPARED = re.compile(
    rf"(?:compared\s(?:to|with)|consistent\swith|versus|vs\.?|{_FROM}|prior|than|over|end of|since|较|比|上年|上期)"
    r"(?:[^,，;]|(?<=\d),(?=\d)){0,24}\Z",
    re.IGNORECASE,
)
_BEFORE = 2_500
"""Characters before a sentence in which its paragraph may say of which period it is."""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n{1,4}")
_MOVEMENT = re.compile(
    r"\b(?:increas|decreas|rose|fell|grew|declin|higher|lower|ended)|[$€£%]|增长|增加|下降|减少|上升|年度|同比",
    re.IGNORECASE,
)
"""Of a sentence that says of which period a paragraph is: "Revenues increased in 2021", "Year ended June 30, 2016"."""
_ASIDE = re.compile(
    r"\b(?:compared|versus|due to|driven by|because of|reflect\w{0,4}|result\w{0,4} from|partially|which)\b"
    rf"|\b{_FROM}\b|主要|由于|较",
    re.IGNORECASE,
)
"""What follows is what a figure is compared with, or why it moved: of other periods as well."""
_SPANS = frozenset({"quarter", "half", "nine months", "year", "span"})
_SAME_CLOSE = 35
"""Days by which the ends of periods that close together differ."""
_NEAR_HEADINGS = 2
"""The innermost headings, which may name the period of what stands below them."""
_LONGEST = 3_000
"""Characters; a sentence with its list has rarely more than 1,500, a page without full stops any number."""
_LOOK_BACK = 2
"""Sentences before "the increase" that may say of what."""
_KNOWN, _GENERIC, _REFERRED = 1.0, 0.85, 0.75
"""Factors of the confidence: a metric of the list, another figure, one that the sentence before names."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a sentence with the list that it introduces, and the chunk that it begins in."""

    start: int
    end: int
    text: str
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Found:
    """What was read at a place; offsets in the reading are relative to ``start``."""

    start: int
    end: int
    chunk: Chunk
    reading: Reading


def document_drivers(document: Document, chunks: Sequence[Chunk], extractor: str = "rules") -> tuple[Driver, ...]:
    """The drivers that the rules read, in order of place; the same document gives the same ids."""
    found = [*_in_sentences(document, chunks), *table_drivers(document, chunks)]
    return as_drivers(document, found, extractor)


def as_drivers(document: Document, found: Sequence[Found], extractor: str) -> tuple[Driver, ...]:
    """What was read, with company, period and place in the document."""
    dated = _Dating(document)
    drivers: dict[str, Driver] = {}
    for item in sorted(found, key=lambda item: (item.start, item.end)):
        driver = _driver(document, item, dated, extractor)
        drivers.setdefault(driver.id, driver)
    return tuple(drivers.values())


def driver_lines(document: Document, chunks: Sequence[Chunk]) -> Iterator[Line]:
    """The sentences of the running text, once each; a list goes with the sentence that introduces it."""
    places = [(start, end, chunk) for chunk in chunks if chunk.kind == "text" for start, end in chunk.printed]
    at = 0
    number = 0
    while number < len(places):
        start, end, chunk = places[number]
        number += 1
        if start < at:  # chunks may overlap
            continue
        if _GOES_ON.search(document.text, max(start, end - 12), end):
            last = number
            while last < len(places) and last - number < _MOST_ITEMS and _ITEM.match(document.text, places[last][0]):
                last += 1
            if last > number:
                end, number = places[last - 1][1], last
        at = end
        above = _FIGURES_ABOVE.match(document.text, start, end)
        start = above.end() if above else start
        # One letter for one, so that offsets stay.
        yield Line(start, end, document.text[start:end].replace("\n", " "), chunk)


def _in_sentences(document: Document, chunks: Sequence[Chunk]) -> Iterator[Found]:
    before: list[Line] = []
    for line in driver_lines(document, chunks):
        for reading in read_sentence(line.text):
            named = reading if reading.effect.label else _referred(reading, before, line)
            if named is not None:
                yield Found(line.start, line.end, line.chunk, named)
        before = [*before[-_LOOK_BACK + 1 :], line]


def may_explain(text: str) -> bool:
    """False for most sentences, fast: no word is there that says why."""
    return chinese_may_explain(text) if is_chinese(text) else english_may_explain(text)


def read_sentence(text: str) -> list[Reading]:
    """The readings of a sentence in its own language; none of what is far too long for a sentence."""
    if len(text) > _LONGEST:
        return []
    return read_chinese(text) if is_chinese(text) else read_english(text)


def _referred(reading: Reading, before: Sequence[Line], line: Line) -> Reading | None:
    """ "The increase was due to": the figure is the one that a sentence right before, or the heading, speaks of."""
    for earlier in reversed(before):
        effect = read_effect(earlier.text, 0, len(earlier.text)) if not is_chinese(earlier.text) else None
        if effect is not None and effect.metric:
            return _of(reading, effect)
    for heading in reversed(line.chunk.headings[-1:]):
        metric = default_metrics().find(heading)
        if metric is not None and metric.name:
            return _of(reading, Effect(heading, 0, 0, "", metric.name))
    return None


def _of(reading: Reading, named: Effect) -> Reading:
    """The reading with the figure of another sentence, and its amounts where this one has none."""
    own = reading.effect
    is_same_way = own.direction == named.direction
    effect = replace(
        own,
        label=named.label,
        metric=named.metric,
        segment=named.segment,
        change=own.change or (named.change if is_same_way else None),
        percent=own.percent or (named.percent if is_same_way else None),
        level=own.level or (named.level if is_same_way else None),
    )
    return replace(reading, effect=effect, confidence=reading.confidence * _REFERRED)


def table_drivers(document: Document, chunks: Sequence[Chunk]) -> Iterator[Found]:
    """Remarks of tables, in the chunk that holds the row."""
    for start, end, reading in table_readings(document):
        for chunk in chunks:
            if chunk.kind == "table" and chunk.start <= start and end <= chunk.end:
                yield Found(start, end, chunk, reading)
                break


def _driver(document: Document, found: Found, dated: _Dating, extractor: str) -> Driver:
    effect = found.reading.effect
    about = document.metadata
    text = document.text[found.start : found.end]
    factor = _KNOWN if effect.metric else _GENERIC
    return Driver(
        id=stable_id("driver", document.source, extractor, found.start, effect.label, effect.direction, effect.start),
        company=about.companies[0] if about.companies else "",
        metric=effect.metric,
        label=" ".join(effect.label.split()),
        direction=effect.direction,
        causes=tuple(shifted(cause, found.start) for cause in found.reading.causes),
        document=document.source,
        chunk=found.chunk.id,
        start=found.start,
        end=found.end,
        text=text,
        segment=" ".join(effect.segment.split()),
        period=dated.period(text, found),
        change=effect.change,
        percent=effect.percent,
        level=effect.level,
        outlook=effect.outlook,
        anchors=document.anchors(found.start, found.end),
        published=about.published,
        confidence=round(found.reading.confidence * factor, 3),
        extractor=extractor.partition("-")[0],
    )


class _Dating:
    """Tells which period a driver is about: the one that its figure or its paragraph names, else the document's."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _context(self) -> FactContext:
        return FactContext.of(self._document)

    def period(self, text: str, found: Found) -> Period | None:
        """The first one named outside the causes that nothing is only compared with; else that of what stands above.

        A part of a year is of the document's year where none is told.
        """
        own = self._context.period
        ahead = found.reading.effect.outlook
        named = [(mention.start, mention.period) for mention in find_periods(text)]
        undated = undated_parts(text, own, ahead=ahead) if own else ()
        hidden = [(cause.start, cause.end) for cause in found.reading.causes]
        for place, period in chain(named, undated):
            is_other = _COMPARED.search(text, max(0, place - 40), place) is not None
            is_of_cause = any(start <= place < end for start, end in hidden)
            if not is_other and not is_of_cause:
                return self._context.dated(period)
        above = self._above(found)
        if above is not None:
            return self._context.dated(above)
        return self._context.dated(own) if own else None

    def _above(self, found: Found) -> Period | None:
        """The period that the sentences before it or its headings name; None where it cannot be of that one."""
        told = self._told_before(found)
        if told is not None:
            return told if self._may_be(told, found) else None
        headings = reversed(found.chunk.headings[-_NEAR_HEADINGS:])
        return next(filter(None, map(first_period, headings)), None)

    def _may_be(self, told: Period, found: Found) -> bool:
        """False for a period that had still to end, of what has been; a report on a quarter, as a call is, speaks of
        what ends with it where it names nothing else.
        """
        own = self._context.period
        if own is None or found.reading.effect.outlook:
            return True
        days = (self._context.dated(told).last_day - self._context.dated(own).last_day).days
        return days <= _SAME_CLOSE and (own.unit != "quarter" or days >= -_SAME_CLOSE)

    def _told_before(self, found: Found) -> Period | None:
        """The period that the last sentence before it under its heading names, of those that say how a figure moved.

        "Revenues increased in 2021 compared with 2020. BGS revenues increased by $785 million": in 2021, too.
        """
        before = self._document.text[max(0, found.start - _BEFORE) : found.start]
        for heading in found.chunk.headings[-1:]:
            before = before[max(0, before.rfind(heading)) :]
        for sentence in reversed(_SENTENCE_END.split(before)):
            aside = _ASIDE.search(sentence)
            said = sentence[: aside.start()] if aside else sentence
            if not _MOVEMENT.search(said):
                continue
            spans = [mention.period for mention in find_periods(said) if mention.period.unit in _SPANS]
            if spans:
                return spans[0]
        return None

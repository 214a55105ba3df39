"""Every place that prints a number, in whatever scale: cells of tables and sentences, also where no fact was read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ...core.anchor import Anchor
from ...core.scope import Scope
from ...ingest.document import Document
from ...ingest.sentences import split_text
from ...ingest.table import Table, cell_spans
from ...kg.storage.preparation import significant_digits
from ...kg.store import Store

_AROUND = 1200
"""Characters before and after a number in which its sentence is looked for."""
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A number as printed, with the row or the sentence that holds it. Offsets are those of the number."""

    kind: Literal["cell", "sentence"]
    source: str
    text: str
    around: str
    start: int
    end: int
    page: int | None = None
    anchors: tuple[Anchor, ...] = ()
    table: int | None = None
    row: int | None = None
    column: int | None = None


def find_number(store: Store, value: Decimal, *, scope: Scope | None = None, limit: int = 200) -> list[Occurrence]:
    """Places with the same digits as ``value``: 4215 finds "4,215", "$4.215 billion" and "(4,215,000)".

    Reads the text of every document of the scope, in order of source and place.
    """
    pattern = number_pattern(value)
    found: list[Occurrence] = []
    for record in store.documents(scope):
        if pattern.search(store.text(record.source)) and (document := store.document(record.source)):
            found += _in_document(document, pattern)
            if len(found) >= limit:
                break
    return found[:limit]


def number_pattern(value: Decimal) -> re.Pattern[str]:
    """Matches numbers with these digits, whatever separators and zeros stand around them.

    >>> [bool(number_pattern(Decimal(4215)).search(t)) for t in ("4,215.0", "0.4215", "42,150", "14,215", "4,2150,1")]
    [True, True, True, False, False]
    """
    digits = r"[,.，]?".join(significant_digits(value))
    return re.compile(rf"(?<![\d.,，])(?:0[.]0*)?{digits}(?:[,.，]?0)*(?![\d]|[,.，]\d)")


def _in_document(document: Document, pattern: re.Pattern[str]) -> Iterator[Occurrence]:
    starts = [table.start for table in document.tables]
    for match in pattern.finditer(document.text):
        at = bisect_right(starts, match.start()) - 1
        table = document.tables[at] if at >= 0 and match.start() < document.tables[at].end else None
        yield _cell(document, table, at, match) if table else _sentence(document, match)


def _cell(document: Document, table: Table, ordinal: int, match: re.Match[str]) -> Occurrence:
    row, column = _place(cell_spans(document.text, table.start, table.end), match.start())
    cells = table.rows[row] if row is not None and row < len(table.rows) else ()
    around = " | ".join(filter(None, cells)) or _line(document.text, match.start())
    anchors = document.anchors(*match.span()) or table.anchors
    return Occurrence(
        "cell", document.source, match[0], around, *match.span(), _page(anchors), anchors, ordinal, row, column
    )


def _place(spans: Collection[Collection[tuple[int, int]]], at: int) -> tuple[int | None, int | None]:
    for r, row in enumerate(spans):
        for c, (start, end) in enumerate(row):
            if start <= at < end:
                return r, c
    return None, None


def _sentence(document: Document, match: re.Match[str]) -> Occurrence:
    text = document.text
    before = [m.end() for m in _BLANK_LINE.finditer(text, max(0, match.start() - _AROUND), match.start())]
    after = _BLANK_LINE.search(text, match.end(), match.end() + _AROUND)
    start = before[-1] if before else max(0, match.start() - _AROUND)
    block = text[start : after.start() if after else match.end() + _AROUND]
    at = match.start() - start
    around = next((block[s.start : s.end] for s in split_text(block) if s.start <= at < s.end), match[0])
    anchors = document.anchors(*match.span())
    return Occurrence(
        "sentence", document.source, match[0], " ".join(around.split()), *match.span(), _page(anchors), anchors
    )


def _line(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else None].strip(" |")


def _page(anchors: tuple[Anchor, ...]) -> int | None:
    return anchors[0].page if anchors else None

"""Full submission text files of EDGAR: the header and every document of a filing, each told by its <TYPE>."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import chain
from typing import Any

from ...core.records import dataclass
from ..document import Line, Page, Segment
from .html import is_html, read_html
from .registry import Content, Evidence, FileContent, Reader
from .text import paged, read_plain

_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)(?:</DOCUMENT>|\Z)", re.DOTALL | re.IGNORECASE)
_TEXT = re.compile(r"<TEXT>(.*?)(?:</TEXT>|\Z)", re.DOTALL | re.IGNORECASE)
_WRAPPED = re.compile(r"\A\s{0,20}<(?:XBRL|XML|PDF)>", re.IGNORECASE)
_UNREAD = re.compile(r"GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|EX-101|EX-104|COVER|CORRESP-?GRAPHIC", re.IGNORECASE)
_HEADER_LINE = re.compile(r"^[ \t]{0,12}([A-Z][A-Z &/]{2,60}):[ \t]{1,40}(\S.{0,200})$", re.MULTILINE)
_STARTS = re.compile(r"\A\s{0,200}(?:-----BEGIN PRIVACY|<(?:SEC-DOCUMENT|IMS-DOCUMENT|SEC-HEADER)>)", re.IGNORECASE)
_BETWEEN = "\n\n"
_HEADER = 20_000
"""Characters in which the header stands."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One document of a filing."""

    kind: str
    """Its <TYPE>: "10-K", "EX-99.1"."""
    title: str
    """What the filer calls it."""
    text: str

    @property
    def name(self) -> str:
        """ "EX-99.1: Press release"."""
        is_plain = not self.title or self.title.upper() == self.kind.upper()
        return self.kind if is_plain else f"{self.kind}: {self.title}"


def _recognises(file: FileContent) -> bool:
    head = file.text[:_HEADER]
    return bool(_STARTS.match(head)) and "<TYPE>" in head.upper()


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    header = _header(file.text[:_HEADER])
    read: list[tuple[_Part, Content]] = []
    unread: Counter[str] = Counter()
    for part in _parts(file.text):
        file.deadline.check()
        if _UNREAD.match(part.kind) or _WRAPPED.match(part.text):
            unread[part.kind] += 1
            continue
        content = read_html(part.text) if is_html(part.text) else _plain(part.text)
        if content.text.strip():
            read.append((part, content))
    notes = []
    if unread:
        kinds = ", ".join(f"{kind} {count}" for kind, count in unread.most_common())
        notes.append(f"parts that hold data or pictures are not read: {kinds}")
    return replace(_joined(read), evidence=_evidence(header, read), notes=tuple(notes))


def _evidence(header: Mapping[str, str], read: Sequence[tuple[_Part, Content]]) -> Evidence:
    """What the main document says of itself, completed by the header."""
    main = read[0][1].evidence if read else Evidence()
    ends = _day(header.get("CONFORMED PERIOD OF REPORT", ""))
    told = {
        "EntityRegistrantName": header.get("COMPANY CONFORMED NAME", ""),
        "DocumentType": header.get("CONFORMED SUBMISSION TYPE", ""),
        "DocumentPeriodEndDate": ends.isoformat() if ends else "",
    }
    dei = {name: value for name, value in told.items() if value} | dict(main.dei)
    return replace(main, dei=dei, published=_day(header.get("FILED AS OF DATE", "")))


def _plain(text: str) -> Content:
    """A part of plain text; a break may begin its first page, too."""
    pages, page_break = paged(text)
    while len(pages) > 1 and not pages[0].strip():
        pages.pop(0)
    return read_plain(pages if page_break else text, page_break, tables=True)


def _parts(text: str) -> Iterator[_Part]:
    for match in _DOCUMENT.finditer(text):
        whole = match[1]
        body = _TEXT.search(whole)
        head = whole[: body.start()] if body else whole[:2_000]
        content = body[1] if body else ""
        yield _Part(_tag(head, "TYPE"), _tag(head, "DESCRIPTION"), content)


def _tag(head: str, name: str) -> str:
    """The value of a tag of EDGAR, which has no end."""
    at = head.upper().find(f"<{name}>")
    return head[at + len(name) + 2 :].partition("\n")[0].strip() if at >= 0 else ""


def _header(head: str) -> dict[str, str]:
    """The lines of the header; of names that stand several times (filers) the first."""
    found: dict[str, str] = {}
    for match in _HEADER_LINE.finditer(head):
        found.setdefault(match[1].strip(), match[2].strip())
    return found


def _day(text: str) -> date | None:
    try:
        return datetime.strptime(text[:8], "%Y%m%d").date()
    except ValueError:
        return None


def _moved(content: Content, part: _Part, start: int, page: int, table: int) -> Content:
    """A part's content as it stands in the whole, after as many characters, pages and tables.

    Its headings hang under the part's name, and its places say which part it is.
    """

    def moved(one: Any, **changes: Any) -> Any:
        """What stands in the text, in its new place."""
        return replace(one, start=one.start + start, end=one.end + start, **changes)

    def segment_moved(segment: Segment) -> Segment:
        level = segment.level + 1 if segment.level else 0
        own_table = None if segment.table is None else segment.table + table
        made: Segment = moved(segment, level=level, headings=(part.name, *segment.headings), table=own_table)
        return made

    def line_moved(line: Line) -> Line:
        place = f"{part.kind}, page {line.page}" if content.pages else part.kind
        made: Line = moved(line, page=line.page + page, place=place)
        return made

    lines = content.lines or (Line(0, len(content.text), 1),)
    pages = content.pages or (Page(1, 0, len(content.text)),)
    return Content(
        text=content.text,
        segments=tuple(map(segment_moved, content.segments)),
        pages=tuple(moved(one, number=one.number + page) for one in pages),
        lines=tuple(map(line_moved, lines)),
        tables=tuple(moved(one, headings=(part.name, *one.headings)) for one in content.tables),
        failed={number + page: why for number, why in content.failed.items()},
        tagged=tuple(map(moved, content.tagged)),
    )


def _joined(parts: Sequence[tuple[_Part, Content]]) -> Content:
    """The parts one after the other, each under a heading with its name."""
    text = ""
    whole: list[Content] = []
    headings: list[Segment] = []
    dropped: Counter[str] = Counter()
    for part, content in parts:
        start = len(text) + len(_BETWEEN) * bool(text)
        headings.append(Segment("heading", start, start + len(part.name), level=1))
        pages = sum(len(one.pages) for one in whole)
        tables = sum(len(one.tables) for one in whole)
        head = f"{_BETWEEN if text else ''}{part.name}{_BETWEEN}"
        whole.append(_moved(content, part, len(text) + len(head), pages, tables))
        text += head + content.text
        dropped.update(content.dropped)

    def all_of(kind: str) -> Iterator[Any]:
        """What the parts hold of a kind, in their order."""
        return chain.from_iterable(getattr(one, kind) for one in whole)

    return Content(
        text=text,
        segments=tuple(sorted((*headings, *all_of("segments")), key=lambda segment: segment.start)),
        pages=tuple(all_of("pages")),
        lines=tuple(all_of("lines")),
        tables=tuple(all_of("tables")),
        dropped=dropped,
        failed=dict(chain.from_iterable(one.failed.items() for one in whole)),
        tagged=tuple(all_of("tagged")),
    )


SUBMISSION = Reader("EDGAR submission", (".sgml",), _recognises, _read, rank=32)

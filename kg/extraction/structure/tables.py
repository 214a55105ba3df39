"""Tables that state relations: columns are recognised by their heads and cells, and each row says what they mean.

Which tables, columns and statements there are is data: ``tables.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import filterfalse

from ....core.names import is_chinese
from ....core.period import Period
from ....core.period_text import first_period
from ....core.records import dataclass
from ....core.sequences import first
from ....ingest.document import Document, Table
from ....ingest.tables.values import is_unit_line
from ...triple import Triple
from ..rules.details import relation_of_role
from .cells import Known, clean, named, person_before_role, place_in, roles_in, same_name, unit_of
from .filing import CONFIDENCE, row_lines
from .table_rules import Claim, Kind, Pair, pair_rules, table_kinds

FILER = "filer"
BY_ROLE = "by_role"
BY_SHARE = "by_share"
_HALF = 50
"""Percent of a company above which it is a subsidiary."""
_HEAD = "head"
"""In a claim: what a column's head names."""
_ROW_NAME = "name"
_MOSTLY = 0.6
"""Share of a column's filled cells that have to hold a kind for the column to be known by them."""
_SPAN = re.compile(r"\s?[—–-]\s?|\s(?:through|to)\s")
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPEN_END = re.compile(r"(?:[,&-]|\bof|\band)\s*$")
"""The end of a cell that goes on in the row below."""
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?")
_LONGEST_LEAD = 300
"""Characters at the end of what stands above a table that say what it is of."""
_HEAD_LINES = 3
"""Rows at the top of a table without known heads that may be its heads."""
_CHAIRS = re.compile(
    r"(?<!former )(?<!retired )(?<!vice )(?<!vice-)\bchair(?:man|woman|person)?\b"
    r"(?! emerit|,? of (?!(?:the |our )?(?:board|company)\b))|\bvice[ -]chair(?:man|woman|person)? of the board\b"
    r"|(?<![原前任誉])董事长",
    re.IGNORECASE,
)
"""An office that only a member of the board holds: none of a unit, nor "vice chairman", which may be a banker's."""
_LEADING = ("leads", "director_of", "works_for")
"""What is told of somebody who holds several offices: the first of these."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's cells, and where its line stands in the document's text."""

    cells: Sequence[str]
    start: int
    end: int


def table_triples(document: Document, known: Known) -> Iterator[Triple]:
    """What the tables of a document say of the one firm that it is from; offsets are rows in the document's text.

    ``known`` are the names that its text holds, with their types: a row called by one of them is about that thing.
    """
    for table in document.tables:
        if table.rows:
            yield from _Reading(document, table, known).triples()


class _Reading:
    """One table and what is asked of it."""

    def __init__(self, document: Document, table: Table, known: Known) -> None:
        self._document, self._table, self._known = document, table, known
        self._filer = document.metadata.companies[0]
        self._heads = _heads(table.rows[: table.header_rows], table.width)
        above = " ".join((table.title[-_LONGEST_LEAD:] or _lead(document, table), *table.headings[-2:]))
        self._about = " ".join((above, *self._heads)).lower()
        self._above = " ".join(above.split())

    def triples(self) -> Iterator[Triple]:
        """All that the rows say, by every kind that the table is of."""
        for kind in table_kinds():
            is_meant = kind.about.search(self._about) and not (kind.unless and kind.unless.search(self._about))
            if is_meant:
                yield from self._of_kind(kind)
        yield from self._pairs()

    def _of_kind(self, kind: Kind) -> Iterator[Triple]:
        if kind.heads:
            yield from self._across(kind)
            return
        places, skipped = self._columns(kind)
        if not any(self._is_told(claim, places) for claim in kind.claims):
            return
        above: dict[str, str] = {}
        rows = self._rows(skipped)
        for row in self._joined(kind, rows, places) if kind.joined else rows:
            label = " ".join(filter(None, row.cells))
            if kind.unless and len(set(filter(None, row.cells))) == 1 and kind.unless.search(label.lower()):
                return
            said = list(self._of_row(kind, row, self._cells(kind, row, places, above), places))
            yield from said
            if said and kind.once:
                return

    def _columns(self, kind: Kind) -> tuple[dict[str, int], int]:
        """Column -> its place, and how many rows of the body turned out to be heads."""
        best = self._columns_under(kind, self._heads)
        needed = sum(column.head is not None for column in kind.columns)
        if len(best) >= needed:
            return best, 0
        skipped = 0
        for number in range(min(_HEAD_LINES, len(self._table.body))):
            heads = _heads([self._table.body[number]], self._table.width)
            found = self._columns_under(kind, heads)
            if len(found) > len(best) + 1:
                best, skipped = found, number + 1
        return best, skipped

    def _columns_under(self, kind: Kind, heads: Sequence[str]) -> dict[str, int]:
        places: dict[str, int] = {}
        for column in kind.columns:
            place = column.at
            if place is None and column.head is not None:
                place = _first_fitting(
                    heads, column.head, but=places.get(_ROW_NAME) if column.cell == "figure" else None
                )
            if place is None and column.by_cells:
                place = self._column_holding(column.cell, set(places.values()))
            if place is not None:
                places[column.name] = place
        return places

    def _column_holding(self, kind: str, taken: set[int]) -> int | None:
        """The column whose cells mostly hold that kind."""
        for place in range(self._table.width):
            filled = [row[place] for row in self._table.rows if row[place].strip()]
            if place in taken:
                continue
            fitting = sum(bool(named(cell, kind, self._known)) for cell in filled)
            if fitting >= _MOSTLY * len(filled) and fitting > 1:
                return place
        return None

    def _is_told(self, claim: Claim, places: Mapping[str, int]) -> bool:
        ends = (end for end in (claim.head, claim.tail) if end != FILER and not end.startswith("'"))
        return all(end in places for end in ends)

    def _rows(self, skipped: int) -> Iterator[_Row]:
        """The rows of the body with their lines, which a table of the text has one each of."""
        lines = row_lines(self._document.text, self._table)
        for cells, (low, high) in list(zip(self._table.body, lines, strict=False))[skipped:]:
            yield _Row(cells, low, high)

    def _joined(self, kind: Kind, rows: Iterable[_Row], places: Mapping[str, int]) -> Iterator[_Row]:
        """The rows, those that a cell of two lines has made two of as one: one of the two lacks what a row needs.

        Which of the two lines that is, is the same throughout a table: the first where cells of it end in a comma.
        """
        lines = list(rows)
        kinds = {column.name: column.cell for column in kind.columns}
        needed = {places[name]: kinds[name] for name in kind.needs if name in places}
        texts = [places[name] for name in places if places[name] not in needed]
        whole = [all(named(row.cells[place], cell, self._known) for place, cell in needed.items()) for row in lines]
        comes_last = any(
            not is_whole and any(_OPEN_END.search(row.cells[place]) for place in texts)
            for row, is_whole in zip(lines, whole, strict=True)
        )
        told = list(zip(lines, whole, strict=True))
        yield from _ending(told, needed, places[_ROW_NAME]) if comes_last else _beginning(told, needed)

    def _cells(self, kind: Kind, row: _Row, places: Mapping[str, int], above: dict[str, str]) -> dict[str, str]:
        """Column -> what the row's cell names, where it holds what it should; ``above`` keeps what is carried down."""
        found: dict[str, str] = {}
        for column in kind.columns:
            if column.name not in places:
                continue
            printed = row.cells[places[column.name]]
            name = named(printed, column.cell, self._known)
            if column.carry:
                name = name or ("" if printed.strip() else above.get(column.name, ""))
                above[column.name] = name
            if not name and column.cell == "person":
                name, role = person_before_role(clean(printed)[:120])
                found.setdefault("role", role.split(". ")[0])
            if name:
                found[column.name] = name
        return found

    def _of_row(self, kind: Kind, row: _Row, found: Mapping[str, str], places: Mapping[str, int]) -> Iterator[Triple]:
        is_other = kind.rows is not None and not kind.rows.search(row.cells[0])
        if is_other or any(name in places and name not in found for name in kind.needs):
            return
        details = _details(kind, found)
        period = self._document.metadata.period
        if kind.value:
            figure, head = self._first_figure(row, places)
            if not figure:
                return
            details.update({"value": figure, "of": self._subject()})
            period = first_period(head) or period
        if kind.dated:
            if not details:
                return
            period = first_period(_SPAN.split(clean(row.cells[0]))[-1]) or period
            details["when"] = clean(row.cells[0])
        for claim in kind.claims:
            yield from self._said(claim, found, details, row, period)

    def _first_figure(self, row: _Row, places: Mapping[str, int]) -> tuple[str, str]:
        """The first figure of a row in no column of its own, and the head of its column; a share only if there is no
        amount; ("", "") for none."""
        shares: list[tuple[str, str]] = []
        for place in range(1, len(row.cells)):
            figure = named(row.cells[place], "figure", {})
            is_amount = any(map(str.isdigit, figure)) and not _YEAR.fullmatch(figure)
            if not is_amount or place in places.values() or self._heads[place].startswith("note"):
                continue
            if not figure.endswith("%"):
                return figure, self._heads[place]
            shares.append((figure, self._heads[place]))
        return first(shares, ("", ""))

    def _subject(self) -> str:
        """What the figures of the table are, in the words above it."""
        return self._above[-120:]

    def _across(self, kind: Kind) -> Iterator[Triple]:
        """Heads that are names: each segment or product has a column."""
        rows = list(self._rows(0))
        if not rows:
            return
        tops = ([clean(cell) for cell in row[1:]] for row in self._table.rows[:_HEAD_LINES])
        named_in = [[name for name in top if self._known.get(name) == kind.heads] for top in tops]
        heads: list[str] = max(named_in, key=len)
        for name in dict.fromkeys(heads):
            for claim in kind.claims:
                yield from self._said(claim, {_HEAD: name}, {"of": self._subject()}, rows[0], None)

    def _said(
        self, claim: Claim, found: Mapping[str, str], details: Mapping[str, str], row: _Row, period: Period | None
    ) -> Iterator[Triple]:
        """The statement of a claim, where the row has both ends; one for each office where the tail is an office."""
        head, tail = (self._end(end, found) for end in (claim.head, claim.tail))
        if not head or not tail or same_name(head, tail):
            return
        relation = claim.relation
        if relation == BY_SHARE and not found.get("share"):
            return
        if relation == BY_SHARE:
            is_controlled = _percent(found.get("share", "")) > _HALF
            relation = "subsidiary_of" if is_controlled else "owns_stake"
            head, tail = (head, tail) if is_controlled else (tail, head)
        said = Triple(
            head=head,
            head_type=claim.head_type,
            relation=relation,
            tail=tail,
            tail_type=claim.tail_type,
            sentence=self._document.text[row.start : row.end],
            start=row.start,
            end=row.end,
            period=period or self._document.metadata.period,
            confidence=CONFIDENCE,
            metadata=details,
        )
        if claim.relation == BY_ROLE or claim.tail_type == "role":
            role = found.get("role", "")
            unit = unit_of(role, self._filer, self._known)
            yield from with_roles(replace(said, metadata={**details, "unit": unit}) if unit else said, role)
        else:
            yield said

    def _end(self, end: str, found: Mapping[str, str]) -> str:
        if end == FILER:
            return self._filer
        if end.startswith("'"):
            return end.strip("'").replace("{filer}", self._filer)
        return found.get(end, "")

    def _pairs(self) -> Iterator[Triple]:
        """What stands beside a label: "公司的法定代表人 | 黄杰"."""
        if not is_chinese(self._about) and not is_chinese(self._table.rows[0][0]):
            return
        for row in self._rows(0):
            filled = [clean(cell) for cell in row.cells if cell.strip()]
            for rule in pair_rules():
                value = _beside_label(filled, rule)
                if not value or (rule.about and not rule.about.search(self._about)):
                    continue
                name = place_of_address(value) if rule.claim.tail_type == "place" else value
                is_person = "person" in (rule.claim.head_type, rule.claim.tail_type)
                if not name or (is_person and not named(name, "person", {})):
                    continue
                details = {"role": rule.role} if rule.role else {}
                yield from self._said(rule.claim, {"value": name, "role": rule.role}, details, row, None)


def _beginning(lines: Sequence[tuple[_Row, bool]], needed: Container[int]) -> Iterator[_Row]:
    """Rows of which the first line is whole: lines below that lack what is needed go on with it."""
    above: _Row | None = None
    for row, is_whole in lines:
        if above is not None and not is_whole and len(_told_in(row)) > 1:
            above = _one_row(above, row, needed)
        elif is_whole:
            if above is not None:
                yield above
            above = row
    if above is not None:
        yield above


def _ending(lines: Sequence[tuple[_Row, bool]], needed: Container[int], name: int) -> Iterator[_Row]:
    """Rows of which the last line is whole: lines above, also a name alone, are their beginning."""
    above: _Row | None = None
    for row, is_whole in lines:
        told = _told_in(row)
        if is_whole or len(told) > 1 or name in told:
            above = _one_row(above, row, needed) if above is not None else row
        if is_whole and above is not None:
            yield above
            above = None


def _told_in(row: _Row) -> list[int]:
    """The places of the cells that hold more than a dash."""
    return [place for place, cell in enumerate(row.cells) if any(map(str.isalnum, cell))]


def _one_row(above: _Row, below: _Row, needed: Container[int]) -> _Row:
    """Two lines of a row as one; what is needed stands on one of them."""
    cells: list[str] = []
    for place, (upper, lower) in enumerate(zip(above.cells, below.cells, strict=True)):
        parts = [upper or lower] if place in needed else list(filter(None, (upper.strip(), lower.strip())))
        cells.append(" ".join(parts))
    return _Row(cells, above.start, below.end)


def _details(kind: Kind, found: Mapping[str, str]) -> dict[str, str]:
    """What is kept with the statements of a row; the head of a column of shares said that they are percentages."""
    details = {name: found[name] for name in kind.details if found.get(name)}
    if _NUMBER.fullmatch(details.get("share", "")):
        details["share"] += " %"
    return details


def _percent(text: str) -> float:
    """The number that a share begins with; 0.0 without one.

    >>> _percent("100.0"), _percent("41.5 % (indirect)")
    (100.0, 41.5)
    """
    match = _NUMBER.match(text)
    return float(match[0]) if match else 0.0


def with_roles(said: Triple, role: str) -> Iterator[Triple]:
    """A statement about somebody's office: which relation it makes, or one statement for each office.

    Its detail "unit" says in which part of the firm the office is held.
    """
    held = roles_in(role)
    if not held:
        return
    if said.relation == BY_ROLE:
        relation = min((_relation_of(one, said.metadata.get("unit", "")) for one in held), key=_LEADING.index)
        stated = replace(said, relation=relation, metadata={**said.metadata, "role": role.strip()})
        yield stated
        works_too = relation == "director_of" and any(relation_of_role(one) == "works_for" for one in held)
        if works_too:  # "Chief Financial Officer, Member of the Managing Board"
            yield replace(stated, relation="works_for")
        if relation != "director_of" and _is_on_board(role, held):  # "President and Director", "Chairman"
            yield replace(stated, relation="director_of")
        return
    for one in held:
        if relation_of_role(one) != "director_of":  # that is a relation of its own
            yield replace(said, tail=one)


def _is_on_board(role: str, held: Iterable[str]) -> bool:
    is_director = any(relation_of_role(one) == "director_of" for one in held)
    return is_director or _CHAIRS.search(" ".join(role.split())) is not None


def _relation_of(role: str, unit: str) -> str:
    """The relation that an office makes; the president of a unit leads the unit, not the firm."""
    relation = relation_of_role(role)
    return "works_for" if relation == "leads" and unit else relation


def place_of_address(address: str) -> str:
    """The province or city that a Chinese address begins with: "江苏省南通市..." is 江苏省.

    >>> place_of_address("江苏省南通市通州区兴仁镇金通公路3888号")
    '江苏省'
    """
    for length in range(6, 1, -1):
        if place_in(address[:length]):
            return address[:length]
    return ""


def _lead(document: Document, table: Table) -> str:
    """The end of the paragraph above a table without a title that introduces it: "... our largest customers:"."""
    above = document.text[max(0, table.start - _LONGEST_LEAD) : table.start].rstrip()
    return above.rpartition("\n\n")[2] if above.endswith(":") else ""


def _beside_label(filled: Sequence[str], rule: Pair) -> str:
    """What stands behind the label in a row; "" where the row has it not."""
    for place in range(len(filled) - 1):
        if rule.label.search(filled[place]):
            values = [value for value in filled[place + 1 :] if rule.cell is None or rule.cell.search(value)]
            return first(values, "")
    return ""


def _heads(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The head of each column, its lines joined; "(in millions)" over the names of rows is no part of it."""
    heads: list[str] = []
    for column in range(width):
        cells = (" ".join(row[column].split()) for row in rows)
        words = filterfalse(is_unit_line, filter(None, cells))
        heads.append(" ".join(words).strip().lower())
    return heads


def _first_fitting(heads: Sequence[str], pattern: re.Pattern[str], but: int | None = None) -> int | None:
    for place, head in enumerate(heads):
        if place != but and pattern.search(head):
            return place
    return None

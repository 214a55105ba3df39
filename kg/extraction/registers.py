"""Tables that are registers: the filer's subsidiaries and officers, a relation a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ...core.names import is_chinese, is_company_like
from ...core.rules import load_rules
from ...ingest.document import Document
from ...ingest.table import Table
from ..triple import Triple
from .rules.details import full_role
from .rules.extractor import relation_of_role
from .rules.lexicon import Lexicon, lexicon

Kind = Literal["subsidiaries", "officers"]
_PERSON = re.compile(r"(?:[A-Z][\w.'’-]*\s){1,3}[A-Z][\w'’-]+(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?|[\u4e00-\u9fff]{2,4}")
_NOTE_MARK = re.compile(r"(?<!\s)\s*(?:[(（][\w*]{1,3}[)）]|(?<![*†‡§¹²³])[*†‡§¹²³]+)\s*$")
_ROLE_JOINT = re.compile(r",? and |, |;|、|兼|/")
_KINDS: tuple[Kind, ...] = ("subsidiaries", "officers")
_CONFIDENCE = 0.9


@dataclass(frozen=True, slots=True)
class _Register:
    kind: Kind
    name: int
    other: int | None


def table_triples(document: Document) -> Iterator[Triple]:
    """What the registers of a document say of the one firm that it is from; offsets are rows in the document's text."""
    if len(document.metadata.companies) != 1:
        return
    for table in document.tables:
        register = _register_of(table)
        if register is not None:
            yield from _rows(document, table, register)


def _register_of(table: Table) -> _Register | None:
    if not table.rows:
        return None
    heads = [_head(table, column) for column in range(len(table.rows[0]))]
    about = " ".join((table.title, *table.headings[-2:], *heads)).lower()
    for kind in _KINDS:
        subject, names, others = _patterns(kind)
        if not subject.search(about):
            continue
        name = _first_column(heads, names)
        if name is not None:
            return _Register(kind, name, _first_column(heads, others, but=name))
    return None


def _first_column(heads: Sequence[str], pattern: re.Pattern[str], but: int | None = None) -> int | None:
    """The first column whose head the pattern is found in."""
    for column, head in enumerate(heads):
        if column != but and pattern.search(head):
            return column
    return None


@cache
def _patterns(kind: Kind) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    rules = load_rules(__package__, "registers.toml")[kind]
    return re.compile(rules["about"]), re.compile(rules["names"]), re.compile(rules["others"])


def _head(table: Table, column: int) -> str:
    cells = (" ".join(row[column].split()) for row in table.rows[: table.header_rows])
    return " ".join(cell for cell in cells if cell).lower().strip()


def _rows(document: Document, table: Table, register: _Register) -> Iterator[Triple]:
    position = table.start
    said = _subsidiary if register.kind == "subsidiaries" else _officer
    for row in table.rows[table.header_rows :]:
        name = _cell(row, register.name)
        found = document.text.find(row[register.name].strip(), position, table.end) if name else -1
        if found < 0:
            continue
        start, end = _line_around(document.text, found)
        position = end
        other = _cell(row, register.other)
        for head, head_type, relation, tail, tail_type in said(name, other, document.metadata.companies[0]):
            yield Triple(
                head=head,
                head_type=head_type,
                relation=relation,
                tail=tail,
                tail_type=tail_type,
                sentence=document.text[start:end],
                start=start,
                end=end,
                period=document.metadata.period,
                confidence=_CONFIDENCE,
                metadata={"role": other} if relation in _RANK else {},
            )


def _cell(row: Sequence[str], column: int | None) -> str:
    """What stands in a column, on one line and without marks of notes; "" for None."""
    return "" if column is None else _NOTE_MARK.sub("", " ".join(row[column].split()))


def _line_around(text: str, place: int) -> tuple[int, int]:
    """Where the line begins and ends that a place is in."""
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, end if end >= 0 else len(text)


_Said = tuple[str, str, str, str, str]


def _subsidiary(name: str, place: str, filer: str) -> Iterator[_Said]:
    if not is_company_like(name) or name == filer:
        return
    yield name, "company", "subsidiary_of", filer, "company"
    place = place.removeprefix("The ")
    if _lexicon_of(place).known.get(place) == "place":
        yield name, "company", "incorporated_in", place, "place"


def _officer(name: str, role: str, filer: str) -> Iterator[_Said]:
    """The relation by the first role that is known, and each known role."""
    roles = {known.casefold() for known in _lexicon_of(role).words["roles"]}
    parts = map(str.strip, _ROLE_JOINT.split(role))
    held = [part for part in parts if part.casefold() in roles]
    if not held or not _PERSON.fullmatch(name):
        return
    yield name, "person", min(map(relation_of_role, held), key=_RANK.index), filer, "company"
    for part in held:
        yield name, "person", "holds_role", full_role(part), "role"


def _lexicon_of(text: str) -> Lexicon:
    return lexicon("zh" if is_chinese(text) else "en")


_RANK = ("leads", "director_of", "works_for")
"""What is told of somebody who holds several roles."""

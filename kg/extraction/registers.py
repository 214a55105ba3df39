"""Tables that are registers: the filer's subsidiaries and officers, a relation a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
from .rules.lexicon import lexicon

Kind = Literal["subsidiaries", "officers"]
_PERSON = re.compile(r"(?:[A-Z][\w.'’-]*\s){1,3}[A-Z][\w'’-]+(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?|[\u4e00-\u9fff]{2,4}")
_NOTE_MARK = re.compile(r"(?<!\s)\s*(?:[(（][\w*]{1,3}[)）]|(?<![*†‡§¹²³])[*†‡§¹²³]+)\s*$")
_ROLE_JOINT = re.compile(r",? and |, |;|、|兼|/")
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
    heads = [_head(table, column) for column in range(len(table.rows[0]))] if table.rows else []
    about = " ".join((table.title, *table.headings[-2:], *heads)).lower()
    kinds: tuple[Kind, ...] = ("subsidiaries", "officers")
    for kind in kinds:
        subject, names, others = _patterns(kind)
        if not subject.search(about):
            continue
        name = next((i for i, head in enumerate(heads) if names.search(head)), None)
        if name is not None:
            other = next((i for i, head in enumerate(heads) if others.search(head) and i != name), None)
            return _Register(kind, name, other)
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
    for row in table.rows[table.header_rows :]:
        name = _NOTE_MARK.sub("", " ".join(row[register.name].split()))
        found = document.text.find(row[register.name].strip(), position, table.end) if name else -1
        if found < 0:
            continue
        start = document.text.rfind("\n", 0, found) + 1
        end = document.text.find("\n", found)
        position = end = end if end >= 0 else len(document.text)
        other = "" if register.other is None else _NOTE_MARK.sub("", " ".join(row[register.other].split()))
        said = _subsidiary if register.kind == "subsidiaries" else _officer
        for head, head_type, relation, tail, tail_type in said(name, other, document.metadata.companies[0]):
            metadata = {"role": other} if relation in ("leads", "director_of", "works_for") else {}
            sentence = document.text[start:end]
            yield Triple(
                *(head, head_type, relation, tail, tail_type, sentence, start, end),
                *(document.metadata.period, "asserted", _CONFIDENCE, metadata),
            )


_Said = tuple[str, str, str, str, str]


def _subsidiary(name: str, place: str, filer: str) -> Iterator[_Said]:
    if not is_company_like(name) or name == filer:
        return
    yield name, "company", "subsidiary_of", filer, "company"
    if lexicon("zh" if is_chinese(place) else "en").known.get(place.removeprefix("The ")) == "place":
        yield name, "company", "incorporated_in", place.removeprefix("The "), "place"


def _officer(name: str, role: str, filer: str) -> Iterator[_Said]:
    """The relation by the first role that is known, and each known role."""
    roles = {known.casefold() for known in lexicon("zh" if is_chinese(role) else "en").words["roles"]}
    held = [part for part in (piece.strip() for piece in _ROLE_JOINT.split(role)) if part.casefold() in roles]
    if not held or not _PERSON.fullmatch(name):
        return
    yield name, "person", min(map(relation_of_role, held), key=_RANK.index), filer, "company"
    for part in held:
        yield name, "person", "holds_role", full_role(part), "role"


_RANK = ("leads", "director_of", "works_for")
"""What is told of somebody who holds several roles."""

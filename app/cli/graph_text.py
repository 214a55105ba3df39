"""How entities, relations, merges and rows of the tour are printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from ..kg.timeline import ended

if TYPE_CHECKING:
    from rich.console import Console

    from ..kg.engines.neo4j.browser.tour import Answered
    from ..kg.graph import Entity, Relation, Statement
    from ..kg.schema import Schema

_PLACES = 3
"""Documents named for one relation."""
_LONGEST = 200


def print_entity(
    out: Console, entity: Entity, relations: Sequence[Relation], names: Mapping[str, str], schema: Schema
) -> None:
    """Who or what it is, then its relations by kind, in each the latest first; ``names`` of sources are shown."""
    counts = f"{entity.mentions} mentions in {entity.documents} documents"
    out.print(f"{entity.name}  ({entity.type}; {counts})", style="bold", markup=False)
    if entity.aliases:
        out.print(f"also: {', '.join(entity.aliases)}", markup=False)
    for name, value in entity.context.items():
        out.print(f"{name}: {value}", markup=False)
    kinds: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        kinds[kind_of(relation, entity, schema)].append(relation)
    for kind, group in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        out.print(f"\n{kind} ({len(group)})", style="bold cyan", markup=False)
        for relation in sorted(group, key=_latest, reverse=True):
            other = relation.tail if relation.head.id == entity.id else relation.head
            out.print(f"  {other.name}{_notes(relation)}", style="cyan", markup=False)
            _print_sentence(out, relation, names)


def print_relation(out: Console, relation: Relation, names: Mapping[str, str]) -> None:
    """One relation with its best sentence and its places."""
    ends = f"{relation.head.name}  {relation.relation}  {relation.tail.name}"
    out.print(f"  {ends}{_notes(relation)}", style="cyan", markup=False)
    _print_sentence(out, relation, names)


def sources_of(relations: Iterable[Relation]) -> Iterator[str]:
    """The documents that state them."""
    return (statement.document for relation in relations for statement in relation.statements)


def kind_of(relation: Relation, entity: Entity, schema: Schema) -> str:
    """The relation as it reads from the entity: "supplies" from the head, "supplied by" from the tail."""
    known = schema.relations.get(relation.relation)
    name = relation.relation if relation.head.id == entity.id or known is None else known.inverse
    return name.replace("_", " ")


def print_answered(out: Console, found: Answered) -> None:
    """A question of the tour with its rows as a table."""
    from rich.markup import escape
    from rich.table import Table

    told = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    out.print(f"\n{found.name[:2]}  {found.question}", style="bold", markup=False)
    out.print(f"    {told}" if told else "", style="dim", markup=False)
    if not found.rows:
        out.print("    nothing found")
        return
    table = Table()
    for name in found.rows[0]:
        table.add_column(name, overflow="fold", min_width=24 if name in ("sentence", "text", "reason") else None)
    for row in found.rows:
        table.add_row(*(escape(cell(name, value)) for name, value in row.items()))
    out.print(table)


def cell(column: str, value: object) -> str:
    """A value of a row as people read it: a document by its file name, an amount with its thousands."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:,.2f}".removesuffix("0").removesuffix(".0")
    return PurePath(str(value)).name if column == "document" else " ".join(str(value).split())


def _notes(relation: Relation) -> str:
    """Its periods, reservations, and what has ended it."""
    periods = sorted({s.period for s in relation.statements if s.period}, key=lambda period: period.sort_key)
    notes = f"  {', '.join(dict.fromkeys(period.label for period in periods))}" if periods else ""
    kinds = {s.modality for s in relation.statements}
    notes += "" if "asserted" in kinds else f"  [{', '.join(sorted(kinds))}]"
    return notes + (f"  [{ended(relation)}]" if relation.successor else "")


def _print_sentence(out: Console, relation: Relation, names: Mapping[str, str]) -> None:
    best = relation.statements[0]
    out.print(f"      {' '.join(best.text.split())[:_LONGEST]}", markup=False, style="dim")
    out.print(f"      ({_places(relation.statements, names)})", markup=False, style="dim")


def _places(statements: Iterable[Statement], names: Mapping[str, str]) -> str:
    """ "a.pdf, page 3, 17; b.pdf": documents with their pages."""
    pages: dict[str, list[str]] = {}
    for statement in statements:
        own = pages.setdefault(statement.document, [])
        if statement.page and str(statement.page) not in own:
            own.append(str(statement.page))
    places = [f"{names[source]}, page {', '.join(own)}" if own else names[source] for source, own in pages.items()]
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return "; ".join(places[:_PLACES]) + more


def _latest(relation: Relation) -> tuple[bool, str]:
    days = [str(s.period.last_day if s.period else s.published or "") for s in relation.statements]
    return relation.successor is None, max(days)

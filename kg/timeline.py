"""What holds when: computed on reading, never stored, so that adding and removing documents in any order just works.

A functional relation has one tail at a time, a figure one value: the later one counts, the earlier one is history.
Shared by all engines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from ..core.fact import Fact
from ..core.names import company_key
from .graph import Relation, Statement
from .schema import Schema
from .triple import Modality

if TYPE_CHECKING:
    from .store import DocumentRecord, Store

_LONGEST_DEADLINE = timedelta(days=120)
"""An annual report is public so long after its period at the latest (four months in China, three in the US)."""
_Dated = tuple[date, Statement]
"""A statement and the day for which it speaks."""
_LEAST_SHARE = 2
"""Two figures of which one is more than so many times the other are a misreading or another thing, no restatement."""


def public_by(record: DocumentRecord) -> date:
    """The day by which a document was public: as stated, else the deadline of its period, else the day it was read."""
    if record.published is not None:
        return record.published
    read = record.ingested.date()
    if record.period is None:
        return read
    return min(read, record.period.last_day + _LONGEST_DEADLINE)


def publication_days(records: Iterable[DocumentRecord]) -> dict[str, date]:
    """Source -> the day by which the document was public."""
    return {record.source: public_by(record) for record in records}


def told(statement: Statement) -> date | None:
    """The day for which a statement speaks: its publication, or the end of a period before that; None if unknown.

    What a report of 2024 says about 2019 supersedes nothing that was said in 2021.
    """
    if statement.period is None:
        return statement.published
    if statement.published is None:
        return statement.period.last_day
    return min(statement.published, statement.period.last_day)


def marked(relations: Iterable[Relation], schema: Schema) -> list[Relation]:
    """The relations, those that have ended with the statement that ended them, in the order given.

    A functional relation ends with the first later statement of another tail; any state ends with a later denial, or
    with a later event between the two that ends it by the schema. Two statements of one document, or of one day,
    contradict each other, but neither ends the other.
    """
    relations = list(relations)
    kinds = {relation.relation for relation in relations}
    rivals: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    events: dict[tuple[str, frozenset[str]], list[Relation]] = defaultdict(list)
    for relation in relations:
        known = schema.relations.get(relation.relation)
        if known is None:
            continue
        if known.functional:
            rivals[relation.head.id, relation.relation].append(relation)
        for ended_by_it in kinds.intersection(known.ends):
            events[ended_by_it, _pair(relation)].append(relation)
    may_end = {relation for relation, _ in events}
    denied = {
        relation.relation for relation in relations if any(said.modality == "negated" for said in relation.statements)
    }
    found: list[Relation] = []
    for relation in relations:
        own = rivals.get((relation.head.id, relation.relation), ())
        ending = events.get((relation.relation, _pair(relation)), ()) if relation.relation in may_end else ()
        may_have_ended = own or ending or relation.relation in denied
        found.append(_marked(relation, own, ending, schema) if may_have_ended else relation)
    return found


def _pair(relation: Relation) -> frozenset[str]:
    return frozenset({relation.head.id, relation.tail.id})


def with_rivals(store: Store, relations: Iterable[Relation], schema: Schema, limit: int = 1_000) -> list[Relation]:
    """As :func:`marked`, after reading what else is stated of the heads of functional relations."""
    relations = list(relations)
    heads = {relation.head.id for relation in relations if schema.is_functional(relation.relation)}
    if not heads:
        return marked(relations, schema)
    given = {relation.key for relation in relations}
    around = (relation for relation in store.subgraph(heads, limit).relations if relation.key not in given)
    rivals = (relation for relation in around if schema.is_functional(relation.relation))
    return marked([*relations, *rivals], schema)[: len(relations)]


def ended(relation: Relation) -> str:
    """When a relation ended and what says so ("until 2021-03-01, superseded by 10-K.pdf p. 3"); "" if it holds."""
    by = relation.successor
    if by is None:
        return ""
    page = f" p. {by.page}" if by.page else ""
    return f"until {told(by)}, superseded by {by.document}{page}"


def superseded_facts(
    facts: Iterable[Fact], published: Mapping[str, date], agree: Callable[[Fact, Fact], bool]
) -> dict[str, Fact]:
    """Fact id -> the one that takes its place: the same figure of the same period, stated anew in a later document.

    A value marked as restated takes the place of an earlier one whatever its size; any other must come from the same
    row of a statement and be of the same order, since a later report may also mean another thing by the name.
    ``published`` gives the day of each source, ``agree`` tells whether two facts print the same value.
    """
    groups: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        is_dated = fact.period is not None and fact.source in published
        if is_dated and fact.value is not None:
            groups[_figure(fact)].append(fact)
    found: dict[str, Fact] = {}
    for group in groups.values():
        found.update(_superseded(group, published, agree))
    return found


def _marked(relation: Relation, rivals: Sequence[Relation], events: Sequence[Relation], schema: Schema) -> Relation:
    against = _against(relation, rivals, schema)
    for event in events:
        against.extend(_dated(event.statements, "asserted"))
    said = _dated(relation.statements, "asserted") if against else []
    if not said:
        return relation
    last = max(day for day, _ in said)
    own = {statement.document for day, statement in said if day == last}
    later = [found for found in against if found[0] > last and found[1].document not in own]
    if not later:
        return relation
    _, successor = min(later, key=lambda found: (found[0], found[1].id))
    return replace(relation, successor=successor)


def _against(relation: Relation, rivals: Iterable[Relation], schema: Schema) -> list[_Dated]:
    """What may end a relation: statements of another tail, and for a state those that deny it."""
    against: list[_Dated] = []
    for rival in rivals:
        if rival.tail.id != relation.tail.id:
            against.extend(_dated(rival.statements, "asserted"))
    known = schema.relations.get(relation.relation)
    if known and known.tense == "state":
        against.extend(_dated(relation.statements, "negated"))
    return against


def _dated(statements: Iterable[Statement], modality: Modality) -> list[_Dated]:
    """The statements of that modality whose day is known, with their day."""
    found: list[_Dated] = []
    for statement in statements:
        day = told(statement) if statement.modality == modality else None
        if day is not None:
            found.append((day, statement))
    return found


def _figure(fact: Fact) -> tuple[object, ...]:
    """What two facts must share to be one figure."""
    period = fact.period
    name = fact.metric or fact.own_label.casefold()
    when = (period.first_day, period.last_day, period.is_instant) if period else ()
    basis = "reported" if fact.basis == "restated" else fact.basis
    kind = "%" if fact.unit == "%" else ""
    return company_key(fact.company), name, when, fact.dimensions, basis, fact.consolidation, kind


def _superseded(
    group: Sequence[Fact], published: Mapping[str, date], agree: Callable[[Fact, Fact], bool]
) -> dict[str, Fact]:
    ordered = sorted(group, key=lambda fact: (published[fact.source], fact.basis == "restated", fact.id))
    found: dict[str, Fact] = {}
    for place, fact in enumerate(ordered):
        later = [other for other in ordered[place + 1 :] if published[other.source] > published[fact.source]]
        agreeing = [other for other in later if agree(other, fact)]
        replacing = [other for other in later if _restates(other, fact) and not agree(other, fact)]
        if not replacing:
            continue
        # A document that also prints the old value means another thing by the new one.
        last = replacing[-1]
        if last.source not in {other.source for other in agreeing}:
            found[fact.id] = last
    return found


def _restates(later: Fact, earlier: Fact) -> bool:
    if later.basis == "restated":
        return True
    if "prose" in (later.source_kind, earlier.source_kind) or _row(later) != _row(earlier):
        return False
    one, other = abs(later.amount or Decimal()), abs(earlier.amount or Decimal())
    return max(one, other) <= _LEAST_SHARE * min(one, other)


def _row(fact: Fact) -> str:
    return " ".join(fact.own_label.casefold().split())

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
_LEAST_SHARE = 2
"""Two figures of which one is more than so many times the other are a misreading or another thing, no restatement."""


def public_by(record: DocumentRecord) -> date:
    """The day by which a document was public: as stated, else the deadline of its period, else the day it was read."""
    if record.published is not None:
        return record.published
    read = record.ingested.date()
    return min(read, record.period.last_day + _LONGEST_DEADLINE) if record.period else read


def told(statement: Statement) -> date | None:
    """The day for which a statement speaks: its publication, or the end of a period before that; None if unknown.

    What a report of 2024 says about 2019 supersedes nothing that was said in 2021.
    """
    ends = statement.period.last_day if statement.period else None
    days = [day for day in (statement.published, ends) if day is not None]
    return min(days, default=None)


def marked(relations: Iterable[Relation], schema: Schema) -> list[Relation]:
    """The relations, those that have ended with the statement that ended them, in the order given.

    A functional relation ends with the first later statement of another tail; any state ends with a later denial. Two
    statements of one document, or of one day, contradict each other, but neither ends the other.
    """
    relations = list(relations)
    rivals: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.relation in schema.relations and schema.relations[relation.relation].functional:
            rivals[relation.head.id, relation.relation].append(relation)
    return [_marked(relation, rivals[relation.head.id, relation.relation], schema) for relation in relations]


def is_functional(relation: str, schema: Schema) -> bool:
    """True where a head has one tail at a time."""
    found = schema.relations.get(relation)
    return found is not None and found.functional


def with_rivals(store: Store, relations: Iterable[Relation], schema: Schema, limit: int = 1_000) -> list[Relation]:
    """As :func:`marked`, after reading what else is stated of the heads of functional relations."""
    relations = list(relations)
    given = {(relation.head.id, relation.relation, relation.tail.id) for relation in relations}
    heads = {relation.head.id for relation in relations if is_functional(relation.relation, schema)}
    around = store.subgraph(heads, limit).relations if heads else ()
    rivals = [
        r for r in around if is_functional(r.relation, schema) and (r.head.id, r.relation, r.tail.id) not in given
    ]
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
        if fact.value is not None and fact.period is not None and fact.source in published:
            groups[_figure(fact)].append(fact)
    found: dict[str, Fact] = {}
    for group in groups.values():
        if len({fact.source for fact in group}) > 1:
            found.update(_superseded(group, published, agree))
    return found


def _marked(relation: Relation, rivals: Sequence[Relation], schema: Schema) -> Relation:
    against = [pair for r in rivals if r.tail.id != relation.tail.id for pair in _dated(r.statements, "asserted")]
    known = schema.relations.get(relation.relation)
    if known and known.tense == "state":
        against += _dated(relation.statements, "negated")
    said = _dated(relation.statements, "asserted") if against else []
    if not said:
        return relation
    last = max(day for day, _ in said)
    own = {statement.document for day, statement in said if day == last}
    later = [(day, s.id, s) for day, s in against if day > last and s.document not in own]
    return replace(relation, successor=min(later)[2]) if later else relation


def _dated(statements: Iterable[Statement], modality: Modality) -> list[tuple[date, Statement]]:
    found = ((told(statement), statement) for statement in statements if statement.modality == modality)
    return [(day, statement) for day, statement in found if day is not None]


def _figure(fact: Fact) -> tuple[object, ...]:
    """What two facts must share to be one figure."""
    period = fact.period
    name = fact.metric or fact.label.rpartition(" > ")[2].casefold()
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
        replacing = [other for other in later if _restates(other, fact) and not agree(other, fact)]
        if replacing and not any(agree(other, fact) for other in later if other.source == replacing[-1].source):
            found[fact.id] = replacing[-1]
    return found


def _restates(later: Fact, earlier: Fact) -> bool:
    if later.basis == "restated":
        return True
    if "prose" in (later.source_kind, earlier.source_kind) or _row(later) != _row(earlier):
        return False
    one, other = abs(later.amount or Decimal()), abs(earlier.amount or Decimal())
    return max(one, other) <= _LEAST_SHARE * min(one, other)


def _row(fact: Fact) -> str:
    return " ".join(fact.label.rpartition(" > ")[2].casefold().split())

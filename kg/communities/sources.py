"""What documents say about the companies that they are of: latest headline figures, and the risks that they name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from ...core.fact import Fact
from ...core.names import name_key
from ...core.rules import load_rules
from ...ingest.chunk import Chunk
from ..graph import Entity, Finding, Place
from ..store import DocumentRecord, FactQuery, Store

_SIGNS = frozenset("$€£¥￥%")
_FACTS = 4_000
"""Facts of one company looked at: headline metrics of every period that its documents give."""


def known_of_companies(store: Store) -> dict[str, list[Finding]]:
    """Entity -> figures and risks, for the companies that documents are about."""
    known = {}
    for entity, records in _filers(store).values():
        found = [*_figures(store, entity, records), *_risks(store, entity, records)]
        if found:
            known[entity.id] = found
    return known


def _filers(store: Store) -> Mapping[str, tuple[Entity, list[DocumentRecord]]]:
    records: dict[str, list[DocumentRecord]] = defaultdict(list)
    for record in store.documents():
        if record.companies:
            records[name_key(record.companies[0])].append(record)
    entities: dict[str, Entity] = {}
    for entity in store.find_entities(list(records)):
        if entity.type == "company":
            for key in _keys(entity):
                entities.setdefault(key, entity)
    found: dict[str, tuple[Entity, list[DocumentRecord]]] = {}
    for key, own in records.items():
        company = entities.get(key)
        if company is not None:
            found.setdefault(company.id, (company, []))[1].extend(own)
    return found


def _keys(entity: Entity) -> set[str]:
    return {entity.key, *map(name_key, (entity.name, *entity.aliases))}


def _figures(store: Store, entity: Entity, records: Sequence[DocumentRecord]) -> Iterator[Finding]:
    """The latest whole-company value of each headline metric, a year's before a quarter's."""
    headline = _rules()["headline"]
    query = FactQuery(sources=tuple(r.source for r in records), metrics=tuple(headline), limit=_FACTS)
    names = _keys(entity)
    for record in records:
        names.update(map(name_key, record.companies))
    told: dict[str, list[Fact]] = defaultdict(list)
    for fact in store.facts(query):
        if _is_headline(fact) and name_key(fact.company) in names:
            told[fact.metric].append(fact)
    for metric in filter(told.__contains__, headline):
        fact = _latest(told[metric])
        place = Place(fact.source, fact.start, fact.end, fact.page)
        yield Finding("figure", f"{entity.name}: {_said(fact)}", (place,))


def _is_headline(fact: Fact) -> bool:
    """True for a value of a whole company in a period, from a table or tagged."""
    if fact.value is None or fact.period is None:
        return False
    return not fact.dimensions and fact.source_kind != "prose"


def _latest(facts: Sequence[Fact]) -> Fact:
    """Of the last period, as reported for the group; of several values the one printed most often."""
    printed = Counter((_recency(fact), fact.amount) for fact in facts)
    return max(facts, key=lambda fact: (_recency(fact), printed[_recency(fact), fact.amount], fact.confidence))


def _recency(fact: Fact) -> tuple[object, ...]:
    assert fact.period is not None
    is_year = fact.period.unit == "year" or fact.period.is_instant
    return is_year, fact.period.last_day, fact.basis == "reported", fact.consolidation != "parent"


def _said(fact: Fact) -> str:
    """ "revenue 17,606 million USD (FY2022)"."""
    scales = {Decimal(size): word for size, word in _rules()["scales"].items()}
    parts = [_plain(fact.own_label) or fact.metric, fact.text, scales.get(fact.scale, "")]
    if fact.unit not in fact.text and _SIGNS.isdisjoint(fact.text):
        parts.append(fact.unit)
    if fact.period:
        parts.append(f"({fact.period.label})")
    return " ".join(filter(None, parts))


def _risks(store: Store, entity: Entity, records: Sequence[DocumentRecord]) -> list[Finding]:
    """The headings of the risk factors that most is written under, of the latest document that has them."""
    latest = sorted(records, key=lambda r: (r.published or r.ingested.date(), r.source), reverse=True)
    for record in latest:
        written: Counter[str] = Counter()
        first: dict[str, Chunk] = {}
        for chunk in store.chunks_of(record.source):
            heading = _risk_heading(chunk.headings) if chunk.kind == "text" else ""
            if heading:
                written[heading] += chunk.tokens
                first.setdefault(heading, chunk)
        if written:
            text = store.text(record.source)
            most = written.most_common(_rules()["risks"])
            return [_risk(entity, heading, first[heading], text) for heading, _ in most]
    return []


def _risk_heading(headings: Sequence[str]) -> str:
    """The heading of one risk; "" outside the risk factors and right under a heading that only groups them."""
    sections, groups = _patterns()
    inside = any(sections.search(heading) for heading in headings[:-1])
    return headings[-1] if inside and not groups.search(headings[-1]) else ""


def _risk(entity: Entity, heading: str, chunk: Chunk, text: str) -> Finding:
    """The heading as the claim, at its own place on paper where that is found before the chunk."""
    start, end = _place_of(heading, chunk, text)
    said = _plain(heading.capitalize() if heading.isupper() else heading)
    return Finding("risk", f"{entity.name}: {said}", (Place(chunk.document, start, end, chunk.page, chunk.id),))


def _place_of(heading: str, chunk: Chunk, text: str) -> tuple[int, int]:
    """Where the heading stands before its chunk, else the chunk's first sentence."""
    at = text.rfind(heading, 0, chunk.start)
    if at >= 0:
        return at, at + len(heading)
    return chunk.sentences[0] if chunk.sentences else (chunk.start, chunk.end)


def _plain(name: str) -> str:
    """Without its number and on one line."""
    return " ".join(re.sub(_rules()["numbering"], "", name).split())


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    rules = _rules()
    return re.compile("|".join(rules["risk_sections"]), re.I), re.compile("|".join(rules["risk_groups"]), re.I)


def _rules() -> Mapping[str, Any]:
    return load_rules(__package__, "sources.toml")

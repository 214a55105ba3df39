"""Reports about communities by rules: who is in it, what relates them, figures and risks, each with its source."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import filterfalse
from pathlib import PurePath

from ...core.ids import stable_id
from ...core.names import is_chinese
from ...core.sequences import grouped, in_turn
from ..graph import Community, Entity, Finding, Place, Relation, Statement
from ..schema import Schema

_GENERIC = frozenset({"role", "metric", "place", "market", "method", "risk", "regulation"})
"""Types that many unrelated things share: they would tie the whole graph into one community."""
_SERVICES = frozenset({"audits", "regulates", "advises", "trustee_of"})
"""Relations that many unrelated firms have to one: two clients of an auditor have nothing to do with each other."""

RELATIONS = 12
"""Relations of a report: what a reader takes in at a glance."""
AUTHOR = "rules"
_WORDS = {
    "en": {"page": ", p. {}", "documents": "; {} documents"},
    "zh": {"page": "，第 {} 页", "documents": "；{} 份文件"},
}
_TITLE_NAMES = 3
_AROUND = 4
"""One in so many relations may be to an auditor, a role or a place."""
_MEMBERS = 12
"""Names of one type that a report lists; the community itself holds them all."""


def is_generic(relation: Relation) -> bool:
    """True for a relation that many unrelated things have: it says something of one, and ties nothing together."""
    return relation.relation in _SERVICES or bool({relation.head.type, relation.tail.type} & _GENERIC)


def write_reports(
    communities: Sequence[Community],
    relations: Iterable[Relation],
    schema: Schema,
    known: Mapping[str, Sequence[Finding]] | None = None,
    *,
    limit: int = RELATIONS,
) -> list[Community]:
    """The communities with a title (their best connected names), findings and a report made of them.

    ``known`` gives what else is known of an entity (figures and risks of a company that documents are about);
    ``limit`` bounds the relations of a report. Every finding names the places that say so. A report is in Chinese where
    the name that it begins with is.
    """
    by_end: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        for id in {end.id for end in relation.ends}:
            by_end[id].append(relation)
    return [_with_report(c, _about(c, by_end), known or {}, schema, limit) for c in communities]


def digest_of(members: Sequence[str], findings: Sequence[Finding]) -> str:
    """Hash of the members and of what is said about them: what a report is cached by."""
    said = [(f.text, *((p.document, p.start, p.end) for p in f.places)) for f in findings]
    return stable_id("members", *members, *said)


def report_text(lines: Sequence[str], findings: Sequence[Finding], language: str) -> str:
    """Plain lines, then each finding with its places: "Acme supplies Bolt [acme.pdf, p. 3; 2 places]"."""
    return "\n".join([*lines, *(f"{finding.text} [{_where(finding, language)}]" for finding in findings)])


def relation_text(relation: Relation, language: str, schema: Schema) -> str:
    """ "Acme acquires Bolt (FY2021, planned)"."""
    label = schema.relation_label(relation.relation, language)
    said = f"{relation.head.name} {label} {relation.tail.name}"
    best = _best(relation)
    notes = []
    if best.period:
        notes.append(best.period.label)
    if best.modality != "asserted":
        notes.append(best.modality)
    return f"{said} ({', '.join(notes)})" if notes else said


def place_of(statement: Statement) -> Place:
    """Where a statement stands."""
    return Place(statement.document, statement.start, statement.end, statement.page, statement.chunk)


def _about(community: Community, by_end: Mapping[str, Sequence[Relation]]) -> list[Relation]:
    """Relations between members, and of members with what ties nothing together (auditors, roles, places), the best
    supported first."""
    members = set(community.entities)
    around: dict[tuple[str, str, str], Relation] = {}
    for id in community.entities:
        around.update((relation.key, relation) for relation in by_end.get(id, ()))
    own = [r for r in around.values() if is_generic(r) or {r.head.id, r.tail.id} <= members]
    return sorted(own, key=lambda r: (-r.support, -len(r.statements), r.head.name, r.relation, r.tail.name))


def _with_report(
    community: Community,
    relations: Sequence[Relation],
    known: Mapping[str, Sequence[Finding]],
    schema: Schema,
    limit: int,
) -> Community:
    inside = list(filterfalse(is_generic, relations))
    around = _in_turn(list(filter(is_generic, relations)))[: limit // _AROUND]
    ranked = _ranked(inside)
    language = "zh" if ranked and is_chinese(ranked[0].name) else "en"
    comma = "、" if language == "zh" else ", "
    title = comma.join(entity.name for entity in ranked[:_TITLE_NAMES])
    chosen = [*_in_turn(inside)[: limit - len(around)], *around]
    told = [_finding(relation, language, schema) for relation in chosen]
    # Figures and risks of the company that the community is about; each company's own community has its own.
    first = next((entity.id for entity in ranked if known.get(entity.id)), "")
    findings = (*told, *known.get(first, ()))
    return replace(
        community,
        title=title,
        report=report_text(_by_type(ranked, language, schema, comma), findings, language),
        findings=findings,
        author=AUTHOR,
        digest=digest_of(community.entities, findings),
    )


def _ranked(relations: Sequence[Relation]) -> list[Entity]:
    """The members, those first that most is said about and that documents name most."""
    degrees: Counter[str] = Counter()
    entities: dict[str, Entity] = {}
    for relation in relations:
        for end in relation.ends:
            entities[end.id] = end
            degrees[end.id] += relation.support
    return sorted(entities.values(), key=lambda e: (-degrees[e.id] * (1 + math.log1p(e.mentions)), e.name))


def _in_turn(relations: Sequence[Relation]) -> list[Relation]:
    """One of each kind in turn, so that a dozen acquisitions leave room for the lawsuit and the partner; what happens
    between companies first."""
    ranked = sorted(relations, key=lambda r: {r.head.type, r.tail.type} != {"company"})
    kinds = grouped(ranked, key=lambda relation: relation.relation)
    return list(in_turn(kinds.values()))


def _by_type(ranked: Sequence[Entity], language: str, schema: Schema, comma: str) -> list[str]:
    names: dict[str, list[str]] = defaultdict(list)
    for entity in ranked:
        names[entity.type].append(entity.name)
    return [f"{schema.type_label(kind, language)}: {_listed(own, comma, language)}" for kind, own in names.items()]


def _listed(names: Sequence[str], comma: str, language: str) -> str:
    listed = comma.join(names[:_MEMBERS])
    more = len(names) - _MEMBERS
    if more <= 0:
        return listed
    return listed + (f" 等 {len(names)} 个" if language == "zh" else f" and {more} more")


def _finding(relation: Relation, language: str, schema: Schema) -> Finding:
    best = _best(relation)
    others: dict[str, Statement] = {}
    for statement in relation.statements:
        if statement.document != best.document:
            others.setdefault(statement.document, statement)
    places = (place_of(best), *map(place_of, others.values()))
    return Finding("relation", relation_text(relation, language, schema), places, relation.relation)


def _best(relation: Relation) -> Statement:
    """What is asserted before what is planned or denied, the later publication first, then the surer one."""

    def rank(said: Statement) -> tuple[bool, int, float, str]:
        day = said.published.toordinal() if said.published else 0
        return said.modality != "asserted", -day, -said.confidence, said.id

    return min(relation.statements, key=rank)


def _where(finding: Finding, language: str) -> str:
    """The first place by file name and page, and how many documents say the same."""
    first = finding.places[0]
    words = _WORDS[language]
    where = PurePath(first.document).name
    if first.page is not None:
        where += words["page"].format(first.page)
    documents = {place.document for place in finding.places}
    if len(documents) > 1:
        where += words["documents"].format(len(documents))
    return where

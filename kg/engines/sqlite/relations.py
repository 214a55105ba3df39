"""Mentions, statements and relations, the parts that extractors gave them in, and communities as they were derived."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, cast

from ....core.anchor import Anchor
from ....core.recent import Recent
from ...graph import Communities, Community, Entity, Mention, Relation, Statement, Subgraph, statement_place
from ...storage.codec import (
    community_data,
    compress,
    dumps,
    expand,
    read_anchors,
    read_community_data,
    read_day,
    read_pairs,
    read_period,
    read_triples,
)
from ...store import GraphPart
from ...triple import Modality, Triple
from .clusters import read_merge
from .connection import Database
from .documents import Catalogue, Place
from .entities import AMONG, clusters_of, public_ids, read_clusters
from .facts import drivers_of_part

STATEMENT = """s.key, h.cluster, s.relation, t.cluster, s.document, c.key, s.start, s."end", s.text, s.anchors,
  s.period, s.published, s.modality, s.confidence, s.extractor, s.metadata"""
_WITH_ENDS = """FROM statement AS s JOIN entity AS h ON h.id = s.head JOIN entity AS t ON t.id = s.tail
  JOIN chunk AS c ON c.id = s.chunk"""
_SUPPORT = """SELECT h.cluster, s.relation, t.cluster FROM {source} AS s
  JOIN entity AS h ON h.id = s.head JOIN entity AS t ON t.id = s.tail
  GROUP BY 1, 2, 3 ORDER BY count(DISTINCT s.document) DESC, count(*) DESC, min(h.key), 2, min(t.key) LIMIT ?"""

_NOT_FIRST = "+"
"""Keeps a query from beginning with the documents of a scope: they may be all, and a hub's statements are few."""

Triplet = tuple[int, str, int]
"""Head cluster, relation, tail cluster."""


def mentions(
    db: Database,
    chunks: Collection[str],
    entities: Collection[str],
    limit: int,
    places: Collection[Place] | None = None,
) -> list[Mention]:
    """In these chunks and of these entities, in order of document and place."""
    conditions, values = [], []
    if chunks:
        conditions.append(f"m.chunk IN (SELECT id FROM chunk WHERE key IN {AMONG})")
        values.append(dumps(list(chunks)))
    if entities:
        conditions.append(f"m.entity IN (SELECT id FROM entity WHERE cluster IN {AMONG})")
        values.append(dumps(list(clusters_of(db, entities).values())))
    if not conditions:
        return []
    scope, among = _scope(places, "m.")
    # The index holds all but the name, which is fetched for what is left after the limit.
    query = f"""SELECT e.cluster, c.key, m.start, m."end", coalesce(m.name, e.name) FROM (
        SELECT m.chunk, m.start, m."end", m.entity, min(m.part) AS part FROM mention AS m
        WHERE {" AND ".join(conditions)}{scope} GROUP BY 1, 2, 3, 4 LIMIT ?) AS first
      JOIN mention AS m USING (chunk, start, "end", entity, part)
      JOIN entity AS e ON e.id = m.entity JOIN chunk AS c ON c.id = m.chunk JOIN document AS d ON d.id = m.document
      ORDER BY d.source, m.chunk, m.start, m."end", e.key"""
    rows = db.rows(query, (*values, *among, limit))
    names = public_ids(db, {cluster for cluster, *_ in rows})
    return [Mention(names[cluster], *place) for cluster, *place in rows]


def statements(
    db: Database, catalogue: Catalogue, ids: Collection[str], documents: Collection[str], chunks: Collection[str]
) -> list[Statement]:
    """Those with one of the ids, in one of the documents and in one of the chunks, where given; in order of place."""
    conditions, values = [], []
    if ids:
        conditions.append(f"s.key IN {AMONG}")
        values.append(dumps(list(ids)))
    if documents:
        conditions.append(f"s.document IN {AMONG}")
        values.append(dumps([place.id for place in catalogue.places(documents)]))
    if chunks:
        conditions.append(f"(s.document, s.chunk) IN (SELECT document, id FROM chunk WHERE key IN {AMONG})")
        values.append(dumps(list(chunks)))
    if not conditions:
        return []
    rows = db.rows(f"SELECT {STATEMENT} {_WITH_ENDS} WHERE {' AND '.join(conditions)}", values)
    names = public_ids(db, {cluster for row in rows for cluster in (row[1], row[3])})
    found = [read_statement(catalogue, row, names[row[1]], names[row[3]]) for row in rows]
    return sorted(found, key=statement_place)


_MOST_OF_RELATIONS, _MOST_OF_ENDS, _MOST_OF_SUBGRAPHS, _MOST_SCOPES = 48 << 20, 8 << 20, 8 << 20, 64
_STATEMENT, _RELATION, _ENTITY = 2_000, 500, 500
"""Bytes of relations, of their ends and of neighbourhoods kept; of a statement, of what a relation has beside, and of
an end."""


class SubgraphsRead:
    """The neighbourhoods read last, and the relations and ends in them, of which no row is read twice: what is told of
    a company is read by several steps of a question, with other limits and from other ends, and by the next question.
    A write of any process makes them stale. Used under the lock of its database."""

    def __init__(self) -> None:
        self._version = -1
        self._known: Recent[tuple[Any, ...], Subgraph] = Recent(_MOST_OF_SUBGRAPHS, _size)
        self._entities: Recent[int, Entity] = Recent(_MOST_OF_ENDS, lambda _: _ENTITY)
        self._relations: Recent[tuple[Triplet, object], Relation] = Recent(_MOST_OF_RELATIONS, _size_of_relation)
        self._scopes: Recent[tuple[int, ...], object] = Recent(_MOST_SCOPES, lambda _: 1)

    def read(
        self, db: Database, catalogue: Catalogue, seeds: Collection[str], limit: int, places: Collection[Place] | None
    ) -> Subgraph:
        """Relations that touch a seed, best supported first, with all entities they name."""
        if self._version != catalogue.version:
            for kept in (self._known, self._entities, self._relations, self._scopes):
                kept.clear()
            self._version = catalogue.version
        key = (tuple(seeds), limit, None if places is None else tuple(places))
        return self._known.made(key, partial(self._subgraph, db, catalogue, seeds, limit, places))

    def _subgraph(
        self, db: Database, catalogue: Catalogue, seeds: Collection[str], limit: int, places: Collection[Place] | None
    ) -> Subgraph:
        clusters = list(clusters_of(db, seeds).values())
        triplets = _touching(db, clusters, limit + 1, places)
        among = triplets[:limit]
        entities = self._entities.read(_clusters_in(among, clusters), partial(read_clusters, db))
        scope = self._scopes.made(() if places is None else (1, *(place.id for place in places)), object)

        def missing(keys: list[tuple[Triplet, object]]) -> dict[tuple[Triplet, object], Relation]:
            read = _read_relations(db, catalogue, [triplet for triplet, _ in keys], places, entities)
            return {(triplet, scope): relation for triplet, relation in read.items()}

        read = self._relations.read(((triplet, scope) for triplet in among), missing)
        found = [read[triplet, scope] for triplet in among]
        named = {entities[cluster].id: entities[cluster] for cluster in clusters if cluster in entities}
        named.update((end.id, end) for relation in found for end in relation.ends)
        return Subgraph(tuple(named.values()), tuple(found), truncated=len(triplets) > limit)


def _size(found: Subgraph) -> int:
    return _RELATION * (1 + len(found.relations))


def _size_of_relation(relation: Relation) -> int:
    return _RELATION + _STATEMENT * len(relation.statements)


def _touching(db: Database, clusters: Collection[int], limit: int, places: Collection[Place] | None) -> list[Triplet]:
    """The relations with an end in one of the clusters, best supported first."""
    scope, values = _scope(places, _NOT_FIRST)
    touching = " UNION ".join(
        f"""SELECT id, head, relation, tail, document FROM statement
          WHERE {end} IN (SELECT id FROM entity WHERE cluster IN {AMONG}){scope}"""
        for end in ("head", "tail")
    )
    arguments = (dumps(clusters), *values)
    return cast("list[Triplet]", db.rows(_SUPPORT.format(source=f"({touching})"), (*arguments, *arguments, limit)))


def best_supported(db: Database, limit: int) -> list[Triplet]:
    """All relations, those that most documents state first."""
    return cast("list[Triplet]", db.rows(_SUPPORT.format(source="statement"), (limit,)))


def relations(db: Database, catalogue: Catalogue, triplets: Sequence[Triplet]) -> list[Relation]:
    """The relations with their statements, in order of document and place."""
    named = read_clusters(db, _clusters_in(triplets))
    return list(_read_relations(db, catalogue, triplets, None, named).values())


def _clusters_in(triplets: Iterable[Triplet], also: Iterable[int] = ()) -> set[int]:
    return {*also, *(end for head, _, tail in triplets for end in (head, tail))}


def _read_relations(
    db: Database,
    catalogue: Catalogue,
    triplets: Sequence[Triplet],
    places: Collection[Place] | None,
    named: Mapping[int, Entity],
) -> dict[Triplet, Relation]:
    """As :func:`relations`, by their triplets; ``named`` are the entities at their ends."""
    scope, values = _scope(places, f"{_NOT_FIRST}s.")
    # The order of the joins is fixed: from both ends an index leads to the statements of this relation alone.
    query = f"""SELECT {STATEMENT} FROM json_each(?) AS k
      CROSS JOIN entity AS h ON h.cluster = json_extract(k.value, '$[0]')
      CROSS JOIN entity AS t ON t.cluster = json_extract(k.value, '$[2]')
      CROSS JOIN statement AS s ON s.head = h.id AND s.relation = json_extract(k.value, '$[1]') AND s.tail = t.id
      CROSS JOIN chunk AS c ON c.id = s.chunk WHERE 1{scope}"""
    groups: dict[Triplet, list[Statement]] = {(head, relation, tail): [] for head, relation, tail in triplets}
    for row in db.rows(query, (dumps(triplets), *values)):
        head, relation, tail = row[1:4]
        groups[head, relation, tail].append(read_statement(catalogue, row, named[head].id, named[tail].id))
    return {
        (head, relation, tail): Relation(named[head], relation, named[tail], tuple(sorted(group, key=statement_place)))
        for (head, relation, tail), group in groups.items()
    }


def rejected(db: Database, document: int) -> list[Triple]:
    """Triples kept out of the graph, by extractor."""
    query = "SELECT rejected FROM part WHERE document = ? AND rejected IS NOT NULL ORDER BY extractor"
    return [triple for (data,) in db.rows(query, (document,)) for triple in read_triples(expand(data))]


def _scope(places: Collection[Place] | None, prefix: str = "") -> tuple[str, list[str]]:
    if places is None:
        return "", []
    return f" AND {prefix}document IN {AMONG}", [dumps([place.id for place in places])]


_KEPT = 1 << 14
"""Statements as stored, about 2 KB each, with their periods and anchors: a question reads those around the names in it
several times, and so does the next one."""
_period = lru_cache(maxsize=_KEPT)(read_period)


@lru_cache(maxsize=_KEPT)
def _anchors(text: str) -> tuple[Anchor, ...]:
    return read_anchors(json.loads(text))


def read_statement(catalogue: Catalogue, row: tuple[Any, ...], head: str, tail: str) -> Statement:
    """A statement from its row, with the ids that its ends go by."""
    return _statement(catalogue.source(row[4]), row, head, tail)


@lru_cache(maxsize=_KEPT)
def _statement(source: str, row: tuple[Any, ...], head: str, tail: str) -> Statement:
    key, _, relation, _, _, chunk, start, end, text, anchors, period, published, modality, *rest = row
    confidence, extractor, metadata = rest
    return Statement(
        *(key, head, relation, tail, source, chunk, start, end, text),
        *(_anchors(anchors), _period(period), read_day(published), cast(Modality, modality)),
        *(confidence, extractor, read_pairs(metadata)),
    )


_ENTITIES_OF_PART = """SELECT key, name, type, name_key, context FROM entity WHERE id IN (
  SELECT entity FROM mention AS m JOIN chunk AS c ON c.id = m.chunk WHERE c.document = ?1 AND m.part = ?2
  UNION SELECT head FROM statement WHERE document = ?1 AND part = ?2
  UNION SELECT tail FROM statement WHERE document = ?1 AND part = ?2) ORDER BY id"""
_MENTIONS_OF_PART = """SELECT e.key, c.key, m.start, m."end", coalesce(m.name, e.name) FROM chunk AS c
  JOIN mention AS m ON m.chunk = c.id JOIN entity AS e ON e.id = m.entity
  WHERE c.document = ?1 AND m.part = ?2 ORDER BY m.chunk, m.start, m."end", e.key"""
_STATEMENTS_OF_PART = f"""SELECT {STATEMENT}, h.key, t.key FROM statement AS s JOIN entity AS h ON h.id = s.head
  JOIN entity AS t ON t.id = s.tail JOIN chunk AS c ON c.id = s.chunk
  WHERE s.document = ?1 AND s.part = ?2 ORDER BY s.start, s.key"""
_MERGES_OF_PART = """SELECT m.key, m.entity, m."into", m.reason, m.score, m.undone FROM merge_part AS p
  JOIN merge AS m ON m.id = p.merge WHERE p.part = ?2 AND ?1 ORDER BY m.id"""


def read_parts(db: Database, catalogue: Catalogue, document: int) -> list[GraphPart]:
    """All parts of a document, by extractor."""
    query = "SELECT id, extractor, rejected FROM part WHERE document = ? ORDER BY extractor"
    return [
        GraphPart(
            extractor=extractor,
            entities=tuple(
                Entity(key, name, type, name_key, context=read_pairs(context))
                for key, name, type, name_key, context in db.rows(_ENTITIES_OF_PART, (document, part))
            ),
            mentions=tuple(Mention(*row) for row in db.rows(_MENTIONS_OF_PART, (document, part))),
            statements=tuple(
                read_statement(catalogue, row[:-2], *row[-2:]) for row in db.rows(_STATEMENTS_OF_PART, (document, part))
            ),
            merges=tuple(map(read_merge, db.rows(_MERGES_OF_PART, (document, part)))),
            rejected=tuple(read_triples(expand(rejected))) if rejected else (),
            drivers=drivers_of_part(db, catalogue, part),
        )
        for part, extractor, rejected in db.rows(query, (document,))
    ]


def put_communities(db: Database, found: Communities) -> None:
    """Replace all of them."""
    db.run("DELETE FROM community")
    db.run_many(
        "INSERT INTO community (key, level, parent, title, author, digest, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((c.id, c.level, c.parent, c.title, c.author, c.digest, compress(community_data(c))) for c in found.groups),
    )
    db.run("UPDATE setting SET value = ? WHERE name = 'communities'", (found.version,))
    db.run("UPDATE setting SET value = ? WHERE name = 'communities_method'", (found.method,))


def read_communities(db: Database) -> Communities | None:
    """All of them in the order given; None before the first were put."""
    version = db.value("SELECT value FROM setting WHERE name = 'communities'")
    if version is None or version < 0:
        return None
    rows = db.rows("SELECT key, level, parent, title, author, digest, data FROM community ORDER BY id")
    groups = tuple(
        Community(
            id=id,
            level=level,
            parent=parent,
            title=title,
            author=author,
            digest=digest,
            **read_community_data(expand(data)),
        )
        for id, level, parent, title, author, digest, data in rows
    )
    return Communities(version, groups, db.value("SELECT value FROM setting WHERE name = 'communities_method'"))

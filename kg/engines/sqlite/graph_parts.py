"""The graph of a document as it was put: entities as written, a part an extractor."""

from __future__ import annotations

from ...graph import Entity, Mention
from ...storage.codec import expand, read_pairs, read_triples
from ...store import GraphPart
from .catalogue import Catalogue
from .clusters import read_merge
from .connection import Database
from .relations import STATEMENT, read_statement

_ENTITIES = """SELECT key, name, type, name_key, context FROM entity WHERE id IN (
  SELECT entity FROM mention AS m JOIN chunk AS c ON c.id = m.chunk WHERE c.document = ?1 AND m.part = ?2
  UNION SELECT head FROM statement WHERE document = ?1 AND part = ?2
  UNION SELECT tail FROM statement WHERE document = ?1 AND part = ?2) ORDER BY id"""
_MENTIONS = """SELECT e.key, c.key, m.start, m."end", coalesce(m.name, e.name) FROM chunk AS c
  JOIN mention AS m ON m.chunk = c.id JOIN entity AS e ON e.id = m.entity
  WHERE c.document = ?1 AND m.part = ?2 ORDER BY m.chunk, m.start, m."end", e.key"""
_STATEMENTS = f"""SELECT {STATEMENT}, h.key, t.key FROM statement AS s JOIN entity AS h ON h.id = s.head
  JOIN entity AS t ON t.id = s.tail JOIN chunk AS c ON c.id = s.chunk
  WHERE s.document = ?1 AND s.part = ?2 ORDER BY s.start, s.key"""
_MERGES = """SELECT m.key, m.entity, m."into", m.reason, m.score, m.undone FROM merge_part AS p
  JOIN merge AS m ON m.id = p.merge WHERE p.part = ?2 AND ?1 ORDER BY m.id"""


def read_parts(db: Database, catalogue: Catalogue, document: int) -> list[GraphPart]:
    """All parts of a document, by extractor."""
    query = "SELECT id, extractor, rejected FROM part WHERE document = ? ORDER BY extractor"
    return [
        GraphPart(
            extractor=extractor,
            entities=tuple(
                Entity(key, name, type, name_key, context=read_pairs(context))
                for key, name, type, name_key, context in db.rows(_ENTITIES, (document, part))
            ),
            mentions=tuple(Mention(*row) for row in db.rows(_MENTIONS, (document, part))),
            statements=tuple(
                read_statement(catalogue, row[:-2], *row[-2:]) for row in db.rows(_STATEMENTS, (document, part))
            ),
            merges=tuple(read_merge(row) for row in db.rows(_MERGES, (document, part))),
            rejected=tuple(read_triples(expand(rejected))) if rejected else (),
        )
        for part, extractor, rejected in db.rows(query, (document,))
    ]

// Which documents, pages and sentences stand behind one relation?

WITH "Norrland" AS head, "supplies" AS relation, "Halvern" AS tail
MATCH (h:Entity)-[r {relation: relation}]->(t:Entity)
WHERE toLower(h.name) CONTAINS toLower(head) AND toLower(t.name) CONTAINS toLower(tail)
MATCH picture = (s:Statement {id: r.statement})-[:FROM]->(:Chunk)<-[:HAS_CHUNK]-(d:Document)
RETURN d.source AS document, d.kind AS kind, d.published AS published, s.page AS page, s.text AS sentence,
  s.modality AS modality, s.confidence AS confidence, [h, r, t, picture] AS picture
ORDER BY published DESC, document, page
LIMIT 50;

// Which relations are dated in a year?

WITH "2025" AS year
MATCH picture = (a:Entity)-[r]->(b:Entity)
WHERE r.period CONTAINS year
MATCH (s:Statement {id: r.statement})
RETURN r.period AS period, a.name AS head, r.relation AS relation, b.name AS tail, s.modality AS modality,
  s.text AS sentence, s.document AS document, s.page AS page, picture
ORDER BY period, head, tail, document, page
LIMIT 100;

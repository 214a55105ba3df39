// How are two companies connected, in the fewest steps that a sentence states?

WITH "Atacama Minerals" AS from, "Meridian Freight" AS to
MATCH (a:Entity) WHERE toLower(a.name) CONTAINS toLower(from)
MATCH (b:Entity) WHERE toLower(b.name) CONTAINS toLower(to) AND a.cluster <> b.cluster
MATCH picture = shortestPath((a)-[*..10]-(b))
WHERE all(r IN relationships(picture) WHERE r.modality = 'asserted' OR type(r) = 'SAME_AS')
WITH picture, size([r IN relationships(picture) WHERE type(r) <> 'SAME_AS']) AS steps
ORDER BY steps, length(picture), [n IN nodes(picture) | n.id]
LIMIT 1
UNWIND range(0, length(picture) - 1) AS i
WITH picture, i, relationships(picture)[i] AS r
OPTIONAL MATCH (s:Statement {id: r.statement})
RETURN i + 1 AS step, startNode(r).name AS head, coalesce(r.relation, 'is the same as') AS relation,
  endNode(r).name AS tail, coalesce(s.text, r.reason) AS reason, s.document AS document, s.page AS page, picture
ORDER BY step;

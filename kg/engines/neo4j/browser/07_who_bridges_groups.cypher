// Who joins companies and people that nothing else connects within three steps?
// Places, roles and the like join everybody with everybody and count on neither side.

WITH ['place', 'role', 'metric', 'market', 'regulation', 'regulator', 'thing'] AS broad
MATCH (a:Entity)-[r]->(b:Entity) WHERE r.statement IS NOT NULL AND NOT a.type IN broad AND NOT b.type IN broad
UNWIND [a.cluster, b.cluster] AS cluster
WITH broad, cluster, count(*) AS relations ORDER BY relations DESC, cluster LIMIT 25
MATCH (e:Entity {cluster: cluster})-[r]-(n:Entity)
WHERE r.statement IS NOT NULL AND n.cluster <> cluster AND NOT n.type IN broad
WITH cluster, relations, collect(DISTINCT n) AS around, collect(DISTINCT e) AS own, collect(DISTINCT r) AS joined
UNWIND around AS a UNWIND around AS b
WITH * WHERE a.cluster < b.cluster AND NOT EXISTS {
  MATCH (a)-[steps *1..3]-(b)
  WHERE all(s IN steps WHERE (s.statement IS NOT NULL OR type(s) = 'SAME_AS')
    AND startNode(s).cluster <> cluster AND endNode(s).cluster <> cluster)
}
WITH cluster, relations, own, around, joined, count(*) AS pairs, collect(a.name + ' and ' + b.name)[..3] AS examples
RETURN reduce(name = '', e IN own | CASE WHEN size(e.name) > size(name) THEN e.name ELSE name END) AS bridge,
  pairs AS pairs_joined, relations, examples, [own, around, joined] AS picture
ORDER BY pairs_joined DESC, bridge
LIMIT 20;

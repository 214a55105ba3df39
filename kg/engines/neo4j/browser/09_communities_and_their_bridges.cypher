// Which groups does the graph fall into, and which sentences bridge them?
// `cliquerag graph communities` finds the groups and keeps them; run it first, and again after documents were added.

MATCH (a:Entity)-[r]->(b:Entity) WHERE r.statement IS NOT NULL
MATCH first = (:Entity {cluster: a.cluster})-[:MEMBER_OF]->(one:Community {level: 0})
MATCH second = (:Entity {cluster: b.cluster})-[:MEMBER_OF]->(two:Community {level: 0}) WHERE one <> two
MATCH (s:Statement {id: r.statement})
RETURN one.title AS group, one.size AS members, a.name AS head, r.relation AS relation, b.name AS tail,
  two.title AS other_group, s.text AS sentence, s.document AS document, s.page AS page,
  [first, a, r, b, second] AS picture
ORDER BY members DESC, group, other_group, head, tail
LIMIT 60;

// Which statements say the same kind of thing as the one with these words?
// By the vectors of their sentences: other words for the same, in other documents.

WITH "acquire" AS words
MATCH (s:Statement) WHERE toLower(s.text) CONTAINS toLower(words) AND s.vector IS NOT NULL
WITH s ORDER BY s.confidence DESC, size(s.text), s.id LIMIT 1
CALL db.index.vector.queryNodes('statement_vectors', 15, s.vector) YIELD node AS like, score
MATCH (head:Entity {id: like.head})-[r {statement: like.id}]->(tail:Entity {id: like.tail})
RETURN round(score, 3) AS likeness, head.name AS head, r.relation AS relation, tail.name AS tail, like.text AS sentence,
  like.document AS document, like.page AS page, [head, r, tail] AS picture
ORDER BY score DESC, document, page;

// Who said what about a topic in the earnings calls?

WITH "margin" AS topic
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.speaker <> '' AND toLower(c.text) CONTAINS toLower(topic)
WITH d, c, [turn IN split(c.speaker, ';') | trim(split(turn, ',')[0])] AS names
OPTIONAL MATCH (d)-[:NAMES]->(p:Person) WHERE p.name IN names
OPTIONAL MATCH picture = (p)-[:HOLDS_ROLE|WORKS_FOR|LEADS]->(post:Entity)
WITH d, c, collect(DISTINCT post.name) AS posts, collect(DISTINCT picture) AS picture
RETURN c.speaker AS speaker, posts, c.text AS text, d.title AS call, d.published AS published, c.ordinal AS place,
  picture
ORDER BY published DESC, call, place
LIMIT 50;

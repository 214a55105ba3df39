// What moved the figures of a company, and which other companies did the same cause move?
// A class of causes is one node for all companies: put another company, or a class such as "currency".

WITH "Halvern" AS company, "" AS class
MATCH (v:Driver)-[:CAUSED_BY*1..3]->(a:Cause)
WHERE toLower(v.company) CONTAINS toLower(company) AND (class = '' OR a.category = class)
OPTIONAL MATCH (a)-[o:OF_CLASS]->(k:CauseClass)
OPTIONAL MATCH (v)-[b:ABOUT]->(e:Company)
OPTIONAL MATCH (k)<-[:OF_CLASS]-(:Cause)<-[:CAUSED_BY*1..3]-(other:Driver) WHERE other.company_key <> v.company_key
WITH v, a, o, k, b, e, collect(DISTINCT other.company)[..5] AS others
MATCH way = (v)-[:CAUSED_BY*1..3]->(a)
RETURN v.company AS company, v.label AS figure, v.direction AS direction, v.period_label AS period, a.text AS cause,
  a.sign AS sign, a.category AS class, others, v.document AS document, v.page AS page, [way, k, o, e, b] AS picture
ORDER BY period DESC, figure, v.start, a.id LIMIT 60;

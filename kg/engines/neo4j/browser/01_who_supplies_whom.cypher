// Who supplies whom, and which sentence says so?

MATCH picture = (a:Entity)-[r:SUPPLIES|CUSTOMER_OF]->(b:Entity)
MATCH (s:Statement {id: r.statement})
WITH picture, s, CASE type(r) WHEN 'SUPPLIES' THEN [a, b] ELSE [b, a] END AS ends
RETURN ends[0].name AS supplier, ends[1].name AS customer, s.period_label AS period, s.modality AS modality,
  s.text AS sentence, s.document AS document, s.page AS page, picture
ORDER BY supplier, customer, document, page
LIMIT 100;

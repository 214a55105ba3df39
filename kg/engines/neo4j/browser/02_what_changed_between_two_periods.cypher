// Which figures of a company changed most between two periods?

WITH "Halvern" AS company, "FY2024" AS before, "FY2025" AS after
MATCH (f:Fact)
WHERE toLower(f.company) CONTAINS toLower(company) AND f.period_label IN [before, after]
  AND f.metric <> '' AND f.dimensions = '[]' AND f.amount IS NOT NULL
WITH f, before, after ORDER BY f.confidence DESC, f.document, f.start
WITH before, after, f.company_key AS named, f.metric AS metric, f.unit AS unit, collect(f) AS facts
WITH metric, unit, [f IN facts WHERE f.period_label = before][0] AS old,
  [f IN facts WHERE f.period_label = after][0] AS new
WHERE old.amount <> 0 AND new IS NOT NULL
WITH *, 100 * (new.amount - old.amount) / abs(old.amount) AS percent
ORDER BY abs(percent) DESC, metric LIMIT 25
UNWIND [old, new] AS f
MATCH (d:Document)-[s:STATES]->(f)
WITH metric, percent, old, new, collect(f) AS stated, collect(s) AS states, collect(DISTINCT d) AS documents
WITH collect(new {.document, .page, .unit, metric: metric, before: old.amount, after: new.amount,
    percent: round(percent, 1)}) AS rows,
  [collect(stated), collect(states), head(collect(documents))] AS drawn
UNWIND range(0, size(rows) - 1) AS i
WITH rows[i] AS row, CASE i WHEN 0 THEN drawn END AS picture
RETURN row.metric AS metric, row.before AS before, row.after AS after, row.unit AS unit, row.percent AS percent,
  row.document AS document, row.page AS page, picture
ORDER BY abs(percent) DESC, metric;

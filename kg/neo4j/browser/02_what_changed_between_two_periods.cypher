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
RETURN metric, old.amount AS before, new.amount AS after, unit, round(percent, 1) AS percent,
  new.document AS document, new.page AS page, [old, new] AS picture
ORDER BY abs(percent) DESC, metric
LIMIT 25;

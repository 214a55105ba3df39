// How does the revenue of a company split, and on which page does it stand?
// Rows above the total of the same table, and sentences that name a segment.

WITH "Halvern" AS company
CALL (company) {
  MATCH (total:Fact {metric: 'revenue'})
  WHERE toLower(total.company) CONTAINS toLower(company) AND total.table IS NOT NULL AND total.dimensions = '[]'
  MATCH (part:Fact {document: total.document, table: total.table, column: total.column, metric: ''})
  WHERE part.row < total.row AND part.unit = total.unit AND part.amount <= total.amount
  RETURN part, total
  UNION
  MATCH (part:Fact {metric: 'revenue'})
  WHERE toLower(part.company) CONTAINS toLower(company) AND part.dimensions <> '[]'
  RETURN part, null AS total
}
WITH part, total, CASE part.dimensions WHEN '[]' THEN part.label ELSE split(part.dimensions, '"')[3] END AS segment
ORDER BY part.period_label DESC, total IS NULL, part.amount DESC, segment LIMIT 60
MATCH (d:Document)-[s:STATES]->(part)
WITH collect(part {.period_label, .amount, .unit, .document, .page, segment: segment,
    percent: round(100 * part.amount / total.amount, 1)}) AS rows,
  collect(DISTINCT d) + collect(DISTINCT part) + collect(DISTINCT s) AS drawn
UNWIND range(0, size(rows) - 1) AS i
WITH rows[i] AS row, CASE i WHEN 0 THEN drawn END AS picture
RETURN row.segment AS segment, row.period_label AS period, row.amount AS amount, row.unit AS unit,
  row.percent AS percent, row.document AS document, row.page AS page, picture
ORDER BY period DESC, percent IS NULL, amount DESC, segment;

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
RETURN segment, part.period_label AS period, part.amount AS amount, part.unit AS unit,
  round(100 * part.amount / total.amount, 1) AS percent, part.document AS document, part.page AS page,
  [part, total] AS picture
ORDER BY period DESC, total IS NULL, amount DESC, segment
LIMIT 60;

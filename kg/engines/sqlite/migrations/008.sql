-- The facts of a whole company have no dimension in the view, as questions in SQL put it: '' instead of an empty list.

DROP VIEW facts_view;
CREATE VIEW facts_view AS
SELECT f.company, f.metric, f.label, f.period_label AS period, f.period_end, f.amount, f.unit, f.text,
       CASE f.dimensions WHEN '[]' THEN '' ELSE f.dimensions END AS dimensions,
       f.basis, f.consolidation, f.source_kind, d.source, d.kind, d.published, f.page, f.confidence
FROM fact AS f JOIN document AS d ON d.id = f.document;

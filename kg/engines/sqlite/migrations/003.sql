-- Facts as a table, and a view of them for people who write SQL.

CREATE TABLE fact (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,                  -- the public id
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  company TEXT NOT NULL,
  company_key TEXT NOT NULL,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  period TEXT,                        -- JSON
  period_label TEXT NOT NULL,
  period_end TEXT NOT NULL,
  text TEXT NOT NULL,
  value TEXT,                         -- the exact decimal number
  scale TEXT NOT NULL,
  amount REAL,
  digits TEXT NOT NULL,               -- of the amount without sign and outer zeros: the same in any scale
  unit TEXT NOT NULL,
  dimensions TEXT NOT NULL,           -- JSON
  basis TEXT NOT NULL,
  consolidation TEXT NOT NULL,
  source_kind TEXT NOT NULL,
  anchors TEXT NOT NULL,              -- JSON
  page INTEGER,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  "table" INTEGER,
  "row" INTEGER,
  "column" INTEGER,
  confidence REAL NOT NULL
);
CREATE INDEX fact_company ON fact (company_key, metric, period_end);
CREATE INDEX fact_document ON fact (document);

CREATE VIEW facts_view AS
SELECT f.company, f.metric, f.label, f.period_label AS period, f.period_end, f.amount, f.unit, f.text,
       f.dimensions, f.basis, f.consolidation, f.source_kind, d.source, d.kind, d.published, f.page, f.confidence
FROM fact AS f JOIN document AS d ON d.id = f.document;

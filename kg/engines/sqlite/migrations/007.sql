-- Drivers: figures, how they moved and why; a view of every cause for people who write SQL.

CREATE TABLE IF NOT EXISTS driver (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,                  -- the public id
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  part INTEGER NOT NULL REFERENCES part ON DELETE CASCADE,
  chunk INTEGER NOT NULL,
  company TEXT NOT NULL,
  company_key TEXT NOT NULL,
  segment TEXT NOT NULL,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  direction TEXT NOT NULL,
  outlook INTEGER NOT NULL,
  period TEXT,                        -- JSON
  period_label TEXT NOT NULL,
  period_end TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  text TEXT NOT NULL,
  anchors TEXT NOT NULL,              -- JSON
  page INTEGER,
  published TEXT,
  confidence REAL NOT NULL,
  extractor TEXT NOT NULL,
  data TEXT NOT NULL                  -- JSON: amounts and causes, exactly
);
CREATE INDEX IF NOT EXISTS driver_company ON driver (company_key, metric, period_end);
CREATE INDEX IF NOT EXISTS driver_document ON driver (document);
CREATE INDEX IF NOT EXISTS driver_part ON driver (part);

CREATE TABLE IF NOT EXISTS driver_cause (
  driver INTEGER NOT NULL REFERENCES driver ON DELETE CASCADE,
  number INTEGER NOT NULL,
  parent INTEGER,                     -- number of the cause that it is behind
  text TEXT NOT NULL,
  sign INTEGER NOT NULL,
  category TEXT NOT NULL,
  role TEXT NOT NULL,
  amount REAL,
  unit TEXT NOT NULL,
  PRIMARY KEY (driver, number)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS driver_cause_category ON driver_cause (category);

CREATE VIEW IF NOT EXISTS drivers_view AS
SELECT v.company, v.segment, v.metric, v.label, v.direction, v.outlook, v.period_label AS period, v.period_end,
       c.text AS cause, c.sign, c.category, c.role, c.amount, c.unit, c.parent, d.source, v.page, v.text AS sentence
FROM driver_cause AS c JOIN driver AS v ON v.id = c.driver JOIN document AS d ON d.id = v.document;

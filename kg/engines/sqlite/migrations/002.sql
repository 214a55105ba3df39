-- The graph. Entities are one a written name and type; "cluster" is the smallest id among those merged with it.

CREATE TABLE entity (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,           -- the public id
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  name_key TEXT NOT NULL,
  context TEXT NOT NULL,              -- JSON object
  cluster INTEGER NOT NULL,
  mentions INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entity_name_key ON entity (name_key, type);
CREATE INDEX entity_cluster ON entity (cluster);

CREATE TABLE cluster (                -- only clusters of several entities; the others are their entity's row
  id INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL          -- that mention any member
);

CREATE TABLE part (                   -- what one extractor read from one document
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  extractor TEXT NOT NULL,            -- name and version
  rejected BLOB,                      -- compressed JSON
  UNIQUE (document, extractor)
);

CREATE TABLE mention (
  chunk INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  entity INTEGER NOT NULL REFERENCES entity,
  part INTEGER NOT NULL,
  document INTEGER NOT NULL,
  name TEXT,                          -- where it is written unlike the entity's name
  PRIMARY KEY (chunk, start, "end", entity, part),
  FOREIGN KEY (chunk) REFERENCES chunk ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX mention_entity ON mention (entity, document);

CREATE TABLE statement (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,           -- the public id
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  part INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  head INTEGER NOT NULL REFERENCES entity,
  relation TEXT NOT NULL,
  tail INTEGER NOT NULL REFERENCES entity,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  text TEXT NOT NULL,
  anchors TEXT NOT NULL,              -- JSON
  period TEXT,
  published TEXT,
  modality TEXT NOT NULL,
  confidence REAL NOT NULL,
  extractor TEXT NOT NULL,
  metadata TEXT NOT NULL
);
CREATE INDEX statement_head ON statement (head, relation, tail, document);
CREATE INDEX statement_tail ON statement (tail, relation, head, document);
CREATE INDEX statement_document ON statement (document, chunk);

-- Merges name entities by public id: an undone merge outlives its entities and is never made again.
CREATE TABLE merge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,           -- the public id
  entity TEXT NOT NULL,
  "into" TEXT NOT NULL,
  low TEXT NOT NULL,                  -- the same two, in order
  high TEXT NOT NULL,
  reason TEXT NOT NULL,
  score REAL NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0,
  given INTEGER NOT NULL DEFAULT 0,   -- 1: only documents give it, and it goes with the last of them
  UNIQUE (low, high)
);
CREATE INDEX merge_high ON merge (high);

CREATE TABLE merge_part (
  merge INTEGER NOT NULL REFERENCES merge ON DELETE CASCADE,
  part INTEGER NOT NULL REFERENCES part ON DELETE CASCADE,
  PRIMARY KEY (part, merge)
) WITHOUT ROWID;
CREATE INDEX merge_part_merge ON merge_part (merge);

-- Words and character trigrams of names, rowid = entity.
CREATE VIRTUAL TABLE entity_name USING fts5 (grams, content = '', columnsize = 0, tokenize = 'ascii');
CREATE VIRTUAL TABLE entity_name_count USING fts5vocab (entity_name, row);

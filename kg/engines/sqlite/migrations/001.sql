-- Documents and their text. Internal ids of documents and chunks are never used twice, so that caches can trust them.

CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO setting VALUES ('version', 0), ('embedder', ''), ('dim', 0);

CREATE TABLE document (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL UNIQUE,
  stamp INTEGER NOT NULL,             -- version of the last write that changed this row
  title TEXT NOT NULL,
  companies TEXT NOT NULL,            -- JSON lists and objects
  tickers TEXT NOT NULL,
  kind TEXT NOT NULL,
  period TEXT,
  published TEXT,
  ingested TEXT NOT NULL,
  language TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  versions TEXT NOT NULL,
  how TEXT NOT NULL,
  pages INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  sentences INTEGER NOT NULL,
  tables INTEGER NOT NULL,
  facts INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL        -- its chunks have the ids first_chunk .. first_chunk + chunks - 1
);
CREATE INDEX document_stamp ON document (stamp);

-- The text in blocks of equal length, so that a chunk is read without the rest of the document.
CREATE TABLE block (
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text BLOB NOT NULL,                 -- compressed UTF-8
  UNIQUE (document, ordinal)
);

CREATE TABLE part_of_document (       -- what is only ever read whole, compressed JSON
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  name TEXT NOT NULL,                 -- "tables", "pages", "lines", "words"
  data BLOB NOT NULL,
  UNIQUE (document, name)
);

CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,           -- the public id
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  kind TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  value REAL NOT NULL,
  data BLOB NOT NULL                  -- compressed JSON: headings, speaker, part, anchors, sentences, index_text
);
CREATE INDEX chunk_document ON chunk (document);

-- One row a document: all of a document's vectors are loaded together into the matrix that is searched.
CREATE TABLE vector (
  document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
  chunks BLOB NOT NULL                -- float16 (chunks, dim)
);

CREATE TABLE sentence_vector (
  chunk INTEGER PRIMARY KEY REFERENCES chunk ON DELETE CASCADE,
  data BLOB NOT NULL                  -- int8 (sentences, dim); rows are normalised on reading
);

-- Search terms come cut and stemmed: blanks separate them, every other character belongs to a term.
CREATE VIRTUAL TABLE word USING fts5 (
  words, heading_words, content = '',
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO word (word, rank) VALUES ('automerge', 16);
CREATE VIRTUAL TABLE word_count USING fts5vocab (word, row);

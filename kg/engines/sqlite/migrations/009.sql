-- Vectors of the encoder of many languages, beside those of the workspace's own or instead of them: a space apart.

INSERT OR IGNORE INTO setting VALUES ('multilingual_embedder', ''), ('multilingual_dim', 0);

CREATE TABLE IF NOT EXISTS multilingual_vector (
  document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
  chunks BLOB NOT NULL                -- float16 (chunks, dim)
);

CREATE TABLE IF NOT EXISTS multilingual_sentence_vector (
  chunk INTEGER PRIMARY KEY REFERENCES chunk ON DELETE CASCADE,
  data BLOB NOT NULL                  -- int8 (sentences, dim); rows are normalised on reading
);

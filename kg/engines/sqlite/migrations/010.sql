-- The columns in the order of the key: of others "PRAGMA quick_check" of SQLite 3.40 says "NULL value in
-- merge_part.merge" where there is none, and whoever looks after a file believes it.

CREATE TABLE merge_part_in_order (
  part INTEGER NOT NULL REFERENCES part ON DELETE CASCADE,
  merge INTEGER NOT NULL REFERENCES merge ON DELETE CASCADE,
  PRIMARY KEY (part, merge)
) WITHOUT ROWID;
INSERT INTO merge_part_in_order (part, merge) SELECT part, merge FROM merge_part;
DROP TABLE merge_part;
ALTER TABLE merge_part_in_order RENAME TO merge_part;
CREATE INDEX merge_part_merge ON merge_part (merge);

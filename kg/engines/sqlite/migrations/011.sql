-- In how many chunks each term stands, kept as sums that a write adds to: counted when asked, a common term took
-- .3 ms of 13,000 chunks, and in a shard of a million those of one question 33 ms.
CREATE TABLE word_sum (term TEXT PRIMARY KEY, doc INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO word_sum (term, doc) SELECT term, doc FROM word_count;
DROP TABLE word_count;
ALTER TABLE word_sum RENAME TO word_count;

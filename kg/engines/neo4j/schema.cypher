// What a workspace needs in the database; each statement may be run again. The vector index is made with the first vectors.

CREATE CONSTRAINT workspace_name IF NOT EXISTS FOR (n:Workspace) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT document_source IF NOT EXISTS FOR (n:Document) REQUIRE n.source IS UNIQUE;
CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT statement_id IF NOT EXISTS FOR (n:Statement) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT extraction_id IF NOT EXISTS FOR (n:Extraction) REQUIRE n.id IS UNIQUE;
// What an entity's name shares with other spellings of it; no relationship, so that no path leads through it.
CREATE CONSTRAINT spelling_block IF NOT EXISTS FOR (n:Spelling) REQUIRE (n.block, n.entity) IS UNIQUE;
CREATE INDEX driver_id IF NOT EXISTS FOR (n:Driver) ON (n.id);
CREATE CONSTRAINT cause_class IF NOT EXISTS FOR (n:CauseClass) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT merge_pair IF NOT EXISTS FOR (n:Merge) REQUIRE n.pair IS UNIQUE;

// The threads that index vectors take turns by the lock on this one.
CREATE CONSTRAINT vector_queue IF NOT EXISTS FOR (n:VectorQueue) REQUIRE n.name IS UNIQUE;
CREATE INDEX document_pending IF NOT EXISTS FOR (n:Document) ON (n.pending);
CREATE INDEX document_multilingual IF NOT EXISTS FOR (n:Document) ON (n.multilingual);

CREATE INDEX chunk_place IF NOT EXISTS FOR (n:Chunk) ON (n.document, n.ordinal);
CREATE INDEX entity_key IF NOT EXISTS FOR (n:Entity) ON (n.key);
CREATE INDEX entity_cluster IF NOT EXISTS FOR (n:Entity) ON (n.cluster);
CREATE INDEX merge_id IF NOT EXISTS FOR (n:Merge) ON (n.id);
CREATE INDEX merge_low IF NOT EXISTS FOR (n:Merge) ON (n.low);
CREATE INDEX merge_high IF NOT EXISTS FOR (n:Merge) ON (n.high);
CREATE INDEX fact_company IF NOT EXISTS FOR (n:Fact) ON (n.company_key);
CREATE INDEX fact_period IF NOT EXISTS FOR (n:Fact) ON (n.period_label);
CREATE INDEX driver_company IF NOT EXISTS FOR (n:Driver) ON (n.company_key);
CREATE INDEX driver_extraction IF NOT EXISTS FOR (n:Driver) ON (n.extraction);
CREATE INDEX driver_document IF NOT EXISTS FOR (n:Driver) ON (n.document);
CREATE INDEX cause_id IF NOT EXISTS FOR (n:Cause) ON (n.id);
CREATE INDEX fact_document IF NOT EXISTS FOR (n:Fact) ON (n.document);

CREATE INDEX document_stamp IF NOT EXISTS FOR (n:Document) ON (n.stamp);

// Search terms come cut and stemmed, so blanks are all that separates them; the text itself is for people. All follow a
// moment after a write, which would wait a third of its time for them: whoever searches waits until they have.
CREATE FULLTEXT INDEX chunk_words IF NOT EXISTS FOR (n:Chunk) ON EACH [n.words, n.heading_words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}};
CREATE FULLTEXT INDEX entity_grams IF NOT EXISTS FOR (n:Entity) ON EACH [n.grams]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}};

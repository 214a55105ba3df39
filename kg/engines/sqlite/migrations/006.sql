-- Entities by what their names share with other spellings of them, so that a new name finds those it may be.

CREATE TABLE IF NOT EXISTS entity_block (
  block INTEGER NOT NULL,             -- a hash of type and block
  entity INTEGER NOT NULL,
  PRIMARY KEY (block, entity)
) WITHOUT ROWID;

INSERT OR IGNORE INTO entity_block (block, entity)
SELECT value, entity.id FROM entity, json_each(block_numbers(entity.type, entity.name, entity.name_key));

-- Communities of the graph and reports about them: derived, of the version of the store that the setting names.

INSERT INTO setting VALUES ('communities', -1), ('communities_method', '');

CREATE TABLE community (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,           -- the public id
  level INTEGER NOT NULL,
  parent TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  digest TEXT NOT NULL,
  data BLOB NOT NULL                  -- compressed JSON: members, report, findings
);

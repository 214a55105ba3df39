"""Where a graph is kept: a SQLite file or a Neo4j server."""

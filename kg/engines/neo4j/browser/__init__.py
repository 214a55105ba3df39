"""Neo4j Browser on a workspace: a style, a guide, and queries that each answer one question of an analyst."""

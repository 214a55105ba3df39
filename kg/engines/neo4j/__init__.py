"""The scale-out engine: a Neo4j server holds the same store, and people explore the graph in its Browser."""

"""From chunks to typed, dated triples, to a resolved entity graph, to a store."""

"""Answers from the relations of the graph: who, with whom, since when, what became of it, or that nothing says so."""

"""LightRAG as a column of a comparison."""

"""Ideas of indexing and searching side by side, a row of settings each."""

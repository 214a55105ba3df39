"""From a file to clean segments with page boxes, sentences, chunks, tables and facts."""

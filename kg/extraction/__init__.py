"""From chunks to triples: extractors by rules and by model, registers, names of the filer."""

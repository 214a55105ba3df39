"""One reader a format: what is seen in the file, in order, as the parts of a Document."""

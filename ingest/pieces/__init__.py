"""What the chunkers are given and what the index stores: text, table pieces, content value."""

"""What a language model writes, and what the checks do to it."""

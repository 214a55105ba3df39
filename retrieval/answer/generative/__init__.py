"""Answers that a language model writes: what it is sent, how else a question is searched, what of its text is kept."""

"""Sentences that answer a question about relations where no statement of the graph does."""

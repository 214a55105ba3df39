"""Evidence that answers a question, ranked."""

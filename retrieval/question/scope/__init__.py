"""Which companies, documents and periods a question speaks of."""

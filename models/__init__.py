"""The embedding model and the language model: clients, caches, budget. Knows nothing of finance."""

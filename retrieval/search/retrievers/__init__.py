"""Where candidates come from: passages, facts, graph, paths, communities."""

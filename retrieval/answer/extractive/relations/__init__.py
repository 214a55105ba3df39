"""Answers about relations: from the statements of the graph, else from the sentences of a page that tell them."""

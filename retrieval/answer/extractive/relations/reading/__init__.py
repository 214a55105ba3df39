"""Sentences of a page that tell a relation, where no statement of the graph does or where they tell more."""

"""Groups of entities that belong together, and reports about them."""

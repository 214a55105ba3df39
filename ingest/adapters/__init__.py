"""Our parts in the shapes that other libraries expect; none of these libraries is imported."""

"""Questions to the facts as SQL."""

"""From evidence to a cited answer."""

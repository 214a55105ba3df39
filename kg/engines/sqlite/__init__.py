"""The embedded engine: one SQLite file, no server."""

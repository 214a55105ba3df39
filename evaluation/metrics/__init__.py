"""Measures as pure functions, one concept a file; each docstring gives the formula and where it comes from."""

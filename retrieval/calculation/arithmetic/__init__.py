"""Figures worked out from facts: operations, aggregates, comparisons, series."""
